"""Readers at the same time that get in one another's way: by few operations, and how often."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.mistakes import count
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.search.runs import short_structures, spell
from swagproof.oracle.subject import Player, Subject
from swagproof.oracle.trace import QUERY, Step, asks
from swagproof.oracle.verdict import Verdict, accuse
from swagproof.oracle.window import FIFO
from swagproof.oracle.witness.again import always_fails
from swagproof.oracle.witness.letters import LETTERS
from swagproof.oracle.witness.minimise import Minimiser

RACING: Final = 15.0
"""Seconds in which a small trace is looked for where readers at the same time get in one another's way, and as many
again in which the one that was found is run where there is none:"""

RACED: Final = 6
"""all of fewer operations, and"""

RUNS: Final = 40
"""so many runs of each, in which"""

AGAIN: Final = 8
"""the last query is asked so often once more."""

KNOWN, MANY_RUNS = 10, 2_000
"""Failures in which it is known how often a trace fails, and the most runs for that."""


def minimise_race(subject: Subject, finding: Finding, domains: Sequence[Domain], clock: Clock) -> Verdict | None:
    """The verdict on a small trace in which readers at the same time get in one another's way, and how often they do.

    Whether they do is chance: so each trace is run many times, with its last query asked again and again, before it
    passes.  None where it is no chance, and where nothing small is found to fail so.  A long trace in which they get in
    one another's way somewhere or other may fail each time; so of one that does the small ones are asked.
    """
    if subject.adapter.readers == 1 or finding.failure.kind not in ("wrong", "raised"):
        return None

    certain = always_fails(subject, finding.domain, finding.steps, clock)
    haste = Clock(clock.timeout)
    haste.allow(RACING)
    over = next((domain for domain in domains if domain.name == LETTERS), finding.domain)
    raced = replace(subject, player=_often(subject))
    tried: list[tuple[Domain, Sequence[Step]]] = []
    if subject.kind is FIFO:
        looks = itertools.product(short_structures(RACED), (False, True))
        tried = [(over, _looking(spell(runs, over.elements.letters), always)) for runs, always in looks]
    for domain, steps in tried if certain else (*tried, (finding.domain, finding.steps)):
        if steps is finding.steps:  # all the time may have gone on the others, where the system has much else to do
            haste.allow(RACING)
        failure = run(raced, domain, steps, haste, Tried())
        if failure is not None and failure.kind == finding.failure.kind:
            break
    else:
        return None
    if certain and always_fails(subject, domain, steps, clock):
        return None
    if steps is finding.steps:  # the others are tried the shortest first
        smaller = Minimiser(raced, domain, list(steps[: failure.at + 1]), failure, haste)
        smaller.minimise()
        steps, failure = smaller.steps, smaller.failure
    steps = steps[: failure.at + 1]
    fails, runs = _count_failures(subject, domain, steps, clock)
    if not fails and asks(steps[-1]):  # it takes the queries that came after it
        steps = [*steps, *[steps[-1]] * AGAIN]
        fails, runs = _count_failures(subject, domain, steps, clock)
    often = f"{fails or 'none'} of {count(runs, 'more run')} of this trace ended so"
    verdict = accuse(subject, Finding(domain, tuple(steps), failure, finding.phase), unfinished="it is a race")
    assert verdict.witness is not None
    witness = replace(verdict.witness, diagnosis="readers race")
    return Verdict(verdict.outcome, f"{verdict.sentence}; its readers race: {often}", witness)


def _count_failures(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> tuple[int, int]:
    """Return how often a trace fails, and in how many runs: until it is known somewhat, or has been tried enough."""
    fails = runs = 0
    while fails < KNOWN and runs < MANY_RUNS and clock.left():
        fails += run(subject, domain, steps, clock, Tried()) is not None
        runs += 1
    return fails, runs


def _looking(steps: Sequence[Step], always: bool) -> list[Step]:
    """With a query after each operation, or in the end alone."""
    return [step for change in steps for step in (change, QUERY)] if always else [*steps, QUERY]


def _often(subject: Subject) -> Player:
    """Runs a trace as often as chance may need, the last query many times."""

    def play(domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        asked = [*steps, *[steps[-1]] * AGAIN] if asks(steps[-1]) else steps
        for _ in range(RUNS):
            failure = run(subject, domain, asked, clock, tried)
            if failure is not None:
                return replace(failure, at=min(failure.at, len(steps) - 1))
            if clock.expired:
                break
        return None

    return play
