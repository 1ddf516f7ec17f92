"""Contracts are checked in full in the tests: set before anything imports icontract.  And the one Spark session.

No JVM of the tests lives long enough to earn what optimising compilers and parallel collectors cost it.
"""

import os

os.environ["ICONTRACT_SLOW"] = "1"
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"

from support.spark import spark  # after the switch

__all__ = ["spark"]
