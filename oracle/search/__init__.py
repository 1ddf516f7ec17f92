"""The search: which traces are tried, in which order, and how much of the references they covered."""
