"""The in-order algorithms of 2021: theorems, explorations, costs and mutants.

They are Two-Stacks, DABA, their Lite forms, and the algorithms with which the paper compares them.
"""
