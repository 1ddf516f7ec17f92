"""Verdicts that are kept: a row whose check has nothing new to look at is not checked again.

The verdict of a row is a function of what it depends on, and that has a digest (swagproof.proofs.ledger.dependencies).
So a verdict is found again under its digest, in a folder that any number of runs may share: a file holds one verdict,
and is put in its place when it is complete.  Only rows that hold are kept: what fails or is unknown is to be seen
again.  A file is read as data, and one that says anything but what `keep` writes is none.

The folder is trusted as the code is: who can write there can write that a row holds.
"""

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Final, NoReturn

import platformdirs

from swagproof.proofs.ledger.claim import Claim, Row, Verdict
from swagproof.proofs.ledger.dependencies import Dependencies, Unknown, is_what_runs

MOST: Final = 8
"""So many verdicts of a row are kept: those of other branches, say."""


def find_folder() -> Path:
    """Where programs of this user keep what they can make again."""
    return platformdirs.user_cache_path("swagproof", appauthor=False) / "verdicts"


class Kept:
    """The verdicts in a folder; with `fresh`, none of those that it has is found."""

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh
        self._places: dict[tuple[str, bool], tuple[Path, frozenset[str]]] = {}
        """Where the verdict of a row belongs, and the modules that it depends on."""

    def find(self, claim: Claim, deep: bool = False) -> Row | None:
        """The row of a claim, if it was seen to hold with all that it depends on as it is.

        To be asked before the claim is settled, for what is kept then is kept under what was found here.
        """
        deep = deep and claim.deep is not None
        try:
            dependencies = Dependencies.of(claim)
            name = f"{dependencies.digest(deep)}.json"
        except Unknown:
            return None
        place = self._folder / claim.id.replace("/", ".") / name
        self._places[claim.id, deep] = place, dependencies.modules
        return None if self._fresh else _read(place, claim, deep)

    def keep(self, row: Row) -> None:
        """Keep what was found of a row that holds, unless what ran is something else than its files say."""
        place, modules = self._places.get((row.claim.id, row.deep), (None, ()))
        if place is None or row.verdict != "holds" or row.kept or not is_what_runs(modules):
            return
        entry = {
            "row": row.claim.id,
            "deep": row.deep,
            "detail": row.detail,
            "seconds": row.seconds,
            "controls": row.controls,
            "statistics": row.statistics,
        }
        with contextlib.suppress(OSError):  # a folder that cannot be written keeps nothing
            _write(place, json.dumps(entry))
            for old in sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)[:-MOST]:
                old.unlink(missing_ok=True)


def _write(place: Path, text: str) -> None:
    """Put a file in its place, complete or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=place.parent, suffix=".new")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, place)
    except BaseException:
        os.unlink(name)
        raise


def _read(place: Path, claim: Claim, deep: bool) -> Row | None:
    """What `keep` wrote there of this claim; None for anything else."""
    try:
        entry = json.loads(place.read_text(encoding="utf-8"), parse_constant=_refuse)
    except (OSError, ValueError, RecursionError):
        return None
    match entry:
        case {
            "row": claim.id,
            "deep": bool(of),
            "detail": str(detail),
            "seconds": float(seconds),
            "controls": [*controls],
            "statistics": {},
            **rest,
        } if of is deep and seconds >= 0 and not rest and _are_rejected(controls, claim):
            rejected: tuple[tuple[str, Verdict, str], ...] = tuple((name, "fails", how) for name, _, how in controls)
            return Row(claim, "holds", detail, seconds, rejected, {**entry["statistics"]}, deep, kept=True)
        case _:
            return None


def _are_rejected(controls: list[Any], claim: Claim) -> bool:
    """Whether these are the rejections of all that the claim's check must reject, in order."""
    told = [(each[0], each[1]) for each in controls if isinstance(each, list) and [*map(type, each)] == [str] * 3]
    return len(told) == len(controls) > 0 and told == [(control.name, "fails") for control in claim.controls]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number that is written")
