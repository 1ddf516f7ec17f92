"""Write down for the explorer what only the rooms that prove know: `python docs/makers/explorer.py`.

The registered mistakes of each algorithm go to learn/site/variants.json, small histories that show them all to
learn/site/telling.json, and what is said of the papers' text to learn/site/errata.json, with the forms as printed that
are run against the reference and a history that shows each.  What is claimed of each, and the cases of the proofs
(`proof_cases.py`), goes to learn/site/proofs.json, and the curves that `swagproof cost` counts to
learn/site/curves.json: two minutes.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from proof_cases import list_cases, list_claims

from swagproof.learn.breaking import break_off, find_broken
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.session import Session
from swagproof.learn.settings import Setting, read_setting
from swagproof.learn.texts import Text, edited
from swagproof.learn.written import changes_of, errata, registered, telling
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.costs.counts import HISTORIES, count_all
from swagproof.proofs.errata import ENTRIES
from swagproof.proofs.errata.erratum import Entry
from swagproof.proofs.experiments import EXPERIMENTS
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.claim import IN_ORDER
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees import fiba_bulk
from swagproof.reference.catalogue import Column

PLACE = Path(__file__).parents[2] / "learn" / "site"


def describe_variant(variant: Variant) -> dict[str, Any]:
    """A mistake: its name, why it is hidden, where it is, what part it changes how, and the rows that refute it."""
    edits = [[edit.method, edit.old, edit.new] for edit in variant.edits]
    rows = [claim.id for claim in CLAIMS if any(control is variant for control in claim.controls)]
    return {"name": variant.name, "hidden": variant.hidden, "part": variant.part, "edits": edits, "rows": rows}


def list_variants() -> dict[str, list[dict[str, Any]]]:
    """Each algorithm's mistakes."""
    found = (
        *(suspects.variants for suspects in SUSPECTS),
        fiba_bulk.WRONG,
    )
    return {variants.columns[0].slug: [describe_variant(variant) for variant in variants] for variants in found}


def _made_of(search: Any) -> Iterator[Column | Variant]:
    """The algorithms and the variants that a search was given, in their order."""
    if isinstance(search, Column | Variant):
        yield search
    elif isinstance(search, partial):
        yield from _made_of((*search.args, *search.keywords.values()))
    elif isinstance(search, tuple | list):
        for part in search:
            yield from _made_of(part)


def _printed(entry: Entry) -> Iterator[dict[str, Any]]:
    """The forms as printed that are run on a tree, each with the history of the trace that shows it."""
    found = [*_made_of(getattr(entry, "searches", [None])[0])]
    pairs = [(a, b) for a, b in pairwise(found) if isinstance(a, Column) and isinstance(b, Variant)]
    if pairs:
        traces = (entry.trace() or "").split("; ")
        for (column, variant), trace in zip(pairs, traces, strict=True):
            histories = chain(_written(entry, variant) if "from the tree" in trace else [], read_histories(trace))
            history = next((each for each in histories if _breaks(column, variant, each)), None)
            if history is not None:
                yield {"slug": column.slug, **describe_variant(variant), "history": history}


def read_histories(trace: str) -> Iterator[list[list[Any]]]:
    """The history of a trace; of one from a tree, not from nothing, fillings with one evict, small ones first.

    >>> next(read_histories("query is ab, not a after from the tree (1) 2, evict 2"))
    [['insert', 1, 'a'], ['evict', 1], ['query']]
    """
    if "from the tree" not in trace:
        yield read_trace(trace)
        return
    for n in range(1, 13):
        for times in (range(1, n + 1), range(n, 0, -1)):
            inserts = [["insert", time, letter] for time, letter in zip(times, ascii_lowercase, strict=False)]
            yield from ([*inserts, ["evict", time], ["query"]] for time in range(1, n + 1))


def _written(entry: Entry, variant: Variant) -> Iterator[list[list[Any]]]:
    """What is written down of it, which spares a search where it still shows it."""
    for each in errata():
        if each["id"] == entry.id:
            yield from (form["history"] for form in each["printed"] if form["name"] == variant.name)


def _breaks(column: Column, variant: Variant, history: list[list[Any]]) -> bool:
    """Whether the form as printed breaks something on this history."""
    changes: dict[str, str] = {}
    for each in variant.edits:
        edit = each.method, each.old, each.new
        function, source = edited(Text(column.algorithm), changes, edit, variant.part)
        changes[function] = source
    opened = {"do": "open", "algorithm": column.slug, "changes": changes, "history": history}
    return any(step[3] for step in Session().handle(opened)["steps"])


def read_trace(trace: str) -> list[list[Any]]:
    """The operations of a trace in words.

    >>> read_trace("min-arity 2: insert 4 a, insert 3 b, evict 4: query answers 'bb', not 'b'")
    [['insert', 4, 'a'], ['insert', 3, 'b'], ['evict', 4], ['query']]
    """
    history: list[list[Any]] = []
    for insert, letter, evict, first, last in re.findall(
        r"insert (\d+) (\w)|evict (\d+)|from (\d+) to (\d+) answers", trace
    ):
        if insert:
            history.append(["insert", int(insert), letter])
        else:
            history.append(["evict", int(evict)] if evict else ["range_query", int(first), int(last)])
    return [*history, ["query"]] if "query answers" in trace else history


def list_errata() -> list[dict[str, Any]]:
    """What is said of the papers' text."""
    return [
        {
            "id": entry.id,
            "list": entry.NAME,
            "place": entry.place,
            "quotes": [*entry.quotes],
            "words": entry.words,
            "printed": [*_printed(entry)],
        }
        for entry in ENTRIES
    ]


def list_telling() -> dict[str, list[dict[str, Any]]]:
    """Small histories that show every registered mistake between them: what the page's own search finds of each that
    those found before do not show, the shortest first.

    Those that are written down, of algorithms that are asked alike, are tried first.
    """
    return {slug: [*_tell(slug, variants)] for slug, variants in registered().items()}


def _tell(slug: str, variants: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    usual = read_setting({"algorithm": slug})
    play, reference = usual.play, Text(usual.column.algorithm)
    alike = [
        each for each in PLAYS if (PLAYS[each].operations, {*PLAYS[each].options}) == (play.operations, {*play.options})
    ]
    known = (told for each in sorted(alike, key=lambda other: other != slug) for told in telling(each))
    found = [told for told in known if not _shows(usual, reference, told)]
    shown: dict[int, None] = {}
    for variant in variants:
        text = Text(usual.column.algorithm, changes_of(usual.column.algorithm, variant["name"], slug))
        at = next((at for at, told in enumerate(found) if _shows(usual, text, told)), None)
        if at is None:
            broken = find_broken(usual, text, lambda _seconds: None, 60)
            if broken.history is None:
                print(f"{slug}: nothing shows that {variant['name']}")
                continue
            at = len(found)
            found.append(
                {"monoid": broken.setting.monoid, "options": broken.setting.options, "history": broken.history}
            )
        shown[at] = None
    told = [found[at] for at in shown]
    yield from sorted(told, key=lambda each: (len(each["history"]), json.dumps(each)))


def _shows(usual: Setting, text: Text, told: Mapping[str, Any]) -> bool:
    """Whether this history breaks something of a text."""
    setup = replace(usual, monoid=told["monoid"], options=told["options"]).set_up(text)
    return break_off(setup, told["history"]) is not None


def list_curves() -> list[dict[str, Any]]:
    """The curves of cost: of the in-order windows the dearest operation of each size, then the papers' figures."""
    return [*in_order_curves(), *(experiment.as_json(experiment.points()) for experiment in EXPERIMENTS)]


def in_order_curves() -> Iterator[dict[str, Any]]:
    """The dearest insert, evict and query of each window size, whatever the kind of history."""
    counted = [*count_all((2, 4, 8, 16, 32, 64, 128, 256))]
    for operation in ("insert", "evict", "query"):
        points: dict[tuple[str, int], dict[str, Any]] = {}
        for row in counted:
            if row.operation == operation:
                new = {"series": row.algorithm, "x": row.n, "measured": 0, "bound": 0}
                point = points.setdefault((row.algorithm, row.n), new)
                point["measured"] = max(point["measured"], row.worst)
                point["bound"] = max(point["bound"], row.worst_said)
        yield {
            "id": f"in-order/{operation}",
            "title": f"The dearest {operation} over {len(HISTORIES)} kinds of history",
            "source": IN_ORDER,
            "x": "window size n, elements",
            "unit": "combine calls",
            "points": [*points.values()],
        }


def write() -> None:
    """Write the files."""
    for name, make in (
        ("variants", list_variants),
        ("telling", list_telling),
        ("errata", list_errata),
        ("proofs", lambda: {"claims": list_claims(), "cases": list_cases()}),
        ("curves", list_curves),
    ):
        text = json.dumps(make(), ensure_ascii=False, indent=1)
        (PLACE / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
