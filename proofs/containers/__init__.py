"""Proofs that the containers meet their definitions, which other proofs use in place of the containers."""
