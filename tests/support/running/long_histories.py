"""Long histories: each algorithm is compared with its definition in windows far larger than an exploration reaches.

An exploration decides every history up to its bound.  An error may begin beyond it: in a buffer of two hundred slots,
with thirty windows over one stream, at a time of 2 ** 53.  So there is one seeded history for each abstract data type,
and every answer is compared with the definition's.  A history is no proof, but finds errors at such sizes.

The histories are repeated with values that show nothing (`opaque`): words over two letters, without equality, order,
truth value or hash.  One word is None, and equal words are the same object.  So an algorithm that looks at its values,
for example tests whether one is None, fails or answers wrongly.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, NoReturn

from swagproof.contracts.sharing.timegram import contains
from swagproof.contracts.slicing.slices import whole
from swagproof.models import relations
from swagproof.models.any_order import AnyOrderWindow, Places
from swagproof.models.discretisation import count_windows, deterministic, session_windows, time_windows
from swagproof.models.fifo import FifoWindow
from swagproof.models.marked import MarkedWindows
from swagproof.models.operations import CONCATENATION, MAX, MIN, SUM, Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.models.sliced import SlicedWindows
from swagproof.models.windows.window import (
    PUNCTUATION,
    Count,
    Event,
    Heartbeat,
    Item,
    Punctuation,
    Time,
    Window,
    contents_by_key,
)
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.related_work.technique_states import LETTERS_SORTED
from swagproof.proofs.slicing.deterministic import functions
from swagproof.proofs.slicing.discretised import kinds
from swagproof.proofs.windows.streams import follow
from swagproof.reference import catalogue as c
from swagproof.reference.catalogue import CATALOGUE, Entry
from swagproof.reference.slicing.cutty import CountMarks, SessionMarks, TimeMarks

SEED: Final = 2021


class Values(NamedTuple):
    """The values of a history: a monoid over words, and its letters by number."""

    operation: Any
    letter: Callable[[int], Any]


PLAIN: Final = Values(CONCATENATION, LETTERS.__getitem__)


class Opaque:
    """A word that shows nothing of itself."""

    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def hide(self, *_: object) -> NoReturn:
        """Refuse an operation."""
        raise TypeError("an algorithm looks at a value")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = hide
    __bool__ = __len__ = __iter__ = __hash__ = __str__ = __repr__ = __add__ = __radd__ = hide


def opaque(nothing: str) -> Values:
    """Return opaque words over two letters; None stands for this word."""

    @cache
    def of(word: str) -> Opaque | None:
        return None if word == nothing else Opaque(word)

    def spell(value: Opaque | None) -> str:
        return nothing if value is None else value.word

    def combine(x: Any, y: Any) -> Any:
        return of(spell(x) + spell(y))

    def remove(x: Any, xy: Any) -> Any:
        return of(spell(xy)[len(spell(x)) :])

    def same(x: Any) -> Any:
        return x

    words = Operation("opaque", same, combine, same, of(""), commutative=False, remove=remove)
    return Values(words, lambda number: of("ab"[number % 3 % 2]))


def spelled(answer: Any) -> Any:
    """Return an answer with its words in place of opaque values."""
    match answer:
        case Opaque():
            return ("word", answer.word)
        case list() | tuple():
            return [spelled(each) for each in answer]
        case _:
            return answer


class Beside:
    """An algorithm and its definition, which get the same operations."""

    def __init__(self, entry: Entry, subject: Any, model: Any, values: Values = PLAIN) -> None:
        self.subject, self.model, self.steps = subject, model, 0
        self.invariant = entry.contract.INVARIANT if values is PLAIN and isinstance(entry, c.Column) else ()
        """The clauses to check; they compare values."""

    def do(self, method: str, *arguments: Any) -> Any:
        """Call a method of both.  Raises AssertionError if their answers differ."""
        self.steps += 1
        expected = getattr(self.model, method)(*arguments)
        self.same(getattr(self.subject, method)(*arguments), expected)
        return expected

    def same(self, found: object, expected: object) -> None:
        """Raise AssertionError unless the answer equals the definition's."""
        assert spelled(found) == spelled(expected), f"answer at step {self.steps}"

    def check(self, every: int = 1) -> None:
        """Raise AssertionError with the broken clauses of the invariant, checked at every `every`-th step."""
        if self.steps % every == 0:
            self.subject.model = self.model
            failed = [clause.__name__ for clause in self.invariant if not clause(self.subject)]
            assert not failed, f"{', '.join(failed)} at step {self.steps}"


def check(entry: Entry, mutant: Mutant | None = None) -> str:
    """Return the failure of the histories of an algorithm, or of a mutant of its module, or ""."""
    names = SimpleNamespace(**vars(entry.module)) if mutant is None else mutant.rewrite(entry.module)
    for run in RUNS.get(entry, ()):
        for values in (PLAIN, opaque(""), opaque("a")) if run in OF_ANY_VALUES else (PLAIN,):
            try:
                run(entry, names, *([] if run not in OF_ANY_VALUES else [values]))
            except Exception as error:
                how = "" if values is PLAIN else " of opaque values"
                return f"{run.__name__}{how}: {type(error).__name__}: {error}"
    return ""


def algorithm(entry: Entry, names: Any) -> Any:
    """Return the class of an algorithm among the names of its module."""
    return getattr(names, entry.algorithm.__name__)


# Windows


def shapes(most: int, chance: Random) -> Iterator[str]:
    """Yield the steps of a window that fills to `most`, slides, oscillates, drains and refills."""
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


def fifo_and_any_order(entry: Entry, names: Any, values: Values) -> None:
    """Run two windows, one after the other; about half the steps are queries."""
    for most in (20, 240):
        chance, selects, any_order = Random(SEED), entry is c.SLICK_DEQUE, entry.kind == "any order"
        if selects:
            values = Values(MAX, lambda number: number * 7919 % 9 - number % 400)
        model: Any = (AnyOrderWindow if any_order else FifoWindow)(values.operation)
        both = Beside(entry, algorithm(entry, names)(values.operation), model, values)
        both.subject.start, both.subject.events = 1, 0  # a buffer's first capacity, and its steps since an answer
        for number, step in enumerate(shapes(most, chance), start=1):
            if step == "insert":
                both.do("insert", values.letter(number))
            else:
                both.do("evict", *([chance.choice(model.tickets)] if any_order and chance.random() < 0.85 else []))
            both.subject.events += 1
            both.check(30)
            if chance.random() < 0.5:
                both.same(both.subject.query(), model.query())
                both.subject.events = 0
            if hasattr(both.subject, "lookup") and chance.random() < 0.5:
                newest = chance.randrange(model.size + 1)
                both.same(both.subject.lookup(newest), model.product(model.size - newest, model.size))


def places(entry: Entry, names: Any, values: Values) -> None:
    """Run FlatFAT over 1,024 places, with few and many changes at a time."""
    chance, n = Random(SEED), 1024
    first = [values.letter(number) for number in range(n)]
    subject, definition = algorithm(entry, names)(values.operation, first), Places(values.operation, first)
    both = Beside(entry, subject, definition, values)
    fat, model = both.subject, both.model
    for _ in range(60):
        changed = chance.sample(range(1, n + 1), chance.choice((1, 2, 7, 300)))
        both.do("update", [(i, values.letter(chance.randrange(4096))) for i in changed])
        i = chance.randrange(1, n + 1)
        both.same(fat.aggregate(), model.product(1, n))
        both.same((fat.prefix(i), fat.suffix(i)), (model.product(1, i), model.product(i, n)))


TREES: Final = ((2, 1, 1500), (3, 2, 1000), (4, 3, 1000), (8, 4, 800), (12, 5, 60), (33, 6, 120))
"""(min-arity, seed, operations) of the histories of trees."""


def any_time(entry: Entry, names: Any, values: Values) -> None:
    """Run trees that fill to 40 min_arity, drain, and fill again: the least min-arity has four levels.

    Half of all operations are within three entries of an end, and one in eight meets a present time.
    """
    for min_arity, seed, operations in TREES:
        chance, model = Random(seed), OutOfOrderWindow(values.operation)
        both = Beside(entry, algorithm(entry, names)(values.operation, min_arity), model, values)
        filling, most = True, 40 * min_arity
        for number in range(operations):
            n = model.size
            filling = n < most if filling else n < most // 8
            near = chance.randrange(min(4, n + 1)) if n and chance.random() < 0.5 else chance.randrange(n + 1)
            place = n - near if chance.random() < 0.5 else near
            if chance.random() < (0.85 if filling else 0.15):
                if place < n and chance.random() < 0.125:
                    t = model.times[place]
                else:
                    before = model.times[place - 1] if place else -1.0
                    t = before / 2 + model.times[place] / 2 if place < n else before + 1.0
                both.do("insert", t, values.letter(number % 4096))
            elif n:
                both.do("evict", model.times[min(place, n - 1)])
            both.check()
            both.same(both.subject.query(), model.query())
            both.same(both.subject.size, model.size)
            if model.size:
                ends = chance.choice(model.times), chance.choice(model.times)
                both.same(both.subject.range_query(*ends), model.range_query(*ends))
                both.same((both.subject.oldest(), both.subject.youngest()), (model.times[0], model.times[-1]))


class BulkWindow(OutOfOrderWindow[Any]):
    """A window by definition with bulk operations."""

    def bulk_insert(self, pairs: Sequence[tuple[int, Any]]) -> None:
        """Insert the pairs one after the other; an algorithm may take them from an iterator."""
        for t, v in pairs:
            self.insert(t, v)

    def bulk_evict(self, last: int) -> None:
        """Evict all times up to the last."""
        for t in [t for t in self.times if t <= last]:
            self.evict(t)


def bulk(entry: Entry, names: Any, values: Values) -> None:
    """Run a tree with bulk operations of up to a hundred entries."""
    chance = Random(SEED)
    for min_arity in (2, 5):
        subject = algorithm(entry, names)(values.operation, min_arity)
        both = Beside(entry, subject, BulkWindow(values.operation), values)
        model = both.model
        for number in range(120):
            if model.size < (200 if number % 30 < 15 else 40):
                first = chance.choice(model.times) if model.size else 0
                times = sorted(first + chance.randrange(400) for _ in range(chance.choice((1, 5, 30, 100))))
                pairs = [(t, values.letter((number + t) % 4096)) for t in times]
                both.subject.bulk_insert(iter(pairs))
                model.bulk_insert(pairs)
            else:
                both.do("bulk_evict", model.times[chance.randrange(model.size)])
            both.check()
            both.same(both.subject.query(), model.query())


# Many windows over one stream

SIZES: Final = (tuple(range(1, 40, 3)), (1, 2, 3, 5, 9, 10, 19, 31, 47, 61, 84, 100, 133, 170))


def start_shared(
    entry: Entry, subject: Any, operation: Any, sizes: Sequence[int], chance: Random, values: Values = PLAIN
) -> Beside:
    """Register the windows in any order."""
    both = Beside(entry, subject, SharedWindows[Any](operation), values)
    for size in chance.sample(sizes, len(sizes)):
        both.do("register", size)
    return both


def shared(entry: Entry, names: Any, values: Values) -> None:
    """Look up some windows after each tuple, and now and then all."""
    kinds_of = {
        "OrderedSharing": (MAX, ()),
        "OrderedSharingMin": (MIN, ()),
        "NaiveStream": (values.operation, (values.operation,)),
    }
    for name, (operation, arguments) in kinds_of.items():
        for sizes in SIZES if hasattr(names, name) else ():
            chance = Random(SEED)
            both = start_shared(entry, getattr(names, name)(*arguments), operation, sizes, chance, values)
            for number in range(1, 421):
                both.do("insert", values.letter(number) if arguments else chance.randrange(40) + number % 130)
                for size in sizes if number % 40 == 0 else chance.sample(sizes, chance.randrange(4)):
                    both.same(both.subject.lookup(size), both.model.lookup(size))
                if number % 20 == 0:
                    both.check()


def timegram(entry: Entry, names: Any) -> None:
    """Check that each bound contains the exact answer, and is as wide as a bucket, or as n of them for a sum.

    The second stream has numbers that doubles round.
    """
    for sizes, base, part in zip(SIZES, (0, 2**60), (0, Fraction(1, 3**40)), strict=True):
        chance = Random(SEED)
        both = start_shared(entry, names.TimeGram(base, base + 60, 24), SUM, sizes, chance)
        gram = both.subject
        for number in range(1, 421):
            value = chance.randrange(-20, 160)
            both.do("insert", base + (value // 2 if value % 5 else value / Fraction(2) + part))
            if number == 330:
                gram.widen(3)
            wide = Fraction(60, 24) * (3 if number >= 330 else 1)
            if number % 40 == 0:
                both.check()
            for size in () if number % 5 else {chance.choice(sizes), sizes[-1]}:
                held = both.model.window(size)
                n = len(held)
                both.same(gram.count(size), n)
                for found, exact, width in (
                    (gram.max(size), max(held), 1),
                    (gram.min(size), min(held), 1),
                    (gram.sum(size), sum(held), n),
                    (gram.avg(size), sum(held) / Fraction(n), 1),
                ):
                    assert contains(found, exact), f"step {number}: {found} for {exact}"
                    assert found[1] - found[0] == width * wide, f"step {number}: {found} is as wide as {width} buckets"


# Slices

PERIODIC: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    ((150, 1),),
    ((120, 60),),
    ((97, 35),),
    ((5, 44),),
    ((70, 51), (33, 22), (64, 64)),
    tuple((7 * i + 1, 3 * i) for i in range(1, 15)),
)
REACHED: Final = (2**53, 0, 2**31, 4096, 2048, 0)
"""Times that the stream reaches: it begins a little before each."""


def slices(entry: Entry, names: Any, values: Values) -> None:
    """Run records in order, most of them close, some at one time, with gaps after which nothing is stored."""
    for queries, after in zip(PERIODIC, REACHED, strict=True):
        chance, reach = Random(SEED), max(map(sum, queries))
        subject = algorithm(entry, names)(values.operation, queries)
        both = Beside(entry, subject, SlicedWindows(values.operation, queries), values)
        model, t = both.model, after - 70
        for number in range(300):
            later = t + (chance.choice((0, 0, 1, 1, 1, 1, 1, 2, 3, 9)) if chance.random() < 0.99 else 2 * reach)
            t = after if t < after < later else later
            expected = model.advance(t)
            both.same(subject.insert(t, values.letter(number)), expected)
            assert whole(subject, [(begin, end) for _, begin, end, _ in expected[:1]]), f"whole at step {number}"
            model.insert(t, values.letter(number))
            model.records = [record for record in model.records if record[0] > t - reach]
            if number % 40 == 39 or t == after:
                both.check()


def cutty(entry: Entry, names: Any, values: Values) -> None:
    """Run windows by count, in time and sessions over one stream, a few alone and then all together."""
    counted = [partial(CountMarks, *query) for query in ((90, 1), (64, 3), (150, 41), (20, 70))]
    timed = [partial(TimeMarks, *query) for query in ((80, 4), (60, 60), (7, 55))]
    apart = [partial(SessionMarks, gap) for gap in (2, 9)]
    groups: tuple[Sequence[Callable[[], Any]], ...]
    groups = (counted[:1], counted[2:], timed, apart, [*counted, *timed, *apart])
    for group in groups:
        chance, t, marks = Random(SEED), -150, [make() for make in group]
        subject = algorithm(entry, names)(values.operation, *functions(len(marks), 0))
        both = Beside(entry, subject, MarkedWindows(values.operation, len(marks), 0), values)
        for number in range(300):
            t += chance.choice((0, 1, 1, 1, 2)) if chance.random() < 0.96 else 12
            item = tuple(f_disc(Event(t, number)) for f_disc in marks), ()
            letter = values.letter(number)
            both.same(subject.insert(item, letter), both.model.item(*item, letter))
            if number % 40 == 0:
                both.check()


def discretisation(entry: Entry, names: Any) -> None:
    """Compare every discretisation function with its definition: from before 0 on, and at large numbers and times."""
    found = list(kinds(names, 1))
    for query in ((90, 1), (150, 41), (20, 70)):
        found.append((f"count {query}", count_windows(*query), partial(names.CountMarks, *query)))
        found.append((f"time {query}", time_windows(*query), partial(names.TimeMarks, *query)))
    found.append(("session 9", session_windows(9), partial(names.SessionMarks, 9)))
    for start, most in ((-150, 1200), (2**31 - 150, 200), (2**53 - 150, 200)):
        chance, t, items = Random(SEED), start, list[Item]()
        for number in range(most):
            t += chance.choice((0, 1, 1, 1, 2)) if chance.random() < 0.96 else 12
            kind = chance.random()
            items.append(Event(t, number) if kind < 0.9 else Heartbeat(t) if kind < 0.95 else Punctuation(t))
        for name, definition, make in found:
            assert deterministic(make)(items) == definition(items), f"{name} from {start} on"


def out_of_order_slices(entry: Entry, names: Any, values: Values) -> None:
    """Run records out of order down to a watermark that follows far behind."""
    sets = (*((queries, ()) for queries in PERIODIC[1:]), ((), (60, 90, 7)), *[(PERIODIC[4], (9,))] * 2)
    for commutative in (True, False) if values is PLAIN else (False,):
        operation = LETTERS_SORTED if commutative else values.operation
        for (periodic, sessions), after in zip(sets, (*REACHED[1:], 4096, 0, REACHED[0]), strict=True):
            chance, newest, watermark = Random(SEED), after - 90, after - 180
            subject = algorithm(entry, names)(operation, periodic, sessions, commutative=commutative)
            both = Beside(entry, subject, SlicedWindows(operation, periodic, sessions), values)
            for number in range(150):
                newest += chance.choice((0, 1, 2, 5)) if chance.random() < 0.97 else 90
                both.do("insert", max(newest - chance.choice((0, 0, 3, 40, 80)), watermark), values.letter(number))
                if number % 20 == 19:
                    next_one = max(watermark, newest - 60)
                    watermark = after if watermark < after < next_one else next_one
                    both.do("advance", watermark)
                    both.check()


# Windows


def windowing(entry: Entry, names: Any) -> None:
    """Run windows by count and in time, of eighteen keys, with punctuations between."""
    streams: list[tuple[Window, list[Any]]] = []
    for window in (
        Window(Count(25), Count(7)),
        Window(Time(90), Time(13)),
        Window(Count(40), Time(60)),
        Window(Time(70), Count(31)),
    ):
        chance, t, items = Random(SEED), 0, list[Any]()
        for number in range(500):
            t += chance.choice((0, 0, 1, 2)) if chance.random() < 0.99 else 200
            key = chance.randrange(18) if number % 200 < 120 else 1
            items.append(Event(t, (LETTERS[number], t), key) if chance.random() < 0.97 else Punctuation(t))
        streams.append((window, items))
    events = [Event(number, number) for number in range(4400)]
    streams.append((Window(Count(5), Count(7)), events))
    streams.append((Window(Count(3), PUNCTUATION), [events[0], *map(Punctuation, range(1, 4400))]))
    for window, items in streams:
        found = follow(names.Windowing(window), items)
        expected = {key: shown for key, shown in contents_by_key(window, items).items() if shown}
        assert {key: shown for key, shown in found.items() if shown} == expected, str(window)


ODD_ROWS: Final[Any] = Operation[Any, Any, Any](
    "odd rows",
    lift=lambda v: (v,),
    combine=lambda x, y: x + y,
    lower=lambda word: (None, float("nan"), len(word) // 3)[sum(word) % 3],
    identity=(),
    commutative=False,
    remove=lambda x, xy: xy[len(x) :],
)
"""Tuples of numbers, with answers that are None, NaN and equal for some successive windows."""


def aggregate(entry: Entry, names: Any) -> None:
    """Run the operator over keys that look alike; each item is taken only when its results are requested."""
    for stream, window in (("istream", Window(Count(12), Count(3))), ("dstream", Window(Time(40), Time(7)))):
        chance, t, items = Random(SEED), 0, list[Any]()
        for number in range(400):
            t += chance.choice((0, 1, 2))
            items.append(Event(t, number % 5, chance.choice((1, "1", None, "total", 0))))
        taken = list[Any]()
        subject = algorithm(entry, names)(window, ODD_ROWS, stream=str(stream))
        found = dict[Any, list[Any]]()
        for result in subject.process(item for item in items if taken.append(item) is None):
            trigger, key = result.trigger, result.key
            ahead = len(taken) > 1 and taken[-2].time > trigger.time
            assert not ahead, "an item is taken before the results of the one before are given"
            found.setdefault((type(key), key), []).append((trigger, repr(result.output)))
        held = contents_by_key(window, items)
        for key, of_key in held.items():
            rows = [
                (trigger, [ODD_ROWS.lower(tuple(e.value for e in events))] if events else [])
                for trigger, events in of_key
            ]
            right = [(trigger, repr(row)) for trigger, row in getattr(relations, stream)(rows)]
            assert found.get((type(key), key), []) == right, f"{stream} of key {key!r}"


OF_ANY_VALUES: Final = (fifo_and_any_order, places, any_time, bulk, shared, slices, cutty, out_of_order_slices)
"""The histories that are repeated with opaque values."""
RUNS: Final[dict[Entry, tuple[Callable[..., None], ...]]] = {
    **{entry: (fifo_and_any_order,) for entry in CATALOGUE if entry.kind in ("fifo", "any order")},
    **dict.fromkeys((c.PANES, c.PAIRS, c.STARTS), (slices,)),
    c.FLAT_FAT: (places,),
    **dict.fromkeys((c.B_TREE, c.FIBA), (any_time,)),
    c.FIBA_BULK: (bulk,),
    c.STREAM: (shared,),
    c.ORDERED_SHARING: (shared,),
    c.TIMEGRAM: (timegram,),
    c.CUTTY: (cutty, discretisation),
    c.STREAM_SLICING: (out_of_order_slices,),
    c.WINDOWING: (windowing,),
    c.AGGREGATE: (aggregate,),
}
"""The histories of each algorithm."""
