"""The trees of the 2018 paper: theorems, explorations, costs and mutants.

They are the classic B-tree, FiBA, and FiBA's bulk operations.
"""
