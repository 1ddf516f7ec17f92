"""Create the explorer's tables from what the rooms that prove know."""
