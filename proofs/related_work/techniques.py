"""Claims about techniques that the papers name but do not print: FlatFIT, SlickDeque, stream slicing over FiBA.

The papers that introduced them are not transcribed here.  The claims are statements of the transcribed papers about
these techniques, checked on references that follow the papers' descriptions; each claim says so.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.operations import CONCATENATION, FIRST, MAX
from swagproof.proofs.explorer.histories import histories, in_words
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Call, Space
from swagproof.proofs.explorer.walk import find_once, judge, refute, search
from swagproof.proofs.ledger.claim import IN_ORDER, OUT_OF_ORDER, Claim, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import (
    Mutant,
    Mutants,
    algorithm_of,
    class_of,
    contract_violated_by,
    mutants_of,
)
from swagproof.proofs.related_work.technique_states import (
    LETTERS_SORTED,
    QUERIES,
    FlatFitStates,
    slick_deque_spaces,
    stream_slicing_spaces,
    stream_words,
)
from swagproof.reference.catalogue import FLAT_FIT, SLICK_DEQUE, STREAM_SLICING, Column
from swagproof.reference.related_work.flat_fit import FlatFit
from swagproof.reference.related_work.slick_deque import SlickDeque
from swagproof.reference.related_work.stream_slicing import StreamSlicing

NOT_THE_LISTING: Final = "what the paper that introduced it says: no listing of it is transcribed here"

# FlatFIT

WRONG_FIT: Final = Mutants(FLAT_FIT, table="flat-fit")
UNSEEN_FIT: Final = tuple(mutants_of("flat-fit", "unseen").values())
"""Mutants that only an exploration of the whole state, over opaque values, can reject."""

# SlickDeque

WRONG_SLICK: Final = Mutants(SLICK_DEQUE, table="slick-deque")
UNSEEN_SLICK: Final = tuple(mutants_of("slick-deque", "unseen").values())
"""The corresponding mutants of SlickDeque."""

# Stream slicing

WRONG_SLICING: Final = Mutants(STREAM_SLICING, table="stream-slicing")


def _spaces(column: Column, mutant: Mutant) -> Sequence[Space[Call]]:
    """Return the spaces in which a mutant is searched for."""
    if column is FLAT_FIT:
        return [FlatFitStates(algorithm_of(column, mutant), 5)]
    if column is SLICK_DEQUE:
        return slick_deque_spaces(algorithm_of(column, mutant), 3)
    return stream_slicing_spaces(class_of(column, mutant), 3)


def refuted(column: Column, mutant: Mutant) -> str | None:
    """Return the explorer's finding, with the shortest steps."""
    return refute(*_spaces(column, mutant))


def _reject(column: Column, mutant: Mutant) -> Outcome:
    return search(*_spaces(column, mutant))


def violated_contract(column: Column, mutant: Mutant) -> str | None:
    """Return the contract that a short history violates, or an exception; requires full contracts."""
    rewritten = column is STREAM_SLICING
    made = class_of(column, mutant, checked=True) if rewritten else mutant.checked(column.algorithm, column.checked)
    for name, run in _short_runs(column):
        violated = contract_violated_by(partial(run, made))
        if violated:
            return f"{violated} after {name}"
    return None


def _short_runs(column: Column) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Yield short histories of a technique as text, each with a function that plays it on a class."""
    if column is STREAM_SLICING:
        for stream in stream_words(3, 3):
            for (periodic, sessions), commutative in itertools.product(QUERIES, (True, False)):
                said = ", ".join(f"{kind} {t}" for kind, t in stream)
                yield said, partial(_play_stream, stream, periodic, sessions, commutative)
        return
    operations, values = ((CONCATENATION,), LETTERS) if column is FLAT_FIT else ((MAX, FIRST), (1, 3, 2, 3, 1, 0, 2, 1))
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


def _slick_scope(limit: int) -> str:
    return (
        f"every such operator over up to 3 values, windows of up to {limit} elements, all histories, look-ups of every "
        "size"
    )


def _slicing_scope(span: int) -> str:
    return (
        f"{len(QUERIES)} sets of queries, in streams of any length in which the records kept, and the watermark with "
        f"those to come, are within {span} units of time: records in any order, watermarks anywhere; every operator "
        "that commutes, and every monoid"
    )


_FIT_SCOPE: Final = (
    "windows of up to {} elements, all histories of insert, evict and query; of up to {}, with look-ups of every size; "
    "every monoid"
)

exploration: Final = partial(Claim, kind="exhaustive", engine="explorer", not_covered=NOT_THE_LISTING)


def _flat_fit(largest: int) -> list[FlatFitStates]:
    """Return the windows of up to `largest` elements without lookups, and of up to 6 with lookups."""
    return [FlatFitStates(FlatFit, largest, lookups=False), FlatFitStates(FlatFit, 6)]


CLAIMS: Final[tuple[Claim, ...]] = (
    exploration(
        id="flat-fit/explored",
        statement="FlatFIT answers the product of the window, and of the newest elements for windows that share it; a "
        "look-up of m elements invokes combine at most m - 1 times, a query n - 1 times, insert and evict never; at "
        "most 4n partial aggregates are kept, or 2.",
        source=cite(IN_ORDER, place="sections 8.1 and 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        algorithm=FLAT_FIT.name,
        reject=partial(_reject, FLAT_FIT),
        scope=_FIT_SCOPE.format(7, 6),
        code=code_of(FlatFit),
        check=lambda: judge(find_once(*_flat_fit(7)), (2494, 14236)),
        controls=(*WRONG_FIT, *UNSEEN_FIT),
        not_covered=f"{NOT_THE_LISTING}; larger windows; what all queries together cost: 3 calls each are too few, as "
        "a test shows (tests/algorithms/related_work/test_techniques.py), and no number is known that is enough",
        deep=Deep(_FIT_SCOPE.format(9, 6), lambda: judge(find_once(*_flat_fit(9)), (28670, 79708))),
    ),
    exploration(
        id="slick-deque/explored",
        statement="SlickDeque answers the product of the window, and of the newest elements, for every associative "
        "operator with x ⊗ y in {x, y}, whether it commutes or not; without a combine call; all inserts invoke "
        "combine at most twice an insert.",
        source=cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        algorithm=SLICK_DEQUE.name,
        reject=partial(_reject, SLICK_DEQUE),
        scope=_slick_scope(3),
        code=code_of(SlickDeque),
        check=lambda: judge(find_once(*slick_deque_spaces(SlickDeque, 3)), (864, 5613)),
        controls=(*WRONG_SLICK, *UNSEEN_SLICK),
        deep=Deep(_slick_scope(5), lambda: judge(find_once(*slick_deque_spaces(SlickDeque, 5)), (7538, 63994))),
    ),
    exploration(
        id="stream-slicing/explored",
        statement="Stream slicing over FiBA answers periodic windows and sessions that share slices, for records in "
        "any order down to the watermark: slices are updated, fused and created as they must be, and none is kept at "
        "the end. Where the operator does not commute, each time is a slice.",
        source=cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        algorithm=STREAM_SLICING.name,
        reject=partial(_reject, STREAM_SLICING),
        scope=_slicing_scope(3),
        code=code_of(StreamSlicing),
        check=lambda: judge(find_once(*stream_slicing_spaces(StreamSlicing, 3)), (694, 6342)),
        controls=WRONG_SLICING,
        deep=Deep(
            _slicing_scope(6), lambda: judge(find_once(*stream_slicing_spaces(StreamSlicing, 6)), (8676, 120287))
        ),
        not_covered=f"{NOT_THE_LISTING}; records farther apart, other queries",
    ),
)
