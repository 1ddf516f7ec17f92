"""Streams cut into slices: theorems, explorations, costs and mutants.

The techniques are panes, pairs and Cutty (2018).
"""
