"""What every command says, in one form: the report, how it is rendered and delivered, and progress on the way to it.

It lies below all rooms, for theorems and judged subjects are reported alike, and `proofs` and `oracle` know nothing of
each other.
"""
