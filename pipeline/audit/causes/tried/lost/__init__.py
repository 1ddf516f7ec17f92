"""Events that a job may have left out by what came beside them: pages, loads, limits, batches with a bad record."""
