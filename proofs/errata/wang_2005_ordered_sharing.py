"""Searches for the errata and readings of *Aggregate Sharing in Stream Databases* (2005), section 6: OrderedSharing."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.models.containers.search_tree import highest
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.errata.wang_2005_timegram import streams
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.sharing.ordered_sharing import ALONE, WRONG
from swagproof.proofs.sharing.savings import CountedOrderedSharing, fill
from swagproof.reference.sharing.ordered_sharing import OrderedSharing

STAMPS_NOW: Final = WRONG.get("a re-calculated answer is stamped with the current time")
LEAVES_INVALID_REPAIRS: Final = ALONE["insert leaves the invalid windows that it meets, and lookup repairs the tree"]

# Timestamps

STAMPS_LATE: Final = wrong(
    "the time after the tuple arrived",
    ("recalculate", "window.answer, window.ts = best, ts ", "window.answer, window.ts = best, ts + 1 "),
)


def _alike(mutant: Mutant | None) -> Iterator[str]:
    """Search for two streams with equal answer, timestamp and size after a lookup, of which one insert needs more.

    So any definition of valid by these three is wrong for one stream, or makes every answer invalid after an insert.
    """
    left: dict[tuple[Any, float], tuple[int, int]] = {}
    for stream in ((5, 3), (3, 5)):
        shared = fill((OrderedSharing if mutant is None else mutant.of(OrderedSharing))(), (2,), stream)
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

_BY_PLACE: Final = (
    (
        "discard",
        "self.tree.remove(w, _smaller_than(w))",
        "order = list(self.tree)\n    self.tree.remove(w, lambda r: order.index(r) < order.index(w))",
    ),
    (
        "remove_up_to",
        "while (r := self.tree.first(lambda r: True)) is not None and r.size <= size:",
        "for r in [r for r in self.tree if r.size <= size]:",
    ),
)
"""An edit that removes windows at any place, so that no failure is due to removing."""
EQUAL_LEFT: Final = wrong(
    "the tree is sorted on answers alone, an equal one goes to the left",
    ("before", " or (not self.worse(w.answer, r.answer) and r.size < w.size)", ""),
    *_BY_PLACE,
)


def _larger_answers(strictly: bool) -> Iterator[str]:
    """Search for two windows of which the larger has a smaller answer, or with `strictly`, when full, an equal one."""
    for stream in streams(4, (1, 2, 3)):
        for i, j in itertools.combinations((1, 2, 3), 2):
            small, large = max(stream[-i:]), max(stream[-j:])
            if small > large or (strictly and small == large and j <= len(stream)):
                yield f"stream {stream}: windows of {i} and {j} have the answers {small} and {large}"


def _binary_search(name: str, turn: str) -> Mutant:
    """Return a mutant with one way down the tree in search of the largest valid answer that a value beats."""
    found = "w = self.tree.last(lambda r: not self.worse(newValue, r.answer))"
    return wrong(
        name,
        ("largest_valid", found, f"node, w = self.tree.root, None\n    while node is not None:\n{turn}"),
        ("largest_valid", "while w is not None and not self.within(w, w.size)", "while False"),
        *_BY_PLACE,
    )


BINARY_SEARCHES: Final = (
    _binary_search(
        "the search keeps the valid ones that it meets",
        "        if self.worse(newValue, node.item.answer):\n            node = node.left\n        else:\n"
        "            w = node.item if self.within(node.item, node.item.size) else w\n            node = node.right",
    ),
    _binary_search(
        "it turns to the smaller ones where it meets an invalid one",
        "        if self.worse(newValue, node.item.answer) or not self.within(node.item, node.item.size):\n"
        "            node = node.left\n        else:\n            w, node = node.item, node.right",
    ),
    wrong(
        "there is none where the largest that the value beats is invalid",
        (
            "largest_valid",
            "while w is not None and not self.within(w, w.size):",
            "if w is not None and not self.within(w, w.size):\n        return None\n    while False:",
        ),
        *_BY_PLACE,
    ),
)


VALIDATES_LARGEST: Final = wrong(
    "an insert that finds no valid answer gives newValue to the largest window",
    (
        "insert",
        "if w is not None:",
        "if not any(self.within(r, r.size) for r in self.tree):\n"
        "        w = self.windows[self.registry.largest]\n"
        "        self.remove_up_to(w.size)\n"
        "        w.answer, w.ts = newValue, self.currentTime\n"
        "        self.tree.insert(w, self.before(w))\n"
        "    elif w is not None:",
    ),
)


def _falling(mutant: Mutant | None, windows: int) -> Any:
    """Return OrderedSharing with windows of 1 ... W after a falling stream that leaves all of them in the tree."""
    shared = (OrderedSharing if mutant is None else mutant.of(OrderedSharing))()
    fill(shared, range(1, windows + 1), reversed(range(windows)))
    shared.lookup(windows)
    return shared


def _repeated_visits(mutant: Mutant | None, windows: int, times: int = 10) -> list[int]:
    """Return the nodes that equal inserts visit when all windows have become invalid at once."""
    shared = _falling(mutant, windows)
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
    "OS-1": Searches(
        mutants=(STAMPS_NOW, STAMPS_LATE), printed=partial(_alike, STAMPS_NOW), holds=partial(_alike, None)
    ),
    "OS-2": Searches(
        mutants=(EQUAL_LEFT,), printed=partial(_larger_answers, True), holds=partial(_larger_answers, False)
    ),
    "OS-5": Searches(
        mutants=(*BINARY_SEARCHES, WRONG.get("insert updates the smallest window that it beats")),
        holds=_invalid_met_once,
        wrong={"invalid ones are passed by, and left": _invalid_met_again},
    ),
    "OS-13": Searches(mutants=(VALIDATES_LARGEST,)),
    "OS-7": Searches(printed=_logarithmic, holds=_by_validity, wrong={"on account of all operations": _on_account}),
    "OS-8": Searches(
        holds=partial(_space, lambda size: size),
        wrong={"tuples and tree together, O(|W|)": partial(_space, lambda size: 1)},
    ),
}
