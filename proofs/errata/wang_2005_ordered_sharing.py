"""Searches for the errata and readings of *Aggregate Sharing in Stream Databases* (2005), section 6: OrderedSharing."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.models.containers.search_tree import highest
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.errata.wang_2005_timegram import streams
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of
from swagproof.proofs.sharing.ordered_sharing import ALONE, WRONG
from swagproof.proofs.sharing.savings import CountedOrderedSharing, fill
from swagproof.reference.catalogue import ORDERED_SHARING

STAMPS_NOW: Final = WRONG.get("a re-calculated answer is stamped with the current time")
LEAVES_INVALID_REPAIRS: Final = ALONE["insert leaves the invalid windows that it meets, and lookup repairs the tree"]

# Timestamps


def _alike(mutant: Mutant | None) -> Iterator[str]:
    """Search for two streams with equal answer, timestamp and size after a lookup, of which one insert needs more.

    So any definition of valid by these three is wrong for one stream, or makes every answer invalid after an insert.
    """
    left: dict[tuple[Any, float], tuple[int, int]] = {}
    for stream in ((5, 3), (3, 5)):
        shared = fill(algorithm_of(ORDERED_SHARING, mutant)(), (2,), stream)
        shared.lookup(2)
        window = shared.windows[2]
        other = left.setdefault((window.answer, window.ts), stream)
        if other != stream:
            yield (
                f"window of 2: both insert {other[0]}, insert {other[1]} and insert {stream[0]}, insert {stream[1]} "
                f"leave the answer {window.answer} with timestamp {window.ts} after lookup 2; after insert 1 the "
                f"answers are {max(other[1], 1)} and {max(stream[1], 1)}"
            )


# The tree


def _larger_answers(strictly: bool) -> Iterator[str]:
    """Search for two windows of which the larger has a smaller answer, or with `strictly`, when full, an equal one."""
    for stream in streams(4, (1, 2, 3)):
        for i, j in itertools.combinations((1, 2, 3), 2):
            small, large = max(stream[-i:]), max(stream[-j:])
            if small > large or (strictly and small == large and j <= len(stream)):
                yield f"stream {stream}: windows of {i} and {j} have the answers {small} and {large}"


def _repeated_visits(mutant: Mutant | None, windows: int, times: int = 10) -> list[int]:
    """Return the nodes that equal inserts visit when windows of 1 ... W, which are all in the tree, become invalid."""
    shared = fill(algorithm_of(ORDERED_SHARING, mutant)(), range(1, windows + 1), reversed(range(windows)))
    shared.lookup(windows)
    shared.insert(-1)
    counts: list[int] = []
    for _ in range(times):
        before = shared.tree.visits
        shared.insert(windows)
        counts.append(shared.tree.visits - before)
    return counts


def _invalid_met_again() -> Iterator[str]:
    later = {windows: _repeated_visits(LEAVES_INVALID_REPAIRS, windows)[1:] for windows in (8, 16, 32)}
    if all(count >= windows for windows, counts in later.items() for count in counts):
        said = ", ".join(f"{counts[-1]} for |W| = {windows}" for windows, counts in later.items())
        yield (
            "windows of 1 ... |W|, insert |W|-1, ..., 1, 0, lookup |W|, insert -1, and then ten times insert |W|: the "
            f"tenth insert still visits {said} nodes"
        )


def _invalid_met_once() -> Iterator[str]:
    for windows in (8, 16, 32):
        counts = _repeated_visits(None, windows)
        if any(count > 3 * highest(windows) for count in counts[1:]):
            yield f"|W| = {windows}: {counts}"


# Costs

ORDERS: Final[dict[str, Callable[[int], int]]] = {
    "falling": lambda number: -number,
    "rising": lambda number: number,
    "equal": lambda number: 0,
}


def _lookups(order: str, sizes: tuple[int, ...], rounds: int = 5) -> list[tuple[bool, int]]:
    """Return, for a lookup of the largest window after each insert, whether it was valid and the items touched."""
    value = ORDERS[order]
    shared: CountedOrderedSharing = fill(CountedOrderedSharing(), sizes, map(value, range(sizes[-1])))
    found: list[tuple[bool, int]] = []
    for number in range(sizes[-1], sizes[-1] + rounds):
        shared.insert(value(number))
        valid = shared.valid(shared.windows[sizes[-1]]) is not None
        before = shared.touched
        shared.lookup(sizes[-1])
        found.append((valid, shared.touched - before))
    return found


def _logarithmic(rounds: int = 5) -> Iterator[str]:
    """Search for orders in which lookups read more items, the larger the only window is."""
    for order in ORDERS:
        most = {size: max(count for _, count in _lookups(order, (size,), rounds)) for size in (10, 100, 1000)}
        if len(set(most.values())) > 1:
            said = ", ".join(f"{count} items for a window of {size}" for size, count in most.items())
            yield f"one window, so log |W| = 0; {order} values, lookup after each: up to {said}"


def _on_account() -> Iterator[str]:
    """Search for the same, averaged over all operations of a long history."""
    for order in ORDERS:
        average = {
            size: sum(count for _, count in _lookups(order, (size,), 9 * size)) / (10 * size) for size in (4, 16, 64)
        }
        if max(average.values()) > 2 * min(average.values()):
            said = ", ".join(f"{count:.1f} items for a window of {size}" for size, count in average.items())
            yield f"{order} values, lookup after each: on average {said}"


def _by_validity() -> Iterator[str]:
    for order, sizes in itertools.product(ORDERS, ((1,), (10,), (100,), (1, 10), (5, 10, 100), tuple(range(1, 33)))):
        high = highest(len(sizes))
        for valid, count in _lookups(order, sizes):
            nodes = high if valid else 6 * len(sizes) * (high + 1)  # each invalid one is removed and inserted
            if count > nodes + (0 if valid else sizes[-1]):
                yield f"{order}, windows {sizes}: {count} items"


def _space(of_tuples: Callable[[int], int]) -> Iterator[str]:
    """Search for more nodes in the tree, or more kept tuples, than expected for one window of a size."""
    for size in (10, 100, 1000):
        shared: CountedOrderedSharing = fill(CountedOrderedSharing(), (size,), range(size))
        shared.lookup(size)
        if len(shared.tuples) > of_tuples(size) or sum(1 for _ in shared.tree) > 1:
            yield f"one window, |W| = 1: {len(shared.tuples)} tuples kept for a size of {size}"


SEARCHES: Final = {
    "OS-1": Searches(printed=partial(_alike, STAMPS_NOW), holds=partial(_alike, None)),
    "OS-2": Searches(printed=partial(_larger_answers, True), holds=partial(_larger_answers, False)),
    "OS-5": Searches(holds=_invalid_met_once, wrong={"invalid ones are passed by, and left": _invalid_met_again}),
    "OS-7": Searches(printed=_logarithmic, holds=_by_validity, wrong={"on account of all operations": _on_account}),
    "OS-8": Searches(
        holds=partial(_space, lambda size: size),
        wrong={"tuples and tree together, O(|W|)": partial(_space, lambda size: 1)},
    ),
}
