"""A job's results held against the reference as they come: each fault by its name."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.stream_steps import Step, play, steps_of

from swagproof.models.operations import SUM
from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.rules import aggregation
from swagproof.pipeline.stream.live_audit import Audit, Claim
from swagproof.pipeline.stream.operator import Arrived, Query


def claims_of(query: Query, steps: Sequence[Step]) -> dict[tuple[int, int], Claim]:
    """What a right job claims in the end."""
    return {
        (begin, end): Claim(begin, end, version, json.dumps(sized[1]), None)
        for shown in play(query, steps)
        for kind, begin, end, _, version, sized in (each for each in shown if each[0] == "result")
        if kind
    }


def verdicts_of(
    query: Query, steps: Sequence[Step], claims: Sequence[Claim], patience: int = 0
) -> dict[tuple[int, int], str]:
    """The verdicts, when all claims come before any window is judged."""
    found: dict[tuple[int, int], str] = {}
    text: str | None = None
    for i, (events, watermark) in enumerate(steps):
        audit = Audit(query, aggregation("sum", ("int",)), "int", patience)
        if text is not None:
            audit.restore(text)
        due = audit.next_due()
        audit.step(events, watermark)
        verdicts = audit.judge_due(claims if i == 0 else [], watermark)
        if due is None or due > watermark:
            assert not verdicts or i == 0
        for verdict in verdicts:
            assert (verdict.begin, verdict.end) not in found
            found[verdict.begin, verdict.end] = verdict.kind
        text = audit.to_json()
        if i == len(steps) - 1:
            assert audit.is_forgettable()
    return found


@pytest.mark.parametrize(("policy", "lateness"), [("drop", 0), ("update", 7), ("retract", 7)])
def test_audit_names_faults(policy: Any, lateness: int) -> None:
    query = Query(Sliding(10, 5), SUM, policy, lateness)
    steps = steps_of(random.Random(11), (1, 2, 4, 8, 16), 3, length=80)
    right = claims_of(query, steps)
    assert set(verdicts_of(query, steps, list(right.values())).values()) == {"conforms"}
    names = sorted(right)
    lost, changed, twice, shifted = names[1], names[2], names[3], names[4]
    claims = [claim for name, claim in right.items() if name not in (lost, changed)]
    claims += [right[changed]._replace(got=str(int(right[changed].got or 0) + 1))]
    claims += [right[twice], right[shifted]._replace(begin=shifted[0] + 1), Claim(-1_000, -990, 0, "1", None)]
    found = verdicts_of(query, steps, claims, patience=3)
    assert {name: kind for name, kind in found.items() if kind != "conforms"} == {
        lost: "missing",
        changed: "wrong",
        twice: "duplicate",
        (shifted[0] + 1, shifted[1]): "extra",
        (-1_000, -990): "extra",
    }


def test_audit_knows_what_came_late() -> None:
    query = Query(Sliding(10, 10), SUM, "update", 10)
    audit = Audit(query, aggregation("sum", ("int",)), "int")
    audit.step([Arrived(1, 0, 5)], 10)
    assert not audit.judge_due([Claim(0, 10, 0, "5", None)], 10)
    audit.step([Arrived(2, 1, 7)], 15)
    assert not audit.judge_due([], 15)
    verdicts = audit.judge_due([], 20)
    assert [(verdict.kind, verdict.sized) for verdict in verdicts] == [("late-differing", (2, 12))]
    verdicts = audit.judge_due([Claim(0, 10, 1, "12", None)], 21)
    assert [verdict.kind for verdict in verdicts] == ["overdue"]
