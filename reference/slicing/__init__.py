"""Streams cut into slices: panes, pairs, Cutty (2018)."""
