"""Seeded long runs beside a definition: what an exploration to a bound cannot see, since it lies beyond the bound.

An exploration decides every history up to its bound.  Code can still go by something that no short history brings
about: a buffer of two hundred slots, thirty windows over one stream, a period of sixty.  So each algorithm that is
explored also runs a few long histories, drawn from a seed, and every answer is held against that of the definition.
They are no proof of anything; a mistake that begins beyond the bound is found by them, and by nothing shorter.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from swagproof.proofs.ledger.claim import Claim, Outcome, Source, code_of
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column, Entry

LongRun: TypeAlias = Callable[[Variant | None], str]
"""Runs the algorithm, or a wrong variant of it: how far it came.  Raises what it finds wrong."""


class NotReachedError(Exception):
    """A run has found nothing wrong, and did not come as far as it was to."""


def shapes(most: int, chance: Random) -> Iterator[str]:
    """The steps, "insert" and "evict", of a window that fills to `most`, slides, oscillates, drains and refills."""
    yield from ["insert"] * most
    yield from ["evict", "insert"] * most
    for _ in range(4):
        swing = chance.randrange(most // 4, most)
        yield from [*["evict"] * swing, *["insert"] * swing]
    yield from ["evict"] * most
    size = 0
    for _ in range(2 * most):
        refills = size == 0 or (size < most and chance.random() < 0.6)
        yield "insert" if refills else "evict"
        size += 1 if refills else -1


def require_equal(found: object, expected: object, step: int) -> None:
    """Raises AssertionError unless the answer is that of the definition."""
    assert found == expected, f"answer at step {step}"


def require_clauses(column: Column, subject: Any, model: Any, step: int) -> None:
    """Raises AssertionError with the clauses of the invariant that do not hold of the subject beside its definition."""
    subject.model = model
    failed = [clause.__name__ for clause in column.contract.INVARIANT if not clause(subject)]
    assert not failed, f"{', '.join(failed)} at step {step}"


def long_runs(
    entry: Entry,
    runs: Mapping[str, LongRun],
    *,
    statement: str,
    source: Source,
    controls: Sequence[Variant],
    id: str = "",
) -> Claim:
    """The claim that all runs of an algorithm go as its definition says; a run is named by its seed and its size."""

    def check(variant: Variant | None = None) -> Outcome:
        seen: list[str] = []
        for said, run in runs.items():
            try:
                seen.append(run(variant))
            except NotReachedError as short:
                return Outcome("unknown", f"{said}: {short}")
            except Exception as error:
                return Outcome("fails", f"{said}: {type(error).__name__}: {error}")
        return Outcome("holds", "; ".join(seen))

    return Claim(
        id=id or f"{entry.slug}/long-runs",
        statement=statement,
        source=source,
        algorithm=entry.name,
        kind="sampled",
        engine="seeded runs",
        scope="; ".join(runs),
        code=code_of(entry.algorithm),
        check=check,
        controls=controls,
        not_covered="other histories",
    )
