"""The explorer: every reachable state up to a bound, every operation from each."""
