"""Windows over a stream of events: the windowing library and the Aggregate operator (2015)."""
