"""The command that opens the explorer."""
