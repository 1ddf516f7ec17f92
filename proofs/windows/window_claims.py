"""Claims about windows, the windowing library and the Aggregate operator, with their mutants.

The arithmetic is proved for all integers (`swagproof.proofs.windows.window_arithmetic`).  The incremental form is
compared with the definition on all short streams and small windows of every kind (`swagproof.proofs.windows.streams`).
"""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import GENERAL, OURS, Claim, Control, Deep, cite, code_of
from swagproof.proofs.ledger.variants import WrongVariants, mutants_of
from swagproof.proofs.windows import streams
from swagproof.proofs.windows import window_arithmetic as arithmetic
from swagproof.reference.catalogue import AGGREGATE, WINDOWING
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Windowing

WRONG_WINDOWING: Final = WrongVariants(WINDOWING, table="windowing-library")
"""Mutants of the windowing library that a stream without keys reveals."""
ALONE: Final = mutants_of("aggregate-operator", "for one claim")
"""Each is for one claim alone."""


WRONG_OPERATOR: Final = WrongVariants(AGGREGATE, table="aggregate-operator")
"""Mutants of the Aggregate operator that its results reveal."""


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

CLAIMS: Final[tuple[Claim, ...]] = (
    theorem(
        id="windows/next-end",
        statement="The next end is the first of the ends origin + k * slide that has not passed.",
        source=cite(OURS) & cite(GENERAL, place="section 2.1, the slide"),
        code=code_of(Windowing, "next_end"),
        check=arithmetic.next_end,
        controls=WRONG_WINDOWING.pick(
            "the next end is rounded down",
            "the next end is a floor where it is a ceiling",
            "the slide is counted from each element",
        ),
    ),
    theorem(
        id="windows/next-number",
        statement="The next number is the first of the numbers origin + k * slide, k >= 0, from the newest element on.",
        source=cite(OURS) & cite(GENERAL, place="section 2.2, count"),
        code=code_of(Windowing, "next_number"),
        check=arithmetic.next_number,
        controls=WRONG_WINDOWING.pick("a slide by count triggers one element late"),
    ),
    theorem(
        id="windows/expired",
        statement="An element that comes before a window ends is held by it just where it has not expired; what has "
        "expired is in no later window: each element leaves at most once.",
        source=cite(OURS) & cite(GENERAL, place="section 2.3, evict"),
        code=code_of(Windowing, "expired"),
        check=arithmetic.expired,
        controls=WRONG_WINDOWING.pick(
            "windows in time are one instant short at the left edge", "the left edge is open where it is closed"
        ),
    ),
    theorem(
        id="windows/skipped",
        statement="An element that the next window does not reach back to is in no window: where the slide exceeds "
        "the range, it need not enter.",
        source=cite(OURS) & cite(GENERAL, place="section 2.2, slide"),
        code=code_of(Windowing, "next_end", "expired"),
        check=arithmetic.skipped,
        controls=WRONG_WINDOWING.pick(
            "windows in time are one instant short at the left edge", "the slide is counted from each element"
        ),
    ),
    theorem(
        id="windows/tumbling",
        statement="With equal range and slide, and one end closed, each element is in exactly one window.",
        source=cite(GENERAL, place="section 2.2, tumbling window (erratum WIN-1)"),
        code=code_of(Windowing, "next_end"),
        check=arithmetic.tumbling,
        controls=(
            *WRONG_WINDOWING.pick("the next end is rounded down", "the next end is one slide late"),
            Control("both ends closed, as section 2.1 prints it", arithmetic.tumbling_with_both_ends),
        ),
    ),
    theorem(
        id="windows/overlapping",
        statement="With one end closed, and a range of whole slides, each element is in exactly range / slide windows.",
        source=cite(OURS) & cite(GENERAL, place="section 2.2, slide"),
        code=code_of(Windowing, "next_end"),
        check=arithmetic.overlapping,
        controls=WRONG_WINDOWING.pick("the next end is rounded down", "the next end is one slide late"),
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
        id="windows/incremental",
        statement="Insert, evict and trigger show at each trigger what the definition says; nothing leaves that is "
        "not there.",
        source=cite(GENERAL, place="section 2.3, three kinds of events"),
        scope=streams.INCREMENTAL.scope(3),
        check=partial(streams.INCREMENTAL.check, 3, 84_552),
        controls=(*WRONG_WINDOWING, ALONE["a falsy value does not enter"]),
        deep=Deep(streams.INCREMENTAL.scope(5), partial(streams.INCREMENTAL.check, 5, 2_117_052)),
    ),
    over_streams(
        id="windows/late",
        statement="Late elements are refused, or dropped, as the definition says.",
        source=cite(OURS, place="decided here"),
        scope=streams.LATE.scope(2),
        check=partial(streams.LATE.check, 2, 4_805),
        controls=(ALONE["late elements are admitted"],),
        deep=Deep(streams.LATE.scope(3), partial(streams.LATE.check, 3, 24_180)),
    ),
    over_streams(
        id="windows/partitioned",
        statement="With keys, each key's window is what it would be on its own, with the other keys' elements telling "
        "the time.",
        source=cite(GENERAL, place="section 2.2 and 5.4, partitions"),
        scope=streams.PARTITIONED.scope(2),
        check=partial(streams.PARTITIONED.check, 2, 9_610),
        controls=(
            ALONE["partitions leak"],
            *WRONG_WINDOWING.pick("idle keys are not released", "idle keys are released one instant early"),
        ),
        deep=Deep(streams.PARTITIONED.scope(5), partial(streams.PARTITIONED.check, 5, 1_210_860)),
    ),
    over_streams(
        id="windows/space",
        statement="No element is held that the next trigger cannot show, where the slide is a time, or a count as the "
        "range is; or that the window at its key's newest element did not hold. No key is kept with nothing to show "
        "or remember.",
        source=cite(GENERAL, place="section 2.2 and 5.4, active keys"),
        code="reference.windows.windowing.Windowing, reference.windows.windowed.Aggregate",
        scope=streams.SPACE.scope(2),
        check=partial(streams.SPACE.check, 2, 9_610),
        controls=(
            ALONE["a tumbling window by count keeps its elements until the next one arrives"],
            ALONE["keys are kept for ever"],
            ALONE["the aggregates of released keys are kept"],
            WRONG_WINDOWING.get("idle keys are not released"),
        ),
        deep=Deep(streams.SPACE.scope(3), partial(streams.SPACE.check, 3, 48_360)),
    ),
    over_streams(
        id="windows/streams",
        statement="The Aggregate operator emits what IStream, DStream and RStream make of the aggregates of the "
        "windows by definition, over every FIFO algorithm.",
        source=cite(GENERAL, place="section 2.1, IStream; CQL"),
        code=code_of(Aggregate),
        scope=streams.RESULTS.scope(2),
        check=partial(streams.RESULTS.check, 2, 1_612),
        controls=(*WRONG_OPERATOR, ALONE["a falsy aggregate is none"]),
        deep=Deep(streams.RESULTS.scope(3), partial(streams.RESULTS.check, 3, 8_112)),
    ),
)
