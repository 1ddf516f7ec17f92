"""The reading of both tables: files and data frames as Arrow batches, and their cells as what the audit compares."""
