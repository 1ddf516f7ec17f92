"""The arithmetic of panes, pairs and slices at window starts: statements about every range, slide, time and window.

A statement is a predicate over the reference's arithmetic functions, which run unchanged on unknown integers, for Z3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import term
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.operations.division import Multiples, Whole
from swagproof.reference.slicing import pairs, panes
from swagproof.reference.slicing import slices as slicing


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The variables of a statement: range = a g and slide = b g, times t and u, window k."""

    range: Any
    slide: Any
    g: Any
    """A common divisor of range and slide; `panes.pane` returns the greatest."""
    a: Any
    b: Any
    t: Any
    u: Any
    k: Any


Functions = SimpleNamespace
"""The modules of the reference with the arithmetic, or mutants of them."""
MODULES: Final = {"slicing": slicing, "panes": panes, "pairs": pairs}


def functions_of(mutant: Mutant | None) -> Functions:
    """Return the modules of the reference, with the one that a mutant changes."""
    if mutant is None:
        return Functions(**MODULES)
    method = mutant.edits[0].method.partition(".")[0]
    for name, module in MODULES.items():
        if hasattr(module, method) and getattr(module, method).__module__ == module.__name__:
            return Functions(**{**MODULES, name: mutant.rewrite(module)})
    raise ValueError(f"mutant {mutant.name!r}: no function {method}")


@dataclass(frozen=True)
class Technique:
    """A slicing technique: its cuts and its numbers of slices, as functions of (functions, numbers, time)."""

    edge: Callable[[Functions, Numbers, Any], Any]
    number: Callable[[Functions, Numbers, Any], Any]
    slide: Callable[[Functions, Numbers], Any]
    """The number of slices per slide; the next field is the number per window."""
    window: Callable[[Functions, Numbers], Any]


PANE_SLICES: Final = Technique(
    lambda f, n, t: f.panes.pane_edge(t, n.g),
    lambda f, n, t: f.panes.pane_number(t, n.g),
    lambda f, n: f.panes.panes_per(n.slide, n.g),
    lambda f, n: f.panes.panes_per(n.range, n.g),
)
PAIR_SLICES: Final = Technique(
    lambda f, n, t: f.pairs.pair_edge(t, n.range, n.slide),
    lambda f, n, t: f.pairs.pair_number(t, n.range, n.slide),
    lambda f, n: f.pairs.pairs_per_slide(n.range, n.slide),
    lambda f, n: f.pairs.pairs_per_window(n.range, n.slide),
)
START_SLICES: Final = Technique(
    lambda f, n, t: f.slicing.start_edge(t, n.slide),
    lambda f, n, t: f.slicing.last_begun(t, n.slide),
    lambda f, n: 1,
    lambda f, n: f.slicing.starts_per_window(n.range, n.slide),
)


# Statements about a technique


def window(f: Functions, n: Numbers) -> tuple[Any, Any]:
    """Return the begin and end of window k."""
    return f.slicing.window_begin(n.k, n.slide), f.slicing.window_end(n.k, n.range, n.slide)


def partition(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether every time is in one slice, and slices are intervals."""
    edge = partial(technique.edge, f, n)
    return (
        contract.edge_before(n.t, edge(n.t))
        and contract.edge_of_edge(edge(n.t), edge(edge(n.t)))
        and contract.monotone(n.t, n.u, edge(n.t), edge(n.u))
    )


def whole_slices(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether window k is a union of whole slices."""
    return contract.uncut(n.t, technique.edge(f, n, n.t), *window(f, n))


def begin_whole(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether no slice crosses the beginning of window k; slices may only be cut at its end."""
    begin, _ = window(f, n)
    return bool(begin <= n.t) == bool(begin <= technique.edge(f, n, n.t))


def numbers(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether two times are in one slice if and only if they have the same number."""
    edge, number = partial(technique.edge, f, n), partial(technique.number, f, n)
    return contract.numbered(n.t, n.u, (edge(n.t), edge(n.u)), (number(n.t), number(n.u)))


def no_gaps(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether no number is skipped."""
    return contract.successive(technique.number(f, n, n.t), technique.number(f, n, n.t + 1))


def per_slide(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether this many slices begin in any interval of a slide's length."""
    return bool(technique.number(f, n, n.t + n.slide) - technique.number(f, n, n.t) == technique.slide(f, n))


def per_window(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether window k has this many slices."""
    begin, end = window(f, n)
    return bool(technique.number(f, n, end) - technique.number(f, n, begin) == technique.window(f, n))


def to_the_end(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether this many slices have begun in window k when it ends."""
    begin, end = window(f, n)
    return bool(technique.number(f, n, end - 1) - technique.number(f, n, begin) + 1 == technique.window(f, n))


def never_more(technique: Technique, more: Technique, f: Functions, n: Numbers) -> bool:
    """Return whether a technique needs no more slices than another, per slide and per window."""
    return bool(technique.slide(f, n) <= more.slide(f, n) and technique.window(f, n) <= more.window(f, n))


# Statements about pairs, and about windows


def pair_lengths(f: Functions, n: Numbers) -> bool:
    """Return whether each window's begin is followed by a slice of p2, if p2 > 0, and one of p1, which make a slide."""
    begin, _ = window(f, n)
    edge = partial(PAIR_SLICES.edge, f, n)
    middle = begin + f.pairs.p2(n.range, n.slide)
    end = middle + f.pairs.p1(n.range, n.slide)
    if not (edge(begin) == begin and edge(middle) == middle and edge(end) == end == begin + n.slide):
        return False
    return bool(n.t < begin or end <= n.t or edge(n.t) == (begin if n.t < middle else middle))


def windows_of_a_time(f: Functions, n: Numbers) -> bool:
    """Return whether the code is right about the windows begun and ended at t, and about t being in a window."""
    begun, over = f.slicing.last_begun(n.t, n.slide), f.slicing.last_over(n.t, n.range, n.slide)
    begin, end = window(f, n)
    return (
        bool(begin <= n.t) == bool(n.k <= begun)
        and bool(end <= n.t) == bool(n.k <= over)
        and (bool(f.slicing.is_covered(n.t, n.range, n.slide)) or not contract.inside(n.t, begin, end))
        and (not bool(f.slicing.is_covered(n.t, n.range, n.slide)) or bool(over + 1 <= begun))
    )


def tumbling(f: Functions, n: Numbers) -> bool:
    """Return the condition that each time is in one window if the slide is the range."""
    return bool(f.slicing.last_begun(n.t, n.slide) == f.slicing.last_over(n.t, n.slide, n.slide) + 1)


def overlap(f: Functions, n: Numbers) -> bool:
    """Return whether a window and the next overlap by range - slide, if that is positive."""
    _, end = window(f, n)
    return bool(end - f.slicing.window_begin(n.k + 1, n.slide) == n.range - n.slide)


# Proofs

Statement = Callable[[Functions, Numbers], bool]


def unknowns(path: Path, common: bool) -> Numbers:
    """Return any range and slide of at least 1, and any t, u, k; with `common`, also any common divisor g.

    The additional facts for Z3 are true of all integers.
    """
    multiples = Multiples()
    range_, slide, g, a, b, t, u, k = (
        Whole(path.fresh(name), path, multiples) for name in ("range", "slide", "g", "a", "b", "t", "u", "k")
    )
    path.assume(z3.And(*(number.term >= 1 for number in (range_, slide, g, a, b))))
    if common:
        range_, slide = g * a, g * b
        for m in (a - range_ // slide * b, k * b, k * b + a):  # multiples of g: p2, and the begins and ends of windows
            multiples.note(g.term, m.term)
    multiples.note(slide.term, k.term)
    multiples.note(slide.term, (k + range_ // slide).term)
    return Numbers(range=range_, slide=slide, g=g, a=a, b=b, t=t, u=u, k=k)


def put(name: str, statement: Statement, f: Functions, path: Path) -> None:
    """Show the statement along every feasible path through it; for panes, with any common divisor."""
    unknown = unknowns(path, "panes" in name)
    path.example = lambda model: ", ".join(
        f"{field} = {model.eval(term(getattr(unknown, field)))}" for field in ("range", "slide", "g", "t", "u", "k")
    )
    path.show(name, z3.BoolVal(statement(f, unknown)))


def refuted(report: Exploration) -> bool:
    """Return whether an obligation has a counterexample."""
    return any(not failure.unknown for failure in report.failures)


def proved(statements: dict[str, Statement], mutant: Mutant | None = None) -> Outcome:
    """Prove the statements for all numbers, or refute one: the first is enough."""
    functions, report = functions_of(mutant), Exploration()
    for name, statement in statements.items():
        report.merge(explore(partial(put, name, statement, functions), refuted))
        if refuted(report):
            break
    return conclude(report, among=f", {len(statements)} statements")


def about(technique: Technique, *statements: Callable[[Technique, Functions, Numbers], bool]) -> dict[str, Statement]:
    """Return statements about a technique, by name."""
    panes = " of panes" if technique is PANE_SLICES else ""
    return {each.__name__.replace("_", " ") + panes: partial(each, technique) for each in statements}


_EVERY: Final = numbers, no_gaps, per_slide

THEOREMS: Final[dict[str, dict[str, Statement]]] = {
    "slicing/windows": {"windows of a time": windows_of_a_time, "one window": tumbling, "overlap": overlap},
    "slicing/panes": about(PANE_SLICES, partition, whole_slices, *_EVERY, per_window),
    "slicing/pairs": {
        **about(PAIR_SLICES, partition, whole_slices),
        "lengths": pair_lengths,
        **about(PAIR_SLICES, *_EVERY, per_window),
    },
    "slicing/starts": about(START_SLICES, partition, begin_whole, *_EVERY, to_the_end),
    "slicing/fewest": {
        "pairs and panes": partial(never_more, PAIR_SLICES, PANE_SLICES),
        "starts and pairs": partial(never_more, START_SLICES, PAIR_SLICES),
    },
}
"""The statements of each claim."""
