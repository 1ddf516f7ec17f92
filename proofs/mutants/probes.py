"""What mutants are asked besides what the explorers look at: accessors, and that bad input is refused.

A refused call must change nothing.  So a history is played twice, with the call and without, and every answer compared.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import TimeError
from swagproof.models.shared import LateRegistrationError, UnknownWindowError
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.refusals import REFUSALS, find_taken
from swagproof.reference.catalogue import FLAT_FAT, ORDERED_SHARING, STREAM, TIMEGRAM, Column


def finding(explored: Callable[[], object]) -> str | None:
    """The violation that an exploration ends with, or the error that the mutant made of it."""
    try:
        explored()
    except Violation as violation:
        return str(violation)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def places(mutant: Variant) -> None:
    """FlatFAT's a(i).  Raises Violation."""
    for n in (1, 2, 4):
        fat = mutant.of(FLAT_FAT.algorithm)(CONCATENATION, "abcd"[:n])
        for i in range(1, n + 1):
            if fat.a(i) != "abcd"[i - 1]:
                raise Violation(f"a({i}) is {fat.a(i)}", (f"new({'abcd'[:n]})",))


def ends(column: Column, mutant: Variant) -> None:
    """A tree's oldest and youngest time, its size, and its nodes from left to right.  Raises Violation."""
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


def strangers(column: Column, mutant: Variant) -> None:
    """A time of another kind than those in the tree is refused, and nothing changes.  Raises Violation."""
    tree = mutant.of(column.algorithm)(CONCATENATION)
    for t in range(5):
        tree.insert(t, "abcde"[t])
    calls = (("insert", ("a", "x")), ("evict", ("a",)), ("range_query", ("a", "b")), ("range_query", (1, "b")))
    for name, arguments in calls:
        trace = ("insert 0 .. 4", f"{name} {' '.join(map(str, arguments))}")
        try:
            getattr(tree, name)(*arguments)
        except TimeError:
            if (tree.query(), tree.size) == ("abcde", 5):
                continue
            raise Violation("a refused call changes nothing", trace) from None
        except Exception as error:
            raise Violation(f"{type(error).__name__} is raised, not TimeError", trace) from error
        raise Violation("nothing is raised, not TimeError", trace)


def words(column: Column, mutant: Variant) -> None:
    """Times that have an order and nothing else, in a tree of three levels: every range.  Raises Violation."""
    tree = mutant.of(column.algorithm)(CONCATENATION)
    times = [chr(code) * 2 for code in range(ord("a"), ord("y"))]
    for t in times:
        tree.insert(t, t[0])
    for i, t_from in enumerate(times):
        for j, t_to in enumerate(times):
            if tree.range_query(t_from, t_to) != "".join(t[0] for t in times[i : j + 1]):
                raise Violation("range answer", ("insert aa .. xx", f"from {t_from} to {t_to}"))


def bad_input(column: Column, mutant: Variant) -> None:
    """What the algorithm says that it refuses (swagproof.proofs.refusals), it refuses.  Raises Violation."""
    names = SimpleNamespace(**{column.algorithm.__name__: mutant.of(column.algorithm)})
    for refusal in REFUSALS:
        if refusal.entry is column and (found := find_taken(refusal, names)):
            raise Violation(found, ())


class Call(NamedTuple):
    """A call that is refused with this error, or has no effect where it is None: after `first` .. `last` steps."""

    name: str
    argument: Any
    error: type[Exception] | None
    first: int
    last: int


HISTORY: Final = (("register", 2), ("register", 3), ("insert", 1), ("insert", 5), ("insert", 2), ("insert", 2))
LATE: Final = (
    Call("insert", 1, UnknownWindowError, 0, 0),
    Call("register", 2, None, 1, 2),
    Call("register", 4, LateRegistrationError, 3, 6),
)
"""Of every algorithm for windows of several sizes."""

TIMEGRAM_LOOKUPS: Final = ("max", "min", "count", "sum", "avg")
CALLS: Final[dict[str, tuple[tuple[Any, ...], Sequence[str], tuple[Call, ...]]]] = {
    STREAM.name: ((CONCATENATION,), ("lookup",), ()),
    ORDERED_SHARING.name: (
        (),
        ("lookup",),
        (
            Call("insert", math.nan, ValueError, 2, 6),
            Call("insert", None, TypeError, 2, 6),
            Call("insert", "a", TypeError, 3, 6),
        ),
    ),
    TIMEGRAM.name: (
        (1, 5, 2),
        TIMEGRAM_LOOKUPS,
        (
            Call("insert", 0.5, TypeError, 2, 6),
            Call("widen", 1, None, 0, 6),
            *(Call("widen", times, ValueError, 0, 6) for times in (0, -1, 1.5)),
        ),
    ),
}
"""What each is made with, its lookups, and what it refuses besides."""


def refusals(column: Column, mutant: Variant) -> None:
    """Every refused call at every place of a history.  Raises Violation."""
    arguments, lookups, calls = CALLS[column.name]
    algorithm = mutant.of(column.algorithm)
    unknown = tuple(Call(name, 4, UnknownWindowError, 2, 6) for name in lookups)
    plain = _answers(algorithm(*arguments), lookups, None, -1)
    for call in (*LATE, *calls, *unknown):
        for at in range(call.first, call.last + 1):
            if _answers(algorithm(*arguments), lookups, call, at) != plain:
                steps = [f"{name} {argument}" for name, argument in HISTORY[:at]]
                raise Violation("a call without effect changes answers", (*steps, f"{call.name} {call.argument}"))


GRIDS: Final = ((1, 5, 2), (Fraction(1, 3), 9, 4), (-10, -1, 1), (-7, Fraction(7, 2), 5))
"""[L, R] and K of a TimeGram; below, what is none of it, and the error."""
NO_GRIDS: Final = (
    (0.5, 1, 2, TypeError), (0, 1.5, 2, TypeError), (0, 1, 0, ValueError), (0, 1, -1, ValueError),
    (0, 1, 2.0, ValueError), (0, 1, "2", ValueError), (1, 1, 2, ValueError), (2, 1, 2, ValueError),
)  # fmt: skip


def constructions(mutant: Variant) -> None:
    """That a TimeGram is made over the grid that it is given, and of nothing else.  Raises Violation."""
    made = mutant.of(TIMEGRAM.algorithm)
    for low, high, buckets in GRIDS:
        gram = made(low, high, buckets)
        found = gram.low, gram.high, gram.width
        if found != (low, high, Fraction(high - low) / buckets) or any(type(part) is not Fraction for part in found):
            raise Violation(f"the grid is {found}", (f"TimeGram({low}, {high}, {buckets})",))
    for *given, error in NO_GRIDS:
        try:
            made(*given)
        except error:
            continue
        raise Violation(f"{error.__name__} is not raised", (f"TimeGram({given})",))


def _answers(shared: Any, lookups: Sequence[str], call: Call | None, at: int) -> list[Any]:
    """Every answer after every step of the history, with a call before step `at`.  Raises Violation."""
    answers: list[Any] = []
    for number, step in enumerate((*HISTORY, None)):
        if call is not None and number == at:
            _refuse(shared, call, at)
        if number > 2:
            answers += _ask(shared, lookups)
        if step is not None:
            name, argument = step
            getattr(shared, name)(str(argument) if name == "insert" and hasattr(shared, "monoid") else argument)
    return answers


def _ask(shared: Any, lookups: Sequence[str]) -> Iterator[Any]:
    for size in (2, 3):
        for name in lookups:
            yield getattr(shared, name)(size)


def _refuse(shared: Any, call: Call, at: int) -> None:
    trace = (*(f"{name} {argument}" for name, argument in HISTORY[:at]), f"{call.name} {call.argument}")
    raised: type[Exception] | None = None
    try:
        getattr(shared, call.name)(call.argument)
    except Exception as error:
        raised = type(error)
    if raised is not call.error:
        wanted = "nothing" if call.error is None else call.error.__name__
        raise Violation(f"{'nothing' if raised is None else raised.__name__} is raised, not {wanted}", trace)
