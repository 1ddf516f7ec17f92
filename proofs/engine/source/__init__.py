"""Source transformations before a method is rewritten, and loops that check their invariants concretely."""
