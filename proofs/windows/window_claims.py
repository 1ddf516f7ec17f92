"""Claims about windows, the windowing library and the Aggregate operator, with their mutants.

The arithmetic is proved for all integers (`swagproof.proofs.windows.window_arithmetic`).  The incremental form is
compared with the definition on all short streams and small windows of every kind (`swagproof.proofs.windows.streams`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from swagproof.proofs.engine.settings import settings
from swagproof.proofs.ledger.claim import GENERAL, OURS, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, mutants_of
from swagproof.proofs.windows import streams
from swagproof.proofs.windows import window_arithmetic as arithmetic
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Windowing

WRONG: Final = tuple(mutants_of("windowing-library").values())
"""Mutants of the windowing library that a stream without keys reveals."""


theorem: Final = partial(
    Claim,
    algorithm="windows",
    kind="proved",
    engine="symbolic execution, Z3",
    scope="all integers for times, range, slide and origin, every way to close the ends",
    not_covered="times that are datetimes: whole microseconds, counted by Python",
)
over_streams: Final = partial(
    Claim,
    algorithm="windows",
    kind="exhaustive",
    engine="explorer",
    code=code_of(Windowing),
    not_covered="longer streams, larger windows",
)

EXPLORED: Final = ((streams.LATE, 2, 4_805), (streams.PARTITIONED, 2, 9_610), (streams.SPACE, 2, 9_610),
                   (streams.INCREMENTAL, 3, 84_552))  # fmt: skip
DEEP: Final = ((streams.INCREMENTAL, 5, 2_117_052), (streams.LATE, 3, 24_180), (streams.PARTITIONED, 5, 1_210_860),
               (streams.SPACE, 3, 48_360))  # fmt: skip
"""Explorations of the library, with their longest streams and the expected numbers of runs; the longest comes last."""


def _explore(explorations: Sequence[tuple[streams.Explorer, int, int]], mutant: Mutant | None = None) -> Outcome:
    runs, hint = 0, settings().hint
    for number, (explorer, longest, expected) in enumerate(explorations):
        if hint is not None and hint.run != str(number):
            continue
        found = explorer.check(longest, expected, mutant)
        if found.refutation is not None:
            return replace(found, refutation=found.refutation._replace(run=str(number)))
        if found.verdict != "holds":
            return found
        runs += expected
    return Outcome("holds", f"{runs:,} runs", {"runs": runs})


def _scope(explorations: Sequence[tuple[streams.Explorer, int, int]]) -> str:
    return "; ".join(explorer.scope(longest) for explorer, longest, _ in explorations)


CLAIMS: Final[tuple[Claim, ...]] = (
    theorem(
        id="windows/ends",
        statement="The next end is the first of the ends origin + k * slide that has not passed; the next number the "
        "first of the numbers origin + k * slide, k >= 0, from the newest element on. An element that comes before a "
        "window ends is held by it just where it has not expired; what has expired is in no later window: each element "
        "leaves at most once. An element that the next window does not reach back to is in no window: where the slide "
        "exceeds the range, it need not enter.",
        source=cite(OURS) & cite(GENERAL, place="sections 2.1 to 2.3: slide, count, evict"),
        code=code_of(Windowing, "next_end", "next_number", "expired"),
        check=partial(arithmetic.prove, arithmetic.ENDS),
    ),
    theorem(
        id="windows/tumbling",
        statement="With equal range and slide, and one end closed, each element is in exactly one window; with a range "
        "of whole slides, in exactly range / slide windows.",
        source=cite(GENERAL, place="section 2.2, slide, tumbling window (erratum WIN-1)"),
        code=code_of(Windowing, "next_end"),
        check=partial(arithmetic.prove, arithmetic.TUMBLING),
        controls=(
            Control(
                "both ends closed, as section 2.1 prints it",
                partial(arithmetic.prove, arithmetic.TUMBLING_WITH_BOTH_ENDS),
            ),
        ),
    ),
    theorem(
        id="windows/cql-bounds",
        statement="tau_e is the last of the ends range + k * slide that is not after tau: the window lags by less "
        "than a slide, and begins below 0 until tau = range.",
        source=cite(GENERAL, place="section 2.1, tau_b and tau_e"),
        scope="all integers",
        code="models.windows.window: bounds",
        check=arithmetic.cql_bounds,
        controls=(
            Control("rounded up", partial(arithmetic.cql_bounds, arithmetic.bounds_rounded_up)),
            Control("the slide applied to the end", partial(arithmetic.cql_bounds, arithmetic.bounds_at_tau)),
        ),
        not_covered="",
    ),
    over_streams(
        id="windows/cql-relation",
        statement="At every time the relation of section 2.1 holds what the window of its last end held when it "
        "triggered.",
        source=cite(GENERAL, place="section 2.1, R_w"),
        scope=streams.CQL_SCOPE,
        code="models.windows.window: relation, contents",
        check=streams.cql_relation,
        controls=(
            Control("only the left end closed", partial(streams.cql_relation, closed="left")),
            Control("only the right end closed", partial(streams.cql_relation, closed="right")),
            Control("the slide aligned to 0", partial(streams.cql_relation, aligned=False)),
        ),
        not_covered="other times",
    ),
    over_streams(
        id="windows/explored",
        statement="Insert, evict and trigger show at each trigger what the definition says; nothing leaves that is "
        "not there. With keys, each key's window is what it would be on its own, with the other keys' elements telling "
        "the time. Late elements are refused, or dropped, as the definition says. No element is held that the next "
        "trigger cannot show, where the slide is a time, or a count as the range is; or that the window at its key's "
        "newest element did not hold. No key is kept with nothing to show or remember.",
        source=cite(GENERAL, place="sections 2.2, 2.3 and 5.4: events, partitions, active keys; late elements: ours"),
        code="reference.windows.windowing.Windowing, reference.windows.windowed.Aggregate",
        scope=_scope(EXPLORED),
        check=partial(_explore, EXPLORED),
        controls=WRONG,
        deep=Deep(_scope(DEEP), partial(_explore, DEEP)),
    ),
    over_streams(
        id="windows/streams",
        statement="The Aggregate operator emits what IStream, DStream and RStream make of the aggregates of the "
        "windows by definition, over every FIFO algorithm.",
        source=cite(GENERAL, place="section 2.1, IStream; CQL"),
        code=code_of(Aggregate),
        scope=streams.RESULTS.scope(2),
        check=partial(streams.RESULTS.check, 2, 1_612),
        deep=Deep(streams.RESULTS.scope(3), partial(streams.RESULTS.check, 3, 8_112)),
    ),
)
