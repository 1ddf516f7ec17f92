"""Hints that lead to the last refutation of each mutant, so that refuting it again takes a fraction of the time.

A mutant is refuted on one of many paths of a proof, or at one of many states of an exploration, and finding it takes
most of the time.  `proofs/refutations.json` has a `Refutation` for each claim and mutant: the run, and the decisions or
choices that led to the failure.  `python docs/makers/refutations.py` writes the file again.

A claim's check follows the hint first.  The failure there is checked by Z3 or by running the code, so a wrong hint
cannot refute anything: it costs time, and the full search follows.  Hints are used for mutants only, never to check the
reference.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).resolve().parent.parent / "refutations.json"


class Refutation(NamedTuple):
    """The place of a mutant's refutation: the run, and the way to the failure."""

    run: str
    """The operation or step that is run, or the number of the space that is explored."""
    way: tuple[int, ...]
    """The decisions on the path to the failure; or the number of the start, and of the choice at each step."""

    @classmethod
    def read(cls, text: str) -> "Refutation":
        """Read a refutation from its text, such as `insert 0.1.1.0`."""
        run, _, way = text.rpartition(" ")
        return cls(run, tuple(map(int, filter(None, way.split(".")))))

    def __str__(self) -> str:
        return f"{self.run} {'.'.join(map(str, map(int, self.way)))}"


@cache
def read_hints() -> dict[str, dict[str, str]]:
    """Return the hints by claim and mutant; none if there is no such file."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    return found


def find_hint(row: str, variant: str) -> Refutation | None:
    """Return the hint to the refutation of a mutant by a claim, if any."""
    text = read_hints().get(row, {}).get(variant)
    return None if text is None else Refutation.read(text)


_hint: Refutation | None = None
_whole = True


@contextmanager
def hinting(hint: Refutation | None, *, whole: bool = True) -> Generator[None]:
    """Have checks in the context follow this hint first, and find all failures there (`whole`) or only the first."""
    global _hint, _whole
    before, (_hint, _whole) = (_hint, _whole), (hint, whole)
    try:
        yield
    finally:
        _hint, _whole = before


def get_hint() -> Refutation | None:
    """Return the hint to follow first, if any."""
    return _hint


def is_told_whole() -> bool:
    """Return whether all failures are wanted where the hint leads."""
    return _whole


_asked = False


@contextmanager
def asking_where() -> Generator[None]:
    """Have explorations in the context return the way to their failure."""
    global _asked
    before, _asked = _asked, True
    try:
        yield
    finally:
        _asked = before


def is_asked_where() -> bool:
    """Return whether explorations shall return the way to their failure."""
    return _asked
