"""An audit of another job's results during the stream: each fault is found by name."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from support.stream_steps import Step, play, steps_of

from swagproof.models.operations import CONCATENATION, SUM
from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.stream.live_audit import Audit, Claim, Finding
from swagproof.pipeline.stream.operator import Arrived, Operator, Query


def claims_of(query: Query, steps: Sequence[Step]) -> dict[tuple[int, int], Claim]:
    """Return the final claims of a right job."""
    return {
        (begin, end): Claim(begin, end, version, json.dumps(sized[1]), None)
        for shown in play(query, steps)
        for kind, begin, end, version, sized in (each for each in shown if each[0] == "result")
        if kind
    }


def judge(
    query: Query, steps: Sequence[Step], claims: Sequence[Claim], *, patience: int = 0, early: bool = False
) -> list[Finding]:
    """Return the verdicts if all claims come before any is judged; the state is saved and restored between steps."""
    found: list[Finding] = []
    text: str | None = None
    name, kind = ("sum", "int") if query.operation is SUM else ("concatenation", "text")
    for i, (events, watermark) in enumerate(steps):
        audit = Audit(query, aggregation(name, (kind,)), kind, patience, early=early)
        if text is not None:
            audit.restore(text)
        due = audit.next_due()
        audit.step(events, watermark, steps[i + 1][1] if i + 1 < len(steps) else NEVER)
        verdicts = audit.judge_due(claims if i == 0 else [], watermark)
        assert i == 0 or not verdicts or (due is not None and due <= watermark)
        found += verdicts
        text = audit.to_json()
        assert i < len(steps) - 1 or audit.is_forgettable()
    return found


def count(found: Sequence[Finding]) -> Counter[str]:
    """Return the number of verdicts of each kind."""
    return Counter(verdict.kind for verdict in found)


@pytest.mark.parametrize(("policy", "lateness"), [("drop", 0), ("update", 7), ("retract", 7)])
def test_audit_names_faults(policy: Any, lateness: int) -> None:
    query = Query(Sliding(10, 5), SUM, policy, lateness)
    steps = steps_of(random.Random(11), (1, 2, 4, 8, 16), 3, length=80)
    right = claims_of(query, steps)
    assert set(count(judge(query, steps, list(right.values())))) == {"conforms"}
    names = sorted(right)
    lost, changed, twice, shifted = names[1], names[2], names[3], names[4]
    claims = [claim for name, claim in right.items() if name not in (lost, changed)]
    claims += [right[changed]._replace(got=str(int(right[changed].got or 0) + 1))]
    claims += [right[twice], right[shifted]._replace(begin=shifted[0] + 1), Claim(-1_000, -990, 0, "1", None)]
    found = judge(query, steps, claims, patience=3)
    assert len({(it.begin, it.end) for it in found}) == len(found)
    assert {(it.begin, it.end): it.kind for it in found if it.kind != "conforms"} == {
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


# Every version


def versions_of(query: Query, steps: Sequence[Step], *, by_record: bool = False, early: bool = False) -> list[Claim]:
    """Return a right job's claims: by step, or at the watermark before each record; `early` adds partial results."""
    operator, latest = Operator(query), NEVER
    delay = max(max(event.time for event in events) - after for (events, _), (_, after) in pairwise(steps) if events)
    found: dict[tuple[int, int], list[Claim]] = {}
    for events, watermark in steps:
        cut = [(events, watermark)]
        if by_record or early:
            cut = []
            for event in events:
                cut.append(([event], latest - delay if latest > NEVER and by_record else watermark))
                latest = max(latest, event.time)
            cut.append(([], latest - delay if by_record and latest > NEVER and events else watermark))
        for some, at in cut:
            shown = operator.step(some, at)
            said = [(each.window, each.sized) for each in shown if each.kind == "result"]
            final = operator.closed_at(operator.done)
            if early:
                said += operator.find_sized(list(query.shape.find_due(operator.keys, final, 2**62)))
            for window, sized in said:
                assert window is not None
                assert sized is not None
                claims = found.setdefault((window.begin, window.end), [])
                got = json.dumps(sized[1]) if isinstance(sized[1], int) else sized[1]
                if not claims or claims[-1].got != got:
                    claims.append(Claim(window.begin, window.end, len(claims), got, None))
    return [claim for claims in found.values() for claim in claims]


BERLIN = Calendar("day", 1, 1, 0, "Europe/Berlin", 1)

VERSIONED = [
    (Query(Sliding(10, 5), SUM, "update", 9), 1),
    (Query(Sliding(6, 6, 1, "right"), SUM, "retract", 4), 1),
    (Query(Sliding(8, 4), CONCATENATION, "update", 12), 1),
    (Query(BERLIN, SUM, "update", 100_000), 20_000),
]


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("query", "tick"), VERSIONED)
def test_every_version_is_judged(query: Query, tick: int) -> None:
    """The right jobs move their watermark with each file or each record; another job is wrong at first."""
    accused = Counter[str]()
    corrected = wrong = 0
    patient = replace(query, lateness=10**5 * tick)
    for seed in range(12):
        letters = (1, 2, 4, 8, 16) if query.operation is SUM else "abcdefgh"
        steps = [
            ([event._replace(time=event.time * tick) for event in events], at if at == NEVER else at * tick)
            for events, at in steps_of(random.Random(seed), letters, 3, length=60)
        ]
        steps.append(([], 10**6 * tick))
        accused.update(count(judge(patient, steps, versions_of(patient, steps, by_record=True))))
        early = versions_of(query, steps, early=True)
        accused.update(count(judge(query, steps, early, early=True)))
        assert count(judge(query, steps, early))["wrong-version"], (
            "nothing may be shown before it is due, unless that is said"
        )
        claims = versions_of(query, steps)
        accused.update(count(judge(query, steps, claims)))
        again = {claim[:2] for claim in claims if claim.version}
        corrected += len(again)
        for claim in (claim for claim in claims if claim.version == 0 and claim[:2] in again):
            spoilt = claim._replace(got=f"{claim.got}7")
            found = count(judge(query, steps, [spoilt if one is claim else one for one in claims]))
            assert found == {"conforms": sum(one.version == 0 for one in claims) - 1, "wrong-version": 1}
            swapped = [one._replace(version=-one.version) if one[:2] == claim[:2] else one for one in claims]
            wrong += count(judge(query, steps, swapped))["conforms"] < found.total()
    assert set(accused) == {"conforms"}
    assert corrected > 10
    assert wrong > 10
