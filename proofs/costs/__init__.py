"""Counted costs: of histories, compared with the theorems' bounds, and of curves, compared with the papers' figures."""
