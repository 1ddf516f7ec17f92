"""What a verdict is said with: all that was tried, the failing trace row by row, and the report of it."""
