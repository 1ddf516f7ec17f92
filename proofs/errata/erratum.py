"""An erratum: a printed sentence, listing or example that does not hold, with the shortest trace that shows it.

Each erratum is checked twice over the same cases: what is printed must be refuted, what is said to hold must not be.
Printed text is given in our own words; its place says where to look it up.
"""

from collections.abc import Callable
from dataclasses import dataclass

from swagproof.proofs.ledger.claim import (
    GENERAL,
    IN_ORDER,
    OUT_OF_ORDER,
    SHARING,
    STREAM_WINDOWS,
    Claim,
    Control,
    Outcome,
)

__all__ = ["GENERAL", "IN_ORDER", "OUT_OF_ORDER", "SHARING", "STREAM_WINDOWS", "Erratum", "Search"]

Search = Callable[[], str | None]
"""Look for a case in which a sentence does not hold; the case in words, or None."""


@dataclass(frozen=True)
class Erratum:
    """A place where what is printed does not hold."""

    paper: str
    """One of the ledger's `PAPERS`."""
    id: str
    place: str
    printed: str
    holds: str
    refute_printed: Search
    refute_corrected: Search

    def claim(self) -> Claim:
        """The erratum as a row of the ledger: it holds when the printed sentence is refuted, the corrected one not."""

        def check() -> Outcome:
            trace = self.refute_printed()
            return Outcome("holds", trace) if trace else Outcome("fails", "what is printed was not refuted")

        def control() -> Outcome:
            trace = self.refute_corrected()
            return Outcome("holds", trace) if trace else Outcome("fails", "not refuted by the same cases")

        return Claim(
            self.id,
            f"Printed: {self.printed} Holds: {self.holds}",
            f"{self.paper}, {self.place}",
            "errata",
            "refuted-as-printed",
            "run of the reference",
            "the trace given; what holds instead has its own row where it is proved",
            "reference, and the as-printed variant",
            check,
            (Control("what holds, on the same cases", control),),
        )
