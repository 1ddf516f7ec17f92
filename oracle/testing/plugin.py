"""The pytest plugin: options for test classes that derive from `swagproof.oracle.testing.conformance.Conformance`.

Every run of pytest loads it if swagproof is installed (entry point group `pytest11`), so it imports only pytest.
"""

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

SEED, EFFORT = 0, "small"
"""The options' defaults: the same traces in every run, and the effort for each test class."""

MEMORY = "swagproof_memory"
"""The ini option: the memory limit of each process of a subject, in megabytes, if a test class has none."""


def _seed(text: str) -> int:
    return random.SystemRandom().randrange(2**32) if text == "random" else int(text)


def _effort(text: str) -> str:
    if text not in ("small", "default", "large") and not text.isdecimal():
        raise ValueError(text)
    return text


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `pytest --help` shows."""
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
    group.addoption(
        "--swagproof-html",
        type=Path,
        metavar="DIR",
        help="write a page there for each item that fails",
    )
    parser.addini(MEMORY, "megabytes that each process of what is judged by swagproof may take (default: 4096)")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Called by pytest-xdist: a worker reads the command line, and must not draw another seed."""
    node.workerinput["swagproof_seed"] = node.config.getoption("swagproof_seed")


def pytest_configure(config: pytest.Config) -> None:
    """Give a worker of pytest-xdist the seed that the header shows."""
    given: dict[str, Any] = getattr(config, "workerinput", {})
    config.option.swagproof_seed = given.get("swagproof_seed", config.option.swagproof_seed)


def memory_of(config: pytest.Config) -> Any:
    """Return the memory limit of pytest's ini file; None if it has none, or if this plugin is disabled."""
    try:
        return config.getini(MEMORY)
    except ValueError:
        return None


def line_for(config: pytest.Config, node: str) -> str:
    """Return the id of an item relative to the directory where pytest was started, which need not be its root."""
    path, colons, rest = node.partition("::")
    return os.path.relpath(config.rootpath / path, config.invocation_params.dir) + colons + rest


def page_of(config: pytest.Config, node: str) -> Path | None:
    """Return the path of an item's page, and make its folder; None if no pages are requested."""
    folder: Path | None = config.getoption("swagproof_html", None)  # pyright: ignore[reportAssignmentType]  # any option
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{re.sub(r'[^A-Za-z0-9._]+', '-', node).strip('-')}.html"


def pytest_report_header(config: pytest.Config) -> str:
    """Return the seed and the effort, so that a run can be repeated, also with several workers."""
    seed, effort = config.getoption("swagproof_seed"), config.getoption("swagproof_effort")
    return f"swagproof: --swagproof-seed={seed} --swagproof-effort={effort}"
