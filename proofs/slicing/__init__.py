"""Streams cut into slices by panes, pairs and Cutty (2018): theorems, explorations, costs and mutants."""
