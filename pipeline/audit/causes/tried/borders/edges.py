"""Events whose time is just where one interval of a table ends and the next one begins, and that find both, or none.

A table of rates or shifts that is joined by time has a row for each hour or day.  BETWEEN takes an event at a full hour
for that of both, and `>` with `<` for that of none; of all others nothing is wrong.
"""

from collections.abc import Iterator
from functools import partial
from math import log2

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.spans import list_spans, show_span


def list_edges(sample: Sample) -> Iterator[Hypothesis]:
    """Each span between such times, where these are of few events: of several that pick the same ones the longest."""
    chosen: dict[frozenset[int], int] = {}
    times = {e.time for e in sample.came}
    for span in list_spans(sample.tick):
        if 0 < 2 * len(those := frozenset(time for time in times if time % span == 0)) < len(times):
            chosen[those] = span
    for span in chosen.values():
        which = f"events at each full {show_span(span, sample.tick)}, as where intervals of a joined table"
        bits, edge = log2(2 * len(chosen)), partial(_is_edge, span)
        why = f"counts twice {which} hold both their ends"
        yield Hypothesis("some times twice", why, events=without(edge, again=True), needs=2, bits=bits)
        why = f"leaves out {which} hold neither of their ends"
        out = without(edge, again=False)
        yield Hypothesis("some times left out", why, events=out, needs=2, bits=bits, filters=True)


def _is_edge(span: int, e: Event) -> bool:
    return e.time % span == 0
