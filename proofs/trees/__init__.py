"""The trees of 2018.

The classic B-tree, FiBA, and its bulk operations: their theorems, explorations, costs and mutants.
"""
