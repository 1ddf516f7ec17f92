"""`swagproof audit`: windowed results that somebody's job made of some events, held against the reference."""
