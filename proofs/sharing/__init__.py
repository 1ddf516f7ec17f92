"""Many windows over one stream (2005): theorems, explorations, costs and mutants.

The algorithms are naive STREAM, TimeGram and OrderedSharing.
"""
