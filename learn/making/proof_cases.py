"""The claims and the cases of the proofs for the explorer, each case with a history that leads to a state of it.

A page has no solver. So the claims about the in-order windows' invariants are checked here, path by path, as `swagproof
prove CLAIM --explain` shows them, and the results are stored. Z3's small state of a case is a text, but the explorer
draws states of the running reference. So the shortest history is searched whose final state, in the proof's notation,
is that text: the page plays it, and the next operation follows the case.

The proof may use a state that no history reaches, for example in values that are never read. The code branches on
pointers and sizes alone, so a state with the same pointers and sizes belongs to the same case. A mutant is reported to
break in a state only if it does when it is played.
"""

import linecache
import re
import textwrap
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from string import ascii_lowercase
from typing import Any, Final

from swagproof.contracts.shadows.shadow import without_invariants
from swagproof.learn.breaking import break_off
from swagproof.learn.plays.play import play_case, with_elements
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.products import Product, Tracked
from swagproof.learn.settings import read_setting
from swagproof.learn.texts import Text
from swagproof.models.containers.deque import ChunkedDeque, Pointer
from swagproof.models.containers.stack import Stack
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.claims import BY_ID, CLAIMS
from swagproof.proofs.commands.explanation import find_broken
from swagproof.proofs.engine.paths import Case, Recording
from swagproof.proofs.engine.settings import using
from swagproof.proofs.ledger.claim import Claim, settle
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import CATALOGUE, FIFO, Column
from swagproof.reports.cells import Cells

LONGEST: Final = 26
"""Operations of the longest history that is searched."""
COMMENT: Final = re.compile(r"# ([A-Z][a-z]+)")


def list_claims() -> dict[str, list[dict[str, str]]]:
    """Return what is claimed of each algorithm that the explorer plays."""
    found: dict[str, list[dict[str, str]]] = {entry.slug: [] for entry in CATALOGUE if entry.slug in PLAYS}
    for claim in CLAIMS:
        said = {"id": claim.id, "kind": claim.kind, "source": str(claim.source), "statement": claim.statement}
        for slug, claimed in found.items():
            if claim.id.startswith(f"{slug.partition(':')[0]}/"):
                claimed.append({**said, "scope": claim.scope, "not_covered": claim.not_covered})
    return found


def list_cases(columns: tuple[Column, ...] = FIFO) -> dict[str, dict[str, Any]]:
    """The proofs of these windows' invariants, case by case."""
    return {column.slug: tell_row(column, BY_ID[f"{column.slug}/invariants"]) for column in columns}


def tell_row(column: Column, claim: Claim) -> dict[str, Any]:
    """A row's proof, and what refutes its wrong variants.  It must hold."""
    with using(cases=True):
        row = settle(claim)
    assert row.verdict == "holds", row.detail
    recording = row.recordings[""]
    states: dict[str, list[list[list[Any]]]] = {}
    for state, history in reached_states(column):
        states.setdefault(state, []).append(history)
    wrong: list[dict[str, Any]] = []
    for control, (name, *_) in zip(claim.controls, row.controls, strict=True):
        assert isinstance(control, Variant), name
        broken = find_broken(row.recordings.get(name, Recording()))
        if broken is not None and broken[1].drawn:
            case, failure = broken
            played = partial(_breaks, column, control, case.run)
            wrong.append({**_tell(case, failure.drawn, states, played), "name": name, "fails": failure.obligation})
    cases = [{**_tell(case, case.drawn, states), "name": _name(case)} for case in recording.cases]
    return {"id": claim.id, "detail": row.detail, "words": recording.words, "cases": cases, "wrong": wrong}


def _tell(
    case: Case,
    drawn: str,
    states: Mapping[str, list[list[list[Any]]]],
    is_one: Callable[[list[list[Any]]], bool] = lambda history: True,
) -> dict[str, Any]:
    """A case as the page takes it: the state's text, and a history that leads there, if there is one."""
    histories = states.get(_beginning(drawn), []) if drawn else [[]]
    return {
        "run": case.run,
        "answers": [[each.method, each.text, answer] for each, answer in case.answers],
        "shown": dict(case.shown),
        "cut": case.cut,
        "drawn": drawn,
        "history": next(filter(is_one, histories), None),
    }


def _breaks(column: Column, variant: Variant, run: str, history: list[list[Any]]) -> bool:
    """Return whether a mutant that takes over after this history breaks something with the next operation."""
    setting = read_setting({"algorithm": column.slug, "monoid": "segments"})
    text = Text(column.algorithm, changes_of(variant, column.algorithm))
    whole = play_case({"history": history, "run": run}, setting.play)
    return whole is not None and break_off(setting.set_up(text, len(history)), whole) == whole


def describe_variant(variant: Variant, algorithm: type[Any]) -> dict[str, Any]:
    """Return a mutant: its name, why it is hidden, the functions that it changes, and the claims that reject it."""
    rows = [claim.id for claim in CLAIMS if any(control is variant for control in claim.controls)]
    return {"name": variant.name, "hidden": variant.hidden, "changes": changes_of(variant, algorithm), "rows": rows}


def changes_of(variant: Variant, algorithm: type[Any]) -> dict[str, str]:
    """Return the whole source of each function that a mutant changes, by its qualified name."""
    cls = getattr(algorithm, variant.part) if variant.part else algorithm
    written = {function.name: "\n".join(function.lines) + "\n" for function in Text(algorithm).functions}
    changes: dict[str, str] = {}
    for edit in variant.edits:
        name = getattr(getattr(cls, edit.method, None), "__qualname__", edit.method)
        text = changes.get(name, written[name])
        margin = text[: len(text) - len(text.lstrip())] if "." not in edit.method else ""
        text = text.replace(f"\n{margin}", "\n").removeprefix(margin)  # an edit of `Class.method` keeps its margin
        assert text.count(edit.old) == 1, variant.name
        changes[name] = textwrap.indent(text.replace(edit.old, edit.new), margin)
    return changes


def _name(case: Case) -> str:
    """Return what the algorithm's text calls the ways that a case goes: Flip, Shift."""
    names: list[str] = []
    for each, answer in case.answers:
        lines = linecache.getlines(each.file)
        head = lines[each.line - 1]
        found = COMMENT.search(head) if answer and head.lstrip().startswith("if ") else None
        if not answer:
            margin = re.escape(head[: len(head) - len(head.lstrip())])
            below = (line for line in lines[each.line :] if not re.match(rf"{margin}\s", line))
            found = COMMENT.search(other) if (other := next(below, "")).lstrip().startswith("else") else None
        if found and found[1] not in names:
            names.append(found[1])
    return ", ".join(names)


def _beginning(drawn: str) -> str:
    """Pointers and sizes of the state that an operation finds, of a text that says more."""
    lines = drawn.splitlines()
    width = re.match(r"window +", lines[0])
    assert width is not None, drawn
    kept = (line for line in lines if line.startswith(("window", "deque")) or line.endswith(" high"))
    return "\n".join(line[width.end() :] for line in kept if not line.startswith("then "))


def reached_states(column: Column) -> Iterator[tuple[str, list[list[Any]]]]:
    """The states that histories lead to, as the proofs write them, each with a shortest one."""
    play = PLAYS[column.slug]
    cls = without_invariants(column.checked)
    waiting: deque[list[list[Any]]] = deque([[]])
    seen: set[tuple[str, ...]] = set()
    while waiting:
        history = waiting.popleft()
        monoid = Tracked(CONCATENATION)
        window = play.build(cls, monoid, {})
        for operation in with_elements(history, play, "letters"):
            play.perform(window, monoid, operation)
        text = write_state(window)
        if (state := (text, *_aggregates(window))) in seen:
            continue
        seen.add(state)
        yield text, history
        if len(history) < LONGEST:
            size = sum(1 if operation == ["insert"] else -1 for operation in history)
            waiting.extend([*history, [name]] for name in ("insert", *(["evict"] if size else [])) if size < 8)


def _aggregates(window: Any) -> Iterator[str]:
    """Yield what a state keeps beside its containers, by places from the front on."""
    first = window.model[0].of[0] if window.model.size else 0
    yield from (str([name - first for name in kept.of]) for kept in vars(window).values() if isinstance(kept, Product))


def write_state(window: Any) -> str:
    """Pointers and sizes of a state in the text of the proofs: elements are letters, from the front on."""
    elements = range(window.model.size)
    kept = vars(window)
    pointers = {name: value for name, value in kept.items() if isinstance(value, Pointer)}
    lines = [" ".join(ascii_lowercase[: len(elements)]) or "empty"]
    for value in kept.values():
        if isinstance(value, ChunkedDeque):
            begin = value.begin()
            places = {name: at - begin for name, at in pointers.items()}
            widest = max((list(places.values()).count(place) for place in places.values()), default=1)
            cells = Cells([letter.ljust(widest) for letter in ascii_lowercase[: len(elements)]])
            lines = [cells.text().rstrip() or "empty", cells.marks(places)]
    lines += [f"{value.size} high" for value in kept.values() if isinstance(value, Stack)]
    return "\n".join(lines)
