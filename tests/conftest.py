"""Contracts are checked in full in the tests: set before anything imports icontract.  And the one Spark session.

No JVM of the tests lives long enough to earn what optimising compilers and parallel collectors cost it.
"""

import os

import pytest

os.environ["ICONTRACT_SLOW"] = "1"
os.environ["JAVA_TOOL_OPTIONS"] = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -XX:-UsePerfData"
)

from support.pages import enlarge_pages
from support.spark import spark  # after the switch

__all__ = ["keep_pages_large", "keep_verdicts_apart", "spark"]


@pytest.fixture(autouse=True, scope="session")
def keep_verdicts_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test finds what somebody's runs have kept, nor leaves anything there."""
    os.environ["SWAGPROOF_KEPT"] = str(tmp_path_factory.mktemp("verdicts"))


@pytest.fixture(autouse=True, scope="module")
def keep_pages_large() -> None:
    """A worker has run other modules before this one, and has grown."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        enlarge_pages()
