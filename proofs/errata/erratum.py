"""Entries about the papers' texts, in TOML, and the searches that support them.

An entry has one of five verdicts, each with its own list in ERRATA.md.  One rule separates the first two: a false
statement is an erratum, even if the theorem that it serves holds; a slip that the surrounding passage corrects is not.

- `refuted`, *refuted as printed*: quoted words, with the smallest trace that shows that they are false.  Only these are
  errata.
- `slip`, *slips that the text corrects*: a wrong word, sign or index next to the right one.
- `reading`, *silent or ambiguous*: an open point, the interpretation taken, and the effect of the others.
- `damage`, *damage in the supplied text*: layout, formulas and numbers that were lost in the supplied copy, and their
  interpretation.  These are not mistakes of the authors.
- `withdrawn`: former entries that proved wrong, with the reason.

Quotations are verbatim up to white space.  The `Searches` of an entry run over the same cases.  They must find a
counterexample to the printed statement and to each wrong correction or other reading, and none to the right one.  The
histories of mutants in the tables, each with a wrong last answer, are searches, too (`PrintedForm.replay`).  Every
erratum has searches.  A reading has searches, or names the mutants that represent other readings, or is only text.
Damage is only text, unless another entry has searches for it.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.resources import files
from inspect import signature
from itertools import chain, islice
from typing import Any, Final, Literal

from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import CONCATENATION, MAX
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.claim import Claim, Control, Kind, Outcome, cite
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of, list_mutants
from swagproof.reference.catalogue import COLUMNS, Column

Verdict = Literal["refuted", "slip", "reading", "damage", "withdrawn"]
LISTS: Final[dict[Verdict, str]] = {
    "refuted": "refuted as printed",
    "slip": "slips that the text corrects",
    "reading": "silent or ambiguous",
    "damage": "damage in the supplied text",
    "withdrawn": "withdrawn",
}
"""The list of each verdict, in the order of the lists."""
HEADINGS: Final[dict[Verdict, tuple[str, ...]]] = {
    "refuted": ("printed", "corrected"),
    "slip": ("printed", "meant"),
    "reading": ("open", "our reading", "otherwise"),
    "damage": ("lost", "read as", "otherwise"),
    "withdrawn": ("objection", "reason"),
}
"""The paragraphs of an entry with each verdict, in their order."""

DEFINITIONS: Final[Mapping[str, type[Any]]] = {"fifo": FifoWindow, "out of order": OutOfOrderWindow}
"""The window by definition for each kind of algorithm over a monoid whose histories can be replayed."""

Search = Callable[[], Iterable[str]]
"""A search for cases in which a sentence does not hold, as text.  Only the first case is used."""


def no_more() -> Iterable[str]:
    """Search no cases but the histories in the entry's table."""
    return ()


def join(*searches: Search) -> Iterator[str]:
    """Yield the cases found by the searches, one each, if all find one; equal cases are written once."""
    found = [next(iter(search()), None) for search in searches]
    if all(found):
        yield "; ".join(dict.fromkeys(case for case in found if case))


@dataclass(frozen=True, kw_only=True)
class Searches:
    """The searches of an entry for counterexamples, over the same cases."""

    holds: Search = no_more
    """The search against the right statement, or the chosen reading, which finds no case."""
    wrong: Mapping[str, Search] = field(default_factory=dict[str, Search])
    """The searches against each wrong correction, or other reading, which find a case."""
    printed: Search | None = None
    """The search against a false printed statement, which finds the trace."""

    def with_replays(self, printed: Sequence["PrintedForm"], wrong: Sequence["PrintedForm"]) -> "Searches":
        """Add the histories of mutants, which must answer incorrectly, and of the reference, which must not."""
        found = [*(form.replay for form in printed), *filter(None, [self.printed])]
        return replace(
            self,
            holds=lambda: chain(*(replace(form, mutant=None).replay() for form in (*printed, *wrong)), self.holds()),
            wrong={**{form.mutant.name: form.replay for form in wrong if form.mutant}, **self.wrong},
            printed=partial(join, *found) if found else None,
        )


@dataclass(frozen=True)
class PrintedForm:
    """A refutation to replay: an algorithm as printed, or a history that refutes a sentence about cost or state."""

    column: Column
    mutant: Mutant | None = None
    history: tuple[tuple[str | int, ...], ...] = ()
    """The operations; missing elements are filled in."""
    says: str = ""
    """The result of the history, as text."""
    options: Mapping[str, int] = field(default_factory=dict[str, int])
    """Unusual arguments of the constructor."""

    @property
    def asks(self) -> bool:
        """True if a mutant's history ends with a question that the window's definition answers, too."""
        return self.mutant is not None and self.history[-1][0] in ("query", "range_query", "lookup")

    def replay(self) -> Iterator[str]:
        """Search the history for a wrong last answer or an exception."""
        subject: Any = algorithm_of(self.column, self.mutant)
        window: Any
        if self.column.kind == "shared":
            subject, window = subject(), SharedWindows(MAX)
        else:
            subject, window = subject(CONCATENATION), DEFINITIONS[self.column.kind](CONCATENATION)
        letters, length = iter(LETTERS), 1 + len(signature(subject.insert).parameters)
        steps = [[*step, *islice(letters, length - len(step) if step[0] == "insert" else 0)] for step in self.history]
        said, answers = ", ".join(" ".join(map(str, step)) for step in steps), list[Any]()
        try:
            for name, *arguments in steps:
                answers = [getattr(each, str(name))(*arguments) for each in (subject, window)]
        except Exception as error:
            yield f"{said}: {type(error).__name__}: {error}"
        else:
            if answers[0] != answers[1]:
                yield f"{said}: answers {answers[0]!r}, not {answers[1]!r}"


def read_steps(words: str) -> tuple[tuple[str | int, ...], ...]:
    """Read the operations of a trace.

    >>> read_steps("insert a, insert -1, query")
    (('insert', 'a'), ('insert', -1), ('query',))
    """
    steps = (step.split() for step in words.split(", ")) if words else ()
    return tuple((name, *(int(g) if re.fullmatch(r"-?\d+", g) else g for g in given)) for name, *given in steps)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry about a place in a paper."""

    id: str
    paper: str
    """One of the ledger's `PAPERS`."""
    verdict: Verdict
    place: str
    quotes: tuple[str, ...]
    """The paper's words, each found on its own in the supplied text, up to white space; an erratum has some."""
    words: Mapping[str, str]
    """The paragraphs of the entry, by heading."""
    forms: tuple[PrintedForm, ...] = ()
    """The refutations that can be replayed."""
    unplayed: str = ""
    """The reason why an erratum has no form to replay."""
    searches: Searches | None = None
    """The searches, if any."""
    mutants: tuple[str, ...] = ()
    """The names of the mutants that represent another reading; claims about the algorithm reject them."""

    @property
    def listed(self) -> str:
        """The list of the entry."""
        return LISTS[self.verdict]

    def trace(self) -> str | None:
        """Return the first case against the printed statement, or a case against each other reading; None if none."""
        if self.searches is None:
            return None
        if self.searches.printed is not None:
            return _first_case(self.searches.printed)
        cases = {name: _first_case(search) for name, search in self.searches.wrong.items()}
        return "; ".join(f"{name}: {case}" for name, case in cases.items()) if all(cases.values()) else None

    def claim(self) -> Claim | None:
        """Return the entry as a claim of the ledger, if it has searches."""
        if self.searches is None:
            return None
        holds, printed, prefix = self.searches.holds, self.searches.printed, ""
        kind: Kind = "reading"
        scope, code = "the cases that distinguish the readings", "reference, and a mutant for each other reading"
        controls: list[Control] = []
        if printed is not None:
            kind, prefix, code = "refuted-as-printed", "a wrong correction: ", "reference, and the form as printed"
            scope = "the trace; the correction on the same cases, and beyond them where another claim says so"
            controls.append(Control("what holds, on the same cases", partial(_judge, holds, holds)))
        wrong = self.searches.wrong.items()
        controls += [Control(f"{prefix}{name}", partial(_judge, search, printed)) for name, search in wrong]
        return Claim(
            id=self.id,
            statement=" ".join(f"{name.capitalize()}: {said}" for name, said in self.words.items()),
            source=cite(self.paper, place=self.place),
            algorithm="errata",
            kind=kind,
            engine="run of the reference",
            scope=scope,
            code=code,
            check=partial(_judge, holds, printed),
            controls=controls,
            not_covered="readings that are not named" if printed is None else "",
        )


@cache
def _first_case(search: Search) -> str | None:
    return next(iter(search()), None)


def _judge(right: Search, printed: Search | None) -> Outcome:
    """Fail for a case against the right sentence, or if there is a printed one and no case against it."""
    trace, case = _first_case(printed) if printed else "met in all cases", _first_case(right)
    if trace is None:
        return Outcome("fails", "not refuted by the same cases")
    return Outcome("fails", f"does not hold: {case}") if case else Outcome("holds", trace)


# Tables


def read_entries(file: str, searches: Mapping[str, Searches]) -> Iterator[Entry]:
    """Read the entries of a paper's table.  Raises ValueError with the entry's name for a missing or unknown field."""
    table: dict[str, Any] = tomllib.loads(files("swagproof.proofs.errata").joinpath(file).read_text(encoding="utf-8"))
    for fields in table["entry"]:
        try:
            yield _read_entry(dict(fields), table["paper"], searches.get(fields["id"]))
        except KeyError as error:
            raise ValueError(f"{file}, entry {fields.get('id', 'without an id')}: {error!r} is missing") from error


def _read_entry(fields: dict[str, Any], paper: str, searches: Searches | None) -> Entry:
    id, verdict = fields.pop("id"), fields.pop("verdict")
    forms, wrong = (list(map(_read_form, fields.pop(key, ()))) for key in ("play", "wrong"))
    printed = [form for form in forms if form.asks]
    if verdict != "refuted":
        printed, wrong = [], [*printed, *wrong]
    if printed or wrong:
        searches = (searches or Searches()).with_replays(printed, wrong)
    entry = Entry(
        id=id,
        paper=paper,
        verdict=verdict,
        place=_text(fields.pop("place")),
        quotes=tuple(fields.pop("quotations", ())),
        words={heading: _text(fields.pop(heading.replace(" ", "-"))) for heading in HEADINGS[verdict]},
        forms=tuple(forms),
        unplayed=_text(fields.pop("unplayed", "")),
        searches=searches,
        mutants=tuple(fields.pop("mutants", ())),
    )
    if fields:
        raise ValueError(f"entry {id}: unknown fields {', '.join(fields)}")
    return entry


def _read_form(fields: Mapping[str, Any]) -> PrintedForm:
    column = {column.name: column for column in COLUMNS}[fields["algorithm"]]
    mutant = None
    if "mutant" in fields:
        known = {mutant.name: mutant for table in (column.slug, "trees") for mutant in list_mutants(table)}
        mutant = known[fields["mutant"]]
    return PrintedForm(
        column,
        mutant,
        read_steps(_text(fields.get("history", ""))),
        _text(fields.get("shows", "")),
        fields.get("options", {}),
    )


def _text(words: str) -> str:
    """Put a paragraph into one line."""
    return " ".join(words.split())
