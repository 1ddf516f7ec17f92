"""Contracts are checked in full in the tests: set before anything imports icontract."""

import os

os.environ["ICONTRACT_SLOW"] = "1"
