"""Inserted elements and their sources: elements for each aggregation, columns of files, aggregates as SQL has them."""
