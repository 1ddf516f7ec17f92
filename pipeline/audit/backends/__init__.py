"""Storage of the two tables: one process, or Spark."""
