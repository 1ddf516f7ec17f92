"""Invariants of techniques that the papers name but do not print: FlatFIT, SlickDeque, stream slicing over FiBA."""
