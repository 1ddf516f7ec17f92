"""The search: the traces to try, their order, and the resulting coverage."""
