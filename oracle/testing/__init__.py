"""The oracle in a test suite: a pytest plugin, Hypothesis strategies and state machines."""
