"""The explorer's tables: `python -m swagproof.learn.tables FOLDER` writes them all, for a wheel.

Otherwise `swagproof.learn.written` requests each table when it needs it.
"""

import json
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from swagproof.learn.plays.play import with_elements
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.settings import read_setting
from swagproof.learn.texts import Text
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.errata import ENTRIES
from swagproof.proofs.errata.erratum import Entry
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.claim import PAPERS
from swagproof.proofs.ledger.mutants import Mutant


def list_claims() -> dict[str, list[dict[str, str]]]:
    """Return the claims about each algorithm that the explorer plays."""
    found: dict[str, list[dict[str, str]]] = {slug: [] for slug in PLAYS}
    for claim in CLAIMS:
        said = {"id": claim.id, "kind": claim.kind, "source": str(claim.source), "statement": claim.statement}
        for slug, claimed in found.items():
            if claim.id.startswith(f"{slug.partition(':')[0]}/"):
                claimed.append({**said, "scope": claim.scope, "not_covered": claim.not_covered})
    return found


def list_mutants() -> dict[str, list[dict[str, Any]]]:
    """Return the registered mutants of each algorithm, by its slug."""
    families = (suspects.mutants for suspects in SUSPECTS)
    return {
        mutants.columns[0].slug: [describe_mutant(mutant, mutants.columns[0].algorithm) for mutant in mutants]
        for mutants in families
    }


def describe_mutant(mutant: Mutant, algorithm: type[Any]) -> dict[str, Any]:
    """Return a mutant: its name, why it is hidden, the functions that it changes, and the claims that reject it."""
    rows = [claim.id for claim in CLAIMS if any(control == mutant for control in claim.controls)]
    return {"name": mutant.name, "hidden": mutant.hidden, "changes": changes_of(mutant, algorithm), "rows": rows}


def changes_of(mutant: Mutant, algorithm: type[Any]) -> dict[str, str]:
    """Return the whole source of each function that a mutant changes, by its qualified name."""
    cls = getattr(algorithm, mutant.part) if mutant.part else algorithm
    written = {function.name: "\n".join(function.lines) + "\n" for function in Text(algorithm).functions}
    changes: dict[str, str] = {}
    for edit in mutant.edits:
        name = getattr(getattr(cls, edit.method, None), "__qualname__", edit.method)
        text = changes.get(name, written[name])
        margin = text[: len(text) - len(text.lstrip())] if "." not in edit.method else ""
        text = text.replace(f"\n{margin}", "\n").removeprefix(margin)  # an edit of `Class.method` keeps its margin
        assert text.count(edit.old) == 1, mutant.name
        changes[name] = textwrap.indent(text.replace(edit.old, edit.new), margin)
    return changes


def _list_forms(entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield the playable forms of an erratum, each with the history that shows it."""
    for form in entry.forms:
        setting = read_setting({"algorithm": form.column.slug, "options": dict(form.options)})
        right = {"name": "", "changes": {}}
        mutant = right if form.mutant is None else describe_mutant(form.mutant, form.column.algorithm)
        yield {
            **mutant,
            "slug": form.column.slug,
            "says": form.says,
            "monoid": setting.monoid,
            "options": setting.options,
            "history": with_elements(form.history, setting.play, setting.monoid),
        }


def list_errata() -> list[dict[str, Any]]:
    """Return the errata of the papers."""
    return [
        {
            "id": entry.id,
            "list": entry.listed,
            "place": entry.place,
            "quotes": [*entry.quotes],
            "words": entry.words,
            "paper": PAPERS[entry.paper],
            "case": entry.trace() or "" if entry.verdict == "refuted" or entry.forms else "",
            "forms": [*_list_forms(entry)],
            "unplayed": entry.unplayed,
        }
        for entry in ENTRIES
    ]


MAKERS: Final[Mapping[str, Callable[[], Any]]] = {
    "mutants": list_mutants,
    "errata": list_errata,
    "claims": list_claims,
}
"""The maker of each table."""


def make_table(name: str) -> Any:
    """Return a table, as JSON reads it."""
    return json.loads(json.dumps(MAKERS[name]()))


if __name__ == "__main__":
    for table in MAKERS:
        content = json.dumps(make_table(table), ensure_ascii=False)
        (Path(sys.argv[1]) / f"{table}.json").write_text(content, encoding="utf-8")
