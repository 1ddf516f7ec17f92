"""Mutants: every small change of every algorithm's source, and what becomes of each."""
