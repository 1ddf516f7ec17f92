"""Binary trees stored in arrays (2015): theorems, explorations, costs and mutants.

They are FlatFAT, the Reactive Aggregator and base intervals.
"""
