"""Plays of the algorithms: the operations of each, the elements, and the scenarios that show it."""
