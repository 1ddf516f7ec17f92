"""An erratum: a printed sentence, listing or example that does not hold, with the shortest trace that shows it.

Each erratum is checked twice over the same cases: what is printed must be refuted, what is said to hold must not be.
Printed text is given in our own words; its place says where to look it up.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from swagproof.proofs.ledger.claim import Claim, Control, Outcome

Search = Callable[[], str | None]
"""Look for a case in which a sentence does not hold; the case in words, or None."""


@dataclass(frozen=True, kw_only=True)
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

        def refuted(search: Search, otherwise: str) -> Outcome:
            trace = search()
            return Outcome("holds", trace) if trace else Outcome("fails", otherwise)

        corrected = partial(refuted, self.refute_corrected, "not refuted by the same cases")
        return Claim(
            id=self.id,
            statement=f"Printed: {self.printed} Holds: {self.holds}",
            source=f"{self.paper}, {self.place}",
            algorithm="errata",
            kind="refuted-as-printed",
            engine="run of the reference",
            scope="the trace given; what holds instead has its own row where it is proved",
            code="reference, and the as-printed variant",
            check=partial(refuted, self.refute_printed, "what is printed was not refuted"),
            controls=(Control("what holds, on the same cases", corrected),),
        )
