"""Whole operations of the trees, for every size: a tree as a zipper, runs over it, and their claims."""
