"""An erratum: a printed sentence, listing or example that does not hold, with the shortest trace that shows it.

Each erratum is checked twice over the same cases: what is printed must be refuted, what is said to hold must not be.
Printed text is given in our own words; its place says where to look it up.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from swagproof.proofs.ledger.claim import Claim, Control, Outcome

Search = Callable[[], Iterable[str]]
"""The cases in which a sentence does not hold, in words, found one by one: the first alone is asked for."""


def against(search: Callable[[Any], Iterable[str]], printed: Any, corrected: Any) -> tuple[Search, Search]:
    """One search over the same cases, of what is printed and of what holds."""
    return partial(search, printed), partial(search, corrected)


def join(*searches: Search) -> Iterator[str]:
    """A case of each, where there is one of each."""
    found = [next(iter(search()), None) for search in searches]
    if all(found):
        yield "; ".join(case for case in found if case)


def tell(found: object | None) -> Iterator[str]:
    """What was found as a case, if anything was."""
    if found:
        yield str(found)


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A place where what is printed does not hold."""

    paper: str
    """One of the ledger's `PAPERS`."""
    id: str
    place: str
    printed: str
    holds: str
    searches: tuple[Search, Search]
    """Of what is printed, which must be refuted, and of what holds, which must not."""

    def refute_printed(self) -> str | None:
        """The first case in which what is printed does not hold, or None."""
        return next(iter(self.searches[0]()), None)

    def claim(self) -> Claim:
        """The erratum as a row of the ledger: it holds when the printed sentence is refuted, the corrected one not."""

        def refuted(search: Search, otherwise: str) -> Outcome:
            trace = next(iter(search()), None)
            return Outcome("holds", trace) if trace else Outcome("fails", otherwise)

        corrected = partial(refuted, self.searches[1], "not refuted by the same cases")
        return Claim(
            id=self.id,
            statement=f"Printed: {self.printed} Holds: {self.holds}",
            source=f"{self.paper}, {self.place}",
            algorithm="errata",
            kind="refuted-as-printed",
            engine="run of the reference",
            scope="the trace given; what holds instead has its own row where it is proved",
            code="reference, and the as-printed variant",
            check=partial(refuted, self.searches[0], "what is printed was not refuted"),
            controls=(Control("what holds, on the same cases", corrected),),
        )
