"""Techniques that the papers name and do not print.

FlatFIT, SlickDeque, stream slicing over FiBA: their theorems, explorations, costs and mutants.
"""
