"""Reports of all commands, in one form: the report, its rendering and delivery, and progress on the way to it.

This package lies below all rooms: proofs and judged subjects are reported alike, while `proofs` and `oracle` do not
import each other.
"""
