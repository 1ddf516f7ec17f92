"""What a report says, in the order in which it is read, before it is Markdown, HTML or XML.

It is made from a verdict's JSON object alone, so that a verdict can be shown again long after, and whoever gave it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, cast

from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.trace import InputError, Step, Trace, asks, encode_answer

FIRST, LAST = 15, 25
"""Rows at the start and at the end of a trace that are shown when it is long."""

_LONGEST: Final = 2_000
"""Characters of the longest value that is shown."""

_PREFORMATTED: Final = ("picture", "stderr")
_ELSEWHERE: Final = ("format", "version", "outcome", "sentence", "subject", "replay", "witness", "cells")
"""What has a place of its own; the cells are the test cases of JUnit XML."""


@dataclass(frozen=True)
class Row:
    """An operation of the failing trace, or several equal ones."""

    number: str
    """`7`, or `7-12`."""
    operation: str
    expected: str
    """JSON; empty where nothing was asked."""
    got: str
    """Likewise."""
    fails: bool = False


@dataclass(frozen=True)
class Table:
    """Records with the same fields."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Content:
    """What a report says."""

    outcome: str
    sentence: str
    subject: str
    format: str
    """`swagproof-verdict`, or what else the verdict is."""
    facts: tuple[tuple[str, str], ...]
    """Name and value: of the failing trace first, then of what was tried."""
    steps: tuple[Row, ...]
    """The failing trace."""
    blocks: tuple[tuple[str, str], ...]
    """Name and text whose lines stand as they are: a picture of the state, what a program wrote."""
    tables: tuple[Table, ...]
    """How much was tried, and whatever else comes as a list."""
    replay: str | None
    """The command that shows it again."""
    data: Mapping[str, Any]
    """The JSON object."""

    @property
    def title(self) -> str:
        """`violated: mine.py:Window`."""
        return f"{self.outcome}: {self.subject}" if self.subject else self.outcome

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Content":
        """From the JSON object of a verdict."""
        witness: Mapping[str, Any] = data.get("witness") or {}
        shown = [name for name in data if name not in _ELSEWHERE]
        facts = [(_spelt(name), _shown(witness, name)) for name, value in witness.items() if _is_fact(name, value)]
        facts += [
            (_spelt(name), _fact(data[name])) for name in shown if data[name] is not None and not _records(data[name])
        ]
        return cls(
            outcome=str(data.get("outcome", "unknown")),
            sentence=str(data.get("sentence", "")),
            subject=str(data.get("subject") or ""),
            format=str(data.get("format", "verdict")),
            facts=tuple(facts),
            steps=tuple(_steps(witness, str(data.get("window", "")))),
            blocks=tuple((name, str(witness[name])) for name in _PREFORMATTED if witness.get(name)),
            tables=tuple(_table(name, data[name]) for name in shown if _records(data[name])),
            replay=data.get("replay"),
            data=data,
        )

    def text(self) -> str:
        """All of it, as plain text."""
        lines = [self.title, f"  {self.sentence}", ""]
        lines += [f"  {name:<12}{value}" for name, value in self.facts]
        for name, block in self.blocks:
            lines += ["", f"  {name}", *(f"    {line}" for line in block.splitlines())]
        if self.steps:
            lines += ["", "  operation; expected; got"]
            lines += [_line(row) for row in self.steps]
        for table in self.tables:
            lines += ["", f"  {table.caption}: {', '.join(table.headings)}"]
            lines += [f"    {', '.join(row)}" for row in table.rows]
        return "\n".join([*lines, *([f"  {'replay':<12}{self.replay}"] if self.replay else ())]) + "\n"


def _line(row: Row) -> str:
    answers = "; ".join(answer for answer in (row.expected, row.got) if answer)
    return f"    {row.number:>7}  {row.operation}{answers and ': '}{answers}{'  <- fails' if row.fails else ''}"


def _is_fact(name: str, value: Any) -> bool:
    return name not in ("operations", *_PREFORMATTED) and value is not None


def _shown(witness: Mapping[str, Any], name: str) -> str:
    """Answers as JSON, anything else as it reads best."""
    value = witness.get(name)
    return _text(json.dumps(value) if name in ("expected", "got") else value)


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 4 :]}"


def _fact(value: Any) -> str:
    if isinstance(value, Mapping) and value:
        return ", ".join(
            f"{_spelt(str(name))} {_number(each)}" for name, each in cast("Mapping[str, Any]", value).items()
        )
    if isinstance(value, list) and all(isinstance(each, str) for each in value):  # pyright: ignore[reportUnknownVariableType]  # JSON
        return ", ".join(cast("list[str]", value))
    return _number(value)


def _number(value: Any) -> str:
    return f"{value:,}" if type(value) is int else _text(value)


def _spelt(name: str) -> str:
    return name.replace("_", " ")


def _records(value: Any) -> bool:
    """Whether this is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)  # pyright: ignore[reportUnknownVariableType]  # JSON


def _table(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    headings = list(dict.fromkeys(field for record in records for field in record))
    rows = tuple(
        tuple("" if record.get(field) is None else _number(record[field]) for field in headings) for record in records
    )
    return Table(_spelt(name), tuple(map(_spelt, headings)), rows)


def _steps(witness: Mapping[str, Any], window: str) -> list[Row]:
    """The failing trace, with the right answers as far as they can be computed here."""
    fields = {"format": "swagproof-trace", "version": 1, "window": window, "monoid": witness.get("monoid")}
    try:
        trace = Trace.from_json({**fields, "operations": witness.get("operations")}, "witness")
    except InputError:
        return []
    answers = _answers(trace)
    asked = witness.get("error") is None and asks(trace.steps[-1]) if trace.steps else False
    rows: list[Row] = []
    at = 0
    for operation, run in groupby(zip(map(str, trace.steps), answers, strict=True)):
        many = sum(1 for _ in run)
        last = at + many == len(trace.steps)
        if last and many > 1:
            rows.append(_row(at, many - 1, *operation))
            at, many = at + many - 1, 1
        if last:
            expected, got = (_shown(witness, name) if asked else "" for name in ("expected", "got"))
            rows.append(Row(str(at + 1), operation[0], expected, _text(witness.get("error") or got), fails=True))
        else:
            rows.append(_row(at, many, *operation))
        at += many
    if len(rows) > FIRST + LAST:
        left_out = len(rows) - FIRST - LAST
        rows[FIRST:-LAST] = [Row("...", f"{left_out:,} more rows, which are in the JSON", "", "")]
    return rows


def _row(at: int, many: int, operation: str, answer: str) -> Row:
    number = str(at + 1) if many == 1 else f"{at + 1}-{at + many}"
    return Row(number, operation, answer, "as expected" if answer else "")


def _answers(trace: Trace) -> list[str]:
    """The right answer after each operation, where it is a query; none over a monoid that is not ours."""
    blank = [""] * len(trace.steps)
    if ":" in trace.monoid or trace.window not in KINDS:
        return blank
    try:
        rule = domain(trace.monoid).rule
        reference: Any = KINDS[trace.window].expected(rule.mirror)
        return [_answer(reference, rule, step) for step in trace.steps]
    except Exception:  # the JSON may come from anywhere, and its elements may be none of the monoid's
        return blank


def _answer(reference: Any, rule: Any, step: Step) -> str:
    if step.name == "insert":
        reference.insert(*step.arguments[:-1], rule.mirror.lift(step.arguments[-1]))
        return ""
    answer = getattr(reference, step.name)(*step.arguments)
    return _text(json.dumps(encode_answer(rule.shown(answer)))) if asks(step) else ""
