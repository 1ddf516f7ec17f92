"""The pytest plugin: options for test classes that derive from `swagproof.oracle.testing.conformance.Conformance`.

It is loaded in every run of pytest where swagproof is installed (entry point group `pytest11`), so it imports nothing
but pytest.
"""

import random

import pytest

SEED, EFFORT = 0, "small"
"""The options' defaults: the same traces in every run, and how much is tried of each test class."""


def _seed(text: str) -> int:
    return random.SystemRandom().randrange(2**32) if text == "random" else int(text)


def _effort(text: str) -> str:
    if text not in ("small", "default", "large") and not text.isdecimal():
        raise ValueError(text)
    return text


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
        "--swagproof-effort",
        type=_effort,
        default=EFFORT,
        metavar="EFFORT",
        help=f"how much to try of each test class: small, default, large, or operations (default: {EFFORT})",
    )


def pytest_report_header(config: pytest.Config) -> str:
    """The seed and the effort, so that a run can be repeated."""
    seed, effort = config.getoption("swagproof_seed"), config.getoption("swagproof_effort")
    return f"swagproof: --swagproof-seed={seed} --swagproof-effort={effort}"
