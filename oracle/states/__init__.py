"""Dumped states: the papers' invariants applied to what an implementation of someone else wrote down."""
