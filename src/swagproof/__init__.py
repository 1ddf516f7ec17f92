"""swagproof."""
