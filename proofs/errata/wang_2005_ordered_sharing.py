"""The errata of *Aggregate Sharing in Stream Databases* (2005), section 6: OrderedSharing."""

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.sharing.ordered_sharing import account, insert_paid
from swagproof.models.containers.search_tree import highest
from swagproof.proofs.errata.erratum import Entry, Erratum, join, tell
from swagproof.proofs.errata.wang_2005_timegram import streams
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.claim import SHARING
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.sharing.lookups import OrderedStates
from swagproof.proofs.sharing.ordered_sharing import (
    ANSWERS_ALONE,
    KEEPS_ITSELF,
    LEAVES_INVALID,
    LEAVES_INVALID_REPAIRS,
    MIN_SEARCHED_AS_MAX,
    STAMPS_NOW,
)
from swagproof.proofs.sharing.savings import CountedOrderedSharing, distinct, fill, gaussian, touched
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin


def _explore(
    sets: Sequence[tuple[int, ...]],
    variant: Variant | None,
    algorithm: type[OrderedSharing[Any]] = OrderedSharing,
    *,
    answers_only: bool = False,
) -> Iterator[str]:
    return tell(
        first_violation(*(OrderedStates(sizes, variant, algorithm, answers_only=answers_only) for sizes in sets))
    )


def _larger_answers(strictly: bool) -> Iterator[str]:
    """Whether, of two windows, the larger has an answer that is (strictly) greater."""
    for stream in streams(4, (1, 2, 3)):
        for i, j in itertools.combinations((1, 2, 3), 2):
            small, large = max(stream[-i:]), max(stream[-j:])
            if small > large or (strictly and small == large):
                yield f"stream {stream}: windows of {i} and {j} have the answers {small} and {large}"


def falling(variant: Variant | None, windows: int) -> Any:
    """OrderedSharing with windows of 1 ... W after a falling stream that leaves all of them in the tree."""
    shared = (OrderedSharing if variant is None else variant.of(OrderedSharing))()
    fill(shared, range(1, windows + 1), reversed(range(windows)))
    shared.lookup(windows)
    return shared


def repeated_visits(variant: Variant | None, windows: int, times: int = 10) -> list[int]:
    """Nodes that equal inserts visit when all windows have become invalid at once."""
    shared = falling(variant, windows)
    shared.insert(-1)
    counts: list[int] = []
    for _ in range(times):
        before = shared.tree.visits
        shared.insert(windows)
        counts.append(shared.tree.visits - before)
    return counts


def _invalid_met_again() -> Iterator[str]:
    later = {windows: repeated_visits(LEAVES_INVALID_REPAIRS, windows)[1:] for windows in (8, 16, 32)}
    if all(count >= windows for windows, counts in later.items() for count in counts):
        said = ", ".join(f"{counts[-1]} for |W| = {windows}" for windows, counts in later.items())
        yield (
            "windows of 1 ... |W|, insert |W|-1, ..., 1, 0, lookup |W|, insert -1, and then ten times insert |W|: the "
            f"tenth insert still visits {said} nodes"
        )


def _invalid_met_once() -> Iterator[str]:
    for windows in (8, 16, 32):
        counts = repeated_visits(None, windows)
        if any(count > 3 * highest(windows) for count in counts[1:]):
            yield f"|W| = {windows}: {counts}"
    yield from _explore(((1,), (2,), (1, 2), (2, 3), (1, 2, 3)), None)


def _removed_by_one_insert(windows: int) -> tuple[int, int, bool]:
    """Windows removed and nodes visited by one insert that beats them all while they are valid; and its account."""
    twice = (number // 2 for number in reversed(range(2 * windows)))
    shared = fill(OrderedSharing[int](), range(2, 2 * windows + 1, 2), twice)
    shared.lookup(2 * windows)
    before = account(shared)
    shared.insert(windows)
    after = account(shared)
    return len(before.nodes) - len(after.nodes), after.visits - before.visits, insert_paid(before, after)


def _one_operation() -> Iterator[str]:
    found = {windows: _removed_by_one_insert(windows)[:2] for windows in (4, 8, 16)}
    if all(removed > 1 for removed, _ in found.values()):
        said = ", ".join(
            f"{removed} windows for |W| = {w} ({visits} nodes visited)" for w, (removed, visits) in found.items()
        )
        yield (
            "windows of 2, 4, ... 2|W|, each of |W|-1, ..., 1, 0 inserted twice, lookup 2|W|: insert |W| removes "
            f"{said}"
        )


def _on_account() -> Iterator[str]:
    for windows in (4, 8, 16):
        if not _removed_by_one_insert(windows)[2]:
            yield f"|W| = {windows}"


def _one_window(size: int) -> CountedOrderedSharing:
    shared: CountedOrderedSharing = fill(CountedOrderedSharing(), (size,), range(size))
    return shared


def _logarithmic_lookup() -> Iterator[str]:
    counts: dict[int, int] = {}
    for size in (10, 100, 1000):
        shared = _one_window(size)
        shared.lookup(size)
        counts[size] = shared.scanned
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{count} tuples for a window of {size}" for size, count in counts.items())
        yield f"one window, so log |W| = 0; filled, and looked up: {said}"


def _lookup_of_valid() -> Iterator[str]:
    for size in (10, 100, 1000):
        shared = _one_window(size)
        shared.lookup(size)
        before = shared.touched
        shared.lookup(size)
        if shared.touched - before > highest(1):
            yield f"window of {size}, valid: {shared.touched - before} items"
        if shared.scanned != size:
            yield f"window of {size}, invalid: {shared.scanned} tuples"


def _space() -> Iterator[str]:
    kept = {size: len(_one_window(size).tuples) for size in (10, 100, 1000)}
    if len(set(kept.values())) > 1:
        yield (
            "one window, |W| = 1: "
            + ", ".join(f"{count} tuples kept for a size of {size}" for size, count in kept.items())
        )


def _space_bounded() -> Iterator[str]:
    for size in (10, 100, 1000):
        shared = _one_window(size)
        shared.lookup(size)
        if len(shared.tuples) > size or sum(1 for _ in shared.tree) > 1:
            yield f"size {size}: {len(shared.tuples)} tuples"


def _skew_helps() -> Iterator[str]:
    """What the printed reason says: skewed values leave the maximum for longer, so that less is re-calculated."""
    values = distinct(400)
    found: list[tuple[float, int]] = []
    for stream in (values, gaussian(values)):
        shared = CountedOrderedSharing()
        found.append((touched(shared, stream, (16, 32, 48), 1), shared.recalculations))
    if found[0] == found[1]:
        yield (
            "400 evenly spread values, and the same skewed by the normal distribution in the same order of rank: in "
            f"both {found[0][1]} re-calculations and {found[0][0]:g} items a tuple"
        )


def _rank_decides() -> Iterator[str]:
    for stream in streams(4, (1, 2, 3)):
        counts = {
            touched(CountedOrderedSharing(), [curve(value) for value in stream], (1, 3), 1)
            for curve in (float, lambda value: value**3, lambda value: -1 / value)
        }
        if len(counts) > 1:
            yield f"{stream}: {counts}"


def _served(asked: int) -> set[int]:
    """Which of the windows 1 ... 8 are valid after a lookup of one, and a stream of 8 equal values."""
    shared = fill(OrderedSharing[int](), range(1, 9), [0] * 8)
    shared.lookup(asked)
    return {size for size in range(1, 9) if shared.valid(shared.windows[size]) is not None}


def _most_others() -> Iterator[str]:
    valid = _served(1)
    if valid == {1}:
        yield f"windows of 1 ... 8, all valid answers equal: lookup 1 validates {sorted(valid)} alone"


def _smaller_ones() -> Iterator[str]:
    for asked in range(1, 9):
        if _served(asked) != set(range(1, asked + 1)):
            yield f"lookup {asked} validates {sorted(_served(asked))}"


erratum: Final = partial(Erratum, paper=SHARING)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="OS-1",
        place="section 6.1, item 2; section 6.3.2.2, step 2c",
        printed="A window's timestamp is the time at which its answer was calculated.",
        holds="It is the time at which the answer's tuple arrived, the newest such tuple.",
        searches=(
            partial(_explore, ((1,), (2,)), STAMPS_NOW, answers_only=True),
            partial(_explore, ((1,), (2,)), None),
        ),
    ),
    erratum(
        id="OS-2",
        place="section 6.2, property (2); section 6.3.1",
        printed="Of two windows the larger has the greater answer, so a tree sorted on answers is sorted on sizes.",
        holds="The larger has an answer at least as great; of equal answers the tree must put the smaller window "
        "first.",
        searches=(
            partial(join, partial(_larger_answers, True), partial(_explore, ((1, 2),), ANSWERS_ALONE)),
            lambda: itertools.chain(_larger_answers(False), _explore(((1, 2),), None)),
        ),
    ),
    erratum(
        id="OS-3",
        place="section 6.3.2.2, step 2a",
        printed="Before re-calculation, all windows smaller than w are removed from the tree.",
        holds="w itself must be removed, too, as the last sentence of Example 2 says: else the tree grows at every "
        "lookup.",
        searches=(partial(_explore, ((1,), (2,)), KEEPS_ITSELF), partial(_explore, ((1,), (2,)), None)),
    ),
    erratum(
        id="OS-4",
        place="section 6.3.2.1, steps 2d and 3; section 6.3.2.2",
        printed="The order of the tree needs repair when an insert has updated a window.",
        holds="Also when it has updated none, or at the next lookup: an invalid window left in the tree may have an "
        "answer below that of a smaller window which is validated then.",
        searches=(
            partial(_explore, ((1,), (2,), (1, 2)), LEAVES_INVALID),
            partial(_explore, ((1,), (2,), (1, 2)), None),
        ),
    ),
    erratum(
        id="OS-5",
        place="section 6.3.2.1, step 1; section 6.4",
        printed="Finding the largest valid answer is a simple binary search, of O(log |W|).",
        holds="It must pass by every invalid one on the way, at each insert again; if these are removed when met, it "
        "is O(log |W|) on account; and validity need not be asked at all (row ordered-sharing/validity-not-asked).",
        searches=(_invalid_met_again, _invalid_met_once),
    ),
    erratum(
        id="OS-6",
        place="section 6.2.1, last sentences of the first paragraph; section 6.4",
        printed="All smaller windows are made invalid in 1 operation, and an insert is O(log |W|).",
        holds="They are removed one by one; an insert is O(log |W|) on account, each window paying for its removal "
        "when a lookup puts it into the tree.",
        searches=(_one_operation, _on_account),
    ),
    erratum(
        id="OS-7",
        place="section 6.4",
        printed="A lookup is O(log |W|).",
        holds="It is while its window is valid; else it goes through the window's tuples, whatever |W| is.",
        searches=(_logarithmic_lookup, _lookup_of_valid),
    ),
    erratum(
        id="OS-8",
        place="section 6.4",
        printed="The space is O(|W|).",
        holds="The tree's is; for re-calculation the tuples of the largest window are kept.",
        searches=(_space, _space_bounded),
    ),
    erratum(
        id="OS-9",
        place="section 6.5, the reason for Figure 10",
        printed="On skewed values a maximum remains one for longer, so that less is done.",
        holds="Nothing but the order of values matters: skewing them by any increasing function changes no step.",
        searches=(_skew_helps, _rank_decides),
    ),
    erratum(
        id="OS-10",
        place="section 6.3.2.3",
        printed="For min only the search for a window's size differs.",
        holds="The search of insert differs, too: for the largest valid window whose answer is at least newValue.",
        searches=(
            partial(_explore, ((1,), (2,)), MIN_SEARCHED_AS_MAX, OrderedSharingMin, answers_only=True),
            partial(_explore, ((1,), (2,)), None, OrderedSharingMin),
        ),
    ),
    erratum(
        id="OS-11",
        place="section 6.5, the reason for Figure 9",
        printed="When a window is validated, most of the others can use its answer.",
        holds="All smaller ones can, and no larger one.",
        searches=(_most_others, _smaller_ones),
    ),
)
