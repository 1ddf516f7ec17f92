"""Whole operations of the trees, for every size: a tree as a zipper, the runs over it, and what is claimed."""
