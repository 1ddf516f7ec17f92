"""Faults that are drawn by a seed, and judged without their names: edits of a job's program, and accidents around it.

A list of faults that one writes beside a list of causes tells only that both were written by one hand.  So most faults
are edits of a job's source, anywhere in it and whatever they mean: a comparison turned, a constant off by one, two
operators exchanged, a statement left out.  Others are what befalls a right job: events that are lost, repeated or
cut short, clocks and zones, batches, sinks.  Some come two at once; some are of all results, some of a few keys, from
some time on or until then.  Which job, which edit, which part and which numbers is drawn.

Nor is there a list of which name is right.  A cause is *right* if it is so of the same job over other events: what it
foretells there, of the windows that it would change, is what the job writes there.  Of what holds by chance, or of the
given events alone, nothing is left then.
"""

import ast
import copy
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from support.faults.befallen import Accident, draw_accident
from support.faults.planted import Came
from support.faults.program import (
    HOUR,
    SPRING,
    Line,
    Query,
    draw_query,
    draw_world,
    give_values,
    letter,
    list_edits,
    read_program,
)

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_window
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.explain import find_causes
from swagproof.pipeline.audit.causes.hypothesis import Outcome
from swagproof.pipeline.audit.causes.once.remains import count_fits
from swagproof.pipeline.audit.causes.sample import Event, Got, Name, Sample
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses
from swagproof.pipeline.audit.rules import Aggregation, Kind
from swagproof.pipeline.audit.tables import Tick

_TWICE: Final = 0.3
"""How often two faults come at once."""


@dataclass(frozen=True)
class Layer:
    """One thing that is wrong with a job, of a part of its windows."""

    said: str
    accident: Accident
    tree: ast.Module | None
    """The program, where it is the program that is wrong."""
    where: str
    holds: Callable[[Line], bool]
    """Of which results it is so."""


@dataclass(frozen=True)
class Fault:
    """A job with a fault, or with two, each of all results or of some."""

    query: Query
    layers: tuple[Layer, ...]
    seed: int

    @property
    def said(self) -> str:
        """What is wrong."""
        return "; ".join(f"{one.said}{one.where and ', '}{one.where}" for one in self.layers)

    def make_sample(self, world: int, *, valued: int = 0) -> Sample:
        """What an audit has of the job over some events; or over the same with other values."""
        events = draw_world(self.query, self.seed * 31 + world)
        if valued:
            events = give_values(events, self.seed * 31 + valued)
        lines: list[Line] = []
        for n in range(len(self.layers) + 1):
            for wrong in combinations(self.layers, n):
                made = self.run(wrong, events)
                lines += [x for x in made if all(one.holds(x) == (one in wrong) for one in self.layers)]
        return judge(self.query, events, lines)

    def run(self, wrong: Sequence[Layer], events: list[Came]) -> list[Line]:
        """What the job writes that has these faults."""
        query, tree = self.query, next((one.tree for one in wrong if one.tree is not None), read_program())
        for one in wrong:
            events, query = one.accident.events(events), one.accident.query(query)
        lines = query.run(tree, events)
        for one in wrong:
            lines = one.accident.results(lines)
        return lines


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
        if v is not None and text != isinstance(v, str):
            raise TypeError("an audit refuses such a column")
        number = float(v) if kind == "float" and v is not None else None
        results[json.dumps([key]), a, b].append(Got(None if v is None or number is not None else str(v), number))
    window = parse_window(query.text, tick or "plain")
    kinds: tuple[Kind, ...] = ("text" if text else "int",)
    names = ("a", "b")
    return Sample(window, over, kind, kinds, names, dict(came), dict(results), frozenset(), tick=tick).judged()


def draw_fault(seed: int) -> Fault | None:
    """A fault; None where what was drawn changes nothing, or the program does not run."""
    dice = Random(seed)
    query, tree = draw_query(dice), copy.deepcopy(read_program())
    layers: list[Layer] = []
    for _ in range(2 if dice.random() < _TWICE else 1):
        if dice.random() < 0.5 and not any(one.tree for one in layers):
            said, edit = dice.choice(list(list_edits(tree)))
            edit(tree)
            layers.append(Layer(said, Accident(said), ast.fix_missing_locations(tree), *draw_part(dice, query)))
        else:
            accident = draw_accident(dice, query)
            layers.append(Layer(accident.said, accident, None, *draw_part(dice, query)))
    fault = Fault(query, tuple(layers), seed)
    try:
        return fault if all(fault.make_sample(world).open for world in (0, 1)) else None
    except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, NameError, SyntaxError):
        return None


def draw_part(dice: Random, query: Query) -> tuple[str, Callable[[Line], bool]]:
    """Of which results a fault is: mostly of all; else of some keys, or from some time on, or until then."""
    keys = dice.sample("abcdef", dice.choice((1, 2, 2, 3)))
    at = dice.randrange(-20, 160)
    at = SPRING + at * HOUR // 2 if query.kind == "calendar" else at
    match dice.choice(("all",) * 6 + ("keys",) * 2 + ("from", "until")):
        case "keys":
            return f"of {', '.join(sorted(keys))}", lambda line: line[0] in keys
        case "from":
            return f"from {at} on", lambda line: line[1] >= at
        case "until":
            return f"before {at}", lambda line: line[1] < at
        case _:
            return "", lambda line: True


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
    described: int
    """How many of those that are right are told as they are found, without a rule that would tell of other events."""
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
    others, valued = [fault.make_sample(world) for world in (1, 2, 3)], fault.make_sample(0, valued=1)
    causes = [(cause, is_right(cause, others, valued)) for cause in find_causes(sample)]
    right = [cause for cause, holds in causes if holds]
    return Told(
        len(sample.open),
        _add(right),
        _add([cause for cause in right if cause.also]),
        _add([cause for cause in right if cause.hypothesis is None or cause.contents is not None]),
        _add([cause for cause, holds in causes if not holds]),
        tuple(causes),
    )


def _add(causes: Sequence[Cause]) -> int:
    return sum(len(cause.explains) for cause in causes)


def is_right(cause: Cause, others: Sequence[Sample], valued: Sample) -> bool:
    """Whether it is so of the same job over other events; it, or one of those that it was not told from.

    Of what is told of given events it is asked whether it is so where these events have other values.
    """
    if cause.contents is not None:
        there = {name: numbers for name, numbers in cause.contents.items() if name not in valued.aside}
        return 4 * count_fits(valued, there, cause.hypothesis) >= 3 * len(there)
    if cause.hypothesis is None:  # it is said of single findings, as they are seen
        return True
    fits = missed = 0
    for other in others:
        explained, wrong = min((_count(one, cause, other) for one in _find_again(cause, other)), key=_rate)
        fits, missed = fits + explained, missed + wrong
    return fits > 0 and fits >= 3 * missed


def _rate(counted: tuple[int, int]) -> int:
    return counted[1] - counted[0]


def _count(outcome: Outcome, cause: Cause, sample: Sample) -> tuple[int, int]:
    inside = (lambda _: True) if cause.inside is None else cause.inside(sample)
    return sum(map(inside, outcome.explained)), sum(map(inside, outcome.missed | outcome.contradicted))


def _find_again(cause: Cause, other: Sample) -> list[Outcome]:
    """The same hypothesis, made anew where it is one of those that are made of the sample."""
    assert cause.hypothesis is not None
    named = cause.hypothesis.cause, cause.hypothesis.why
    return [one.hold(other) for one in (cause.hypothesis, *list_hypotheses(other)) if (one.cause, one.why) == named]
