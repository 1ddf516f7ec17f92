"""Z3 terms, cached."""
