"""The kinds of window that can be judged: the operations of each, and when they are legal.

A bulk is the sequence of its single operations.  Inserts between `begin_bulk` and `end_bulk` are passed in one call,
`bulk_insert(...)`, with the meaning of single inserts; there may be none, and nothing else comes between them.

`fifo` is the window of `swagproof.models.fifo.Fifo`: elements leave in order of arrival.  An evict of an empty window
is illegal, so a subject never sees one.  `bulk_evict` removes the given number of oldest elements, from none to the
whole window.

`out-of-order` is the window of `swagproof.models.out_of_order.OutOfOrder`: every entry has a time, and the answer is
the product in the order of times, not of arrival.  Every history is legal: an insert at a present time combines the old
value with the new, an evict of an absent time does nothing, and a range includes both ends; the result for a range that
is empty, reversed or outside the window is the identity.  Times are numbers; the search uses integers that fit 32 bits,
zero and negative ones included; ranges from or to infinity are for subjects that support them.  Inserts in bulk are
sorted by time, equal times included.  `bulk_evict` removes every entry up to a time, inclusive; there may be none.

`shared` are the windows of `swagproof.models.shared.SharedWindows`: many over one stream, each over its own number of
newest elements.  All are registered before the first insert, and only registered sizes are looked up.

`time` is a time-based window, which evicts by itself: `span` is called once, first; entries come in the order of time,
ties included, and an entry is in the window while its time is above the newest time less the span.  `advance` moves the
current time forward; a subject without it learns the time from inserts alone.

`frame` is the computation of a batch engine: rows with a time and a value, a frame around each row as in SQL, and all
results at once, one per row, in the order of times (and of arrival, if times are equal).  A `rows` frame counts rows, a
`range` frame measures times and has all rows with an equal time; START and END are offsets from the row's own place,
negative before it, and null if the frame is unbounded.  The frame is declared once, first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

VALUE: Final = "VALUE"
"""The name of an insert's last argument: a stream element."""

TIMES: Final = frozenset({"TIME", "FROM", "TO"})
"""The arguments of operations that are times."""

Operations: TypeAlias = Iterable[tuple[str, tuple[Any, ...]]]
"""Operations: the name of each, and its arguments."""


@dataclass(frozen=True)
class Window:
    """A kind of window."""

    name: str
    """The name, as `--window` takes it."""
    operations: Mapping[str, tuple[str, ...]]
    """The operations, with the arguments of each."""
    queries: frozenset[str]
    """The operations that answer; they change nothing."""
    evicts: Literal["oldest", "by time", "never", "as time passes"]
    """The entry that an evict removes; or a note that there are no evicts: entries leave by themselves, or never."""
    legally: Callable[[Operations], Iterator[bool]]
    """The function that yields whether each operation is legal after the legal ones before it."""
    optional: frozenset[str] = frozenset()
    """Operations that a subject may lack: they are judged if it has them."""

    @property
    def forms(self) -> tuple[str, ...]:
        """The form of each operation.

        >>> FIFO.forms, OUT_OF_ORDER.forms[0]
        (('insert VALUE', 'evict', 'query', 'begin_bulk', 'end_bulk', 'bulk_evict COUNT'), 'insert TIME VALUE')
        """
        return tuple(" ".join((name, *takes)) for name, takes in self.operations.items())


def _never_evicts_from_empty(steps: Operations) -> Iterator[bool]:
    size, bulk = 0, False
    for name, arguments in steps:
        if name == "insert":
            size += 1
            yield True
            continue
        gone = 1 if name == "evict" else arguments[0] if name == "bulk_evict" else 0
        legal = gone <= size and bulk is (name == "end_bulk")
        if legal:
            size -= gone
            bulk = bulk is not (name in ("begin_bulk", "end_bulk"))
        yield legal


def _sorts_bulks(steps: Operations) -> Iterator[bool]:
    bulk, latest = False, None
    for name, arguments in steps:
        if name == "insert":
            legal = not bulk or latest is None or not arguments[0] < latest
            if bulk and legal:
                latest = arguments[0]
        else:
            legal = bulk is (name == "end_bulk")
            if legal and name in ("begin_bulk", "end_bulk"):
                bulk, latest = not bulk, None
        yield legal


def _registered_first(steps: Operations) -> Iterator[bool]:
    sizes: set[int] = set()
    begun = False
    for name, arguments in steps:
        if name == "register":
            if not begun:
                sizes.add(arguments[0])
            yield not begun
        elif name == "insert":
            begun = begun or bool(sizes)
            yield bool(sizes)
        else:
            yield arguments[0] in sizes


def _one_frame_first(steps: Operations) -> Iterator[bool]:
    framed = False
    for name, _ in steps:
        yield (name == "frame") is not framed
        framed = framed or name == "frame"


FIFO: Final = Window(
    "fifo",
    MappingProxyType(
        {"insert": (VALUE,), "evict": (), "query": (), "begin_bulk": (), "end_bulk": (), "bulk_evict": ("COUNT",)}
    ),
    frozenset({"query"}),
    "oldest",
    _never_evicts_from_empty,
    optional=frozenset({"begin_bulk", "end_bulk", "bulk_evict"}),
)
OUT_OF_ORDER: Final = Window(
    "out-of-order",
    MappingProxyType(
        {
            "insert": ("TIME", VALUE),
            "evict": ("TIME",),
            "query": (),
            "range_query": ("FROM", "TO"),
            "begin_bulk": (),
            "end_bulk": (),
            "bulk_evict": ("TIME",),
        }
    ),
    frozenset({"query", "range_query"}),
    "by time",
    _sorts_bulks,
    optional=frozenset({"range_query", "begin_bulk", "end_bulk", "bulk_evict"}),
)
SHARED: Final = Window(
    "shared",
    MappingProxyType({"register": ("SIZE",), "insert": (VALUE,), "lookup": ("SIZE",)}),
    frozenset({"lookup"}),
    "never",
    _registered_first,
)


def _spanned_first(steps: Operations) -> Iterator[bool]:
    spanned, now = False, None
    for name, arguments in steps:
        if name == "span":
            legal, spanned = not spanned, True
        else:
            legal = spanned and (name == "query" or now is None or not arguments[0] < now)
            if legal and name != "query":
                now = arguments[0]
        yield legal


TIME: Final = Window(
    "time",
    MappingProxyType({"span": ("SPAN",), "insert": ("TIME", VALUE), "advance": ("TIME",), "query": ()}),
    frozenset({"query"}),
    "as time passes",
    _spanned_first,
    optional=frozenset({"advance"}),
)
FRAME: Final = Window(
    "frame",
    MappingProxyType({"frame": ("UNIT", "START", "END"), "insert": ("TIME", VALUE), "results": ()}),
    frozenset({"results"}),
    "never",
    _one_frame_first,
)

WINDOWS: Final[Mapping[str, Window]] = MappingProxyType(
    {window.name: window for window in (FIFO, OUT_OF_ORDER, SHARED, TIME, FRAME)}
)
"""Every kind, by name."""

QUERIES: Final = frozenset[str]().union(*(window.queries for window in WINDOWS.values()))
"""The operations with an answer, of any kind of window."""


def is_time(value: Any) -> bool:
    """Return whether a value can be a time in a trace: a number, but neither NaN nor a truth value.

    >>> is_time(3), is_time(-0.5), is_time(float("nan")), is_time("3"), is_time(True)
    (True, True, False, False, False)
    """
    return type(value) in (int, float) and value == value


def _is_size(value: Any) -> bool:
    return type(value) is int and value > 0


ARGUMENTS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = MappingProxyType(
    {
        **dict.fromkeys(TIMES, (is_time, "a number other than NaN")),
        "SPAN": (lambda value: is_time(value) and 0 < value, "a number above 0"),
        "SIZE": (_is_size, "a whole number of elements, 1 or more"),
        "COUNT": (lambda value: type(value) is int and value >= 0, "a whole number of elements, 0 or more"),
        "UNIT": (lambda value: value in ("rows", "range"), '"rows" or "range"'),
        **dict.fromkeys(("START", "END"), (lambda value: value is None or is_time(value), "a number, or null")),
    }
)
"""For each kind of argument besides a stream element: the test of a value, and a description of valid values."""
