"""The oracle in a test suite: pytest's plugin, Hypothesis' strategies and state machines."""
