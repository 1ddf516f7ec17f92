"""Questions for mutants beside those of the explorers: accessors, and bad input."""

from collections.abc import Callable

from support.running import error_cases

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import FLAT_FAT, Column


def finding(explored: Callable[[], object]) -> str | None:
    """Return the violation that an exploration ends with, or the error that the mutant raised."""
    try:
        explored()
    except Violation as violation:
        return str(violation)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def places(mutant: Variant) -> None:
    """Compare FlatFAT's a(i).  Raises Violation."""
    for n in (1, 2, 4):
        fat = mutant.of(FLAT_FAT.algorithm)(CONCATENATION, "abcd"[:n])
        for i in range(1, n + 1):
            if fat.a(i) != "abcd"[i - 1]:
                raise Violation(f"a({i}) is {fat.a(i)}", (f"new({'abcd'[:n]})",))


def ends(column: Column, mutant: Variant) -> None:
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


def words(column: Column, mutant: Variant) -> None:
    """Ask for every range of a tree of three levels whose times are words.  Raises Violation."""
    tree = mutant.of(column.algorithm)(CONCATENATION)
    times = [chr(code) * 2 for code in range(ord("a"), ord("y"))]
    for t in times:
        tree.insert(t, t[0])
    for i, t_from in enumerate(times):
        for j, t_to in enumerate(times):
            if tree.range_query(t_from, t_to) != "".join(t[0] for t in times[i : j + 1]):
                raise Violation("range answer", ("insert aa .. xx", f"from {t_from} to {t_to}"))


def bad_input(column: Column, mutant: Variant) -> None:
    """Make every error case of the algorithm's table.  Raises Violation."""
    names = vars(column.module) | {column.algorithm.__name__: mutant.of(column.algorithm)}
    for case in error_cases.all_cases():
        if case.entry is column and (found := error_cases.find_taken(case, names)):
            raise Violation(found, ())
