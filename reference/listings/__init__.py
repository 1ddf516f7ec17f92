"""The papers' listings as supplied, in this project's notation; the code of `reference/` is compared with them.

A tag `[Fig.7 l.62]` at a line of code names a listing and a line of it.  Code without a tag belongs to the tag above,
so that all code of a transcribed function is accounted for; decisions that a paper leaves open are tagged `[ours]`.
"""
