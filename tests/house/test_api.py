"""The exports of `swagproof` equal those of its page and of its type stub, and are imported only when used."""

import re
import subprocess
import sys

from support.places import TESTS

import swagproof

ROOT = TESTS.parent


def test_the_page_the_stub_and_the_package_have_the_same_names() -> None:
    stub = set(re.findall(r"(\w+) as \1", (ROOT / "src" / "swagproof" / "__init__.pyi").read_text(encoding="utf-8")))
    table = (ROOT / "docs" / "manual" / "reference" / "stable.md").read_text(encoding="utf-8")
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    page = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert stub == page == set(swagproof.__all__)
    for name in swagproof.__all__:
        assert getattr(swagproof, name) is not None


def test_importing_it_loads_nothing() -> None:
    told = f"import sys; sys.path[:0] = {sys.path}; before = set(sys.modules); import swagproof"
    words = [sys.executable, "-S", "-c", f"{told}; print(*sorted(set(sys.modules) - before))"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"swagproof", "importlib", "importlib._bootstrap", "warnings", *LOADED}, (
        done.stdout
    )


LOADED = ("importlib._bootstrap_external", "_warnings")
"""The modules that `importlib` needs itself."""
