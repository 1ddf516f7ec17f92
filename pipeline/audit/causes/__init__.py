"""Causes: which one mistake explains the findings of an audit."""
