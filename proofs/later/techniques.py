"""What is claimed of techniques that the papers name and do not print: FlatFIT, SlickDeque, stream slicing over FiBA.

The papers that introduced them are not among those transcribed here.  What is claimed is what these papers say of them,
of references that follow these descriptions; each row says so.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.models.operations import CONCATENATION, FIRST, MAX
from swagproof.proofs.explorer.histories import histories, in_words
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.walk import Counts, find, judge
from swagproof.proofs.later.technique_states import (
    LETTERS_SORTED,
    QUERIES,
    explore_flat_fit,
    explore_slick_deque,
    explore_stream_slicing,
    stream_words,
)
from swagproof.proofs.ledger.claim import IN_ORDER, OUT_OF_ORDER, Claim, Control, Outcome, code_of
from swagproof.proofs.ledger.variants import Variant, contract_violated_by, wrong
from swagproof.proofs.ledger.written import rewritten
from swagproof.reference.later import flat_fit, slick_deque, stream_slicing

NOT_TRANSCRIBED: Final[dict[str, str]] = {
    "AMTA": "The 2021 paper (section 8.1) gives its complexity and says that its tree is optimised for FIFO insert and "
    "evict, not what the tree is.",
    "Hammer Slide": "The 2021 paper (section 8.1) says that it starts from Two-Stacks and keeps n + 1 partial "
    "aggregates; "
    "what it takes from it is Two-Stacks Lite, which is transcribed.",
    "SlideSide": "The 2021 paper (section 8.3 and its bibliography, where it is spelt SlideSlide) says that it is for "
    "windows of fixed sizes, and no more.",
    "TriWeave": "The 2018 encyclopaedia article says that it tunes plans by run-time metrics: a planner, no "
    "aggregator.",
    "ADWIN": "The same article names it as what lies beyond deterministic windows: it drops from its "
    "window by the values.",
    "Scotty's planner": "Which slices keep their records, and which store is taken, is decided by trees that the 2021 "
    "paper mentions (section 8.2) and does not show; `commutative` is what is left of it here.",
}
"""Techniques that the papers name, and why there is no reference of them: a guess would not be theirs."""

NOT_THE_LISTING: Final = "what the paper that introduced it says: no listing of it is transcribed here"

BILL: Final = {"insert": 1, "evict": 0, "query": 3, "lookup": 3}
"""What FlatFIT's operations are billed in combine calls."""

# FlatFIT

FIT_SWAPPED = wrong(
    "a query combines backwards",
    ("FlatFit.lookup", "combine(self.partials[current], product)", "combine(product, self.partials[current])"),
)
FIT_BACK_FIRST = wrong(
    "the newest comes first",
    ("FlatFit.lookup", "combine(product, self.partials[back])", "combine(self.partials[back], product)"),
)
FIT_PARTIAL_KEPT = wrong(
    "the pointer moves on, the partial aggregate does not",
    ("FlatFit.lookup", "self.partials[current] = product", "self.partials[current] = self.partials[current]"),
)
FIT_POINTER_KEPT = wrong(
    "the partial aggregate grows, the pointer stays",
    ("FlatFit.lookup", "self.pointers[current] = back", "self.pointers[current] = self.pointers[current]"),
)
FIT_NOTHING_KEPT = wrong(
    "a query keeps nothing",
    ("FlatFit.lookup", "self.partials[current] = product", "self.partials[current] = self.partials[current]"),
    ("FlatFit.lookup", "self.pointers[current] = back", "self.pointers[current] = self.pointers[current]"),
    hidden="only the number of combine calls changes",
)
FIT_RESIZE = wrong(
    "pointers do not move with the buffer",
    ("FlatFit.resize", "(self.pointers[self.slot(i)] - self.front)", "(self.pointers[self.slot(i)])"),
)
FIT_NO_LINK = wrong("the newest is not linked to", ("FlatFit.insert", "if self.size > 0:", "if self.size > 1:"))
FIT_NEVER_SHRINKS = wrong(
    "the buffer is never halved",
    ("FlatFit.evict", "if 4 * self.size < self.capacity and", "if False and"),
    hidden="only the space changes",
)

# SlickDeque

SLICK_STRICT = wrong(
    "an older candidate that loses stays",
    ("SlickDeque.insert", "if chosen != v:", "if True:"),
)
SLICK_ONE_REMOVED = wrong(
    "at most one candidate is removed", ("SlickDeque.insert", "kept = kept - 1", "kept = kept - 1\n            break")
)
SLICK_SWAPPED = wrong(
    "the operands are swapped", ("SlickDeque.insert", "self.monoid.combine(last, v)", "self.monoid.combine(v, last)")
)
SLICK_ALL = wrong(
    "only the newest is a candidate", ("SlickDeque.insert", "len(self.candidates) > kept", "len(self.candidates) > 0")
)
SLICK_STALE = wrong(
    "evict leaves the oldest candidate", ("SlickDeque.evict", "self.candidates[0].position == self.oldest", "False")
)
SLICK_EAGER = wrong(
    "evict takes a candidate each time", ("SlickDeque.evict", "self.candidates[0].position == self.oldest", "True")
)
SLICK_LATE = wrong("a look-up is one too short", ("SlickDeque.lookup", ">= self.oldest", "> self.oldest"))

# Stream slicing

SLICING_NO_FUSE = wrong("slices are never fused", ("StreamSlicing.insert", "if before and after:", "if False:"))
SLICING_GAP_TOUCHES = wrong(
    "a gap of just `gap` goes on", ("StreamSlicing.are_together", "later - t < min", "later - t <= min")
)
SLICING_NO_CELLS = wrong(
    "slices reach over edges", ("StreamSlicing.are_together", "self.cell(t) == self.cell(later) and ", "")
)
SLICING_KEY_STAYS = wrong(
    "an earlier first record does not move the slice",
    ("StreamSlicing.extend", "self.begins[i] = t", "self.begins[i] = self.begins[i]"),
)
SLICING_FUSE_LOSES = wrong(
    "fusing loses the later slice",
    ("StreamSlicing.fuse", "self.store.insert(self.begins[i], self.take(i + 1))", "self.take(i + 1)"),
)
SLICING_LAST_STAYS = wrong(
    "the last record's time is not kept", ("StreamSlicing.insert", "max(self.lasts[i], t)", "self.lasts[i]")
)
SLICING_RELEASES_OPEN = wrong(
    "slices of open sessions are forgotten",
    ("StreamSlicing.advance", "oldest = min(oldest, begin)", "oldest = min(oldest, last)"),
)
SLICING_TWICE = wrong(
    "sessions that are over are told again",
    ("StreamSlicing.advance", "elif self.watermark is None or last + gap > self.watermark:", "else:"),
)
SLICING_COARSE = wrong(
    "records of several times share a slice where the operator does not commute",
    ("StreamSlicing.are_together", "return t == later", "return self.cell(t) == self.cell(later)"),
)

WRONG: Final[dict[str, tuple[Variant, ...]]] = {
    "FlatFIT": (
        FIT_SWAPPED,
        FIT_BACK_FIRST,
        FIT_PARTIAL_KEPT,
        FIT_POINTER_KEPT,
        FIT_NOTHING_KEPT,
        FIT_RESIZE,
        FIT_NO_LINK,
        FIT_NEVER_SHRINKS,
    ),
    "SlickDeque": (SLICK_STRICT, SLICK_ONE_REMOVED, SLICK_SWAPPED, SLICK_ALL, SLICK_STALE, SLICK_EAGER, SLICK_LATE),
    "Stream slicing": (
        SLICING_NO_FUSE,
        SLICING_NO_CELLS,
        SLICING_GAP_TOUCHES,
        SLICING_KEY_STAYS,
        SLICING_FUSE_LOSES,
        SLICING_LAST_STAYS,
        SLICING_RELEASES_OPEN,
        SLICING_TWICE,
        SLICING_COARSE,
    ),
}
"""Each is killed by the explorer, and by a contract."""


_SUBJECTS: Final[dict[str, tuple[Any, str]]] = {
    "FlatFIT": (flat_fit, "FlatFit"),
    "SlickDeque": (slick_deque, "SlickDeque"),
    "Stream slicing": (stream_slicing, "StreamSlicing"),
}


def wrong_class(technique: str, variant: Variant | None, checked: bool = False) -> Any:
    """The class of a technique, with the mistake, where there is one; on request under its contracts."""
    module, name = _SUBJECTS[technique]
    return getattr(module if variant is None else rewritten(module, variant), f"Checked{name}" if checked else name)


def _both_kinds(made: Any, longest: int) -> Counts:
    kinds = [explore_stream_slicing(made, longest, 4, commutative) for commutative in (True, False)]
    return kinds[0].add(kinds[1])


EXPLORERS: Final[dict[str, Callable[[Variant | None], Counts]]] = {
    "FlatFIT": lambda variant: explore_flat_fit(wrong_class("FlatFIT", variant), 5, BILL),
    "SlickDeque": lambda variant: explore_slick_deque(wrong_class("SlickDeque", variant), 3),
    "Stream slicing": lambda variant: _both_kinds(wrong_class("Stream slicing", variant), 3),
}
"""How far a wrong variant is looked for."""


def refuted(technique: str, variant: Variant) -> str | None:
    """What the explorer finds, with the shortest steps."""
    outcome = _reject(technique, variant)
    return outcome.detail if outcome.verdict == "fails" else None


def _reject(technique: str, variant: Variant) -> Outcome:
    return judge(find(lambda: EXPLORERS[technique](variant)), (0, 0))


def violated_contract(technique: str, variant: Variant) -> str | None:
    """The contract that a short history violates, to be run with full contracts; or what the mistake makes it raise."""
    made = wrong_class(technique, variant, checked=True)
    for name, run in _short_runs(technique):
        violated = contract_violated_by(partial(run, made))
        if violated:
            return f"{violated} after {name}"
    return None


def _short_runs(technique: str) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Short histories of a technique, in words, and how to play each on a class."""
    if technique == "Stream slicing":
        for stream in stream_words(3, 3):
            for (periodic, sessions), commutative in itertools.product(QUERIES, (True, False)):
                said = ", ".join(f"{kind} {t}" for kind, t in stream)
                yield said, partial(_play_stream, stream, periodic, sessions, commutative)
        return
    operations, values = (
        ((CONCATENATION,), LETTERS) if technique == "FlatFIT" else ((MAX, FIRST), (1, 3, 2, 3, 1, 0, 2, 1))
    )
    for word, operation in itertools.product(histories(8), operations):
        yield in_words(word), partial(_play_fifo, word, operation, values)


def _play_stream(word: Any, periodic: Any, sessions: Any, commutative: bool, made: Any) -> None:
    slicing = made(LETTERS_SORTED if commutative else CONCATENATION, periodic, sessions, commutative=commutative)
    for (kind, t), letter in zip(word, LETTERS, strict=False):
        slicing.insert(t, letter) if kind == "record" else slicing.advance(t)


def _play_fifo(word: Any, operation: Any, values: Any, made: Any) -> None:
    window, elements = made(operation), iter(values)
    for step in word:
        window.insert(next(elements)) if step == "insert" else window.evict()
        window.query()
        window.lookup(window.size // 2)


exploration: Final = partial(Claim, kind="exhaustive", engine="explorer", not_covered=NOT_THE_LISTING)

CLAIMS: Final[tuple[Claim, ...]] = (
    exploration(
        id="flat-fit/explored",
        statement="FlatFIT answers the product of the window, and of the newest elements for windows that share it; a "
        "query invokes combine at most n - 1 times, and over any history all queries together at most 3 queries + "
        "inserts + n times (2 queries + inserts is too few): amortised O(1), worst case O(n).",
        source=f"{IN_ORDER}, section 8.1",
        algorithm="FlatFIT",
        reject=partial(_reject, "FlatFIT"),
        scope="windows of up to 9 elements, all histories of insert, evict and query; every monoid",
        code=code_of(flat_fit.FlatFit),
        check=lambda: judge(find(lambda: explore_flat_fit(flat_fit.FlatFit, 9, BILL, lookups=False)), (27399, 68469)),
        controls=(
            *WRONG["FlatFIT"],
            Control(
                "2 combine calls a query",
                lambda: judge(
                    find(lambda: explore_flat_fit(flat_fit.FlatFit, 8, {**BILL, "query": 2}, lookups=False)), (0, 0)
                ),
            ),
        ),
    ),
    exploration(
        id="flat-fit/shared",
        statement="The same where look-ups of the newest elements come between: the answers are right, and each "
        "look-up is billed 3, too.",
        source=f"{IN_ORDER}, section 8.3; {OUT_OF_ORDER}, section 6",
        algorithm="FlatFIT",
        reject=partial(_reject, "FlatFIT"),
        scope="windows of up to 6 elements, all histories, look-ups of every size; every monoid",
        code=code_of(flat_fit.FlatFit),
        check=lambda: judge(find(lambda: explore_flat_fit(flat_fit.FlatFit, 6, BILL)), (1271, 11239)),
        controls=(FIT_PARTIAL_KEPT, FIT_POINTER_KEPT),
    ),
    exploration(
        id="slick-deque/explored",
        statement="SlickDeque answers the product of the window, and of the newest elements, for every associative "
        "operator with x ⊗ y in {x, y}, whether it commutes or not; without a combine call; all inserts invoke "
        "combine at most twice an insert.",
        source=f"{IN_ORDER}, section 8.3; {OUT_OF_ORDER}, section 6",
        algorithm="SlickDeque",
        reject=partial(_reject, "SlickDeque"),
        scope="every such operator over up to 3 values, windows of up to 5 elements, all histories, look-ups of every "
        "size",
        code=code_of(slick_deque.SlickDeque),
        check=lambda: judge(find(lambda: explore_slick_deque(slick_deque.SlickDeque, 5)), (7538, 63994)),
        controls=WRONG["SlickDeque"],
    ),
    exploration(
        id="stream-slicing/explored",
        statement="Stream slicing over FiBA answers periodic windows and sessions that share slices, for records in "
        "any order down to the watermark: slices are updated, fused and created as they must be, and none is kept at "
        "the end. Where the operator does not commute, each time is a slice.",
        source=f"{OUT_OF_ORDER}, section 6 (Scotty with FiBA as its store)",
        algorithm="Stream slicing",
        reject=partial(_reject, "Stream slicing"),
        scope="7 sets of queries; every stream of up to 4 records at 4 times, in any order, and watermarks anywhere; "
        "the free commutative monoid, and the free monoid",
        code=code_of(stream_slicing.StreamSlicing),
        check=lambda: judge(find(lambda: _both_kinds(stream_slicing.StreamSlicing, 4)), (17080, 80864)),
        controls=WRONG["Stream slicing"],
    ),
)
