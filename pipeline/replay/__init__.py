"""Recorded traces replayed on Spark."""
