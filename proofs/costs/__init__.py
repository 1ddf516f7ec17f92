"""Costs, counted: histories beside the theorems' figures, and curves beside the papers'."""
