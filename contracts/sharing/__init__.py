"""Many windows over one stream: naive STREAM, TimeGram, OrderedSharing (2005): their invariants."""
