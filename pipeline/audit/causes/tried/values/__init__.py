"""Hypotheses of what becomes of values: in which unit they are taken, and how partial answers are merged."""
