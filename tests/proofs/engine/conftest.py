"""Fixtures that isolate tests from each other's cached answers of Z3."""

import pytest

from swagproof.proofs.engine.solver import ANSWERS


@pytest.fixture(autouse=True)
def ask_anew() -> None:
    """Empty the cache of answers."""
    ANSWERS.forget(most=0)
