"""Proofs about FlatFIT and SlickDeque for every window and history."""

from functools import partial
from typing import Final

from swagproof.proofs.in_order.fifo import claim
from swagproof.proofs.ledger.claim import IN_ORDER, OUT_OF_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import mutants_of
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.related_work.flat_fit_runs import FlatFitRun
from swagproof.proofs.related_work.slick_deque_runs import SlickDequeRun
from swagproof.proofs.related_work.techniques import NOT_THE_LISTING, WRONG_FIT, WRONG_SLICK
from swagproof.reference.catalogue import FLAT_FIT, SLICK_DEQUE

# SlickDeque

SLICK_ALONE: Final = mutants_of("slick-deque", "every size, for one claim")
"""Each is for one claim alone."""

_slick_deque: Final = partial(
    claim,
    SLICK_DEQUE,
    kind=SlickDequeRun,
    scope="every associative operation, window size and history; values that are equal are the same",
    not_covered=NOT_THE_LISTING,
)
_NAMED: Final = cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6")


# FlatFIT

FIT_ALONE: Final = mutants_of("flat-fit", "every size, for one claim")

_flat_fit: Final = partial(claim, FLAT_FIT, kind=FlatFitRun, not_covered=NOT_THE_LISTING)
_DESCRIBED: Final = cite(IN_ORDER, place="section 8.1")

CLAIMS: Final[tuple[Claim, ...]] = (
    history_claim(FLAT_FIT, "backwards", "moves_the_pointer", "newest_first", "in_vain", source=_DESCRIBED, lookups=5),
    history_claim(
        SLICK_DEQUE,
        "removes_one",
        "one_too_short",
        "in_vain",
        source=_NAMED,
        longest=5,
        checked=3,
        lookups=3,
        over="the maximum of non-negative ints",
    ),
    _flat_fit(
        "proved-invariants",
        "invariant",
        statement="FlatFIT keeps its buffer: the pointer of each element but the newest leads to a newer one, its "
        "partial aggregate is the product up to there, a slot of no element holds the identity; the capacity is a "
        "power of two, at most 4n or 2; also where the buffer is doubled and halved, which leaves each pointer to the "
        "element that it led to. Each access finds a slot; combine joins neighbours; look-ups end.",
        source=_DESCRIBED,
        controls=(
            *WRONG_FIT.pick(
                "a query combines backwards",
                "the newest comes first",
                "the pointer moves on, the partial aggregate does not",
                "the partial aggregate grows, the pointer stays",
                "pointers do not move with the buffer",
                "the front stays when the buffer is moved",
                "partial aggregates are copied as they lie",
                "the new buffer is filled with the first element",
                "the buffer is made four times as large",
                "the newest is not linked to",
            ),
            FIT_ALONE["in a large buffer the slot that is left keeps its element"],
        ),
    ),
    _flat_fit(
        "proved-answer",
        "answer",
        "look-ups",
        statement="Query answers the product of the window, a look-up that of the newest elements; the pointer of the "
        "oldest of these leads to the newest afterwards.",
        source=_DESCRIBED & cite(OUT_OF_ORDER, place="section 6"),
        controls=WRONG_FIT.pick("the newest comes first", "a query keeps nothing"),
    ),
    _flat_fit(
        "proved-calls",
        "calls",
        "calls in loops",
        statement="Insert and evict do not invoke combine, a look-up of m elements at most m - 1 times, a query n - 1.",
        source=_DESCRIBED,
        controls=WRONG_FIT.pick(
            "insert combines in vain", "evict combines in vain", "query combines in vain", "a look-up combines in vain"
        ),
    ),
    _flat_fit(
        "proved-space",
        "space",
        statement="At most 4n partial aggregates are kept, or 2.",
        source=_DESCRIBED,
        controls=WRONG_FIT.pick("the buffer is never halved"),
    ),
    _flat_fit(
        "proved-refused",
        "empty",
        statement="Refused, with nothing changed: evict of an empty window; a look-up of fewer elements than none or "
        "of more than there are.",
        source=cite(IN_ORDER, place="silent; decided here"),
        controls=(
            FIT_ALONE["evict does not look whether the window is empty"],
            FIT_ALONE["fewer elements than none can be looked up"],
        ),
        operations=("start", "evict when empty", "lookup refused"),
    ),
    _slick_deque(
        "proved-invariants",
        "invariant",
        statement="SlickDeque keeps its candidates: each is the product of every suffix that begins behind the one "
        "before it, up to itself, and another than that one; the newest element is one; their places rise: for an "
        "operator that does not choose, as far as it is not refused. The form for invertible operators is "
        "Subtract-on-Evict, whose rows prove it.",
        source=_NAMED,
        controls=WRONG_SLICK.pick(
            "at most one candidate is removed",
            "the operands are swapped",
            "only the newest is a candidate",
            "an equal value leaves the one before it",
            "evict leaves the oldest candidate",
            "evict takes a candidate each time",
        ),
    ),
    _slick_deque(
        "proved-answer",
        "answer",
        "look-ups",
        statement="Query answers the product of the window, a look-up that of the newest elements, whether the "
        "operator commutes or not; neither changes anything.",
        source=_NAMED,
        controls=WRONG_SLICK.pick("a look-up is one too short"),
    ),
    _slick_deque(
        "proved-calls",
        "calls",
        "calls in loops",
        statement="Insert invokes combine at most n times, evict, query and look-ups never.",
        source=_NAMED,
        controls=WRONG_SLICK.pick(
            "insert combines in vain", "evict combines in vain", "query combines in vain", "a look-up combines in vain"
        ),
    ),
    _slick_deque(
        "proved-amortised",
        "account",
        "calls in loops",
        statement="All inserts together invoke combine at most twice an insert: with each billed two coins and evicts "
        "none, a coin lies on each candidate. An insert that is refused is not billed.",
        source=_NAMED,
        controls=WRONG_SLICK.pick("insert combines in vain from the third element on", "evict combines in vain"),
    ),
    _slick_deque(
        "proved-space",
        "space",
        statement="There are at most n candidates.",
        source=_NAMED,
        controls=WRONG_SLICK.pick("evict leaves the oldest candidate"),
    ),
    _slick_deque(
        "proved-refused",
        "empty",
        statement="Refused, with nothing changed: evict of an empty window; a look-up of fewer elements than none or "
        "of more than there are; an insert, where the operator answers neither of two values, and in no other case.",
        source=cite(IN_ORDER, place="silent; decided here"),
        controls=(
            *WRONG_SLICK.pick("an older candidate that loses stays"),
            SLICK_ALONE["evict does not look whether the window is empty"],
            SLICK_ALONE["an insert that is refused has taken a candidate"],
            SLICK_ALONE["more elements than there are can be looked up"],
        ),
        operations=("start", "insert", "evict when empty", "lookup refused"),
    ),
)
