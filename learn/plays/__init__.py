"""Plays of the algorithms: the operations of each, the elements, and scenarios."""
