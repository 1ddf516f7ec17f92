"""Recorded traces: their format, the files that hold them, their judge, and what is said of them."""
