"""What operations may touch, and the claims that hold them to it.

A claim plays histories of an algorithm under watch (`touches`), and holds every operation to a bound by itself, in the
worst case, or to an account of all together.  Its wrong variants are the algorithm with a walk over all that it keeps
hidden in each operation.
"""

import inspect
import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from swagproof.proofs.costs.touches import Touches
from swagproof.proofs.ledger.claim import Claim, Kind, Outcome, Source, code_of
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.reference.catalogue import Entry

Bound: TypeAlias = Callable[[int, int], float]
"""(n, d) -> touches, for n entries that matter to an operation, and d between the one looked for and the nearer end."""


def linear(base: float, factor: float = 0.0, *, of_distance: bool = False) -> Bound:
    """base + factor log2(n + 2), or of d."""
    return lambda n, d: base + factor * math.log2((d if of_distance else n) + 2)


def proportional(base: float, factor: float) -> Bound:
    """base + factor n."""
    return lambda n, d: base + factor * n


@dataclass(frozen=True)
class Bounds:
    """What operations may touch."""

    each: Mapping[str, Bound]
    """An operation by itself, in the worst case."""
    account: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    """What an operation adds to that which all those named here may have touched since the window was empty."""


Step: TypeAlias = tuple[str, tuple[Any, ...], int, int]
"""An operation, its arguments, n and d before it."""
Play: TypeAlias = Callable[[], tuple[Sequence[Any], Iterator[Step]]]
"""The arguments with which a window is made, and what is then asked of it."""


def within(algorithm: type[Any], plays: Mapping[str, Play], bounds: Bounds) -> Outcome:
    """Play, and hold every operation against its bounds."""
    operations = 0
    most: dict[str, int] = {}
    for name, play in plays.items():
        touches = Touches()
        arguments, steps = play()
        window = touches.watch(algorithm)(*arguments)
        spent, may = 0, 0.0
        for operation, given, n, d in steps:
            do = getattr(window, operation)
            touches.count = 0
            answer = do(*given)
            if isinstance(answer, Iterator):
                deque(answer, 0)  # what it does, it does as it is asked
            operations += 1
            most[operation] = max(most.get(operation, 0), touches.count)
            said = f"{name}, {operation} at {n} entries"
            if operation in bounds.each and touches.count > bounds.each[operation](n, d):
                return Outcome("fails", f"{said} touches {touches.count}, not {bounds.each[operation](n, d):.0f}")
            if operation in bounds.account:
                spent, may = spent + touches.count, may + bounds.account[operation](n, d)
                if spent > may:
                    return Outcome("fails", f"{said}: all together have touched {spent:,}, not {may:,.0f}")
    found = ", ".join(f"{operation} {count:,}" for operation, count in most.items())
    return Outcome("holds", f"{operations:,} operations; at most: {found}", {"operations": operations})


def walks(entry: Entry, walk: str, *operations: str) -> Iterator[Variant]:
    """The algorithm with a walk over all that it keeps hidden in each of the operations."""
    for operation in operations:
        header = re.match(r"def .*? -> .*?:", inspect.getsource(getattr(entry.algorithm, operation)).strip(), re.S)
        assert header, operation
        edit = operation, header[0], f"{header[0]}\n    {walk}"
        yield wrong(f"{operation} walks over the window", edit, hidden="only what is touched changes")


OPERATIONS: Final = ("insert", "evict", "query")


def claim(
    entry: Entry,
    bounds: Bounds,
    source: Source,
    *,
    statement: str,
    walk: str,
    plays: Mapping[str, Play],
    scope: str,
    operations: Sequence[str] = OPERATIONS,
    kind: Kind = "sampled",
    more: Sequence[Variant] = (),
    not_covered: str = "",
    id: str = "",
) -> Claim:
    """A row of what the operations of an algorithm touch."""
    return Claim(
        id=id or f"{entry.slug}/touches",
        statement=f"Attributes and entries touched: {statement}",
        source=source,
        algorithm=entry.name,
        kind=kind,
        engine="counted touches",
        scope=scope,
        code=code_of(entry.algorithm, *operations),
        check=lambda variant=None: within(
            entry.algorithm if variant is None else variant.of(entry.algorithm), plays, bounds
        ),
        controls=(*walks(entry, walk, *operations), *more),
        not_covered=f"other histories, larger windows; {not_covered}a few touches more, within the slack of the "
        "constants; copies that Python makes without asking: of a list that grows, `set(kept)`, `[] + kept`",
    )
