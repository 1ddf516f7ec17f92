"""The pytest plugin: options for test classes that derive from `swagproof.oracle.testing.conformance.Conformance`.

It is loaded in every run of pytest where swagproof is installed (entry point group `pytest11`), so it imports nothing
but pytest.
"""

import random

import pytest

SEED, BUDGET = 0, 5.0
"""The options' defaults: the same traces in every run, and seconds for each test class."""


def _seed(text: str) -> int:
    return random.SystemRandom().randrange(2**32) if text == "random" else int(text)


def _budget(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError(text)
    return seconds


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `pytest --help` shows."""
    group = parser.getgroup("swagproof", "sliding windows (swagproof)")
    group.addoption(
        "--swagproof-seed",
        type=_seed,
        default=SEED,
        metavar="SEED",
        help=f"steer the search for failing traces; a number, or random (default: {SEED})",
    )
    group.addoption(
        "--swagproof-budget",
        type=_budget,
        default=BUDGET,
        metavar="SECONDS",
        help=f"seconds to search for failing traces, for each test class (default: {BUDGET:g})",
    )


def pytest_report_header(config: pytest.Config) -> str:
    """The seed and the budget, so that a run can be repeated."""
    seed, budget = config.getoption("swagproof_seed"), config.getoption("swagproof_budget")
    return f"swagproof: --swagproof-seed={seed} --swagproof-budget={budget:g}"
