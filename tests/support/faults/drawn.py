"""Faults that are drawn by a seed, and judged without their names: edits of a job's program, and accidents around it.

A list of faults that one writes beside a list of causes tells only that both were written by one hand.  So most faults
are edits of a job's source, anywhere in it and whatever they mean: a comparison turned, a constant off by one, two
operators exchanged, a statement left out.  Others are what befalls a right job: events that are lost, repeated or
cut short, clocks and zones, batches, sinks.  Which job, which edit and which numbers is drawn.

Nor is there a list of which name is right.  A cause is *right* if it is so of the same job over other events: what it
foretells there, of the windows that it would change, is what the job writes there.  Of what holds by chance, or of the
given events alone, nothing is left then.
"""

import ast
import copy
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from support.faults.befallen import Accident, draw_accident
from support.faults.planted import Came
from support.faults.program import Line, Query, draw_query, draw_world, letter, list_edits, read_program

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_window
from swagproof.pipeline.audit.causes.explain import Cause, find_causes, list_hypotheses
from swagproof.pipeline.audit.causes.hypothesis import Outcome
from swagproof.pipeline.audit.causes.sample import Event, Got, Name, Sample
from swagproof.pipeline.audit.rules import Aggregation, Kind, aggregation
from swagproof.pipeline.audit.tables import Tick


@dataclass(frozen=True)
class Fault:
    """A job with a fault, or with two."""

    said: str
    query: Query
    tree: ast.Module
    accidents: tuple[Accident, ...]
    seed: int

    def make_sample(self, world: int) -> Sample:
        """What an audit has of the job over some events."""
        events = draw_world(self.query, self.seed * 31 + world)
        came, query = events, self.query
        for one in self.accidents:
            came, query = one.events(came), one.query(query)
        lines = query.run(self.tree, came)
        for one in self.accidents:
            lines = one.results(lines)
        return judge(self.query, events, lines)


def judge(query: Query, events: Sequence[Came], lines: Sequence[Line]) -> Sample:
    """The sample of a job's events and results."""
    text = query.aggregate == "concatenation"
    over: Aggregation = aggregation(query.aggregate, ("text" if text else "int",))
    kind: Kind = "text" if text else "float" if query.aggregate == "mean" else "int"
    tick: Tick = "us" if query.kind == "calendar" else None
    came: dict[str, list[Event]] = defaultdict(list)
    for e in sorted(events, key=lambda e: (e.time, e.seq)):
        value = letter(e.value) if text else e.value
        came[json.dumps([e.key])].append(Event(e.time, e.seq, value, NEVER, over.operation.lift(value)))
    results: dict[Name, list[Got]] = defaultdict(list)
    for key, a, b, v in lines:
        number = float(v) if kind == "float" and v is not None else None
        results[json.dumps([key]), a, b].append(Got(None if v is None or number is not None else str(v), number))
    window = parse_window(query.text, tick or "plain")
    kinds: tuple[Kind, ...] = ("text" if text else "int",)
    names = ("a", "b")
    return Sample(window, over, kind, kinds, names, dict(came), dict(results), frozenset(), tick=tick).judged()


def draw_fault(seed: int) -> Fault | None:
    """A fault; None where what was drawn changes nothing, or the program does not run."""
    dice = Random(seed)
    query, tree = draw_query(dice), read_program()
    accidents: list[Accident] = []
    said: list[str] = []
    for _ in range(2 if dice.random() < 0.15 else 1):
        if dice.random() < 0.5:
            tree = copy.deepcopy(tree)
            what, edit = dice.choice(list(list_edits(tree)))
            edit(tree)
            said.append(what)
        else:
            accidents.append(draw_accident(dice, query))
            said.append(accidents[-1].said)
    fault = Fault("; ".join(said), query, ast.fix_missing_locations(tree), tuple(accidents), seed)
    try:
        return fault if all(fault.make_sample(world).open for world in (0, 1)) else None
    except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, NameError, SyntaxError):
        return None


def draw_faults(seed: int, n: int) -> list[Fault]:
    """The first n that a seed gives."""
    found: list[Fault] = []
    at = seed * 100_000
    while len(found) < n:
        at += 1
        fault = draw_fault(at)
        if fault is not None:
            found.append(fault)
    return found


@dataclass(frozen=True)
class Told:
    """What was said of a fault."""

    findings: int
    right: int
    either: int
    """How many of those that are right have another name beside."""
    wrong: int
    causes: tuple[tuple[Cause, bool], ...]

    @property
    def unexplained(self) -> int:
        """How many findings were given no cause."""
        return self.findings - self.right - self.wrong

    @property
    def verdict(self) -> str:
        """Whether the fault was named: 19 of 20 findings rightly; wrongly: more than one of 20."""
        if 20 * self.wrong > self.findings:
            return "wrongly named"
        return "named" if 20 * self.right >= 19 * self.findings else "named in part" if self.right else "unexplained"


def tell(fault: Fault) -> Told:
    """Look for the causes of a fault, and whether they are so of the same job over other events."""
    sample = fault.make_sample(0)
    others = [fault.make_sample(world) for world in (1, 2, 3)]
    causes = [(cause, is_right(cause, others)) for cause in find_causes(sample)]
    right = sum(len(cause.explains) for cause, holds in causes if holds)
    either = sum(len(cause.explains) for cause, holds in causes if holds and cause.also)
    wrong = sum(len(cause.explains) for cause, holds in causes if not holds)
    return Told(len(sample.open), right, either, wrong, tuple(causes))


def is_right(cause: Cause, others: Sequence[Sample]) -> bool:
    """Whether it is so of the same job over other events; it, or one of those that it was not told from."""
    if cause.hypothesis is None:  # it is said of single findings, as they are seen
        return True
    fits = missed = 0
    for other in others:
        explained, wrong = min((_count(one, cause) for one in _find_again(cause, other)), key=lambda n: n[1] - n[0])
        fits, missed = fits + explained, missed + wrong
    return fits > 0 and fits >= 3 * missed


def _count(outcome: Outcome, cause: Cause) -> tuple[int, int]:
    inside = cause.inside or (lambda _: True)
    return sum(map(inside, outcome.explained)), sum(map(inside, outcome.missed | outcome.contradicted))


def _find_again(cause: Cause, other: Sample) -> list[Outcome]:
    """The same hypothesis, made anew where it is one of those that are made of the sample."""
    assert cause.hypothesis is not None
    named = cause.hypothesis.cause, cause.hypothesis.why
    return [one.hold(other) for one in (cause.hypothesis, *list_hypotheses(other)) if (one.cause, one.why) == named]
