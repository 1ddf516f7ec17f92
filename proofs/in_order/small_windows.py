"""Claims about the course of Two-Stacks and DABA, by every history of every window up to a size.

No algorithm here inspects a value, so the lengths of its sublists determine its behaviour: one run from each
combination of lengths covers all cases up to that size.
"""

import copy
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.in_order.daba import lengths
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.monoid import Counting
from swagproof.models.operations import SUM
from swagproof.proofs.explorer.histories import in_words
from swagproof.proofs.explorer.space import Broken
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of, wrong
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, Column

LIMIT: Final = 32
DEEP_LIMIT: Final = 64


def explore(start: Any, lengths_of: Callable[[Any], Any], limit: int) -> Outcome:
    """Run every operation from every state of up to `limit` elements; states with the same lengths are equal."""
    waiting: deque[tuple[Any, tuple[str, ...], int]] = deque([(start, (), 0)])
    seen, steps = {lengths_of(start)}, 0
    while waiting:
        window, word, n = waiting.popleft()
        for step, change in (("insert", 1), ("evict", -1), ("query", 0)):
            if not 0 <= n + change <= limit:
                continue
            after = copy.deepcopy(window) if change else window  # the query comes last
            trace = (*word, *([step] if change else []))
            steps += 1
            try:
                getattr(after, step)(*([1] if step == "insert" else []))
            except Broken as broken:
                return Outcome("fails", f"{in_words(trace)}{'' if change else ', query'}: {broken}")
            except Exception as error:
                return Outcome("unknown", f"{in_words(trace)}: {type(error).__name__}: {error}")
            if lengths_of(after) not in seen:
                seen.add(lengths_of(after))
                waiting.append((after, trace, n + change))
    return Outcome("holds", f"{len(seen):,} states, {steps:,} transitions", {"states": len(seen), "transitions": steps})


# Shrinks and shifts between two flips


def _with_cycles(algorithm: type[Any]) -> Any:
    """Return DABA or DABA Lite with a count of shrinks and shifts since a flip, derived from combine calls and B."""

    class Cycles(algorithm):  # type: ignore[misc]  # a class that is known when this runs
        shrinks = shifts = 0

        def fixup(self) -> None:
            before, singleton, B = self.monoid.calls, self.F == self.B, self.B
            super().fixup()
            if singleton:
                self.shrinks = self.shifts = 0
                return
            if self.B != B:
                if self.shrinks != self.shifts:
                    raise Broken(f"a flip after {self.shrinks} shrinks and {self.shifts} shifts")
                self.shrinks = self.shifts = 0
            if self.monoid.calls == before:
                self.shifts += 1
            elif self.shifts:
                raise Broken("a shrink after a shift")
            else:
                self.shrinks += 1

    return Cycles(Counting(SUM))


def cycles(column: Column, mutant: Mutant | None = None, limit: int = LIMIT) -> Outcome:
    """Return whether each cycle is a flip, m shrinks and m shifts."""
    window = _with_cycles(algorithm_of(column, mutant))
    return explore(window, lambda window: (lengths(window), window.shrinks, window.shifts), limit)


# Fields that are read


class _Read:
    """An element that reports each read to `allow`, which raises for forbidden fields."""

    def __init__(self, element: Element[Any], allow: Callable[[str], None]) -> None:
        object.__setattr__(self, "element", element)
        object.__setattr__(self, "allow", allow)

    def __getattr__(self, field: str) -> Any:
        self.allow(field)
        return getattr(self.element, field)

    def __setattr__(self, field: str, value: Any) -> None:
        setattr(self.element, field, value)


class _Deque(ChunkedDeque[Any]):
    """DABA's deque: in sublists aggregated to the left only `agg` is read, in the others the last `agg` and `val`."""

    window: Any

    def __getitem__(self, p: Any) -> Any:
        def allow(field: str) -> None:
            s = self.window
            right = s.R <= p < s.A or s.B <= p
            if field == "val" and not right:
                raise Broken("a val is read in a sublist that is aggregated to the left")
            if field == "agg" and right and p + 1 not in (s.A, self.end()):
                raise Broken("an agg is read within a sublist that is aggregated to the right")

        return _Read(super().__getitem__(p), allow)


class _Stack(Stack[Any]):
    """A stack of Two-Stacks whose field `forbidden` is not read; if it is `agg`, not after the last pop."""

    def __init__(self, forbidden: str) -> None:
        super().__init__()
        self.forbidden = forbidden
        self.popped = False

    def push(self, item: Any) -> None:
        self.popped = False
        super().push(item)

    def pop(self) -> Any:
        self.popped = True
        return super().pop()

    def top(self) -> Any:
        def allow(field: str) -> None:
            if field == self.forbidden and (field == "val" or self.popped):
                raise Broken(f"the {field} of an element of the {'front' if field == 'val' else 'back'} is read")

        return _Read(super().top(), allow)


def daba_reads(mutant: Mutant | None = None, limit: int = LIMIT) -> Outcome:
    """Return whether DABA reads no field that DABA Lite does not keep."""
    window = algorithm_of(DABA, mutant)(SUM)
    window.deque = _Deque()
    window.deque.window = window
    window.F = window.L = window.R = window.A = window.B = window.E = window.deque.begin()
    return explore(window, lengths, limit)


def two_stacks_reads(mutant: Mutant | None = None, limit: int = LIMIT) -> Outcome:
    """Return whether Two-Stacks reads no field that Two-Stacks Lite does not keep."""
    window = algorithm_of(TWO_STACKS, mutant)(SUM)
    window.F, window.B = _Stack("val"), _Stack("agg")
    return explore(window, lambda window: (window.F.size, window.B.size, window.B.popped), limit)


# Claims


def claim(
    column: Column,
    name: str,
    check: Callable[..., Outcome],
    *,
    statement: str,
    source: Source,
    controls: Sequence[Mutant] = (),
) -> Claim:
    """Return a claim checked by every history of every window up to a size."""

    def scope(limit: int) -> str:
        return f"windows of up to {limit} elements, all histories; control flow looks at no value, so every monoid"

    return Claim(
        id=f"{column.slug}/{name}",
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=scope(LIMIT),
        code=code_of(column.algorithm),
        check=check,
        controls=controls,
        not_covered="larger windows",
        deep=Deep(scope(DEEP_LIMIT), partial(check, limit=DEEP_LIMIT)),
    )


CLAIMS: Final = (
    claim(
        TWO_STACKS,
        "fields-read",
        two_stacks_reads,
        statement="Two-Stacks reads no val of the front stack, and of the back stack only the last agg: what "
        "Two-Stacks Lite leaves out is never read.",
        source=cite(IN_ORDER, place="section 4", compared="as printed"),
        controls=(
            wrong("the front is read as a value", ("pi_F", ".agg", ".val")),
            wrong(
                "a flip combines aggregates of the back",
                ("evict", "combine(self.B.top().val", "combine(self.B.top().agg"),
            ),
        ),
    ),
    claim(
        DABA,
        "fields-read",
        daba_reads,
        statement="DABA reads no val of the sublists that are aggregated to the left, l_L, l_A and the rest of l_F "
        "before them, and of l_R and l_B, which are aggregated to the right, only the last agg.",
        source=cite(IN_ORDER, place="section 6", compared="as printed"),
        controls=(
            wrong("the accumulator is read as a value", ("pi_A", ".agg", ".val")),
            wrong("the left sublist is read as a value", ("pi_L", ".agg", ".val")),
            wrong("the first of the right sublist is read", ("pi_R", "self.deque[self.A - 1]", "self.deque[self.R]")),
            wrong("the first of the back is read", ("pi_B", "self.deque[self.E - 1]", "self.deque[self.B]")),
        ),
    ),
    *(
        claim(
            column,
            "cycle",
            partial(cycles, column),
            statement=f"From one flip of {column.name} to the next there are m shrinks, of which the first comes with "
            "the flip, and then m shifts, unless the singleton case ends the cycle.",
            source=cite(
                IN_ORDER,
                theorem,
                place=f"its proof{'; section 5, intuitive view' if column is DABA else ''}",
                compared="a part: equally many shrinks and shifts; stronger: their order",
            ),
        )
        for column, theorem in ((DABA, "Theorem 5.2"), (DABA_LITE, "Theorem 6.2"))
    ),
)
