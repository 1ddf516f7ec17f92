"""Runners of state machines, with fresh or fixed seeds."""

import os
import secrets
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import get_state_machine_test, run_state_machine_as_test

QUICK = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def run_fresh(machine: Any, **changes: Any) -> None:
    """Run a machine with a fresh seed.  A failure shows it, and MACHINE_SEED=... replays it."""
    number = int(os.environ.get("MACHINE_SEED") or secrets.randbelow(10**6))
    test = get_state_machine_test(machine, settings=settings(QUICK, derandomize=False, database=None, **changes))
    try:
        seed(number)(test)()
    except Exception as error:
        error.add_note(f"replay: MACHINE_SEED={number} and this test's name")
        raise


def run_machine(machine: Any, **changes: Any) -> None:
    """Run a machine for as long as `QUICK` says, with these changes."""
    run_state_machine_as_test(machine, settings=settings(QUICK, **changes))  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped


def assert_found(machine: Any, **changes: Any) -> None:
    """Check that a long run ends in a wrong answer, or in the mutant's own error."""
    with pytest.raises(Exception) as raised:  # noqa: PT011  # whatever it is
        run_machine(machine, **{"max_examples": 1000, "phases": [Phase.generate], **changes})
    assert not isinstance(raised.value, HypothesisException)
