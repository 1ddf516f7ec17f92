"""The terms that proofs are made of."""
