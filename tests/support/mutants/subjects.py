"""The algorithms whose generated mutants are judged, with the runs and proofs for them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from support.mutants.fates import Proof, Run, Subject, Timed, no_proof
from support.mutants.generated import mutants
from support.running import error_cases

from swagproof.models.containers.deque import Pointer
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.explorer.space import Space, Violation
from swagproof.proofs.explorer.walk import explore
from swagproof.proofs.flat_trees import flat_fat
from swagproof.proofs.flat_trees.array_runs import OPERATIONS as OPERATIONS_OF_FLAT_FAT
from swagproof.proofs.flat_trees.array_runs import explore_operation as explore_flat_fat
from swagproof.proofs.flat_trees.buffers import BufferStates, buffers
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_OF_FIFO, explore_operation
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.sharing import ordered_sharing, timegram
from swagproof.proofs.sharing.lookups import OrderedStates, StreamStates, TimeGramStates
from swagproof.proofs.sharing.stream_sharing import SIZES as STREAM_SIZES
from swagproof.proofs.trees import out_of_order as trees
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

SEED: Final = 2021


def subject(
    column: Column,
    runs: Sequence[Run],
    groups: Sequence[Sequence[str]],
    hunt: Sequence[Run] = (),
    prove: Callable[[Mutant], Proof] = no_proof,
    parts: Callable[[], list[Mutant]] = list[Mutant],
) -> Subject:
    """Return the mutants of a column's algorithm and of its parts; the table of error cases is the second run."""
    every = [*runs[:1], seek(bad_input, column), *runs[1:]]

    def generate() -> list[Mutant]:
        return [*mutants(column.algorithm, groups), *parts()]

    return Subject(column.slug, generate, list(map(Timed, every)), list(map(Timed, hunt)), prove)


def seek(explored: Callable[..., object], *arguments: Any) -> Run:
    """Return a run that finds the violation with which an exploration of the mutant, given after these arguments, ends,
    or the mutant's own error."""

    def run(mutant: Mutant) -> str | None:
        try:
            explored(*arguments, mutant)
        except Violation as violation:
            return str(violation)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None

    return run


def bad_input(column: Column, mutant: Mutant) -> None:
    """Check every error case of the algorithm's table.  Raises Violation."""
    names = vars(column.module) | {column.algorithm.__name__: mutant.of(column.algorithm)}
    for case in error_cases.all_cases():
        if case.entry is column and (found := error_cases.find_taken(case, names)):
            raise Violation(found, ())


def seek_in_sets(states: Callable[[tuple[int, ...], Mutant], Space[Any]], sets: Iterable[tuple[int, ...]]) -> Run:
    """Return a run that explores an algorithm for shared windows with each of some sets of windows."""
    every = tuple(sets)

    def explored(mutant: Mutant) -> None:
        for sizes in every:
            explore(states(sizes, mutant))

    return seek(explored)


def prove_all(report_of: Callable[[Any], Exploration], operations: Sequence[Any]) -> Proof:
    """Return the result of the proofs of all operations."""
    proved = True
    for operation in operations:
        try:
            report = report_of(operation)
        except Exception:
            return "unknown"  # beyond the engine
        if any(not failure.unknown for failure in report.failures):
            return "refuted"
        proved = proved and not report.failures and report.sound
    return "proved" if proved else "unknown"


LIMIT: Final = 8
"""The size of the largest window that a run of a FIFO mutant explores."""


def of_fifo(column: Column) -> Subject:
    """Return the mutants of a FIFO algorithm, run by the explorer, proved by induction over operations."""
    kept = vars(column.algorithm(CONCATENATION))
    pointers = [name for name, value in kept.items() if isinstance(value, Pointer)]

    def prove(mutant: Mutant) -> Proof:
        algorithm = mutant.of(column.algorithm)
        return prove_all(lambda operation: explore_operation(algorithm, column.contract, operation), OPERATIONS_OF_FIFO)

    run = seek(lambda mutant: explore(PointerStates(column.name, LIMIT, mutant)))
    return subject(column, [run], (pointers, ("val", "agg")), prove=prove)


def of_flat_fat() -> Subject:
    """Return the mutants of FlatFAT, run exhaustively on trees of 1, 2, 4 and 8 leaves, proved for every n = 2^k."""

    def prove(mutant: Mutant) -> Proof:
        algorithm = mutant.of(FLAT_FAT.algorithm)
        return prove_all(lambda o: explore_flat_fat(algorithm, o, lambda r: bool(r.failures)), OPERATIONS_OF_FLAT_FAT)

    def places(mutant: Mutant) -> None:
        for n in (1, 2, 4):
            fat = mutant.of(FLAT_FAT.algorithm)(CONCATENATION, "abcd"[:n])
            for i in range(1, n + 1):
                if fat.a(i) != "abcd"[i - 1]:
                    raise Violation(f"a({i}) is {fat.a(i)}", (f"new({'abcd'[:n]})",))

    runs = [seek(lambda mutant, sizes=sizes: flat_fat.explore(mutant, sizes)) for sizes in ((1, 2), (4,), (1, 2, 4, 8))]
    groups = (("left", "right"), ("prefix", "suffix"), ("W", "W_next"), ("v", "p"), ("root", "leaf", "parent"))
    return subject(FLAT_FAT, [*runs, seek(places)], groups, prove=prove)


def of_buffer(
    column: Column,
    quick: Sequence[Sequence[BufferStates]],
    long: Sequence[Sequence[BufferStates]],
    groups: Sequence[Sequence[str]],
) -> Subject:
    """Return the mutants of an algorithm that is explored as a buffer, and of its own FlatFAT."""
    own = getattr(column.algorithm, "Fat", None)

    def parts() -> list[Mutant]:
        return [] if own is None else mutants(own, groups, inherited=False, part="Fat")

    def stage(spaces: Sequence[BufferStates]) -> Run:
        return seek(lambda mutant: explore(*(replace(space, mutant=mutant) for space in spaces)))

    few = stage([replace(space, limit=3) for space in quick[0]])
    return subject(column, [few, *map(stage, quick)], groups, list(map(stage, long)), parts=parts)


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


def ends(column: Column, mutant: Mutant) -> None:
    """Compare a tree's oldest and youngest time, its size, and its nodes from left to right.  Raises Violation."""
    for n in range(12):
        tree = mutant.of(column.algorithm)(CONCATENATION)
        for t in range(n):
            tree.insert(t, "a")
        trace = (f"insert 0 .. {n - 1}" if n else "nothing",)
        if tree.size != n:
            raise Violation(f"size is {tree.size}", trace)
        leaves = [node.times[0] for node in tree.nodes() if n and node.is_leaf()]
        if leaves != sorted(leaves):
            raise Violation("nodes are not from left to right", trace)
        for name, end in (("oldest", 0), ("youngest", n - 1)):
            try:
                found = getattr(tree, name)()
            except EmptyWindowError:
                found = None
            if found != (end if n else None):
                raise Violation(f"{name} is {found}", trace)


def words(column: Column, mutant: Mutant) -> None:
    """Query every range of a tree of three levels whose times are words.  Raises Violation."""
    tree = mutant.of(column.algorithm)(CONCATENATION)
    times = [chr(code) * 2 for code in range(ord("a"), ord("y"))]
    for t in times:
        tree.insert(t, t[0])
    for i, t_from in enumerate(times):
        for j, t_to in enumerate(times):
            if tree.range_query(t_from, t_to) != "".join(t[0] for t in times[i : j + 1]):
                raise Violation("range answer", ("insert aa .. xx", f"from {t_from} to {t_to}"))


def of_tree(column: Column) -> Subject:
    """Return the mutants of a tree and of its nodes, run by the tree explorer."""

    def nodes() -> list[Mutant]:
        made = mutants(column.algorithm.Node, NODES, part="Node")
        unused = () if column is FIBA else ("Node.is_descendent:",)  # the B-tree never calls it
        return [mutant for mutant in made if not mutant.name.startswith(unused)]

    def stage(bound: Bound) -> Run:
        return seek(lambda mutant: explore(TreeStates(column, bound, mutant)))

    quick = (
        *(stage(Bound(2, 4)), stage(Bound(2, 7)), stage(Bound(3, 8)), seek(ends, column), seek(words, column)),
        *(stage(Bound(2, 10)), stage(Bound(3, 18, 3))),
    )
    long = tuple(map(stage, (Bound(2, 12, 3), trees.FARTHER, *trees.HIGHER[:2])))
    return subject(column, quick, TREES, long, parts=nodes)


def of_ordered_sharing() -> Subject:
    """Return the mutants of OrderedSharing."""
    groups = (("first", "last"), ("answer", "newValue"), ("ts", "currentTime"), ("w", "holder"), ("size", "ts"))
    runs = [seek_in_sets(OrderedStates, ordered_sharing.window_sets(largest)) for largest in (2, 3)]
    return subject(ORDERED_SHARING, runs, groups)


def of_timegram() -> Subject:
    """Return the mutants of TimeGram."""
    checks: list[Callable[..., Outcome]] = [claim.check for claim in timegram.CLAIMS if claim.id == "timegram/placed"]

    def prove(mutant: Mutant) -> Proof:
        if {edit.method for edit in mutant.edits} != {"bucket_of"}:
            return "unknown"
        try:
            return "refuted" if any(check(mutant).verdict == "fails" for check in checks) else "unknown"
        except Exception:
            return "unknown"  # beyond the engine

    def stays_as_wide(mutant: Mutant) -> None:
        mutant.of(TIMEGRAM.algorithm)(0, 4, 2).widen(1)

    groups = (("left", "right"), ("a", "b"), ("low", "high"), ("buckets", "homes"))
    runs = [seek(stays_as_wide), seek_in_sets(TimeGramStates, timegram.MORE_SETS)]
    return subject(TIMEGRAM, runs, groups, prove=prove)


def of_stream() -> Subject:
    """Return the mutants of the naive algorithm of STREAM."""
    groups = (("input_queue", "output_queue"), ("popleft", "pop"), ("append", "appendleft"))
    return subject(STREAM, [seek(lambda mutant: explore(StreamStates(STREAM_SIZES, mutant, 6)))], groups)


SUBJECTS: Final[Sequence[tuple[Subject, int]]] = (
    *((of_fifo(column), 12) for column in (TWO_STACKS, TWO_STACKS_LITE, RECALCULATE, SUBTRACT_ON_EVICT)),
    *((of_fifo(column), 8) for column in (DABA, DABA_LITE)),
    (of_flat_fat(), 4),
    (
        of_buffer(
            REACTIVE_AGGREGATOR,
            quick=(
                buffers(REACTIVE_AGGREGATOR, 4, (1, 2), batches=True),
                buffers(REACTIVE_AGGREGATOR, 4, any_order=True),
                buffers(REACTIVE_AGGREGATOR, 16),
            ),
            long=(
                buffers(REACTIVE_AGGREGATOR, 4, (1, 2), any_order=True, batches=True),
                buffers(REACTIVE_AGGREGATOR, 32),
                buffers(REACTIVE_AGGREGATOR, 8, (1, 2, 4), any_order=True),
            ),
            groups=(("F", "B"), ("after", "before"), ("compact", "resize"), ("suffix", "prefix"), ("slot", "to")),
        ),
        4,
    ),
    (
        of_buffer(
            REACTIVE_AGGREGATOR_FIFO,
            quick=(buffers(REACTIVE_AGGREGATOR_FIFO, 4, (1, 2), batches=True),),
            long=(buffers(REACTIVE_AGGREGATOR_FIFO, 32),),
            groups=(("F", "B"), ("front", "back"), ("suffix", "prefix"), ("pending", "freed"), ("x", "y")),
        ),
        4,
    ),
    (
        of_buffer(
            BASE_INTERVALS,
            quick=(buffers(BASE_INTERVALS, 9, (None,)),),
            long=(buffers(BASE_INTERVALS, 33, (None,)),),
            groups=(("front", "back"), ("begin", "end"), ("level", "length")),
        ),
        8,
    ),
    (of_tree(B_TREE), 4),
    (of_tree(FIBA), 4),
    (of_ordered_sharing(), 4),
    (of_timegram(), 4),
    (of_stream(), 6),
)
"""The judged algorithms, with the number of drawn mutants of each."""
