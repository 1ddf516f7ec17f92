"""Stream elements: sample elements for each aggregation, columns of files, and aggregates of SQL."""
