"""What a listing is."""

Listing = dict[str, dict[int, str]]
"""Function (its name here) -> line number as printed -> step, in this project's notation."""
