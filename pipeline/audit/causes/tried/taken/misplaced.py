"""Right answers beside the wrong rows: a column that is computed in one order and put, by place, into a table that has
its rows in another, as with `.values` of what was grouped by key, beside rows in the order of time.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from math import log2
from typing import Any

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Foretold, Name, Sample, get_place
from swagproof.pipeline.audit.causes.tried.extents.across import rank_keys

Order = Callable[[Name], Any]


def list_misplaced(sample: Sample) -> Iterator[Hypothesis]:
    """Each order of answers beside each of rows, where there are all of them."""
    if not sample.whole or sample.until is not None or len(sample.events) < 2:
        return
    rank = {key: i for i, key in enumerate(rank_keys({name[0] for name in sample.due}))}
    orders: dict[str, Order] = {
        "key and time": lambda name: (rank.get(name[0], len(rank)), get_place(name), name[2] or 0),
        "time": lambda name: (get_place(name), name[2] or 0, rank.get(name[0], len(rank))),
    }
    if sample.by_row:
        orders["arrival"] = lambda name: name[2] or 0
    ways = list(permutations(orders.items(), 2))
    for (said, of_answers), (where, of_rows) in ways:
        why = f"puts its answers, which are in the order of {said}, beside rows in the order of {where}"
        results = partial(_exchange, of_answers, of_rows)
        yield Hypothesis("results exchanged", why, results=results, mixes=True, needs=2, bits=log2(len(ways)))


def _exchange(of_answers: Order, of_rows: Order, found: Foretold) -> Foretold:
    answers, rows = sorted(found, key=of_answers), sorted(found, key=of_rows)
    return {row: found[answer] for row, answer in zip(rows, answers, strict=True)}
