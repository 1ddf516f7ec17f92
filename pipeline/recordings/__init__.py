"""Recorded traces: their format, the judge, and the report."""
