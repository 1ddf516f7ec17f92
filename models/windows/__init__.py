"""Windows by definition: over a stream in order, over events in any order, in words, and with events that come late."""
