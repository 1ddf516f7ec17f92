"""Contracts are checked in full in the tests: set before anything imports icontract.  And the one Spark session.

No JVM of the tests lives long enough to earn what optimising compilers and parallel collectors cost it.
"""

import os
import signal

import pytest

os.environ["ICONTRACT_SLOW"] = "1"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a job in the background is started, and so are its children
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["JAVA_TOOL_OPTIONS"] = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -XX:-UsePerfData"
)

from support.spark import spark  # after the switch

__all__ = ["keep_verdicts_apart", "spark"]


@pytest.fixture(autouse=True, scope="session")
def keep_verdicts_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test finds what somebody's runs have kept, nor leaves anything there."""
    os.environ["SWAGPROOF_KEPT"] = str(tmp_path_factory.mktemp("verdicts"))
