"""States that are begun again, or kept as they were."""
