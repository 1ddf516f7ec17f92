"""Binary trees laid flat in arrays.

FlatFAT, the Reactive Aggregator and base intervals (2015): their theorems, explorations, costs and mutants.
"""
