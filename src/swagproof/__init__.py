"""swagproof: the formally checked reference and oracle for sliding-window aggregation (SWAG)."""
