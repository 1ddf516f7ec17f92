"""Searches for the errata and readings of *General Incremental Sliding-Window Aggregation* (2015), sections 3 to 5.

FAT is FlatFAT, RA the Reactive Aggregator.  The entries on windows (section 2) are in `tangwongsan_2015_windows`.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from itertools import groupby, product
from typing import Any, Final

from swagproof.models.operations import COLLECT, CONCATENATION, SUM
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.explorer.histories import histories
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of, mutants_of
from swagproof.reference.catalogue import FLAT_FAT, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO

# FlatFAT

ERRATA: Final = mutants_of("flat-fat", "errata")


def _trees(mutant: Mutant | None) -> Iterator[str]:
    """Search for a smallest tree of letters that fails, or answers incorrectly after new or an update of a leaf."""
    algorithm = algorithm_of(FLAT_FAT, mutant)
    for n in (1, 2, 4, 8):
        for changed in range(n + 1):
            letters = list(LETTERS[:n])
            said = f"new({''.join(letters)})"
            try:
                fat = algorithm(CONCATENATION, letters)
                if changed:
                    letters[changed - 1] = "X"
                    said += f", update({changed}, X)"
                    fat.update([(changed, "X")])
                answers = [fat.aggregate(), *(fat.prefix(i) + fat.suffix(i) for i in range(1, n + 1))]
            except Exception as error:
                yield f"{said}: {type(error).__name__}: {error}"
                return
            right = ["".join(letters), *("".join(letters[:i] + letters[i - 1 :]) for i in range(1, n + 1))]
            if answers != right:
                yield f"{said}: aggregate is {answers[0]}, not {right[0]}"


def _firing(bound: Callable[[int, int, int], float]) -> Iterator[str]:
    """Search for a batch of events with more places to write than the bound, by events, size and capacity."""
    for start in (1, 2, 8, 16):
        for word in histories(5):
            window = REACTIVE_AGGREGATOR.algorithm(CONCATENATION, start)
            for letter, step in zip(LETTERS, word, strict=False):
                window.insert(letter) if step == "insert" else window.evict()
            m, n, changes = len(word), window.n_tuples, len(window.pending)
            if n and changes > (most := bound(m, n, window.capacity)):
                said = f"n = {n}, m = {m}: {most:.2f}, and {changes} places changed"
                yield f"capacity {start}, {', '.join(word)}: {said}"


# Reactive Aggregator


@dataclass
class _Life:
    """A buffer with its history, and the effect of its last step."""

    start: int
    """The initial capacity."""
    window: Any = field(init=False)
    steps: list[str] = field(default_factory=list[str])
    before: int = 0
    """The capacity before the last step."""
    tuples: int = 0
    """The number of elements at the last step's resize; a new element is inserted after resizing."""
    evicts: int = 0
    halved: int = 0
    """The slots of all buffers that were halved, in total."""
    resizes: int = 0
    since_resize: int = 0
    """The number of evicts since the resize before the last step."""
    used: bool = False
    """True if a quarter of the present capacity was in use at some time before the last step."""
    _used_now: bool = False

    def __post_init__(self) -> None:
        self.window = REACTIVE_AGGREGATOR.algorithm(SUM, self.start)

    def step(self, place: int | None = None) -> "_Life":
        """Insert, or evict the tuple at this place, 0 for the oldest."""
        self.since_resize *= self.window.capacity == self.before
        self.before, self.used = self.window.capacity, self._used_now
        if place is None:
            self.window.insert(1)
        else:
            self.window.evict(sorted(self.window.slot_of)[place])
            self.evicts += 1
            self.since_resize += 1
        self.steps.append("insert" if place is None else "evict" if place == 0 else f"evict number {place}")
        self.tuples = self.window.n_tuples - (self.window.capacity > self.before)
        self.resizes += self.window.capacity != self.before
        self.halved += self.before * (self.window.capacity < self.before)
        self._used_now = 4 * self.window.n_tuples >= self.window.capacity or (
            self._used_now and self.window.capacity == self.before
        )
        return self

    def __str__(self) -> str:
        runs = [(step, len(list(run))) for step, run in groupby(self.steps)]
        return ", ".join([f"capacity {self.start}", *(f"{n} {step}s" if n > 1 else step for step, n in runs)])


CAPACITIES: Final = tuple(2**k for k in range(11))


def _lives(capacities: Sequence[int] = CAPACITIES) -> Iterator[_Life]:
    """Yield buffers after each step: some filled and emptied twice, to several sizes, others with random histories."""
    for start in capacities:
        for most in (1, 2, 3, 5, 9, 17, 33, 129):
            life = _Life(start)
            for place in 2 * [*most * [None], *most * [0]]:
                yield life.step(place)
    for start in capacities[:6]:
        chance, life = random.Random(start), _Life(start)
        for number in range(400):
            grows = chance.random() < (0.7 if number % 100 < 50 else 0.3)
            n = life.window.n_tuples
            yield life.step(None if grows or not n else chance.randrange(n))


def _filled(least: Callable[[_Life], bool]) -> Iterator[str]:
    """Search for a resize after which more than half of the buffer is in use, or less than 3/8 if that is the least."""
    for life in _lives():
        c = life.window.capacity
        if c != life.before and not (2 * life.tuples <= c and (8 * life.tuples >= 3 * c or not least(life))):
            yield f"{life}: resized from {life.before} to {c}, {life.tuples} tuples"


def _evicted() -> Iterator[str]:
    """Search for a halving, not the first resize, with fewer evicts since the last than 1/8 of the capacity."""
    for life in _lives():
        if life.window.capacity < life.before and life.resizes > 1 and life.since_resize < life.before / 8:
            said = f"evictions since the last resize: {life.since_resize}, not {life.before / 8:g}"
            yield f"{life}: shrunk from {life.before}; {said}"


def _halvings(saved: Fraction) -> Iterator[str]:
    """Search for a history whose halved slots / 8 exceed its evictions plus `saved` for each initial slot."""
    for life in _lives():
        if Fraction(life.halved, 8) > life.evicts + saved * life.start:
            yield f"{life}: {life.halved} slots of buffers that were halved, {life.evicts} evictions"


def _nodes(capacities: Sequence[int], least: int, bound: Callable[[int, int], int]) -> Iterator[str]:
    """Search for the window of at least this many tuples that most exceeds the bound, by size and first capacity."""
    worst = Fraction(1), ""
    for life in _lives(capacities):
        n, kept = life.window.n_tuples, life.window.fat.T.size
        if n >= least and Fraction(kept, most := bound(n, life.start)) > worst[0]:
            worst = Fraction(kept, most), f"{life}: {n} tuples, {kept} places for partial aggregates, more than {most}"
    if worst[1]:
        yield worst[1]


def _oscillates(more: int) -> Iterator[str]:
    """Search for an event without resize, after a capacity of 2n, with n/2 + `more` evicts and inserts in turn."""
    for column, k in product((REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO), range(3, 11)):
        n, resizes = 2**k, 0
        window = column.algorithm(SUM, n)
        for _ in range(n + 1):
            window.insert(1)
        for number in range(6 * (n // 2 + more)):
            before = window.capacity
            window.insert(1) if number // (n // 2 + more) % 2 else window.evict()
            resizes += window.capacity != before
        if resizes != 6:
            each = f"{n // 2 + more} evicts and {n // 2 + more} inserts"
            yield f"{column.name}, n = {n}: {n + 1} inserts, then three times {each}: {resizes} resizes, not 6"


# Operations

Remove = Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]


def _evict_by(remove: Remove, forced: bool) -> Iterator[str]:
    """Search for a window whose oldest element is removed incorrectly; `forced`: with a newest one equal to it."""
    for length in (2, 3, 4):
        for window in product((1, 2), repeat=length):
            found = remove(window[:1], reduce(COLLECT.combine, map(COLLECT.lift, window)))
            if found != window[1:] and (window[-1] == window[0] or not forced):
                said = f"{', '.join(map(str, window))} and evict {window[0]}"
                yield f"collect {said}: {list(found)}, not {list(window[1:])}"


def _newest_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return (x + y) - y = x, by removing the length of y at the end."""
    return xy[: len(xy) - len(y)]


def _equals_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(element for element in xy if element not in y)


assert COLLECT.remove is not None

SEARCHES: Final = {
    "OPS-4": Searches(
        printed=partial(_evict_by, _newest_off, True),
        holds=partial(_evict_by, COLLECT.remove, False),
        wrong={"whatever is equal leaves": partial(_evict_by, _equals_off, False)},
    ),
    "RA-3": Searches(
        printed=partial(_filled, lambda life: life.window.capacity >= 8),
        holds=partial(_filled, lambda life: life.window.capacity > life.before or (life.before >= 16 and life.used)),
        wrong={
            "where 16 slots or more were halved": partial(_filled, lambda life: life.before >= 16),
            "where a quarter had been in use": partial(
                _filled, lambda life: life.window.capacity > life.before or life.used
            ),
        },
    ),
    "RA-10": Searches(
        printed=_evicted,
        holds=partial(_halvings, Fraction(1, 4)),
        wrong={
            "nothing saved at the start": partial(_halvings, Fraction(0)),
            "an eighth of a coin for each slot at the start": partial(_halvings, Fraction(1, 8)),
        },
    ),
    "RA-11": Searches(
        printed=partial(_nodes, (1,), 64, lambda n, start: 4 * n),
        holds=partial(_nodes, CAPACITIES, 1, lambda n, start: max(8 * n, 2 * start) - 1),
        wrong={"8n - 1, whatever it began with": partial(_nodes, CAPACITIES, 1, lambda n, start: 8 * n - 1)},
    ),
    "RA-12": Searches(
        printed=partial(_oscillates, 0), holds=partial(_oscillates, 2), wrong={"n / 2 + 1": partial(_oscillates, 1)}
    ),
    "FAT-1": Searches(
        printed=partial(_trees, ERRATA["a single leaf has a parent"]),
        holds=partial(_trees, None),
        wrong={
            name: partial(_trees, ERRATA[name])
            for name in ("W_1 never has the first leaf's parent", "the next level is not begun")
        },
    ),
    "FAT-6": Searches(
        holds=partial(_firing, lambda m, n, c: m + m * max(0.0, math.log2(c / m))),
        wrong={"n is the window's size": partial(_firing, lambda m, n, c: m + m * math.log2(n / m))},
    ),
}
