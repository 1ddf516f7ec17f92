"""Paths of the tests' subjects and examples."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parent.parent
