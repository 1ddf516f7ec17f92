"""Programs as subjects: any language, over standard input and output, a line an operation (`PROTOCOL.md`)."""
