"""Techniques that the papers name but do not print: theorems, explorations, costs and mutants.

They are FlatFIT, SlickDeque, and stream slicing over FiBA.
"""
