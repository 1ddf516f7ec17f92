"""Recorded traces: what they hold, how they are judged, and what is reported of them."""
