"""Contracts of the in-order algorithms of 2021.

The invariants of Two-Stacks, DABA, their Lite forms, and the algorithms that they are compared with.
"""
