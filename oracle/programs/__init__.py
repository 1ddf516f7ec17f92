"""Programs as subjects: any language, over standard input and output, one line per operation (`PROTOCOL.md`)."""
