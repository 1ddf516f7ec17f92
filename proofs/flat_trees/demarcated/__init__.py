"""The FlatFAT of the Reactive Aggregator for FIFO, in which only the places from front to back are occupied."""
