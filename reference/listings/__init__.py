"""The papers' listings as supplied, in this project's notation; the code of `reference/` is held against them.

A tag `[Fig.7 l.62]` at a line of code names a listing and a line of it.  What follows without a tag belongs to the tag
above it, so that nothing in a transcribed function goes unaccounted for; what a paper leaves open is tagged `[ours]`.
"""
