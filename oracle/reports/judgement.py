"""The judgement: a verdict on a subject with its evidence, and the report made from it.

The JSON object has these fields, always all of them:

| field | meaning |
|---|---|
| `format`, `version` | `"swagproof-verdict"`, 1 |
| `outcome` | `conforms`, `violated`, `unknown` or `broken`; the exit code is 0, 1, 3 or 4 |
| `sentence` | the verdict in English |
| `subject`, `window` | as given on the command line |
| `judged` | the operations that were judged: all of its kind of window, except optional ones that it lacks |
| `seed` | the seed of the search; null in a replay |
| `effort`, `work` | the planned number of operations, null if all of a plan; and the number done |
| `budget` | the time limit in seconds; null in a replay |
| `seconds` | the duration |
| `tried` | `traces`, `operations`, `queries` (answers checked), `largest_window`, over all monoids |
| `monoids` | the same for each monoid: a list of objects that also have `name` |
| `phases` | the same for each phase of the search |
| `cells` | the same for each phase over each monoid, named by `phase` and `monoid`; a failing one is last |
| `skipped` | the part of the work, in operations, that the subject's `offers` excludes |
| `beside` | the same for traces with other live windows of the class; null if there were none |
| `refused` | the subject's error if other windows could not be built, and so were not tried; else null |
| `uncounted` | null, or for a subject with a cost claim the `traces` and `operations` not checked for cost |
| `every_word` | the length up to which all words were tried, over every monoid |
| `witness` | null, or the failing trace, as described below |
| `replay` | null, or the command that runs the witness again |

The witness:

| field | meaning |
|---|---|
| `monoid`, `operations` | as in a trace file; the last operation is the one that fails |
| `expected`, `got` | the answers, null without a query; or a changed value before and after |
| `letters` | the same over distinct letters: `operations`, `expected`, `got`; null if it passes there or uses them |
| `allowed` | for floating sums, the allowed error; else null |
| `error` | what the subject raised, or null |
| `diagnosis` | the likely mistake, in two words (see `swagproof.oracle.verdict.Witness`) |
| `minimal` | true if removing any one operation makes it pass, or makes it illegal |
| `unfinished` | the reason that minimising ended early, such as `after 300 s of clock`; else null |
| `found_by` | the phase of the search that found it; `replay` for a given trace |
| `stderr` | the last lines that a program wrote to its standard error, or null |
| `picture` | the reference's state before the failing operation, drawn in text, or null |
| `paste` | text that reproduces it in the engine, if the subject is one, or null |

Values are encoded as in traces (see `swagproof.oracle.trace`).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any, Final

from swagproof.oracle.mistakes import show_json
from swagproof.oracle.outcome import Tried
from swagproof.oracle.reports.trace_rows import trace_rows
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.trace import Trace, inline
from swagproof.oracle.verdict import Verdict, Witness
from swagproof.oracle.window import FIFO, WINDOWS
from swagproof.reports import text
from swagproof.reports.delivery import finite
from swagproof.reports.report import Block, Facts, Replay, Report, Section, Table


@dataclass(frozen=True)
class Judgement:
    """A verdict, its evidence, and the command that reproduces it."""

    verdict: Verdict
    subject: str
    window: str = "fifo"
    _: KW_ONLY
    seed: int | None = None
    effort: float = math.inf
    budget: float = math.inf
    seconds: float = 0.0
    coverage: Coverage = field(default_factory=Coverage)
    replay: str | None = None
    judged: tuple[str, ...] = ()
    uncounted: Tried | None = None
    """The traces checked for their answers alone, for a subject with a cost claim."""

    def __str__(self) -> str:
        """The report, as `swagproof conform` prints it."""
        return text.render(self.report())

    def to_json(self) -> dict[str, Any]:
        """Return the object that the module's docstring describes."""
        witness = self.verdict.witness
        return {
            "format": "swagproof-verdict",
            "version": 1,
            "outcome": self.verdict.outcome,
            "sentence": self.verdict.sentence,
            "subject": self.subject,
            "window": self.window,
            "judged": list(self.judged),
            "seed": self.seed,
            "effort": finite(self.effort),
            "work": self.coverage.work,
            "budget": finite(self.budget),
            "seconds": round(self.seconds, 3),
            "tried": asdict(self.coverage.total),
            "monoids": [{"name": name, **asdict(tried)} for name, tried in self.coverage.monoids.items()],
            "phases": [{"name": name, **asdict(tried)} for name, tried in self.coverage.phases.items()],
            "cells": [
                {"phase": phase, "monoid": monoid, **asdict(tried)}
                for (phase, monoid), tried in self.coverage.cells.items()
            ],
            "skipped": self.coverage.skipped,
            "beside": None if self.coverage.beside is None else asdict(self.coverage.beside),
            "refused": self.coverage.refused or None,
            "uncounted": None
            if self.uncounted is None
            else {"traces": self.uncounted.traces, "operations": self.uncounted.operations},
            "every_word": self.coverage.every_word,
            "witness": None if witness is None else _witness_json(witness),
            "replay": self.replay,
        }

    def report(self) -> Report:
        """Return the report."""
        verdict, sections = self.verdict, tuple(self._sections())
        return Report(verdict.outcome, verdict.sentence, self.to_json(), self.subject, sections)

    def _sections(self) -> Iterator[Section]:
        coverage, witness, conforms = self.coverage, self.verdict.witness, self.verdict.outcome == "conforms"
        if witness is not None:
            yield from _show_witness(witness)
        facts: list[tuple[str, str]] = []
        kind = WINDOWS[self.window]
        if kind.optional and (kind is not FIFO or not kind.optional.isdisjoint(self.judged)):  # few have bulks in order
            lacks = [name for name in kind.operations if name not in self.judged]
            without = f"; not {', '.join(lacks)}, which it does not have" if lacks else ""
            facts.append(("judged", ", ".join(self.judged) + without))
        facts.append(("tried", str(coverage.total)))
        if coverage.skipped:
            facts.append(
                ("skipped", f"what it does not offer: work for {coverage.skipped:,} of {coverage.work:,} operations")
            )
        yield Facts(tuple(facts))
        lines = tuple(f"  {name:<16}  {tried}" for name, tried in coverage.monoids.items())
        monoids = _tabulate("monoids", coverage.monoids, lines if conforms else ())
        yield replace(monoids, summary=", ".join(coverage.monoids))
        yield replace(_tabulate("phases", coverage.phases), summary="")
        if conforms and coverage.beside is not None:
            yield Facts((("instances", f"other live instances of the class: {coverage.beside}"),))
        if conforms and coverage.refused:
            yield Facts((("instances", f"others not tried: {coverage.refused}"),))
        if conforms and coverage.every_word:
            words = f"every sequence of up to {coverage.every_word} operations"
            held = coverage.total.largest_window
            within = f", in windows of up to {held}" if held < coverage.every_word - 1 else ""  # of a stated capacity
            yield Facts((("complete", words + within + _WORDS.get(self.window, "")),))
        if self.seed is not None:
            effort = "" if math.isinf(self.effort) else f" (effort {self.effort:,.0f} operations)"
            yield Facts((("searched", f"{self.seconds:.1f} s{effort}, seed {self.seed}"),))
        if self.replay is not None:
            yield Replay(self.replay)


_WORDS: Final = {
    "out-of-order": ", with its times in every order",
    "shared": ", of windows of up to 3 elements",
    "time": ", of windows over up to 3 units of time",
}
"""The range of the words, by kind of window."""


def _tabulate(caption: str, tried: Mapping[str, Tried], lines: tuple[str, ...] = ()) -> Table:
    return Table.of_records(caption, ({"name": name, **asdict(each)} for name, each in tried.items()), lines)


def _show_witness(witness: Witness) -> Iterator[Section]:
    answered, letters = witness.error is None and witness.diagnosis != "hung", witness.letters
    facts = (
        ("monoid", witness.trace.monoid),
        ("operations", _shorten(inline(witness.trace.steps))),
        ("expected", show_json(witness.expected) if answered else None),
        ("allowed", None if witness.allowed is None else f"+- {witness.allowed:.3g}"),
        ("got", show_json(witness.got) if answered else None),
        ("letters", None if letters is None else _shorten(inline(letters.steps))),
        (
            "answered",
            f"{show_json(letters.failure.got)}, not {show_json(letters.failure.expected)}"
            if letters and answered
            else None,
        ),
        ("found by", witness.found_by + _minimality(witness)),
    )
    yield Facts(tuple((name, value) for name, value in facts if value is not None))
    rows, caption = tuple(trace_rows(witness)), f"The failing trace: {witness.diagnosis}"
    if rows:
        yield Table(caption, ("step", "operation", "expected", "got"), rows, lines=(), ends_in_failure=True)
    for name, title, block in (
        ("stderr", "Standard error", witness.stderr),
        ("state", "State of the reference before the failing operation", witness.picture),
        ("paste", "To paste into the engine", witness.paste),
    ):
        if block:
            yield Block(name, block, title)


def _minimality(witness: Witness) -> str:
    if witness.found_by == "replay":
        return ""
    if witness.minimal:
        return "; minimal: without any one operation it passes"
    if witness.unfinished:
        return f"; may not be minimal: {witness.unfinished}"
    return "" if witness.diagnosis == "hung" else "; may not be minimal"


def _shorten(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:300]} ... {text[-80:]}"


def _witness_json(witness: Witness) -> dict[str, Any]:
    trace, letters = witness.trace.to_json(), witness.letters
    lettered = letters and {
        "operations": Trace(letters.steps, letters.domain.name).to_json()["operations"],
        "expected": letters.failure.expected,
        "got": letters.failure.got,
    }
    return {
        "monoid": trace["monoid"],
        "operations": trace["operations"],
        "expected": witness.expected,
        "got": witness.got,
        "letters": lettered,
        "allowed": finite(witness.allowed),
        "error": witness.error,
        "diagnosis": witness.diagnosis,
        "minimal": witness.minimal,
        "unfinished": witness.unfinished,
        "found_by": witness.found_by,
        "stderr": witness.stderr,
        "picture": witness.picture,
        "paste": witness.paste,
    }
