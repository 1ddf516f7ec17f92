"""What the references refuse: bad input, one kind after another, over all references of the catalogue.

The other rows run histories that may be.  What must not be is refused, with an error that is documented, and nothing
has changed then; a constructor that takes three for a power of two, or a window that is registered late once more,
would be seen by none of them.  So what every algorithm says that it refuses stands here in a table.  Each is tried
three times, as a refusal may be forgotten by the third; and what the object is made of afterwards is held against
another one, which lived the same without being asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import partial
from typing import Any, Final

from swagproof.models.any_order import NotInWindowError
from swagproof.models.discretisation import Marks
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION, MAX, SUM, Operation
from swagproof.models.out_of_order import NoTimeError, TimeError
from swagproof.models.shared import LateRegistrationError, UnknownWindowError
from swagproof.models.windows.window import Count, Delta, Event, LateError, Time, Window, WindowError
from swagproof.proofs.engine.language import is_constant
from swagproof.proofs.ledger.claim import OURS, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.objects import list_parts
from swagproof.reference import catalogue
from swagproof.reference.catalogue import CATALOGUE, Entry

NAN: Final = float("nan")
TIMES: Final = 3
"""How often each is tried."""


Calls = Sequence[tuple[Any, ...]]
"""Methods with their arguments, or errors with both."""


@dataclass(frozen=True)
class Refusal:
    """What an algorithm refuses."""

    entry: Entry
    what: str
    error: type[Exception]
    call: Callable[[Any], object]
    """Of an object; of the names of its module, where a constructor refuses."""
    made: Callable[[Any], Any] | None = None
    """Makes the object, with a life behind it, of the names of its module."""


def _lived(name: str, *arguments: Any, steps: Sequence[tuple[Any, ...]] = ()) -> Callable[[Any], Any]:
    """Makes an object of a class and calls its methods."""

    def make(names: Any) -> Any:
        made = getattr(names, name)(*arguments)
        for method, *given in steps:
            answer = getattr(made, method)(*given)
            if hasattr(answer, "__next__"):
                list(answer)
        return made

    return make


def _asked(method: str, *arguments: Any) -> Callable[[Any], object]:
    def ask(made: Any) -> object:
        answer = getattr(made, method)(*arguments)
        return list(answer) if hasattr(answer, "__next__") else answer

    return ask


def _make(name: str, given: Sequence[Any], names: Any) -> object:
    """An object of the class of this name."""
    return getattr(names, name)(*given)


def _mark(marks: Marks, item: object) -> Marks:
    """A discretisation function that says the same of every item."""
    return marks


def _tell(given: Sequence[Any]) -> str:
    """Arguments as a reader writes them, without operations."""
    return f"({', '.join(repr(each) for each in given if not isinstance(each, Operation))})"


def _of_class(entry: Entry, error: type[Exception], *refused: tuple[Any, ...]) -> list[Refusal]:
    """Arguments, after the operation, with which nothing can be made."""
    name = entry.algorithm.__name__
    return [Refusal(entry, f"{name}{_tell(given)}", error, partial(_make, name, given)) for given in refused]


def _of_object(entry: Entry, made: Callable[[Any], Any], *refused: tuple[Any, ...]) -> list[Refusal]:
    """Calls that an object refuses."""
    return [
        Refusal(entry, f"{method}{_tell(given)}", error, _asked(method, *given), made)
        for error, method, *given in refused
    ]


def _list_refusals() -> list[Refusal]:
    """All of them."""
    late: Calls
    c = catalogue
    found: list[Refusal] = []
    letters = [("insert", letter) for letter in "abcde"]
    for entry in CATALOGUE:
        if entry.kind in ("fifo", "any order"):
            operation = SUM if entry.subtracts else MAX if entry is c.SLICK_DEQUE else CONCATENATION
            numbers = [("insert", v) for v in operation.samples[:3]] if operation is not CONCATENATION else letters[:3]
            emptied = [*numbers, *[("evict",)] * 3]
            found += _of_object(
                entry, _lived(entry.algorithm.__name__, operation, steps=emptied), (EmptyWindowError, "evict")
            )
    found += _of_class(c.SUBTRACT_ON_EVICT, TypeError, (MAX,))
    for entry in (c.FLAT_FIT, c.SLICK_DEQUE):
        shared = _lived(entry.algorithm.__name__, MAX, steps=[("insert", 3), ("insert", 1)])
        found += _of_object(entry, shared, (ValueError, "lookup", 3), (ValueError, "lookup", -1))
    selected = _lived("SlickDeque", SUM, steps=[("insert", 3)])
    found += _of_object(c.SLICK_DEQUE, selected, (ValueError, "insert", 2))
    for entry in (c.REACTIVE_AGGREGATOR, c.REACTIVE_AGGREGATOR_FIFO):
        found += _of_class(entry, ValueError, *((CONCATENATION, n) for n in (0, 3, 6, 2.0, True, -4)))
    holed = _lived("ReactiveAggregator", CONCATENATION, steps=[*letters, ("evict", 1), ("evict", 3)])
    found += _of_object(
        c.REACTIVE_AGGREGATOR, holed, *((NotInWindowError, "evict", ticket) for ticket in (1, 3, 5, -1))
    )
    found += _of_class(c.FLAT_FAT, ValueError, *((CONCATENATION, "abcdef"[:n]) for n in (0, 3, 5, 6)))
    tree = _lived("FlatFat", CONCATENATION, "abcd")
    found += _of_object(
        c.FLAT_FAT,
        tree,
        *((IndexError, method, i) for method in ("prefix", "suffix") for i in (0, 5, -1)),
        *((IndexError, "update", [(1, "A"), (i, "x")]) for i in (0, 5)),
        (ValueError, "update", [(2, "B"), (1, "A"), (2, "b")]),
    )
    for entry in c.TREES:
        name = entry.algorithm.__name__
        found += _of_class(entry, ValueError, *((CONCATENATION, mu) for mu in (1, 0, True, 2.0, "2")))
        full = _lived(name, CONCATENATION, steps=[("insert", t, "a") for t in (0, 4, 8, 2, 6, -3, 5)])
        bad = [
            *((TimeError, "insert", t, "x") for t in (NAN, "x", None)),
            *((TimeError, "evict", t) for t in (NAN, "x")),
            *((TimeError, "range_query", *ends) for ends in ((NAN, 1), (1, NAN), ("a", "b"))),
        ]
        found += _of_object(entry, full, *bad)
        found += _of_object(entry, _lived(name, CONCATENATION), (NoTimeError, "oldest"), (NoTimeError, "youngest"))
    pairs = ([(3, "x"), (9, "y"), (1, "z")], [(1, "x"), (0, "y")], [(3,)], [7], [(1, "x"), (NAN, "y")])
    found += _of_object(
        c.FIBA_BULK, full, (TimeError, "bulk_evict", NAN), *((ValueError, "bulk_insert", list(p)) for p in pairs)
    )
    for entry in (c.PANES, c.PAIRS, c.STARTS):
        name = entry.algorithm.__name__
        lengths = ((0, 1), (1, 0), (-1, 1), (1.0, 1), (True, 1), (2, True))
        found += _of_class(entry, WindowError, (CONCATENATION, []), *((CONCATENATION, [(3, 2), q]) for q in lengths))
        for now in (7, 0):
            stream = _lived(name, CONCATENATION, [(5, 3)], steps=[("insert", -2, "a"), ("insert", now, "b")])
            late = [(LateError, "insert", now - 1, "x"), (LateError, "advance", now - 3)]
            found += _of_object(entry, stream, *late, (WindowError, "insert", 9.0, "x"), (WindowError, "advance", None))
    return found + _list_refusals_of_streams()


def _list_refusals_of_streams() -> list[Refusal]:
    """Those of operators over streams, and of shared windows."""
    late: Calls
    bad: Calls
    queries: Calls
    c = catalogue
    found: list[Refusal] = []
    found += _of_class(c.CUTTY, WindowError, (CONCATENATION,))
    for kind, given in (
        ("CountMarks", (0, 1)),
        ("CountMarks", (3, True)),
        ("TimeMarks", (1, 0)),
        ("SessionMarks", (0,)),
    ):
        found.append(Refusal(c.CUTTY, f"{kind}{given}", WindowError, partial(_make, kind, given)))
    for marks in (Marks(over=1), Marks(0, 1), Marks(over=-1), Marks(-1), Marks(1, 2), Marks(1, over=1)):
        cutty = _lived("Cutty", CONCATENATION, [partial(_mark, marks)])
        found += _of_object(c.CUTTY, cutty, (WindowError, "insert", Event(None, "a"), "a"))
    queries = (((), ()), ([(0, 1)], ()), ([(1, True)], ()), ([], [0]), ([], [-2]), ([], [1.5]), ([], [True]))
    found += _of_class(c.STREAM_SLICING, WindowError, *((SUM, *each) for each in queries))
    for now in (5, 0):
        steps = [("insert", -4, 1), ("insert", now, 2), ("advance", now)]
        slicing = _lived("StreamSlicing", SUM, [(4, 2)], [3], steps=steps)
        late = [(LateError, "insert", now - 1, 1), (LateError, "advance", now - 1)]
        found += _of_object(
            c.STREAM_SLICING, slicing, *late, (WindowError, "insert", 9.0, 1), (WindowError, "advance", "9")
        )
    made: tuple[tuple[Entry, tuple[Any, ...]], ...]
    made = (c.STREAM, (CONCATENATION,)), (c.TIMEGRAM, (0, 9, 3)), (c.ORDERED_SHARING, ())
    for entry, arguments in made:
        name, value = entry.algorithm.__name__, "a" if entry is c.STREAM else 4
        look = "max" if entry is c.TIMEGRAM else "lookup"
        lived = _lived(name, *arguments, steps=[("register", 3), ("register", 5), *[("insert", value)] * 7])
        sizes = ((TypeError, "register", size) for size in (True, "1", 2.0, None))
        found += _of_object(
            entry, _lived(name, *arguments), (UnknownWindowError, "insert", value), (UnknownWindowError, look, 1)
        )
        found += _of_object(
            entry, _lived(name, *arguments, steps=[("register", 2)]), *sizes, (ValueError, "register", 0)
        )
        late = [(LateRegistrationError, "register", size) for size in (4, 3, 6)]
        found += _of_object(entry, lived, *late, (UnknownWindowError, look, 4))
    found += _of_class(c.TIMEGRAM, ValueError, (0, 0, 1), (1, 0, 1), (0, 1, 0), (0, 1, 2.0))
    found += _of_class(c.TIMEGRAM, TypeError, (0.0, 1, 1), (0, 1.0, 1))
    gram = _lived("TimeGram", 0, 9, 3, steps=[("register", 3), ("insert", 0), ("insert", 4)])
    widths = [(ValueError, "widen", times) for times in (0, -1, 1.5)]
    found += _of_object(c.TIMEGRAM, gram, (TypeError, "insert", 0.5), *widths)
    sharing = _lived("OrderedSharing", steps=[("register", 3), ("insert", 0), ("insert", 4), ("lookup", 3)])
    found += _of_object(c.ORDERED_SHARING, sharing, (ValueError, "insert", NAN), (TypeError, "insert", "x"))
    for now in (4, 0):
        fed = [("feed", Event(-3, "a")), ("feed", Event(now, "b"))]
        windowing = _lived("Windowing", Window(Time(4), Time(2)), steps=fed)
        bad = [
            (LateError, Event(now - 1, "x")),
            (WindowError, Event(0.5, "x")),
            (WindowError, Event(9, "x", [])),
            (WindowError, "x"),
        ]
        found += _of_object(c.WINDOWING, windowing, *((error, "feed", item) for error, item in bad))
        aggregate = _lived("Aggregate", Window(Time(4), Time(2)), CONCATENATION, steps=fed)
        found += _of_object(c.AGGREGATE, aggregate, *((error, "feed", item) for error, item in bad))
    delta = _lived("Windowing", Window(Delta(3), Count(2)), steps=[("feed", Event(None, 2)), ("feed", Event(None, 5))])
    found += _of_object(
        c.WINDOWING, delta, (LateError, "feed", Event(None, 4)), (WindowError, "feed", Event(None, NAN))
    )
    found += [
        Refusal(
            c.AGGREGATE,
            "stream of another name",
            WindowError,
            lambda names: names.Aggregate(Window(Count(1), Count(1)), CONCATENATION, stream="other"),
        )
    ]
    return found


REFUSALS: Final = _list_refusals()
"""What every algorithm says that it refuses."""


def picture(value: Any, seen: dict[int, int] | None = None) -> Any:
    """What an object is made of, as plain data: equal for objects that are made of the same in the same way."""
    seen = {} if seen is None else seen
    if is_constant(value) and (isinstance(value, Operation) or not is_dataclass(value)):
        return value
    if id(value) in seen:
        return seen[id(value)]
    seen[id(value)] = len(seen)
    return type(value).__name__, [picture(part, seen) for part in list_parts(value)]


def find_taken(refusal: Refusal, names: Any) -> str:
    """What is wrong with a refusal, in words; empty where nothing is."""
    made = None if refusal.made is None else refusal.made(names)
    for turn in range(1, TIMES + 1):
        try:
            refusal.call(names if made is None else made)
        except Exception as error:
            if not isinstance(error, refusal.error):
                return f"{refusal.what} raises {type(error).__name__}, not {refusal.error.__name__}, at try {turn}"
        else:
            return f"{refusal.what} is taken at try {turn}"
    if refusal.made is not None and picture(made) != picture(refusal.made(names)):
        return f"{refusal.what} is refused, and something has changed"
    return ""


def refused(refusals: Sequence[Refusal], variant: Variant | None = None) -> Outcome:
    """Whether all of these are refused, by the references or by a wrong variant."""
    for refusal in refusals:
        names = refusal.entry.module if variant is None else variant.rewrite(refusal.entry.module)
        found = find_taken(refusal, names)
        if found:
            return Outcome("fails", f"{refusal.entry.name}: {found}")
    entries = {refusal.entry for refusal in refusals}
    return Outcome("holds", f"{len(refusals)} refusals of {len(entries)} algorithms", {"refusals": len(refusals)})


def _takes(entry: Entry, name: str, *edits: tuple[str, str, str]) -> Control:
    own = [refusal for refusal in REFUSALS if refusal.entry is entry]
    return Control(f"{entry.name}: {name}", partial(refused, own, wrong(name, *edits)))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="objects/refused",
        statement="What an algorithm says that it refuses, it refuses, with the error that it says, also the third "
        "time; and nothing has changed then.",
        source=cite(OURS),
        algorithm="every reference",
        kind="exhaustive",
        engine="run",
        scope="every algorithm of the catalogue: the bad input of a table, three times each, after one history",
        code="reference.catalogue: CATALOGUE",
        check=partial(refused, REFUSALS),
        controls=(
            _takes(
                catalogue.STARTS,
                "a clock of 0 is none",
                ("Sliced.advance", "if self.clock is not None and t <", "if self.clock and t <"),
            ),
            _takes(
                catalogue.FLAT_FAT,
                "six places are taken",
                ("FlatFat.__init__", "self.n & (self.n - 1):", "self.n % 2 and self.n > 1:"),
            ),
            _takes(
                catalogue.REACTIVE_AGGREGATOR,
                "the third stranger goes",
                ("ReactiveAggregator", "            raise NotInWindowError(ticket)",
                 "            self.strangers = getattr(self, 'strangers', 0) + 1\n            if self.strangers < 3:\n"
                 "                raise NotInWindowError(ticket)\n            return"),
            ),
            _takes(
                catalogue.ORDERED_SHARING,
                "what is refused has told the time",
                ("OrderedSharing.refuse_unordered", "if v != v:", "self.currentTime += v != v\n        if v != v:"),
            ),
        ),
        not_covered="input of types that the table has not; what a window over other operations would refuse",
    ),
)  # fmt: skip
