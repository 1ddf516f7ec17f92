"""What a job may have taken for the extent of its windows: of each kind by itself, and as their results tell it."""
