"""Windows over a stream of events.

The windowing library and the Aggregate operator (2015): their theorems, explorations, costs and mutants.
"""
