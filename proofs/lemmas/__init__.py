"""Lemmas of the proofs, which the papers do not state: loop invariants, and contracts of an operation's parts."""
