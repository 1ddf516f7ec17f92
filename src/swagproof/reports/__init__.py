"""Reports of all commands in one form: the report, its rendering and delivery, and progress display.

This package lies below all rooms: `proofs` and `oracle` report in the same form but do not import each other.
"""
