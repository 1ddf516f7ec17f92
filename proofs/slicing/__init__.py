"""Streams cut into slices: panes, pairs, Cutty (2018): their theorems, explorations, costs and mutants."""
