"""What is written down when the package is made, because the rooms that know it prove with a solver, which no page has.

`docs/makers/explorer.py` writes it: the registered mistakes and small histories that show them, what is said of the
papers' text, what is claimed of each algorithm with the cases of its proof, and the curves of cost.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from swagproof.learn.plays.play import Play, with_elements
from swagproof.learn.texts import Text, edited
from swagproof.oracle.trace import InputError


@cache
def _read(name: str) -> Any:
    return json.loads((files("swagproof.learn") / "site" / f"{name}.json").read_text(encoding="utf-8"))


def errata() -> list[dict[str, Any]]:
    """What is said of the papers' text, with what of it can be played."""
    found: list[dict[str, Any]] = _read("errata")
    return found


def forms_of(slug: str) -> list[dict[str, Any]]:
    """What is refuted and can be played of an algorithm, each with the history that shows it."""
    return [form for entry in errata() for form in entry["forms"] if form["slug"] == slug]


def registered() -> dict[str, list[dict[str, Any]]]:
    """The registered mistakes of each algorithm, by its slug."""
    found: dict[str, list[dict[str, Any]]] = _read("variants")
    return found


def telling(slug: str) -> list[dict[str, Any]]:
    """Small histories of an algorithm that show all its registered mistakes between them, each with its setting."""
    found: list[dict[str, Any]] = _read("telling").get(slug, [])
    return found


def proofs() -> dict[str, Any]:
    """What is claimed of each algorithm, and the cases of the proofs that can be played."""
    found: dict[str, Any] = _read("proofs")
    return found


def curves() -> list[dict[str, Any]]:
    """The curves of cost, as `swagproof cost` counts them."""
    found: list[dict[str, Any]] = _read("curves")
    return found


def play_case(case: Mapping[str, Any], play: Play) -> list[list[Any]] | None:
    """The history that leads to a case's state, and the operation that it is about; None where none is known."""
    if case["history"] is None:
        return None
    asked = [*case["history"], *([[case["run"].partition(" ")[0]]] if case["run"] != "start" else [])]
    return with_elements(asked, play, "segments" if "segments" in play.monoids else play.monoids[0])


def find_mistake(name: str, slug: str) -> dict[str, Any]:
    """A registered mistake of an algorithm, or what is printed of it.  Raises InputError."""
    for variant in [*registered().get(slug, []), *forms_of(slug)]:
        if variant["name"] == name:
            return variant
    raise InputError(f"{name!r} is no registered mistake of {slug}")


def changes_of(algorithm: type[Any], mistake: Mapping[str, Any]) -> dict[str, str]:
    """The functions that a mistake changes, as it has them."""
    changes: dict[str, str] = {}
    for edit in mistake["edits"]:
        function, source = edited(Text(algorithm), changes, edit, mistake["part"])
        changes[function] = source
    return changes
