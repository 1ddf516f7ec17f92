"""Claims about panes, pairs and slices in general: for every range and slide, by symbolic execution.

The statements are ordinary predicates over the arithmetic functions of the reference, which are run as they are: on
unknown integers, for Z3, and on small ones, to find a counterexample in numbers.  The operators are explored over
streams without end (see swagproof.proofs.slicing.queries).
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import term
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.operations.division import Multiples, Whole
from swagproof.proofs.operations.history_claims import confirmed
from swagproof.proofs.slicing.queries import exploration, shared_counts
from swagproof.proofs.slicing.wrong_slices import (
    COVERED_ALWAYS,
    EMPTY_SLICES,
    END_LATE,
    NUMBERS_AS_TWO,
    P1_FIRST_SEQUENCE,
    P1_OF_LONG_SLIDES,
    PANE_EDGES_DISORDERED,
    PANE_NUMBERS_BY_TWO,
    PANE_NUMBERS_HALVED,
    PANE_ONE_MORE,
    SHARED_WITHOUT_P2,
    STARTS_ROUND_DOWN,
    TWO_ALWAYS,
    UNSEEN,
    WINDOW_FORGETS_P2,
    WRONG_PAIRS,
    WRONG_PANES,
    WRONG_STARTS,
)
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column
from swagproof.reference.slicing import pairs, panes
from swagproof.reference.slicing import slices as slicing

# Statements


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The variables of a statement: range = a g and slide = b g, times t and u, window k; symbolic or concrete."""

    range: Any
    slide: Any
    g: Any
    """A common divisor of range and slide; `panes.pane` is the greatest."""
    a: Any
    b: Any
    t: Any
    u: Any
    k: Any


@dataclass(frozen=True)
class Functions:
    """The arithmetic of the reference, or of a mutant of it."""

    slicing: Any = slicing
    panes: Any = panes
    pairs: Any = pairs


@dataclass(frozen=True)
class Technique:
    """A slicing technique: its cuts and its numbers of slices, as functions of (functions, numbers, time)."""

    name: str
    edge: Callable[[Functions, Numbers, Any], Any]
    number: Callable[[Functions, Numbers, Any], Any]
    per_slide: Callable[[Functions, Numbers], Any]
    per_window: Callable[[Functions, Numbers], Any]


PANES: Final = Technique(
    "panes",
    lambda f, n, t: f.panes.pane_edge(t, n.g),
    lambda f, n, t: f.panes.pane_number(t, n.g),
    lambda f, n: f.panes.panes_per(n.slide, n.g),
    lambda f, n: f.panes.panes_per(n.range, n.g),
)
PAIRS: Final = Technique(
    "pairs",
    lambda f, n, t: f.pairs.pair_edge(t, n.range, n.slide),
    lambda f, n, t: f.pairs.pair_number(t, n.range, n.slide),
    lambda f, n: f.pairs.pairs_per_slide(n.range, n.slide),
    lambda f, n: f.pairs.pairs_per_window(n.range, n.slide),
)
STARTS: Final = Technique(
    "starts",
    lambda f, n, t: f.slicing.start_edge(t, n.slide),
    lambda f, n, t: f.slicing.last_begun(t, n.slide),
    lambda f, n: 1,
    lambda f, n: f.slicing.starts_per_window(n.range, n.slide),
)


def window(f: Functions, n: Numbers) -> tuple[Any, Any]:
    """Window k."""
    return f.slicing.window_begin(n.k, n.slide), f.slicing.window_end(n.k, n.range, n.slide)


def partition(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Every time is in one slice, and slices are intervals."""
    edge = partial(technique.edge, f, n)
    return (
        contract.edge_before(n.t, edge(n.t))
        and contract.edge_of_edge(edge(n.t), edge(edge(n.t)))
        and contract.monotone(n.t, n.u, edge(n.t), edge(n.u))
    )


def whole_slices(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Window k is a union of whole slices."""
    return contract.uncut(n.t, technique.edge(f, n, n.t), *window(f, n))


def begun_whole(technique: Technique, f: Functions, n: Numbers) -> bool:
    """No slice reaches into window k from before it: what is cut off is only behind its end."""
    begin, _ = window(f, n)
    return bool(begin <= n.t) == bool(begin <= technique.edge(f, n, n.t))


def numbering(technique: Technique, f: Functions, n: Numbers) -> bool:
    """Two times are in one slice when they have one number."""
    edge, number = partial(technique.edge, f, n), partial(technique.number, f, n)
    return contract.numbered(n.t, n.u, (edge(n.t), edge(n.u)), (number(n.t), number(n.u)))


def no_gaps(technique: Technique, f: Functions, n: Numbers) -> bool:
    """No number is left out."""
    return contract.successive(technique.number(f, n, n.t), technique.number(f, n, n.t + 1))


def counted_per_slide(technique: Technique, f: Functions, n: Numbers) -> bool:
    """So many slices begin in any time of a slide's length."""
    return bool(technique.number(f, n, n.t + n.slide) - technique.number(f, n, n.t) == technique.per_slide(f, n))


def counted_per_window(technique: Technique, f: Functions, n: Numbers) -> bool:
    """So many slices make window k."""
    begin, end = window(f, n)
    return bool(technique.number(f, n, end) - technique.number(f, n, begin) == technique.per_window(f, n))


def counted_to_the_end(technique: Technique, f: Functions, n: Numbers) -> bool:
    """So many slices have begun in window k when it ends."""
    begin, end = window(f, n)
    return bool(technique.number(f, n, end - 1) - technique.number(f, n, begin) + 1 == technique.per_window(f, n))


def pair_lengths(f: Functions, n: Numbers) -> bool:
    """From where window k begins there is a slice of p2, where that is above 0, then one of p1: they make a slide."""
    begin, _ = window(f, n)
    edge = partial(PAIRS.edge, f, n)
    middle = begin + f.pairs.p2(n.range, n.slide)
    end = middle + f.pairs.p1(n.range, n.slide)
    if not (edge(begin) == begin and edge(middle) == middle and edge(end) == end == begin + n.slide):
        return False
    return bool(n.t < begin or end <= n.t or edge(n.t) == (begin if n.t < middle else middle))


def never_more(fewer: Technique, more: Technique, f: Functions, n: Numbers) -> bool:
    """One technique never needs more slices than the other, a slide and a window."""
    return bool(fewer.per_slide(f, n) <= more.per_slide(f, n) and fewer.per_window(f, n) <= more.per_window(f, n))


def windows_of_a_time(f: Functions, n: Numbers) -> bool:
    """Return whether the code is right about the windows begun and ended at t, and about t being in any."""
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
    """A window and the next have range - slide in common, where that is above 0."""
    _, end = window(f, n)
    return bool(end - f.slicing.window_begin(n.k + 1, n.slide) == n.range - n.slide)


Statement = Callable[[Functions, Numbers], bool]


def unknowns(path: Path, common: bool) -> Numbers:
    """Any range and slide of at least 1, any t, u, k; where `common`, with any common divisor g of range and slide.

    What Z3 is told besides is true of all integers.
    """
    multiples = Multiples()
    range_, slide, g, a, b, t, u, k = (
        Whole(path.fresh(name), path, multiples) for name in ("range", "slide", "g", "a", "b", "t", "u", "k")
    )
    path.assume(z3.And(*(number.term >= 1 for number in (range_, slide, g, a, b))))
    if common:
        range_, slide = g * a, g * b
        for m in (a - range_ // slide * b, k * b, k * b + a):  # multiples of g: p2, and where windows begin and end
            multiples.note(g.term, m.term)
    multiples.note(slide.term, k.term)
    multiples.note(slide.term, (k + range_ // slide).term)
    return Numbers(range=range_, slide=slide, g=g, a=a, b=b, t=t, u=u, k=k)


def put(name: str, statement: Statement, f: Functions, path: Path) -> None:
    """The statement, along every feasible path through it; what speaks of panes is about any common divisor."""
    numbers = unknowns(path, "panes" in name)
    path.example = lambda model: ", ".join(
        f"{field} = {model.eval(term(getattr(numbers, field)))}" for field in ("range", "slide", "g", "t", "u", "k")
    )
    path.show(name, z3.BoolVal(statement(f, numbers)))


SMALL: Final = 7
"""Ranges and slides up to this are tried in numbers."""


def small() -> Iterator[Numbers]:
    """Numbers for a counterexample: every range and slide up to `SMALL`, with their greatest common divisor."""
    for range_, slide in itertools.product(range(1, SMALL + 1), repeat=2):
        g = panes.pane(range_, slide)
        for t, ahead, k in itertools.product(range(-2, 9), range(3), (-1, 0, 1)):
            a, b = range_ // g, slide // g
            yield Numbers(range=range_, slide=slide, g=g, a=a, b=b, t=t, u=t + ahead, k=k)


def counterexample(statement: Statement, f: Functions) -> str | None:
    """A small case in which the statement does not hold, or raises."""
    for n in small():
        said = f"range {n.range}, slide {n.slide}, t = {n.t}, u = {n.u}, k = {n.k}"
        try:
            if not statement(f, n):
                return said
        except ArithmeticError as error:
            return f"{said}: {error}"
    return None


def proved(statements: dict[str, Statement], variant: Variant | None = None) -> Outcome:
    """Prove the statements for all numbers, or find a small case that refutes one."""
    functions = Functions() if variant is None else _with(variant)
    report = Exploration()
    for name, statement in statements.items():
        case = counterexample(statement, functions)
        if case:
            return Outcome("fails", f"{name}: not for {case}", refuted=(name,))
        report.merge(explore(partial(put, name, statement, functions)))
    return conclude(report, among=f", {len(statements)} statements")


# The lengths as a sequence


def alternates(largest: int, variant: Variant | None = None) -> Outcome:
    """The lengths that alternate are the distances of the edges, from the beginning of a window on."""
    module = pairs if variant is None else variant.rewrite(pairs)
    cases = 0
    for range_, slide in itertools.product(range(1, largest + 1), repeat=2):
        lengths = list(itertools.islice(module.alternating(range_, slide), 8))
        edges = list(itertools.accumulate(lengths, initial=0))
        found = [t for t in range(edges[-1] + 1) if t == 0 or pairs.pair_edge(t, range_, slide) == t]
        if edges != found:
            return Outcome("fails", f"range {range_}, slide {slide}: lengths {lengths}, edges at {found}")
        cases += 1
    return Outcome("holds", f"{cases} queries, 8 slices each")


def longest_panes(largest: int, length: Callable[[int, int], int] = panes.pane) -> Outcome:
    """Slices of a greater length than the panes', all of one length, cut a window."""
    cases = 0
    for range_, slide in itertools.product(range(1, largest + 1), repeat=2):
        for longer in range(length(range_, slide) + 1, range_ + slide + 1):
            ends = (slicing.window_begin(1, slide), slicing.window_end(0, range_, slide))
            if all(panes.pane_edge(end, longer) == end for end in ends):
                return Outcome("fails", f"range {range_}, slide {slide}: slices of {longer} cut no window")
            cases += 1
    return Outcome("holds", f"{cases} lengths, of {largest**2} queries")


FEW: Final = (4, 2)
MANY: Final = (6, 4)
"""Ranges and slides of a query alone, and of two together: of the exploration in the ledger, and of the deep one."""

COUNTS: Final = {
    (catalogue.PANES, FEW): (113, 669),
    (catalogue.PAIRS, FEW): (102, 583),
    (catalogue.STARTS, FEW): (94, 528),
    (catalogue.PANES, MANY): (2484, 19455),
    (catalogue.PAIRS, MANY): (2044, 15528),
    (catalogue.STARTS, MANY): (1676, 12604),
}
"""States and transitions of these."""


def refuted(column: Column, variant: Variant) -> str | None:
    """Return what the explorer finds, with the shortest stream."""
    outcome = exploration(column, 5, 3, (0, 0), variant)
    return outcome.detail if outcome.verdict == "fails" else None


# Claims


def _with(variant: Variant) -> Functions:
    method = variant.edits[0].method
    for name, module in (("slicing", slicing), ("panes", panes), ("pairs", pairs)):
        if hasattr(module, method) and getattr(module, method).__module__ == module.__name__:
            made = {"slicing": slicing, "panes": panes, "pairs": pairs, name: variant.rewrite(module)}
            return Functions(**made)
    raise ValueError(f"variant {variant.name!r}: no function {method}")


def _sets() -> Iterator[tuple[tuple[int, int], ...]]:
    def up_to(most: int) -> list[tuple[int, int]]:
        return [(range_, slide) for range_ in range(1, most + 1) for slide in range(1, most + 1)]

    yield from itertools.combinations(up_to(8), 2)
    yield from itertools.combinations(up_to(4), 3)


theorem: Final = partial(
    Claim,
    algorithm="Slicing",
    kind="proved",
    engine="symbolic execution, Z3",
    scope="every range and slide of at least 1, every time, every window",
)
enumeration: Final = partial(
    Claim, algorithm="Slicing", kind="exhaustive", engine="enumeration", not_covered="larger ranges and slides"
)


def explored_scope(alone: int, together: int) -> str:
    """Return what an exploration covers, in words."""
    queries = f"every query with range and slide up to {alone}, every two with both up to {together}"
    streams = "every stream in order, of any length, anywhere in time"
    return f"{queries}; {streams}; control flow looks at no value, so every monoid"


CLAIMS: Final[tuple[Claim, ...]] = (
    theorem(
        id="slicing/windows",
        statement="Which windows have begun at a time, which have ended, and whether any holds it, is what the "
        "definition says.",
        source=cite(STREAM_WINDOWS, place="Overview: range and slide"),
        check=partial(proved, {"windows of a time": windows_of_a_time}),
        controls=(*WRONG_STARTS.pick("a window begins after its begin", "a window is over one late"), COVERED_ALWAYS),
        code=code_of(slicing, "last_begun", "last_over", "is_covered"),
    ),
    theorem(
        id="slicing/tumbling",
        statement="Where the slide is the range, each record is in one window; a window and the next overlap by range "
        "- slide.",
        source=cite(STREAM_WINDOWS, place="Overview: tumbling windows; the overlap as corrected (erratum SLICE-3)"),
        check=partial(proved, {"one window": tumbling, "overlap": overlap}),
        controls=(*WRONG_STARTS.pick("a window begins after its begin", "a window is over one late"), END_LATE),
        code=code_of(slicing, "last_begun", "last_over", "window_begin", "window_end"),
    ),
    theorem(
        id="slicing/panes",
        statement="Panes partition the stream; every window is a union of whole panes; so many a slide and a window, "
        "numbered without gaps: slide / g and range / g, for g any common divisor.",
        source=cite(STREAM_WINDOWS, place="Panes"),
        check=partial(
            proved,
            {
                "partition of panes": partial(partition, PANES),
                "whole slices of panes": partial(whole_slices, PANES),
                "numbers of panes": partial(numbering, PANES),
                "no gaps of panes": partial(no_gaps, PANES),
                "per slide of panes": partial(counted_per_slide, PANES),
                "per window of panes": partial(counted_per_window, PANES),
            },
        ),
        controls=(
            *WRONG_PANES.pick("the edge after t", "edges one late"),
            PANE_EDGES_DISORDERED,
            PANE_NUMBERS_HALVED,
            PANE_NUMBERS_BY_TWO,
            PANE_ONE_MORE,
        ),
        code=code_of(panes, "pane_edge", "pane_number", "panes_per"),
        not_covered="that math.gcd is a common divisor, and the greatest: Python's promise",
    ),
    theorem(
        id="slicing/pairs",
        statement="Pairs partition the stream, from where a window begins into slices of p2 and p1 in turn, without "
        "those of 0; every window is a union of whole slices; 2 a slide and 2 (range div slide) + 1 a window, numbered "
        "without gaps; 1 and range / slide where the slide divides the range.",
        source=cite(STREAM_WINDOWS, place="Pairs, as read (readings SLICE-5 and SLICE-6)"),
        check=partial(
            proved,
            {
                "partition": partial(partition, PAIRS),
                "whole slices": partial(whole_slices, PAIRS),
                "lengths": pair_lengths,
                "numbers": partial(numbering, PAIRS),
                "no gaps": partial(no_gaps, PAIRS),
                "per slide": partial(counted_per_slide, PAIRS),
                "per window": partial(counted_per_window, PAIRS),
            },
        ),
        controls=(
            *WRONG_PAIRS.pick("p1 first", "p2 = slide mod range", "p2 counts its end in"),
            NUMBERS_AS_TWO,
            TWO_ALWAYS,
            WINDOW_FORGETS_P2,
            P1_OF_LONG_SLIDES,
        ),
        code=code_of(pairs, "p1", "p2", "pair_edge", "pair_number", "pairs_per_slide", "pairs_per_window"),
    ),
    theorem(
        id="slicing/starts",
        statement="Slices at window starts alone partition the stream, and none reaches into a window from before it; "
        "1 a slide, and ceil(range / slide) have begun in a window when it ends.",
        source=cite(STREAM_WINDOWS, place="Deterministic Windows"),
        check=partial(
            proved,
            {
                "partition": partial(partition, STARTS),
                "begin whole": partial(begun_whole, STARTS),
                "numbers": partial(numbering, STARTS),
                "no gaps": partial(no_gaps, STARTS),
                "per slide": partial(counted_per_slide, STARTS),
                "per window": partial(counted_to_the_end, STARTS),
            },
        ),
        controls=(WRONG_STARTS.get("a window begins after its begin"), STARTS_ROUND_DOWN),
        code=code_of(slicing, "start_edge", "last_begun", "starts_per_window"),
    ),
    theorem(
        id="slicing/fewest",
        statement="Pairs never need more slices than panes, and slices at window starts alone never more than pairs: "
        "a slide and a window.",
        source=cite(
            STREAM_WINDOWS,
            "Figure 4",
            place="Pairs",
            compared="stronger: every range and slide, where the figure shows one",
        ),
        check=partial(
            proved,
            {
                "pairs and panes": partial(never_more, PAIRS, PANES),
                "starts and pairs": partial(never_more, STARTS, PAIRS),
            },
        ),
        controls=(TWO_ALWAYS, WINDOW_FORGETS_P2),
        code="reference.slicing: panes, pairs, slices: slices a slide and a window",
        not_covered="many queries: see slicing/shared",
    ),
    enumeration(
        id="slicing/longest-panes",
        statement="Slices of one length that are longer than the greatest common divisor of range and slide cut some "
        "window.",
        source=cite(STREAM_WINDOWS, place="Panes"),
        scope="range and slide up to 24, every length up to their sum",
        code=code_of(panes.pane),
        check=partial(longest_panes, 24),
        controls=(Control("panes of 1", partial(longest_panes, 24, lambda range, slide: 1)),),
    ),
    enumeration(
        id="slicing/alternating",
        statement="The slices between the edges of pairs have the lengths p2, p1, p2, ..., without those of 0.",
        source=cite(STREAM_WINDOWS, place="Pairs, as read (readings SLICE-5 and SLICE-6)"),
        scope="range and slide up to 12, 8 slices from the beginning of a window on",
        code=code_of(pairs, "alternating", "pair_edge"),
        check=partial(alternates, 12),
        controls=(EMPTY_SLICES, P1_FIRST_SEQUENCE),
    ),
    enumeration(
        id="slicing/shared",
        statement="For many queries, too: every edge at a window's start is one of shared pairs, and every one of "
        "these is one of shared panes; the shared sequence can be decided beforehand.",
        source=cite(STREAM_WINDOWS, place="Pairs: multi-query sharing"),
        scope="two queries with range and slide up to 8, three with both up to 4; every time of one period",
        code="reference.slicing.pairs: shared_slices, Pairs.edge; reference.slicing.panes: Panes.edge",
        check=lambda variant=None: shared_counts(_sets(), variant),
        controls=(SHARED_WITHOUT_P2,),
        not_covered="more queries, larger ranges and slides",
    ),
    *(
        Claim(
            id=f"slicing/{name}-explored",
            statement=f"{title}: each window's answer is its ordered product, and is given when the window is over; "
            "slices hold what they should, none is kept longer than needed; at most 1 combine call a record, s - 1 a "
            "window of s slices.",
            source=cite(STREAM_WINDOWS, place=place),
            algorithm="Slicing",
            kind="exhaustive",
            engine="explorer",
            scope=explored_scope(*FEW),
            code=code_of(column.algorithm),
            check=partial(exploration, column, *FEW, COUNTS[column, FEW]),
            deep=Deep(explored_scope(*MANY), partial(exploration, column, *MANY, COUNTS[column, MANY])),
            controls=wrong,
            reject=partial(exploration, column, 5, 3, (0, 0)),
            not_covered="three queries and more; steps in time beyond range + slide, which leave no window open",
        )
        for name, column, wrong, title, place in (
            ("panes", catalogue.PANES, WRONG_PANES, "Panes", "Panes"),
            ("pairs", catalogue.PAIRS, WRONG_PAIRS, "Pairs", "Pairs"),
            ("starts", catalogue.STARTS, (*WRONG_STARTS, *UNSEEN), "Slices at window starts", "Deterministic Windows"),
        )
    ),
    *(
        confirmed(
            column,
            *mutants,
            id=f"slicing/{name}-histories",
            statement="After every history of up to 2 records each answer is that of the definition, and after every "
            "one within a smaller bound all contracts hold.",
            source=cite(STREAM_WINDOWS, place=place),
            algorithm="Slicing",
            scope="one query, range and slide up to 3, records up to 3 later than the one before; under contracts, "
            "range and slide up to 2, records up to 1 later; over the free monoid",
            not_covered="longer histories, larger queries, several queries",
        )
        for name, column, place, mutants in (
            ("panes", catalogue.PANES, "Panes", ("edges_one_late", "of_one_time_unit")),
            ("pairs", catalogue.PAIRS, "Pairs", ("no_edge_at_a_beginning", "of_one_time_unit")),
        )
    ),
)
