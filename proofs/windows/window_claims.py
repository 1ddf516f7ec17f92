"""Claims about windows, the windowing library and the Aggregate operator, with their mutants.

The arithmetic is proved for all integers (`swagproof.proofs.windows.window_arithmetic`).  The incremental form is
compared with the definition on all short streams and small windows of every kind (`swagproof.proofs.windows.streams`).
"""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import GENERAL, OURS, Claim, Control, Deep, cite, code_of
from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.proofs.windows import streams
from swagproof.proofs.windows import window_arithmetic as arithmetic
from swagproof.reference.catalogue import AGGREGATE, WINDOWING
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Windowing

WRONG_WINDOWING: Final = WrongVariants(WINDOWING)
"""Mutants of the windowing library that a stream without keys reveals."""
WRONG_WINDOWING.read(
    r"""
    windows in time are one instant short at the left edge
        expired: else horizon - mark > span -> else horizon - mark >= span
    the left edge is open where it is closed
        expired: == "right" -> != "right"
    windows by count hold one element too many
        expired: horizon - mark >= n -> horizon - mark > n
    windows by delta leave out what is exactly as far as the delta
        expired: return bool(horizon - mark > span) -> return bool(horizon - mark >= span)
    the next end is rounded down
        next_end: (time - origin) // slide + 1 -> (time - origin) // slide
    the next end is a floor where it is a ceiling
        next_end: origin - (origin - time) // slide * slide -> origin + (time - origin) // slide * slide
    the slide is aligned to 0 and not to the origin
        next_end: self.window.origin_for(time) -> 0
    the slide is counted from each element
        next_end: ((time - origin) // slide + 1) * slide -> time - origin + slide
    the next end is one slide late
        next_end: // slide * slide -> // slide * slide + slide
        next_end: // slide + 1) -> // slide + 2)
    a slide by count triggers one element late
        next_number: (origin - number) % slide -> (origin - number + 1) % slide
    idle keys are not released
        advance: elif deadline is not None and deadline < time: -> elif False:
    idle keys are released one instant early
        advance: deadline < time -> deadline <= time
    elements between windows enter
        arrive: if not self.expired(mark, horizon): -> if True:
    a window slides before it is shown
        finish: yield from self.trigger(
         -> yield from self.evict(key, partition, following)\n        yield from self.trigger(
    an empty window triggers again and again
        trigger: if size or partition.shown: -> if True:
    a window that has come to be empty does not trigger
        trigger: if size or partition.shown: -> if size:
    a punctuation does not end the window
        punctuate: if isinstance(self.window.range, Punctuated): -> if False:
    """
)
LATE_ADMITTED = wrong("late elements are admitted", ("steps", "if window.is_late(time, self.clock):", "if False:"))
LEAK = wrong("partitions leak", ("arrive", "event.key, self.clock", "None, self.clock"))
HOARDS = wrong(
    "a tumbling window by count keeps its elements until the next one arrives",
    ("arrive", "yield from self.evict(key, partition, partition.number + window.slide.n)", "pass"),
    hidden="only the space changes",
)
KEYS_KEPT = wrong(
    "keys are kept for ever",
    ("release_if_forgettable", "if not partition.held", "if False and not partition.held"),
    hidden="only the space changes",
)
FALSY_VALUE = wrong(
    "a falsy value does not enter",
    ("arrive", "if not self.expired(mark, horizon):", "if event.value and not self.expired(mark, horizon):"),
)
FALSY_LIFTED = wrong(
    "a falsy aggregate is none",
    (
        "show",
        "aggregate: Any = group.window.query() if trigger.size else None",
        "aggregate: Any = (trigger.size and group.window.query()) or None",
    ),
)


WRONG_OPERATOR: Final = WrongVariants(AGGREGATE)
"""Mutants of the Aggregate operator that its results reveal."""
WRONG_OPERATOR.read(
    r"""
    IStream emits unchanged results
        show: (changed or self.stream == "rstream") -> True
    an empty window has a result
        show:  if trigger.size else _NO_ROW ->
    DStream emits the new result
        show: yield Result(key, trigger, before) -> yield Result(key, trigger, group.row)
    IStream compares with a result that is gone
        show: group.row =\s -> group.row = before if not trigger.size else\s
    """
)
GROUPS_KEPT = wrong(
    "the aggregates of released keys are kept",
    ("feed", "self.groups.pop(key, None)", "pass"),
    hidden="only the space changes",
)


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
        controls=(*WRONG_WINDOWING, FALSY_VALUE),
        deep=Deep(streams.INCREMENTAL.scope(5), partial(streams.INCREMENTAL.check, 5, 2_117_052)),
    ),
    over_streams(
        id="windows/late",
        statement="Late elements are refused, or dropped, as the definition says.",
        source=cite(OURS, place="decided here"),
        scope=streams.LATE.scope(2),
        check=partial(streams.LATE.check, 2, 4_805),
        controls=(LATE_ADMITTED,),
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
            LEAK,
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
        controls=(HOARDS, KEYS_KEPT, GROUPS_KEPT, WRONG_WINDOWING.get("idle keys are not released")),
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
        controls=(*WRONG_OPERATOR, FALSY_LIFTED),
        deep=Deep(streams.RESULTS.scope(3), partial(streams.RESULTS.check, 3, 8_112)),
    ),
)
