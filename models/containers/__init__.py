"""Containers of the algorithms.

Arrays, stacks, the search tree, and the deque with the papers' pointer operations.
"""
