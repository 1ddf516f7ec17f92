"""What a job may take its values, or its events, for: those of others, as many as a text has parts, or buckets."""
