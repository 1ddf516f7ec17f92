"""Readers of both tables: files and data frames as Arrow batches, with cells converted for comparison."""
