"""Of tests that put hundreds of cases to one check, some: so that who changes a line waits minutes for the suite.

Problem: each wrong edit, clause, planted fault and wrong window has a test, and most of a full run repeats one check on
the next case.  Marked `drawn(number)`, a test runs so many of its cases, spread evenly over all, the same each time;
the others are run with `--rest`, as CI does after them.  A case that is named on the command line is always run.
"""

from collections import defaultdict

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """What is not drawn has an option."""
    parser.addoption("--rest", action="store_true", help="run the cases that are not drawn otherwise, and nothing else")


def pytest_configure(config: pytest.Config) -> None:
    """The marker is one of pytest's."""
    config.addinivalue_line("markers", "drawn(number): of all its cases run so many, and the others with --rest")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not drawn; with --rest, all else.  What needs Spark's session goes first: to one worker."""
    if any("::" in argument for argument in config.args):
        return
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("drawn"):
            cases[item.nodeid.partition("[")[0]].append(item)
    rest = {case for each in cases.values() for case in each} - {case for each in cases.values() for case in draw(each)}
    left_out = [item for item in items if (item in rest) != config.getoption("--rest")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if (item in rest) == config.getoption("--rest")]
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))


def draw(cases: list[pytest.Item]) -> list[pytest.Item]:
    """As many as their marker says, as far from one another as can be."""
    marker = cases[0].get_closest_marker("drawn")
    assert marker is not None
    (number,) = marker.args
    return [cases[i * len(cases) // number] for i in range(number)] if number < len(cases) else cases
