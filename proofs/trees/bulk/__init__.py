"""FiBA's bulk operations, proved: a tree between steps in which aggregates wait, and how they are repaired."""
