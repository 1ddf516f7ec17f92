"""A number of different values whose state holds each once, so that one that leaves takes with it those equal to it.

A sliding window has to count how often it has each value.  A set does not: what leaves is removed, though it is there
again.  Each way is run over the values of a key as they come and go, and foretells all results, right ones as well as
wrong ones.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.values.steps import Place, go_over, has_steps
from swagproof.pipeline.audit.rules import Answer

_CAUSE: Final = "taken for each other"

Steps = Iterator[tuple[Sequence[Any], Sequence[Any]]]
"""What comes with each window, and what goes."""


def list_sets(sample: Sample) -> Iterator[Hypothesis]:
    """The ways to count them."""
    if sample.aggregation.name != "distinct-count" or not has_steps(sample):
        return
    for said, first in (("before the next comes", True), ("after the next has come", False)):
        why = f"keeps its values in a set, and removes one that leaves, {said}, though an equal one is still there"
        results = partial(go_over, partial(_answer_each, first))
        yield Hypothesis(_CAUSE, why, results=results, divides=True)


def _answer_each(first: bool, events: Sequence[Event], places: Sequence[Place]) -> list[Answer]:
    values = [repr(e.value) for e in events]
    return [answer_of(n) for n in _keep_set(first, _list_steps(values, places))]


def _list_steps(values: Sequence[Any], places: Sequence[Place]) -> Steps:
    a = b = 0
    for lo, hi in places:
        yield values[b:hi], values[a:lo]
        a, b = lo, max(b, hi)


def _keep_set(first: bool, steps: Steps) -> Iterator[int]:
    held = set[Any]()
    for come, go in steps:
        if first:
            held.difference_update(go)
        held.update(come)
        if not first:
            held.difference_update(go)
        yield len(held)
