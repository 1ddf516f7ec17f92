"""Where each wrong variant was refuted last: a hint, by which it is refuted again in a fraction of the time.

A wrong variant is refuted on one of many paths of a proof, or at one of many places of an exploration, and to find it
takes most of what the variant costs.  So `proofs/refutations.json` has it for each row and variant: what was run, and
the decisions, or the choices, that led there (`python docs/makers/refutations.py` makes it anew).  They are followed
first, and what fails there fails, whatever the file says: by a model of Z3's, or by the code run.  A hint that leads
nowhere costs time alone: the variant is then looked for as if there were none.  What a row states is never looked for
along hints.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).resolve().parent.parent / "refutations.json"


class Refutation(NamedTuple):
    """Where a wrong variant is refuted."""

    run: str
    """What is run: an operation, or a step; or the number of the space that is explored."""
    way: tuple[int, ...]
    """The decisions on the path, up to what fails; or which start it was, and which of the choices, step by step."""

    @classmethod
    def read(cls, text: str) -> "Refutation":
        """From its text: `insert 0.1.1.0`."""
        run, _, way = text.rpartition(" ")
        return cls(run, tuple(map(int, filter(None, way.split(".")))))

    def __str__(self) -> str:
        return f"{self.run} {'.'.join(map(str, map(int, self.way)))}"


@cache
def read_hints() -> dict[str, dict[str, str]]:
    """By row and wrong variant; none, where there is no such file."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    return found


def find_hint(row: str, variant: str) -> Refutation | None:
    """Where a row has refuted a wrong variant."""
    text = read_hints().get(row, {}).get(variant)
    return None if text is None else Refutation.read(text)


_hint: Refutation | None = None
_whole = True


@contextmanager
def hinting(hint: Refutation | None, *, whole: bool = True) -> Generator[None]:
    """Yield what is rejected meanwhile is looked for there first; all that is wrong there, or what is wrong first."""
    global _hint, _whole
    before, (_hint, _whole) = (_hint, _whole), (hint, whole)
    try:
        yield
    finally:
        _hint, _whole = before


def get_hint() -> Refutation | None:
    """Where to look first."""
    return _hint


def is_told_whole() -> bool:
    """Return whether all that is wrong there is asked for."""
    return _whole


_asked = False


@contextmanager
def asking_where() -> Generator[None]:
    """Yield what is rejected meanwhile is told with the way that leads there."""
    global _asked
    before, _asked = _asked, True
    try:
        yield
    finally:
        _asked = before


def is_asked_where() -> bool:
    """Return whether it is."""
    return _asked
