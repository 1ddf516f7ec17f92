"""Expected results: the reference run over the events of one key after the other."""
