"""The FlatFAT of the Reactive Aggregator for FIFO, of which only the places from front to back are occupied."""
