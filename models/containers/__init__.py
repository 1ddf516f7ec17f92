"""What the algorithms keep things in.

Arrays, stacks, the search tree, and the deque with the papers' pointer operations.
"""
