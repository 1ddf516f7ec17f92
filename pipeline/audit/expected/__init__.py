"""Expected results: the reference, run over the events of each key."""
