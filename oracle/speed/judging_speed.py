"""The cost of judging, compared with the subject and the reference alone, and with a list reduced at each query.

All run in one process, one after another, and the median of a few rounds counts.  On a shared machine operations per
second mean little, but their ratios mean something.  The benchmark measures processor time: that of this process, and
of the process that the subject lives in.  The trace slides over a window of n, with a query after each evict and each
insert, as the search does; filling it is not counted.  A bare run plays the same operations, already lifted, and checks
no answer.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from random import Random
from time import process_time
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Tried
from swagproof.oracle.runner import run
from swagproof.oracle.sandbox.host import Host
from swagproof.oracle.search.attempts import drawing
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import EVICT, QUERY, Step, evict_at, insert, insert_at
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.trees.fiba import Fiba

SIZES: Final = (10, 1_000, 100_000)
LEAST: Final = 3_000
"""Evicts in a trace, at least; in a larger window as many as it has elements, so that it is turned over."""
SECONDS: Final = 0.1
"""For the list, or one turn where that takes longer."""
ROUNDS: Final = 3

MEASURED: Final = (
    (Subject("Two-Stacks", TwoStacks[Any]), "sum"),
    (Subject("Two-Stacks", TwoStacks[Any]), "affine"),
    (Subject("DABA", Daba[Any]), "sum"),
    (Subject("DABA", Daba[Any]), "affine"),
    (Subject("FiBA", Fiba[Any], window="out-of-order"), "affine"),
)
"""Subjects, and what they aggregate: the cheapest combine that there is, and one that the search goes far with."""


@dataclass(frozen=True)
class Judged:
    """One subject over one monoid at one size: operations a second."""

    window: str
    subject: str
    monoid: str
    n: int
    judged: float
    """The rate of the oracle."""
    subject_alone: float
    reference_alone: float
    """The reference that gives the oracle its answers."""
    list_and_reduce: float
    """Judged by a list, and `functools.reduce` over it at each query."""

    @property
    def over_bare(self) -> float:
        """Return how many times as long judging takes as subject and reference take by themselves."""
        return (1 / self.judged) / (1 / self.subject_alone + 1 / self.reference_alone)

    @property
    def over_list(self) -> float:
        """Return how many times as many operations a second as by list and reduce."""
        return self.judged / self.list_and_reduce

    @property
    def at_most(self) -> float:
        """The same for an oracle that costs nothing: what is left is the subject's own time."""
        return self.subject_alone / self.list_and_reduce

    def as_json(self) -> dict[str, Any]:
        """As a table's row."""
        numbers = {name: round(value, 1) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return {
            **numbers,
            "over_bare": round(self.over_bare, 2),
            "over_list": round(self.over_list, 1),
            "at_most": round(self.at_most, 1),
        }


def slide_over(domain: Domain, window: str, n: int, turns: int, *, late: bool = True) -> tuple[list[Step], list[Step]]:
    """Return what fills the window, and what slides over it.  Out of order, one insert in eight is a little `late`."""
    element = drawing(domain, Random(n))
    if window == "fifo":
        return [insert(element()) for _ in range(n)], [
            step for _ in range(turns) for step in (EVICT, QUERY, insert(element()), QUERY)
        ]
    times = [time ^ 7 if late and time % 8 == 0 and time else time for time in range(n + turns)]
    fill = [insert_at(time, element()) for time in times[:n]]
    slides: list[Step] = []
    for oldest, youngest in zip(times, times[n:], strict=False):
        slides += evict_at(oldest), QUERY, insert_at(youngest, element()), QUERY
    return fill, slides


def _lift_steps(steps: Sequence[Step], lift: Callable[[Any], Any]) -> list[Step]:
    return [
        Step("insert", (*step.arguments[:-1], lift(step.arguments[-1]))) if step.name == "insert" else step
        for step in steps
    ]


def _time_bare(window: Any, steps: Sequence[Step]) -> float:
    """Seconds that these operations take."""
    began = process_time()
    for name, arguments in steps:
        if name == "insert":
            window.insert(*arguments)
        elif name == "evict":
            window.evict(*arguments)
        else:
            window.query()
    return process_time() - began


def _time_judging(subject: Subject, domain: Domain, steps: Sequence[Step]) -> float:
    """Seconds of both processes, the subject's and ours."""
    host = subject.running
    assert isinstance(host, Host)
    run(subject, domain, steps[:1], Clock(), Tried())  # it is running
    began = process_time() + host.processor_time
    failure = run(subject, domain, steps, Clock(), Tried())
    elapsed = process_time() + host.processor_time - began
    assert failure is None, f"{subject.name} is accused: {failure}"
    return elapsed


def _time_list(window: Any, domain: Domain, fill: Sequence[Step], slides: Sequence[Step]) -> float:
    """Seconds for each operation when answers are expected of a list: of its values, in the order of time."""
    combine, identity = domain.operation.combine, domain.operation.identity
    values = [step.arguments[-1] for step in sorted(fill, key=lambda step: step.arguments[:-1])]
    _time_bare(window, fill)
    done, began = 0, process_time()
    for name, arguments in slides:
        if name == "insert":
            values.append(arguments[-1])
            window.insert(*arguments)
        elif name == "evict":
            del values[0]
            window.evict(*arguments)
        else:
            reduce(combine, values, identity)  # late entries stand at the end: what it costs is the same
            window.query()
            if process_time() - began > SECONDS:
                return (process_time() - began) / (done + 1)
        done += 1
    return (process_time() - began) / done


def _measure(subject: Subject, domain: Domain, n: int, turns: int) -> Judged:
    fill, slides = slide_over(domain, subject.window, n, turns)
    ours, theirs = (_lift_steps([*fill, *slides], op.lift) for op in (domain.rule.mirror, domain.operation))
    expected, build = KINDS[subject.window].expected, subject.build
    assert build is not None
    seconds: dict[str, list[float]] = {"judged": [], "subject": [], "reference": [], "list": []}
    for _ in range(ROUNDS):
        seconds["judged"].append(
            _time_judging(subject, domain, [*fill, *slides]) - _time_judging(subject, domain, fill)
        )
        window = build(domain.operation)
        _time_bare(window, theirs[:n])
        seconds["subject"].append(_time_bare(window, theirs[n:]))
        window = expected(domain.rule.mirror)
        _time_bare(window, ours[:n])
        seconds["reference"].append(_time_bare(window, ours[n:]))
        seconds["list"].append(_time_list(build(domain.operation), domain, theirs[:n], theirs[n:]) * len(slides))
    subject.stop()
    judged, alone, reference, listed = (len(slides) / statistics.median(found) for found in seconds.values())
    return Judged(
        window=subject.window,
        subject=subject.name,
        monoid=domain.name,
        n=n,
        judged=judged,
        subject_alone=alone,
        reference_alone=reference,
        list_and_reduce=listed,
    )


def judgings(sizes: Sequence[int] = SIZES, least: int = LEAST) -> Iterator[Judged]:
    """Every subject at every size, one measurement at a time."""
    for subject, monoid in MEASURED:
        for n in sizes:
            yield _measure(subject, domain_of(monoid), n, max(n, least))
