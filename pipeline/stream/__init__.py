"""The reference as a keyed Structured Streaming operator, and as an audit of another job: `swagproof stream`."""
