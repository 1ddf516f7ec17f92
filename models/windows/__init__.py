"""Definitions of windows: over ordered streams, over events in any order, as text, and with late events."""
