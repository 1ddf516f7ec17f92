"""What is inserted, and from where: elements for each aggregation, columns of files, aggregates as SQL has them."""
