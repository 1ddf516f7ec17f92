"""What is said of a paper's text, in four lists, so that nobody is accused of what he did not write.

- `Erratum`, *refuted as printed*: quoted words, with the smallest trace or numbers that show a wrong answer, cost or
  bound to whoever goes by them.  This list alone is told as errata.
- `Reading`, *silent or ambiguous*: what a paper leaves open, the reading taken, and what the others would do.
- `Damage`, *damage in the supplied text*: layout, formulas and numbers that were lost on the way to us, and how they
  are read.  No mistake of the authors.
- `Withdrawn`: accusations that did not bear a second reading, with the reason.

Quotations are verbatim, up to white space, of the text as supplied, and short; formulas are left out where the text has
them twice.  An erratum is checked three times over the same cases: what is printed must be refuted, what is said to
hold must not be, and a wrong correction must be.  A reading that is run meets its cases, and each other one does not.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, ClassVar, Final

from swagproof.proofs.explorer.walk import ENDLESS
from swagproof.proofs.ledger.claim import Claim, Control, Outcome, cite
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column

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


def _first_cases() -> Callable[[Search], str | None]:
    """The first case of a search, or None; searched for once in one settling of a row.

    That there are more states than an exploration expects is no case: of a sentence it shows nothing.
    """

    @cache
    def first(search: Search) -> str | None:
        case = next(iter(search()), None)
        if case is not None and ENDLESS in case:
            raise ValueError(f"no wrong answer, cost or bound: {case}")
        return case

    return first


@dataclass(frozen=True)
class Form:
    """What is refuted, as it can be played: an algorithm as printed; or the algorithm itself, where a sentence is about
    its cost or its state, over a history that the sentence does not bear."""

    column: Column
    variant: Variant | None = None
    history: tuple[tuple[str | int, ...], ...] = ()
    """The operations.  Where none is given of what answers wrongly as printed, one is searched for."""
    says: str = ""
    """What the history shows."""
    options: Mapping[str, int] = field(default_factory=dict[str, int])
    """What the algorithm is built with, where that is not usual."""


def read_steps(words: str) -> tuple[tuple[str | int, ...], ...]:
    """The operations of a trace, as a `Form` has them.

    >>> read_steps("register 2, insert 1, lookup 2")
    (('register', 2), ('insert', 1), ('lookup', 2))
    """
    return tuple((name, *map(int, given)) for name, *given in (step.split() for step in words.split(", ")))


@dataclass(frozen=True, kw_only=True)
class Entry(ABC):
    """A place in a paper, and what is said of it."""

    NAME: ClassVar[str]
    """The list that it belongs to."""

    paper: str
    """One of the ledger's `PAPERS`."""
    id: str
    place: str
    quotes: tuple[str, ...]
    """Words of the paper, each found by itself in the text as supplied, up to white space; an erratum has some."""

    @property
    @abstractmethod
    def words(self) -> dict[str, str]:
        """What is said, in our own words, by heading."""

    def trace(self) -> str | None:
        """What shows it when it is run; None where nothing does."""
        return None

    def claim(self) -> Claim | None:
        """The entry as a row of the ledger, where it is run."""
        return None


@dataclass(frozen=True, kw_only=True)
class Erratum(Entry):
    """A sentence that is refuted as printed.  Its row holds when it is refuted and the correction is not."""

    NAME: ClassVar[str] = "refuted as printed"

    printed: str
    holds: str
    searches: tuple[Search, Search]
    """Of what is printed, which must be refuted, and of what holds, which must not."""
    wrong: Mapping[str, Search]
    """Wrong corrections, which must be refuted as well."""
    forms: tuple[Form, ...] = ()
    """What of it can be played."""
    unplayed: str = ""
    """Why nothing of it can be, where nothing is."""

    @property
    def words(self) -> dict[str, str]:
        return {"printed": self.printed, "holds": self.holds}

    def trace(self) -> str | None:
        """The first case in which what is printed does not hold, or None."""
        return next(iter(self.searches[0]()), None)

    def claim(self) -> Claim:
        first = _first_cases()

        def settled(printed: Search, corrected: Search) -> Outcome:
            trace = first(printed)
            if trace is None:
                return Outcome("fails", "not refuted by the same cases")
            case = first(corrected)
            return Outcome("fails", f"the correction does not hold: {case}") if case else Outcome("holds", trace)

        printed, corrected = self.searches
        return Claim(
            id=self.id,
            statement=f"Printed: {self.printed} Holds: {self.holds}",
            source=cite(self.paper, place=self.place),
            algorithm="errata",
            kind="refuted-as-printed",
            engine="run of the reference",
            scope="the trace; the correction on the same cases, and beyond them where a row of its own says so",
            code="reference, and the as-printed variant",
            check=partial(settled, printed, corrected),
            controls=(
                Control("what holds, on the same cases", partial(settled, corrected, corrected)),
                *(
                    Control(f"a wrong correction: {name}", partial(settled, printed, search))
                    for name, search in self.wrong.items()
                ),
            ),
        )


@dataclass(frozen=True, kw_only=True)
class Reading(Entry):
    """What a paper leaves open.  Its row holds when the reading taken meets its cases, and each other one does not."""

    NAME: ClassVar[str] = "silent or ambiguous"
    HEADINGS: ClassVar[tuple[str, str, str]] = ("open", "taken", "otherwise")

    quotes: tuple[str, ...] = ()
    gap: str
    """What is open, or lost."""
    taken: str
    otherwise: str
    """What the other readings would do."""
    search: Search | None = None
    """Of the reading taken, which finds no case; None where no reading can be run."""
    others: Mapping[str, Search] = field(default_factory=dict[str, Search])
    """Of each other reading that is run, which finds one."""

    @property
    def words(self) -> dict[str, str]:
        return dict(zip(self.HEADINGS, (self.gap, self.taken, self.otherwise), strict=True))

    def trace(self) -> str | None:
        """A case of each other reading; None where one has none."""
        cases = {name: next(iter(search()), None) for name, search in self.others.items()}
        shown = "; ".join(f"{name}: {case}" for name, case in cases.items())
        return shown if cases and all(cases.values()) else None

    def claim(self) -> Claim | None:
        if self.search is None:
            return None
        first = _first_cases()

        def settled(search: Search) -> Outcome:
            case = first(search)
            return Outcome("fails", case) if case else Outcome("holds", "met in all cases")

        opened, taken, otherwise = (f"{heading.capitalize()}: {said}" for heading, said in self.words.items())
        return Claim(
            id=self.id,
            statement=f"{opened} {taken} {otherwise}",
            source=cite(self.paper, place=self.place),
            algorithm="errata",
            kind="reading",
            engine="run of the reference",
            scope="the cases in which the other readings are told apart",
            code="reference, and a variant for each other reading",
            check=partial(settled, self.search),
            controls=tuple(Control(name, partial(settled, search)) for name, search in self.others.items()),
            not_covered="readings that are not named",
        )


@dataclass(frozen=True, kw_only=True)
class Damage(Reading):
    """What the text as supplied has lost, and how it is read."""

    NAME: ClassVar[str] = "damage in the supplied text"
    HEADINGS: ClassVar[tuple[str, str, str]] = ("lost", "read as", "otherwise")


@dataclass(frozen=True, kw_only=True)
class Withdrawn(Entry):
    """An accusation that does not stand."""

    NAME: ClassVar[str] = "withdrawn"

    quotes: tuple[str, ...] = ()
    accused: str
    reason: str

    @property
    def words(self) -> dict[str, str]:
        return {"accused": self.accused, "reason": self.reason}


LISTS: Final[tuple[type[Entry], ...]] = (Erratum, Reading, Damage, Withdrawn)
"""In the order in which they are told."""
