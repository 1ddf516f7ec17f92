"""Searches for the errata and readings of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021)."""

import itertools
from collections.abc import Iterator
from functools import partial, reduce
from typing import Any, Final

from swagproof.contracts.in_order.daba import lengths
from swagproof.models.operations import AFFINE
from swagproof.proofs.costs.workloads import by_column, play
from swagproof.proofs.errata.erratum import Searches, join
from swagproof.proofs.explorer.histories import HistoryRun, histories, in_words, play_histories
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE, Column
from swagproof.reference.in_order.daba import Daba

# Definitions


def _inverse(order: str) -> Iterator[str]:
    """Search for a failure of removing a from the window a, b by multiplying the product by an inverse."""
    assert AFFINE.remove is not None
    lifted = [AFFINE.lift(sample) for sample in AFFINE.samples]
    for a, b in itertools.product(lifted, repeat=2):
        inverses = {f"inv({name})": AFFINE.remove(x, AFFINE.identity) for name, x in (("a", a), ("b", b))}
        result = reduce(AFFINE.combine, [({"a": a, "b": b} | inverses)[name] for name in order.split()])
        if result != b:
            yield (
                f"affine maps x -> s x + t modulo a prime, insert a = {a}, insert b = {b}, evict: {order} = {result}, "
                f"not {b}"
            )


# Two-Stacks and Two-Stacks Lite


def _one_each(algorithm: type[Any]) -> Iterator[str]:
    for history, run in play_histories(algorithm):
        allowed = run.inserts + run.evicts
        if run.monoid.calls > allowed:
            yield f"{history}: {run.monoid.calls} combine calls, {allowed} billed"


def _two_coins() -> Iterator[str]:
    for column in (TWO_STACKS, TWO_STACKS_LITE):
        for history, run in play_histories(column.algorithm):
            if run.monoid.calls > 2 * run.inserts:
                yield f"{history}: {run.monoid.calls} combine calls"


# DABA and DABA Lite


def _entered(sizes: tuple[int, ...]) -> Iterator[str]:
    """Search for a history after which fixup meets an empty l_F, and an l_B of none of these sizes."""
    found: list[int] = []

    class Entered(Daba[str]):
        def fixup(self) -> None:
            found.extend([lengths(self).B] if self.F == self.B else [])
            super().fixup()

    for history, _ in play_histories(Entered, 6):
        yield from (f"{history}: fixup meets |l_F| = 0 and |l_B| = {size}" for size in found if size not in sizes)
        found.clear()


def sliding_averages(column: Column, size: int, rounds: int = 600, at_once: int = 1) -> tuple[float, float]:
    """Return the combine calls per insert and per evict in a window that is full.

    After the fill, `at_once` elements are evicted and inserted in turn, `rounds` in all.
    """
    turns = [("evict", 0)] * at_once + [("insert", 0)] * at_once
    steps = [("insert", 0)] * size + turns * (rounds // at_once)
    counted = [*play(by_column(column), size, iter(steps))][size:]
    insert, evict = (sum(calls for step, calls in counted if step == name) for name in ("insert", "evict"))
    return insert / rounds, evict / rounds


def _average(column: Column, insert: float, evict: float) -> Iterator[str]:
    for size, at_once in ((128, 64), *((size, 1) for size in range(2, 10))):
        found = sliding_averages(column, size, 640, at_once)
        if abs(found[0] - insert) > 0.1 or abs(found[1] - evict) > 0.1:
            said = f"{found[0]:g} calls an insert and {found[1]:g} an evict"
            yield f"{column.name}, window of {size}, evict {at_once} and insert {at_once} in turn: {said}"


def _account(shrunk: bool) -> Iterator[str]:
    """Search for more calls than 2.5 inserts + 1.5 evicts (Lite: 2, 1), + 1.5 (Lite: 1) for each of l_A if `shrunk`."""
    turns = [(size, 1) for size in range(1, 10)] + [(8, 4), (16, 8)]
    slides = [("insert",) * size + (("evict",) * at_once + ("insert",) * at_once) * 20 for size, at_once in turns]
    for column, shrink in ((DABA, 3), (DABA_LITE, 2)):
        for word in itertools.chain(histories(7), slides):
            run = HistoryRun.of(column.algorithm).play(word)
            owed = column.contract.savings(run.algorithm) if shrunk else 0
            most = run.inserts + shrink * (run.inserts + run.evicts + owed) / 2
            if run.monoid.calls > most:
                yield f"{column.name}: {in_words(word)}: {run.monoid.calls} combine calls, more than {most:g}"


SEARCHES: Final = {
    "DEF-1": Searches(
        printed=partial(_inverse, "a b inv(a)"),
        holds=partial(_inverse, "inv(a) a b"),
        wrong={"the inverse of the newest": partial(_inverse, "inv(b) a b")},
    ),
    "DABA-2": Searches(
        printed=partial(join, partial(_average, DABA, 2.5, 1.5), partial(_average, DABA_LITE, 2, 1)),
        holds=partial(_account, True),
        wrong={"with nothing owed for shrinks": partial(_account, False)},
    ),
    "DABA-1": Searches(
        printed=partial(_entered, (1,)),
        holds=partial(_entered, (0, 1)),
        wrong={"|l_B| = 0 alone": partial(_entered, (0,))},
    ),
    "TS-1": Searches(
        holds=_two_coins,
        wrong={
            f"{column.name}, one coin each": partial(_one_each, column.algorithm)
            for column in (TWO_STACKS, TWO_STACKS_LITE)
        },
    ),
}
