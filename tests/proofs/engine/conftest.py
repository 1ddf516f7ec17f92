"""What Z3 was asked in one test is asked again in the next."""

import pytest

from swagproof.proofs.engine.solver import ANSWERS


@pytest.fixture(autouse=True)
def ask_anew() -> None:
    """No answer is remembered."""
    ANSWERS.forget(most=0)
