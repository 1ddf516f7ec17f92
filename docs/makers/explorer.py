"""Write down for the explorer what only the rooms that prove know: `python docs/makers/explorer.py`.

The registered mistakes of each algorithm go to learn/site/variants.json, small histories that show them all to
learn/site/telling.json, and what is said of the papers' text to learn/site/errata.json, with what of it can be played
and a history that shows each.  What is claimed of each, and the cases of the proofs
(`proof_cases.py`), goes to learn/site/proofs.json, and the curves that `swagproof cost` counts to
learn/site/curves.json: two minutes.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from proof_cases import list_cases, list_claims

from swagproof.learn.breaking import break_off, by_an_answer, find_broken
from swagproof.learn.plays.play import with_elements
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.settings import Setting, read_setting
from swagproof.learn.texts import Text
from swagproof.learn.written import changes_of, forms_of, registered, telling
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.costs.counts import HISTORIES, count_all
from swagproof.proofs.errata import ENTRIES
from swagproof.proofs.errata.erratum import Entry, Erratum
from swagproof.proofs.experiments import EXPERIMENTS
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.claim import IN_ORDER, PAPERS
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees import fiba_bulk

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


def _forms(entry: Entry) -> Iterator[dict[str, Any]]:
    """What can be played of it, each with the history that shows it."""
    for form in getattr(entry, "forms", ()):
        slug, variant = form.column.slug, form.variant
        usual = read_setting({"algorithm": slug, "options": dict(form.options)})
        shown: dict[str, Any] = {"slug": slug, "says": form.says, "edits": [], "part": "", "name": ""}
        if variant is not None:
            shown |= describe_variant(variant)
        played = with_elements(form.history, usual.play, usual.monoid)
        if variant is not None and not played:
            text = Text(form.column.algorithm, changes_of(form.column.algorithm, shown))
            written = (other for other in forms_of(slug) if other["name"] == variant.name)
            known = next((other for other in written if _answers_wrongly(usual, text, other)), None)
            if known is None:
                found = find_broken(usual, text, lambda _seconds: None, 60, by_an_answer)
                assert found.history is not None, f"{entry.id}: {found.tried}"
                known = {"monoid": found.setting.monoid, "options": found.setting.options, "history": found.history}
            usual, played = replace(usual, monoid=known["monoid"], options=known["options"]), known["history"]
        yield {**shown, "monoid": usual.monoid, "options": usual.options, "history": played}


def _answers_wrongly(usual: Setting, text: Text, told: Mapping[str, Any]) -> bool:
    """Whether a text answers wrongly at the end of this history, and not before."""
    setup = replace(usual, monoid=told["monoid"], options=told["options"]).set_up(text)
    return bool(break_off(setup, told["history"], by_an_answer) == told["history"])


def list_errata() -> list[dict[str, Any]]:
    """What is said of the papers' text."""
    return [
        {
            "id": entry.id,
            "list": entry.NAME,
            "place": entry.place,
            "quotes": [*entry.quotes],
            "words": entry.words,
            "paper": PAPERS[entry.paper],
            "case": entry.trace() or "" if isinstance(entry, Erratum) else "",
            "forms": [*_forms(entry)],
            "unplayed": getattr(entry, "unplayed", ""),
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
    known = (
        {**told, "options": {**usual.options, **told["options"]}}
        for each in sorted(alike, key=lambda other: other != slug)
        for told in telling(each)
    )
    found = [told for told in known if not _shows(usual, reference, told)]
    shown: dict[int, None] = {}
    for variant in variants:
        text = Text(usual.column.algorithm, changes_of(usual.column.algorithm, variant))
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
