"""The request for an audit: its options, how the tables are read for it, and who holds them."""
