"""Generated mutants: every small change of every algorithm's source, and what becomes of each.

What is generated, and when a mutant counts as killed, is in `mutation`; what is equivalent, with the argument,
and what no contract states, in `survivors`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from support.mutants import survivors
from support.mutants.mutation import SEED, InTurn, Proof, Run, Subject, constructors, mutants
from support.mutants.probes import bad_input, ends, finding, places, words

from swagproof.models.containers.deque import Pointer
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.explorer.space import Space
from swagproof.proofs.explorer.walk import explore
from swagproof.proofs.flat_trees import flat_fat
from swagproof.proofs.flat_trees.array_runs import OPERATIONS as OPERATIONS_OF_FLAT_FAT
from swagproof.proofs.flat_trees.array_runs import explore_operation as explore_flat_fat
from swagproof.proofs.flat_trees.buffers import BufferStates, buffers
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_OF_FIFO, explore_operation
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.sharing import ordered_sharing, timegram
from swagproof.proofs.sharing.lookups import OrderedStates, StreamStates, TimeGramStates
from swagproof.proofs.sharing.stream_sharing import SIZES as STREAM_SIZES
from swagproof.proofs.trees import fiba
from swagproof.proofs.trees import out_of_order as trees
from swagproof.proofs.trees import searches as tree_cost
from swagproof.proofs.trees.shapes import Bound, TreeStates
from swagproof.reference.catalogue import (
    B_TREE,
    BASE_INTERVALS,
    DABA,
    DABA_LITE,
    FIBA,
    FLAT_FAT,
    ORDERED_SHARING,
    REACTIVE_AGGREGATOR,
    REACTIVE_AGGREGATOR_FIFO,
    RECALCULATE,
    STREAM,
    SUBTRACT_ON_EVICT,
    TIMEGRAM,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)


def subject(
    column: Column,
    number: int,
    groups: Sequence[Sequence[str]],
    run: Run,
    parts: Sequence[Callable[[], list[Variant]]] = (),
    init: bool = True,
    **more: Any,
) -> Subject:
    """The mutants of a column's algorithm, in its own class and in those that it is made of: its parts."""
    own = partial(mutants, column.algorithm, *groups, constructors=init)
    kinds: list[Callable[[], list[Variant]]] = [own, *parts]
    name = column.slug
    return Subject(
        name,
        cache(lambda: [mutant for kind in kinds for mutant in kind()]),
        run,
        number,
        argued=survivors.ARGUED.get(name, {}),
        known=survivors.KNOWN.get(name, {}),
        **more,
    )


def constructed(column: Column, quick: Run, *parts: tuple[str, type]) -> dict[str, Any]:
    """The mutants of an algorithm's constructor, and of those of its parts, by the attributes that hold them."""

    @cache
    def made() -> list[Variant]:
        found = constructors(column.algorithm)
        for part, kind in parts:
            found += [replace(m, name=f"{part}.{m.name}", part=part) for m in constructors(kind)]
        return found

    return {"made": made, "made_run": InTurn((0.3, seek(bad_input, column)), (0.6, quick))}


def seek(explored: Callable[..., object], *arguments: Any) -> Run:
    """A run that finds what an exploration of the mutant, given after these arguments, ends with."""
    return lambda mutant: finding(partial(explored, *arguments, mutant))


def seek_in_sets(states: Callable[[tuple[int, ...], Variant], Space[Any]], sets: Iterable[tuple[int, ...]]) -> Run:
    """A run that explores an algorithm for shared windows with each of some sets of windows."""
    every = tuple(sets)

    def run(mutant: Variant) -> str | None:
        found = ((sizes, finding(partial(explore, states(sizes, mutant)))) for sizes in every)
        return next((f"windows {sizes}: {violation}" for sizes, violation in found if violation), None)

    return run


# The in-order algorithms: run by the explorer, proved by induction over operations

LIMIT: Final = 8
"""Elements in the largest window that a run of a FIFO mutant explores."""


def of_fifo(column: Column, number: int) -> Subject:
    """The mutants of a FIFO algorithm."""
    kept = vars(column.algorithm(CONCATENATION))
    pointers = [name for name, value in kept.items() if isinstance(value, Pointer)]
    run = seek(lambda mutant: explore(PointerStates(column.name, LIMIT, mutant)))

    def prove(mutant: Variant) -> Proof:
        algorithm = mutant.of(column.algorithm)
        return prove_all(lambda operation: explore_operation(algorithm, column.contract, operation), OPERATIONS_OF_FIFO)

    return subject(column, number, (pointers, ("val", "agg")), InTurn((2, run)), prove=prove)


def prove_all(report_of: Callable[[Any], Exploration], operations: Sequence[Any]) -> Proof:
    """Return what the proofs of all operations come to."""
    proved = True
    for operation in operations:
        try:
            report = report_of(operation)
        except Exception:
            return "unknown"  # beyond what the engine sees
        if any(not failure.unknown for failure in report.failures):
            return "refuted"
        proved = proved and not report.failures and report.sound
    return "proved" if proved else "unknown"


# FlatFAT


def of_flat_fat(number: int) -> Subject:
    """The mutants of FlatFAT: run exhaustively on trees of 1, 2, 4 and 8 leaves, proved for every n = 2^k."""

    def prove(mutant: Variant) -> Proof:
        algorithm = mutant.of(FLAT_FAT.algorithm)
        return prove_all(lambda o: explore_flat_fat(algorithm, o, lambda r: bool(r.failures)), OPERATIONS_OF_FLAT_FAT)

    def stage(*sizes: int) -> Run:
        return seek(lambda mutant: flat_fat.explore(mutant, sizes))

    groups = (("left", "right"), ("prefix", "suffix"), ("W", "W_next"), ("v", "p"), ("root", "leaf", "parent"))
    return subject(
        FLAT_FAT,
        number,
        groups,
        InTurn((0.3, stage(1, 2)), (0.1, stage(4)), (1, stage(1, 2, 4, 8)), (0.1, seek(places))),
        hunt=InTurn((2, seek(flat_fat.steps))),
        prove=prove,
    )


# The Reactive Aggregator, its form for FIFO, base intervals


def of_buffer(
    column: Column,
    number: int,
    quick: Sequence[tuple[float, Sequence[BufferStates]]],
    long: Sequence[tuple[float, Sequence[BufferStates]]],
    groups: Sequence[Sequence[str]],
) -> Subject:
    """The mutants of an algorithm that is explored as a buffer, and of the FlatFAT that is its own."""
    parts: list[Callable[[], list[Variant]]] = []
    own = getattr(column.algorithm, "Fat", None)
    if own is not None:
        parts.append(
            lambda: [replace(m, name=f"Fat.{m.name}", part="Fat") for m in mutants(own, *groups, inherited=False)]
        )

    def stage(spaces: Sequence[BufferStates]) -> Run:
        return seek(lambda mutant: explore(*(replace(space, variant=mutant) for space in spaces)))

    def in_turn(*stages: tuple[float, Sequence[BufferStates]]) -> InTurn:
        return InTurn((0.3, few), *((seconds, stage(spaces)) for seconds, spaces in stages))

    few = stage([replace(space, limit=3) for space in quick[0][1]])
    more = constructed(column, few, *([] if own is None else [("Fat", own)]))
    return subject(column, number, groups, in_turn(*quick), parts, False, hunt=in_turn(*long), **more)


# B-tree and FiBA

NODES: Final = (("left_spine", "right_spine"), ("self", "sibling"), ("min_arity", "max_arity"))
TREES: Final = (
    *NODES,
    ("left_finger", "right_finger"),
    ("hit_left", "hit_right"),
    ("left", "right"),
    ("node_idx", "sibling_idx"),
    ("node", "sibling", "parent"),
    ("node", "top"),
    ("node", "leaf"),
    ("take_from_next", "take_from_previous"),
    ("merge", "move"),
    ("oldest", "youngest"),
    ("t_from", "t_to"),
    ("MINUS_INFINITY", "PLUS_INFINITY"),
    ("height_increase", "height_decrease"),
)


def of_tree(column: Column, number: int, judge: tree_cost.Judge) -> Subject:
    """The mutants of a tree and of its nodes: run by the tree explorer, then by what counts the cost of operations."""

    def nodes() -> list[Variant]:
        made = mutants(column.algorithm.Node, *NODES)
        unused = () if column is FIBA else ("is_descendent:",)  # the B-tree never asks that
        return [replace(m, name=f"Node.{m.name}", part="Node") for m in made if not m.name.startswith(unused)]

    def stage(bound: Bound) -> Run:
        return seek(lambda mutant: explore(TreeStates(column, bound, mutant)))

    def check(outcome_of: Callable[[Variant], Outcome]) -> Run:
        def run(mutant: Variant) -> str | None:
            try:
                outcome = outcome_of(mutant)
            except Exception as error:
                return f"{type(error).__name__}: {error}"
            return outcome.detail if outcome.verdict == "fails" else None

        return run

    def cost(check_cost: Callable[..., Outcome], *arguments: Any) -> Run:
        return check(lambda mutant: check_cost(mutant.of(column.algorithm), *arguments))

    quick: list[tuple[float, Run]] = [
        (0.3, stage(Bound(2, 4))),
        (0.5, stage(Bound(2, 7))),
        (0.5, stage(Bound(3, 8))),
        (1, lambda mutant: seek(ends, column)(mutant) or seek(bad_input, column)(mutant)),
        (1, seek(words, column)),
        (2.5, stage(Bound(2, 10))),
        (1, stage(Bound(3, 18, 3))),
    ]
    long: list[tuple[float, Run]] = [
        (5, seek(trees.long_run, column, 2, SEED, 400)),
        *([(2.0, cost(tree_cost.drawn_ranges)), (10.0, check(fiba.chains))] if column is FIBA else []),
        (20, cost(tree_cost.on_every_shape, tree_cost.SMALL, judge)),
        (8, stage(Bound(2, 12, 3))),
        (32, stage(trees.FARTHER)),
        (18, stage(trees.HIGHER[0])),
        (8, stage(trees.HIGHER[1])),
        *([(20.0, cost(tree_cost.every_range, tree_cost.SMALL))] if column is FIBA else []),
    ]
    return subject(
        column,
        number,
        TREES,
        InTurn(*quick),
        [nodes],
        False,
        hunt=InTurn(*long),
        **constructed(column, stage(Bound(2, 7)), ("Node", column.algorithm.Node)),
    )


# Aggregate sharing


def of_ordered_sharing(number: int) -> Subject:
    """The mutants of OrderedSharing."""

    def stage(largest: int) -> Run:
        return seek_in_sets(OrderedStates, ordered_sharing.window_sets(largest))

    groups = (("first", "last"), ("answer", "newValue"), ("ts", "currentTime"), ("w", "holder"), ("size", "ts"))
    return subject(
        ORDERED_SHARING,
        number,
        groups,
        InTurn((0.3, stage(2)), (0.3, seek(bad_input, ORDERED_SHARING)), (2, stage(3))),
    )


def of_timegram(number: int) -> Subject:
    """The mutants of TimeGram."""

    def prove(mutant: Variant) -> Proof:
        if {edit.method for edit in mutant.edits} != {"bucket_of"}:
            return "unknown"
        checks: list[Callable[..., Outcome]] = [
            claim.check for claim in timegram.CLAIMS if claim.id in ("timegram/placed", "timegram/ordered")
        ]
        try:
            return "refuted" if any(check(mutant).verdict == "fails" for check in checks) else "unknown"
        except Exception:
            return "unknown"  # beyond what the engine sees

    groups = (("left", "right"), ("a", "b"), ("low", "high"), ("buckets", "homes"))
    return subject(
        TIMEGRAM,
        number,
        groups,
        InTurn(
            (0.3, seek(bad_input, TIMEGRAM)),
            (4, seek_in_sets(TimeGramStates, timegram.MORE_SETS)),
        ),
        prove=prove,
    )


def of_stream(number: int) -> Subject:
    """The mutants of the naive algorithm of STREAM."""
    run = seek(lambda mutant: explore(StreamStates(STREAM_SIZES, mutant, 6)))
    groups = (("input_queue", "output_queue"), ("popleft", "pop"), ("append", "appendleft"))
    return subject(STREAM, number, groups, InTurn((0.3, seek(bad_input, STREAM)), (1, run)))


SUBJECTS: Final[tuple[tuple[Subject, int | None], ...]] = (
    (of_fifo(TWO_STACKS, 59), 12),
    (of_fifo(TWO_STACKS_LITE, 116), 12),
    (of_fifo(DABA, 447), 8),
    (of_fifo(DABA_LITE, 390), 8),
    (of_fifo(RECALCULATE, 52), None),
    (of_fifo(SUBTRACT_ON_EVICT, 59), None),
    (of_flat_fat(333), 2),
    (
        of_buffer(
            REACTIVE_AGGREGATOR,
            362,
            (
                (0.6, buffers(REACTIVE_AGGREGATOR, 4, (1, 2), batches=True)),
                (0.6, buffers(REACTIVE_AGGREGATOR, 4, any_order=True)),
                (0.6, buffers(REACTIVE_AGGREGATOR, 16)),
            ),
            (
                (4, buffers(REACTIVE_AGGREGATOR, 4, (1, 2), any_order=True, batches=True)),
                (4, buffers(REACTIVE_AGGREGATOR, 32)),
                (15, buffers(REACTIVE_AGGREGATOR, 8, (1, 2, 4), any_order=True)),
            ),
            groups=(("F", "B"), ("after", "before"), ("compact", "resize"), ("suffix", "prefix"), ("slot", "to")),
        ),
        4,
    ),
    (
        of_buffer(
            REACTIVE_AGGREGATOR_FIFO,
            325,
            ((0.3, buffers(REACTIVE_AGGREGATOR_FIFO, 4, (1, 2), batches=True)),),
            ((4, buffers(REACTIVE_AGGREGATOR_FIFO, 32)),),
            groups=(("F", "B"), ("front", "back"), ("suffix", "prefix"), ("pending", "freed"), ("x", "y")),
        ),
        8,
    ),
    (
        of_buffer(
            BASE_INTERVALS,
            261,
            ((0.3, buffers(BASE_INTERVALS, 9, (None,))),),
            ((7, buffers(BASE_INTERVALS, 33, (None,))),),
            groups=(("front", "back"), ("begin", "end"), ("level", "length")),
        ),
        8,
    ),
    (of_tree(B_TREE, 1287, tree_cost.classic_overspent), 4),
    (of_tree(FIBA, 1641, tree_cost.overspent), 4),
    (of_ordered_sharing(322), 8),
    (of_timegram(299), 8),
    (of_stream(65), None),
)
"""The algorithms that are judged, and the number of mutants of each that are drawn; None: all."""
