"""State checks: the papers' invariants evaluated on states of user implementations."""
