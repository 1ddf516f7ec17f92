"""Make the explorer's tables: `python -m swagproof.learn.making.tables FOLDER` writes them all, for a wheel.

Elsewhere `swagproof.learn.written` asks for each table when it needs it.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from swagproof.learn.making.proof_cases import describe_variant, list_cases, list_claims
from swagproof.learn.plays.play import with_elements
from swagproof.learn.settings import read_setting
from swagproof.proofs.costs.counts import HISTORIES, count_all
from swagproof.proofs.costs.curves import Experiment
from swagproof.proofs.errata import ENTRIES
from swagproof.proofs.errata.erratum import Entry
from swagproof.proofs.experiments import EXPERIMENTS
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.claim import IN_ORDER, PAPERS


def list_variants() -> dict[str, list[dict[str, Any]]]:
    """Return the registered mutants of each algorithm, by its slug."""
    families = (suspects.variants for suspects in SUSPECTS)
    return {
        variants.columns[0].slug: [describe_variant(variant, variants.columns[0].algorithm) for variant in variants]
        for variants in families
    }


def _list_forms(entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield what can be played of an entry, each with the history that shows it."""
    for form in entry.forms:
        setting = read_setting({"algorithm": form.column.slug, "options": dict(form.options)})
        right = {"name": "", "changes": {}}
        mutant = right if form.variant is None else describe_variant(form.variant, form.column.algorithm)
        yield {
            **mutant,
            "slug": form.column.slug,
            "says": form.says,
            "monoid": setting.monoid,
            "options": setting.options,
            "history": with_elements(form.history, setting.play, setting.monoid),
        }


def list_errata() -> list[dict[str, Any]]:
    """Return what is said of the papers' text."""
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


def make_in_order_curve(operation: str) -> dict[str, Any]:
    """Return the most calls of an operation at each window size, over all kinds of history."""
    points: dict[tuple[str, int], dict[str, Any]] = {}
    for row in count_all((2, 4, 8, 16, 32, 64, 128, 256)):
        if row.operation == operation:
            new = {"series": row.algorithm, "x": row.n, "measured": 0, "bound": 0}
            point = points.setdefault((row.algorithm, row.n), new)
            point["measured"] = max(point["measured"], row.worst)
            point["bound"] = max(point["bound"], row.worst_said)
    return {
        "id": f"in-order/{operation}",
        "title": _title(operation),
        "source": IN_ORDER,
        "x": "window size n, elements",
        "unit": "combine calls",
        "points": [*points.values()],
    }


def _title(operation: str) -> str:
    return f"Worst case of {operation} over {len(HISTORIES)} kinds of history"


def make_curve(experiment: Experiment) -> dict[str, Any]:
    """Return one of the papers' figures of cost, counted."""
    return experiment.as_json(experiment.points())


def list_curves() -> list[dict[str, str]]:
    """Return the id and title of each curve, and the table that has its points."""
    titles = {f"in-order/{operation}": _title(operation) for operation in OPERATIONS}
    titles |= {experiment.id: experiment.title for experiment in EXPERIMENTS}
    return [{"id": id, "title": title, "table": _table_of(id)} for id, title in titles.items()]


def _table_of(id: str) -> str:
    return f"curve-{id.replace('/', '-')}"


OPERATIONS: Final = ("insert", "evict", "query")
TABLES: Final[dict[str, Callable[[], Any]]] = {
    "variants": list_variants,
    "errata": list_errata,
    "proofs": lambda: {"claims": list_claims(), "cases": list_cases()},
    "curves": list_curves,
    **{_table_of(f"in-order/{operation}"): partial(make_in_order_curve, operation) for operation in OPERATIONS},
    **{_table_of(experiment.id): partial(make_curve, experiment) for experiment in EXPERIMENTS},
}
"""The maker of each table."""


def make_table(name: str) -> Any:
    """Return a table, as JSON reads it."""
    return json.loads(json.dumps(TABLES[name]()))


def write_tables(folder: Path) -> None:
    """Write every table into a folder."""
    for name in TABLES:
        (folder / f"{name}.json").write_text(json.dumps(make_table(name), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    write_tables(Path(sys.argv[1]))
