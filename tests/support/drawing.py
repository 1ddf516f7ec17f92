"""Sampling of tests with hundreds of cases for one check, so that the suite takes minutes after a change.

Problem: each edit, clause, planted fault and wrong window has a test, and most of a full run repeats one check on the
next case.  A test marked `drawn(number)` runs that many of its cases, spread evenly over all, the same each time;
`drawn(0)` marks a slow test whose subject other tests cover.  `--rest` runs the other cases, and `--rest --share 1/3`
a share of them: CI runs one of ten, chosen by the commit.

A case named on the command line always runs.
"""

from collections import defaultdict

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the cases that are not drawn."""
    parser.addoption("--rest", action="store_true", help="run the cases that are not drawn otherwise, and nothing else")
    parser.addoption("--share", metavar="K/N", help="of the cases that are run every N-th, from the K-th on")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "drawn(number): of all its cases run so many, and the others with --rest")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect cases that are not drawn, or with --rest the drawn ones.  Spark's tests go first, to one worker."""
    if any("::" in argument for argument in config.args):
        return
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("drawn"):
            cases[item.nodeid.partition("[")[0]].append(item)
    rest = {case for each in cases.values() for case in each} - {case for each in cases.values() for case in draw(each)}
    chosen = [item for item in items if (item in rest) == config.getoption("--rest")]
    first, every = read_share(config.getoption("--share"))
    chosen = chosen[first - 1 :: every]
    config.hook.pytest_deselected(items=list(set(items) - set(chosen)))
    items[:] = chosen
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))


def read_share(text: str | None) -> tuple[int, int]:
    """Return the number of the share, and the number of shares.  Raises UsageError."""
    if text is None:
        return 1, 1
    match text.split("/"):
        case [k, n] if k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n):
            return int(k), int(n)
        case _:
            raise pytest.UsageError(f"--share {text}: K/N is meant, with 1 <= K <= N")


def draw(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return as many cases as their marker says, spread evenly."""
    marker = cases[0].get_closest_marker("drawn")
    assert marker is not None
    (number,) = marker.args
    return [cases[i * len(cases) // number] for i in range(number)] if number < len(cases) else cases
