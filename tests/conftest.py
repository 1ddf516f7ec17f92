"""Contracts are checked in full in the tests: set before anything imports icontract.  And the one Spark session."""

import os

os.environ["ICONTRACT_SLOW"] = "1"

from support.spark import spark  # after the switch

__all__ = ["spark"]
