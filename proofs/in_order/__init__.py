"""The in-order algorithms of 2021.

Two-Stacks, DABA and their Lite forms, and what they are compared with: their theorems, explorations, costs and wrong
mutants.
"""
