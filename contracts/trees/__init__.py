"""Invariants of the trees of 2018: the classic B-tree, FiBA, and its bulk operations."""
