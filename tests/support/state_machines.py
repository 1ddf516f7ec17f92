"""State machines as the tests run them: the same draws each time, and one way to see that a mistake is found."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import run_state_machine_as_test

QUICK = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def run_machine(machine: Any, **changes: Any) -> None:
    """Run it for as long as `QUICK` says, but for these changes."""
    run_state_machine_as_test(machine, settings=settings(QUICK, **changes))  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped


def assert_found(machine: Any, **changes: Any) -> None:
    """A long run ends in a wrong answer, or in whatever the mistake raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011  # whatever it is
        run_machine(machine, **{"max_examples": 1000, "phases": [Phase.generate], **changes})
    assert not isinstance(raised.value, HypothesisException)
