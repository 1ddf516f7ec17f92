"""What a job may have taken for the extent of its windows, as their results tell it."""
