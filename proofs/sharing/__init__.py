"""Many windows over one stream.

Naive STREAM, TimeGram, OrderedSharing (2005): their theorems, explorations, costs and mutants.
"""
