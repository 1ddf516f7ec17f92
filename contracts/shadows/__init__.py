"""Shadows: one mix-in for each abstract data type that keeps the window by definition with an algorithm."""
