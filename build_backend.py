"""Build backend: setuptools, with the explorer's tables in a wheel.

The tables are made from the proofs, so making a wheel needs what the proofs need, in the versions of `pyproject.toml`.
An editable install needs none of it: there the tables are made when `swagproof learn` first asks for them.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # the other hooks, as they are

NEEDED = ("asttokens", "click", "crosshair-tool", "icontract", "platformdirs", "rich", "z3-solver")
SITE = Path("src", "swagproof", "learn", "site")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what makes the tables, beside what setuptools needs."""
    pinned = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    needed = [each for each in pinned if each.partition("==")[0] in NEEDED]
    return [*build_meta.get_requires_for_build_wheel(config_settings), *needed]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Make the tables where setuptools finds them, build, and remove them."""
    make = [sys.executable, "-m", "swagproof.learn.tables", str(SITE)]
    try:
        subprocess.run(make, env={**os.environ, "PYTHONPATH": "src"}, check=True)
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    finally:
        for table in SITE.glob("*.json"):
            table.unlink()
