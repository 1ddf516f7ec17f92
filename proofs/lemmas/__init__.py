"""Lemmas of the proofs: what loops keep, and what parts of an operation are given and leave; the papers state none."""
