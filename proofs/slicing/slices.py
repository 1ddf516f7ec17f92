"""Claims about panes, pairs and slices at window starts, and the mutants that the checks must reject.

Their arithmetic is proved for every range, slide and time (swagproof.proofs.slicing.arithmetic).  The operator's own
code is proved for any queries over any stream in order (swagproof.proofs.slicing.slice_runs,
swagproof.proofs.slicing.edge_runs), and explored over streams of any length (swagproof.proofs.slicing.queries).
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import lcm
from typing import Any, Final

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.walk import refute, search
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, class_of, mutants_of
from swagproof.proofs.ledger.theorem import ENGINE, runs_of_class
from swagproof.proofs.slicing import edge_runs, slice_runs
from swagproof.proofs.slicing.arithmetic import THEOREMS, functions_of, proved
from swagproof.proofs.slicing.queries import exploration, spaces
from swagproof.reference.catalogue import PAIRS, PANES, STARTS, Column
from swagproof.reference.slicing import pairs, panes
from swagproof.reference.slicing import slices as slicing

Query = tuple[int, int]

WRONG_PANES: Final = Mutants(PANES, table="slicing-panes")
WRONG_PAIRS: Final = Mutants(PAIRS, table="slicing-pairs")
WRONG_STARTS: Final = Mutants(STARTS, table="slicing-starts")
UNSEEN: Final = tuple(mutants_of("slicing", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""
WRONG: Final[dict[Column, Sequence[Mutant]]] = {
    PANES: WRONG_PANES,
    PAIRS: WRONG_PAIRS,
    STARTS: (*WRONG_STARTS, *UNSEEN),
}

# Enumerations: the alternating lengths, and the numbers of slices that queries share


def alternates(largest: int, mutant: Mutant | None = None) -> Outcome:
    """Check that the alternating lengths are the distances of the edges, from the beginning of a window on."""
    module = pairs if mutant is None else mutant.rewrite(pairs)
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
    """Check that slices of one length greater than the panes' cut a window."""
    cases = 0
    for range_, slide in itertools.product(range(1, largest + 1), repeat=2):
        for longer in range(length(range_, slide) + 1, range_ + slide + 1):
            ends = (slicing.window_begin(1, slide), slicing.window_end(0, range_, slide))
            if all(panes.pane_edge(end, longer) == end for end in ends):
                return Outcome("fails", f"range {range_}, slide {slide}: slices of {longer} cut no window")
            cases += 1
    return Outcome("holds", f"{cases} lengths, of {largest**2} queries")


def edges_seen(column: Column, queries: Sequence[Query]) -> list[int]:
    """Return the edges in one period, by calling the operator at every time."""
    sliced = column.algorithm(CONCATENATION, queries)
    return [t for t in range(lcm(*(slide for _, slide in queries))) if sliced.edge(t) == t]


def shared_counts(sets: Iterable[tuple[Query, ...]], mutant: Mutant | None = None) -> Outcome:
    """Check that window starts are among the edges of shared pairs, and these among the edges of shared panes."""
    module = pairs if mutant is None else mutant.rewrite(pairs)
    number = fewer = 0
    for queries in sets:
        number += 1
        starts, of_pairs, of_panes = (set(edges_seen(column, queries)) for column in (STARTS, PAIRS, PANES))
        if not starts <= of_pairs <= of_panes:
            return Outcome("fails", f"{queries}: edges {starts}, {of_pairs}, {of_panes}")
        lengths = module.shared_slices(queries)
        if sorted(of_pairs) != [0, *itertools.accumulate(lengths)][:-1]:
            return Outcome("fails", f"{queries}: shared_slices gives {lengths}, the edges are {sorted(of_pairs)}")
        fewer += len(of_pairs) < len(of_panes)
    return Outcome("holds", f"{number} sets of queries; in {fewer} of them pairs are strictly fewer than panes")


def _sets() -> Iterator[tuple[Query, ...]]:
    yield from itertools.combinations(itertools.product(range(1, 9), repeat=2), 2)
    yield from itertools.combinations(itertools.product(range(1, 5), repeat=2), 3)


# Explorations

FEW: Final = (4, 2)
MANY: Final = (6, 4)
"""The greatest range and slide of one query, and of two together: FEW by default, MANY with --deep."""


def explored_scope(alone: int, together: int) -> str:
    """Return the scope of an exploration, as text."""
    queries = f"every query with range and slide up to {alone}, every two with both up to {together}"
    streams = "every stream in order, of any length, anywhere in time"
    return f"{queries}; {streams}; control flow looks at no value, so every monoid"


SEARCHED: Final = (5, 3)
"""The bound within which mutants are searched for."""


def refuted(column: Column, mutant: Mutant) -> str | None:
    """Return the explorer's finding, with the shortest stream."""
    return refute(*spaces(column, SEARCHED, mutant))


def _reject(mutant: Mutant) -> Outcome:
    column = next(column for column, wrong in WRONG.items() if mutant in wrong)
    return search(*spaces(column, SEARCHED, mutant))


# Theorems about any queries


def _techniques(mutant: Mutant | None) -> edge_runs.Techniques:
    """Return the three techniques; for a mutant, with the one that it changes."""
    made = functions_of(mutant)
    return {"starts": made.slicing.Sliced, "panes": made.panes.Panes, "pairs": made.pairs.Pairs}


EDGES: Final = runs_of_class(made=_techniques, runs=edge_runs.RUNS).theorem()
SLICES: Final = runs_of_class(
    made=partial(class_of, STARTS), runs=slice_runs.RUNS, run_with={"require_periodic": ("start",)}
).theorem()

SCOPE: Final = "any number of queries of any range and slide; every stream in order, of any length; every monoid"
BY_CONTRACT: Final = (
    "the arithmetic of one query, by slicing/windows, slicing/panes, slicing/pairs, slicing/starts; other queries than "
    "the hundred that __init__ is run with"
)


def theorem(id: str, **said: Any) -> Claim:
    """Return the claim that the statements of this id hold for all numbers."""
    return Claim(
        id=id,
        algorithm="Slicing",
        kind="proved",
        engine=ENGINE,
        scope="every range and slide of at least 1, every time, every window",
        check=partial(proved, THEOREMS[id]),
        **said,
    )


enumeration: Final = partial(
    Claim, algorithm="Slicing", kind="exhaustive", engine="enumeration", not_covered="larger ranges and slides"
)
"""A claim about all ranges and slides up to a bound."""


CLAIMS: Final[tuple[Claim, ...]] = (
    EDGES.claim(
        id="slicing/edges",
        statement="For many queries too the slices of each technique are a partition of time, edge(t) the latest edge "
        "at or before t; there is an edge wherever a window of any query begins, and with panes and pairs wherever one "
        "ends. Techniques differ in edge_of: how records are taken and windows answered is the same code for all.",
        source=cite(STREAM_WINDOWS, place="Pairs: multi-query sharing"),
        code=f"{code_of(slicing.Sliced, 'edge')}; edge_of of Sliced, Panes, Pairs",
        algorithm="Slicing",
        scope=SCOPE,
        not_covered=f"{BY_CONTRACT}; that Panes.__init__ makes its length a divisor of every range and slide, which "
        "rests on math.gcd",
    ),
    SLICES.claim(
        id="slicing/proved",
        statement="Whatever record or time comes next, each slice kept is the product of the records since its edge up "
        "to the next slice kept, no edge lies between its records, every record of an open window is in one, and none "
        "lies before all open windows; what comes late is refused, and changes nothing. Each window with records is "
        "answered once, when time comes to its end, by the product of its records in their order; nothing else is "
        "answered, and answers come by their ends, then by their queries. A record takes at most 1 combine call, and a "
        "window of s slices s - 1.",
        source=cite(STREAM_WINDOWS, place="Window Slicing"),
        algorithm="Slicing",
        scope=SCOPE,
        code=code_of(slicing.Sliced, "insert", "advance", "assemble", "release"),
        not_covered=BY_CONTRACT,
    ),
    theorem(
        "slicing/windows",
        statement="Which windows have begun at a time, which have ended, and whether any holds it, is what the "
        "definition says. Where the slide is the range, each record is in one window; a window and the next overlap by "
        "range - slide.",
        source=cite(
            STREAM_WINDOWS,
            place="Overview: range and slide, tumbling windows; the overlap as corrected (erratum SLICE-3)",
        ),
        code=code_of(slicing, "last_begun", "last_over", "is_covered", "window_begin", "window_end"),
    ),
    theorem(
        "slicing/panes",
        statement="Panes partition the stream; every window is a union of whole panes; so many a slide and a window, "
        "numbered without gaps: slide / g and range / g, for g any common divisor.",
        source=cite(STREAM_WINDOWS, place="Panes"),
        code=code_of(panes, "pane_edge", "pane_number", "panes_per"),
        not_covered="that math.gcd is a common divisor, and the greatest: Python's promise",
    ),
    theorem(
        "slicing/pairs",
        statement="Pairs partition the stream, from where a window begins into slices of p2 and p1 in turn, without "
        "those of 0; every window is a union of whole slices; 2 a slide and 2 (range div slide) + 1 a window, numbered "
        "without gaps; 1 and range / slide where the slide divides the range.",
        source=cite(STREAM_WINDOWS, place="Pairs, as read (readings SLICE-5 and SLICE-6)"),
        code=code_of(pairs, "p1", "p2", "pair_edge", "pair_number", "pairs_per_slide", "pairs_per_window"),
    ),
    theorem(
        "slicing/starts",
        statement="Slices at window starts alone partition the stream, and none reaches into a window from before it; "
        "1 a slide, and ceil(range / slide) have begun in a window when it ends.",
        source=cite(STREAM_WINDOWS, place="Deterministic Windows"),
        code=code_of(slicing, "start_edge", "last_begun", "starts_per_window"),
    ),
    theorem(
        "slicing/fewest",
        statement="Pairs never need more slices than panes, and slices at window starts alone never more than pairs: "
        "a slide and a window.",
        source=cite(
            STREAM_WINDOWS,
            "Figure 4",
            place="Pairs",
            compared="stronger: every range and slide, where the figure shows one",
        ),
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
    ),
    enumeration(
        id="slicing/shared",
        statement="For many queries, too: every edge at a window's start is one of shared pairs, and every one of "
        "these is one of shared panes; the shared sequence can be decided beforehand.",
        source=cite(STREAM_WINDOWS, place="Pairs: multi-query sharing"),
        scope="two queries with range and slide up to 8, three with both up to 4; every time of one period",
        code="reference.slicing.pairs: shared_slices, Pairs.edge; reference.slicing.panes: Panes.edge",
        check=lambda mutant=None: shared_counts(_sets(), mutant),
        not_covered="more queries, larger ranges and slides",
    ),
    Claim(
        id="slicing/explored",
        statement="Panes, pairs and slices at window starts: each window's answer is its ordered product, and is given "
        "when the window is over; slices hold what they should, none is kept longer than needed; at most 1 combine "
        "call a record, s - 1 a window of s slices.",
        source=cite(STREAM_WINDOWS, place="Panes; Pairs; Deterministic Windows"),
        algorithm="Slicing",
        kind="exhaustive",
        engine="explorer",
        scope=explored_scope(*FEW),
        code="reference.slicing: panes.Panes, pairs.Pairs, slices.Sliced",
        check=partial(exploration, tuple(WRONG), FEW, (309, 1780)),
        deep=Deep(explored_scope(*MANY), partial(exploration, tuple(WRONG), MANY, (6204, 47587))),
        controls=tuple(itertools.chain(*WRONG.values())),
        reject=_reject,
        not_covered="three queries and more; steps in time beyond range + slide, which leave no window open",
    ),
)
