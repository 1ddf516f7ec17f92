"""The failing trace, row by row, with the right answers as far as they can be computed here.

A witness shows the failure of its last operation; the rows show the operations before it with their right answers.
Equal operations in a row share a row, and the middle of a long trace is left out.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.trace import Step, Trace, asks, encode_answer, take
from swagproof.oracle.verdict import Witness

FIRST, LAST = 15, 25
"""The number of rows shown at the start and at the end of a long trace."""

_LONGEST: Final = 2_000
"""The length of the longest value that is shown, in characters."""


def trace_rows(witness: Witness) -> list[tuple[str, ...]]:
    """Return the rows: number (`7`, or `7-12`), operation, right answer and subject's answer; the last row fails."""
    rows = list(_rows(witness))
    if len(rows) > FIRST + LAST:
        left_out = len(rows) - FIRST - LAST
        rows[FIRST:-LAST] = [("...", f"{left_out:,} more rows, which are in the JSON", "", "")]
    return rows


def _rows(witness: Witness) -> Iterator[tuple[str, ...]]:
    if not witness.trace.steps:
        return
    *before, last = tell_steps(witness)
    at = 0
    for told, run in groupby(before):
        many = sum(1 for _ in run)
        yield str(at + 1) if many == 1 else f"{at + 1}-{at + many}", *told
        at += many
    yield str(at + 1), *last


def tell_steps(witness: Witness) -> list[tuple[str, str, str]]:
    """Return each operation with its right answer and the subject's answer."""
    *before, last = witness.trace.steps
    told = [
        (str(step), answer, "as expected" if answer else "")
        for step, answer in zip(before, _answers(witness.trace), strict=False)
    ]
    answered = witness.error is None and asks(last)
    expected, got = (_show(json.dumps(value)) if answered else "" for value in (witness.expected, witness.got))
    return [*told, (str(last), expected, _show(witness.error or got))]


def _show(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 4 :]}"


def _answers(trace: Trace) -> list[str]:
    """Return the right answer after each operation if it is a query; none over a custom monoid."""
    blank = [""] * len(trace.steps)
    if ":" in trace.monoid or trace.window not in KINDS:
        return blank
    try:
        rule = domain(trace.monoid).rule
        reference: Any = KINDS[trace.window].expected(rule.mirror)
        return [_answer(reference, rule, step) for step in trace.steps]
    except Exception:  # only for display: the verdict does not depend on it
        return blank


def _answer(reference: Any, rule: Any, step: Step) -> str:
    answer = take(reference, step, rule.mirror.lift)
    return _show(json.dumps(encode_answer(rule.round_exact(answer)))) if asks(step) else ""
