"""Who holds the two tables: one process, or Spark."""
