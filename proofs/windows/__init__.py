"""Windows over a stream of events (2015): theorems, explorations, costs and mutants.

They are those of the windowing library and of the Aggregate operator.
"""
