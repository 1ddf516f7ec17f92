"""The window by definition beside an algorithm: one mix-in for each abstract data type."""
