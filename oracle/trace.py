"""Traces: a history of operations, as text that a person can read, type and replay.

A trace is a list of requests to a subject: `insert` with a stream element, `evict`, `query`; in an out-of-order window,
an insert begins with its time, an evict names one, and a `range_query` two.  It stores *stream elements*, not partial
aggregates: the runner lifts each element separately for the subject and for the reference, so the two never share a
mutable value, and a trace is readable for any aggregation.  Answers, however, are partial aggregates.

Two forms carry the same trace.  Inline, for a command line:

    insert "a", insert "b", evict, query
    1001 * insert 1, query
    insert 3 "b", insert 1 "a", evict 3, range_query 1 2, query
    begin_bulk, insert "a", insert "b", end_bulk, bulk_evict 2, query

and as a JSON file:

    {"format": "swagproof-trace", "version": 1, "window": "fifo", "monoid": "concatenation",
     "operations": [["insert", "a"], ["insert", "b"], ["evict"], ["query"]]}
    {"format": "swagproof-trace", "version": 1, "window": "out-of-order", "monoid": "concatenation",
     "operations": [["insert", 3, "b"], ["insert", 1, "a"], ["evict", 3], ["range_query", 1, 2], ["query"]]}

Values and times are JSON literals.  A value of another type is an object with one key that names the type: `{"tuple":
[1, 2]}`, `{"float": "nan"}` (also `inf`, `-inf`), `{"int": "9007199254740993"}` (read only: for writers whose numbers
are all floats), `{"fraction": "1/3"}`, `{"decimal": "0.1"}`, `{"bytes": "00ff"}`, `{"set": [...]}`, `{"frozenset":
[...]}`, `{"dict": [[key, value], ...]}`.  Nothing is ever unpickled or evaluated.
"""

import itertools
import json
import math
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from swagproof.oracle.window import ARGUMENTS, FIFO, QUERIES, TIMES, VALUE, WINDOWS, Window
from swagproof.reports.report import Outcome

LONGEST: Final = 10_000_000
"""The most operations of a trace."""


LARGEST_EXPONENT: Final = 10_000
"""The largest power of ten of a decimal: it is compared as an exact fraction, which must stay small."""


class InputError(Exception):
    """An error in the user's input: one line with the place, the problem and the fix.  Exit code 2."""

    outcome: Outcome = "error"


class SubjectError(InputError):
    """The subject crashed, hung or broke the protocol before the first operation.  Exit code 4."""

    outcome = "broken"


class Step(NamedTuple):
    """One operation: its name, and its arguments (times, and last a stream element)."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *map(spell, self.arguments)))


EVICT: Final = Step("evict")
QUERY: Final = Step("query")
BEGIN: Final = Step("begin_bulk")
END: Final = Step("end_bulk")


def insert(element: Any) -> Step:
    """Return the operation that inserts this stream element.

    >>> print(insert((1, "b")))
    insert {"tuple": [1, "b"]}
    """
    return tuple.__new__(Step, ("insert", (element,)))  # Step(...) takes twice as long: a search makes millions


def insert_at(time: Any, element: Any) -> Step:
    """Return the operation that inserts this stream element at this time.

    >>> print(insert_at(3, "b"))
    insert 3 "b"
    """
    return tuple.__new__(Step, ("insert", (time, element)))


def evict_at(time: Any) -> Step:
    """Return the operation that evicts the entry at this time, if there is one."""
    return Step("evict", (time,))


def range_query(first: Any, last: Any) -> Step:
    """Return the operation that queries the product of the entries from one time to another, both included."""
    return Step("range_query", (first, last))


def bulk_evict(bound: Any) -> Step:
    """Return the operation that evicts the `bound` oldest elements; out of order, all entries up to this time,
    inclusive."""
    return Step("bulk_evict", (bound,))


def register(size: int) -> Step:
    """Return the operation that adds a window over the newest `size` elements."""
    return Step("register", (size,))


def lookup(size: int) -> Step:
    """Return the operation that queries the product of the newest `size` elements."""
    return Step("lookup", (size,))


def span(length: Any) -> Step:
    """Return the operation that declares the span of a time-based window."""
    return Step("span", (length,))


def advance(time: Any) -> Step:
    """Return the operation that advances the current time."""
    return Step("advance", (time,))


def bulk_insert(inserts: Iterable[Step]) -> list[Step]:
    """Return the operations that do these inserts in bulk.

    >>> inline(bulk_insert([insert_at(1, "a"), insert_at(3, "b")]))
    'begin_bulk, insert 1 "a", insert 3 "b", end_bulk'
    """
    return [BEGIN, *inserts, END]


def singly(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the operations of a FIFO window with bulks expanded to single operations.

    >>> inline(list(singly([*bulk_insert([insert("a"), insert("b")]), bulk_evict(2), QUERY])))
    'insert "a", insert "b", evict, evict, query'
    """
    for step in steps:
        if step.name == "bulk_evict":
            yield from itertools.repeat(EVICT, step.arguments[0])
        elif step.name not in ("begin_bulk", "end_bulk"):
            yield step


def take(window: Any, step: Step, lift: Callable[[Any], Any]) -> Any:
    """Run one operation on a window, an insert with the lifted element.  Return its answer, if any."""
    if step.name == "insert":
        return window.insert(*step.arguments[:-1], lift(step.arguments[-1]))
    return getattr(window, step.name)(*step.arguments)


def asks(step: Step) -> bool:
    """Return whether an operation is a query, of the window or of a range."""
    return step.name in QUERIES


def times_of(step: Step, window: Window) -> tuple[Any, ...]:
    """Return the times that an operation names; they come first.

    >>> from swagproof.oracle.window import OUT_OF_ORDER
    >>> times_of(insert_at(3, "b"), OUT_OF_ORDER), times_of(insert(7), FIFO)
    ((3,), ())
    """
    return tuple(
        argument for argument, what in zip(step.arguments, window.operations[step.name], strict=True) if what in TIMES
    )


def encode(value: Any) -> Any:
    """Encode a value as JSON, so that `decode` restores it with its type.

    Raises TypeError for a value that has no such form.

    >>> encode([1.0, float("-inf"), (True, None)])
    [1.0, {'float': '-inf'}, {'tuple': [True, None]}]
    """
    if type(value) in _ENCODERS:
        return _ENCODERS[type(value)](value)
    raise TypeError(
        f"{value!r} has no JSON form: use None, bool, int, float, str, list, tuple, dict, set, Fraction or Decimal"
    )


def encode_answer(value: Any) -> Any:
    """Encode any answer of a subject: as `encode` does, or as {"repr": ...}."""
    try:
        return encode(float(value) if isinstance(value, float) else value)
    except (TypeError, RecursionError, ValueError):
        try:
            return {"repr": repr(value)}
        except Exception as error:  # the repr of an answer may raise anything
            return {"repr": f"<{type(value).__name__} whose repr raises {type(error).__name__}>"}


def _as_is(value: Any) -> Any:
    return value


PLAIN: Final = frozenset((type(None), bool, int, str))
"""The types whose values are their own encoding: a long list of these is encoded in one step."""


_ENCODERS: Final[dict[type, Callable[[Any], Any]]] = {
    type(None): _as_is,
    bool: _as_is,
    int: _as_is,
    str: _as_is,
    float: lambda x: x if math.isfinite(x) else {"float": repr(x)},
    Fraction: lambda x: {"fraction": str(x)},
    Decimal: lambda x: {"decimal": str(x)},
    bytes: lambda x: {"bytes": x.hex()},
    list: lambda items: items[:] if PLAIN.issuperset(map(type, items)) else [encode(item) for item in items],
    tuple: lambda items: {"tuple": [encode(item) for item in items]},
    set: lambda items: {"set": sorted((encode(item) for item in items), key=json.dumps)},
    frozenset: lambda items: {"frozenset": sorted((encode(item) for item in items), key=json.dumps)},
    dict: lambda items: {"dict": [[encode(key), encode(item)] for key, item in items.items()]},
}


def _whole(text: Any) -> int:
    if not isinstance(text, str):
        raise TypeError("expected digits in a string")
    return int(text)


def _decimal(text: Any) -> Decimal:
    value = Decimal(text)
    if not value.is_finite() or abs(value.adjusted()) > LARGEST_EXPONENT:
        raise ValueError(f"expected a finite decimal with an exponent of up to {LARGEST_EXPONENT:,}")
    return value


_DECODERS: Final[dict[str, Callable[[Any], Any]]] = {
    "float": float,
    "int": _whole,
    "hex": lambda text: int(text, 16),
    "fraction": Fraction,
    "decimal": _decimal,
    "bytes": bytes.fromhex,
    "tuple": lambda items: tuple(decode(item) for item in items),
    "set": lambda items: {decode(item) for item in items},
    "frozenset": lambda items: frozenset(decode(item) for item in items),
    "dict": lambda items: {decode(key): decode(item) for key, item in items},
}


def decode(data: Any) -> Any:
    """Decode a value that `encode` wrote.  Raises ValueError for an object of no known form.

    >>> decode({"tuple": [1, {"float": "nan"}, "a"]})
    (1, nan, 'a')
    """
    if isinstance(data, list):
        if PLAIN.issuperset(map(type, data)):  # pyright: ignore[reportUnknownArgumentType]  # JSON of any shape
            return data[:]  # pyright: ignore[reportUnknownVariableType]  # JSON of any shape
        return [decode(item) for item in data]  # pyright: ignore[reportUnknownVariableType]  # JSON of any shape
    if not isinstance(data, dict):
        return data
    items = cast("dict[str, Any]", data)
    if len(items) == 1:
        ((name, inner),) = items.items()
        if name in _DECODERS:
            try:
                return _DECODERS[name](inner)
            except (TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
                raise ValueError(f'{{"{name}": ...}}: {error}') from None
    raise ValueError(f'{json.dumps(data)} is no value: write {{"dict": [[key, value], ...]}}, or one of {_FORMS}')


_FORMS: Final = ", ".join(f'{{"{name}": ...}}' for name in _DECODERS)


def spell(value: Any) -> str:
    """Return the JSON text of a value.

    >>> spell("a"), spell(1e16), spell((1, None))
    ('"a"', '1e+16', '{"tuple": [1, null]}')
    """
    return json.dumps(encode_answer(value))


def legal(steps: Iterable[Step], window: Window = FIFO) -> bool:
    """Return whether every operation is legal: no evict meets an empty FIFO window, say.

    >>> legal([insert("a"), EVICT]), legal([EVICT])
    (True, False)
    """
    return all(window.legally(steps))


def first_illegal(steps: Iterable[Step], window: Window = FIFO) -> int | None:
    """Return the position of the first illegal operation; illegal operations are never sent to a subject."""
    return next((at for at, allowed in enumerate(window.legally(steps)) if not allowed), None)


def largest_window(steps: Sequence[Step], window: Window = FIFO) -> int:
    """Return the size of the window when it is largest.

    >>> from swagproof.oracle.window import OUT_OF_ORDER
    >>> largest_window([insert_at(3, "a"), insert_at(3, "b"), evict_at(1)], OUT_OF_ORDER)
    1
    """
    if window.evicts == "never" and "register" in window.operations:
        sizes = [step.arguments[0] for step in steps if step.name == "register"]
        return min(max(sizes, default=0), sum(step.name == "insert" for step in steps))
    if window.evicts == "as time passes":
        return _largest_span(steps)
    largest = size = 0
    if window.evicts != "by time":
        for name, arguments in steps:
            if name == "insert":
                size += 1
                if size > largest:  # max() takes three times as long
                    largest = size
            elif name == "evict":
                size -= 1
            elif name == "bulk_evict":
                size -= arguments[0]
        return largest
    present: set[Any] = set()
    for name, arguments in steps:
        if name == "insert":
            present.add(arguments[0])
            largest = max(largest, len(present))
        elif name == "evict":
            present.discard(arguments[0])
        elif name == "bulk_evict":
            present = {time for time in present if arguments[0] < time}
    return largest


def _largest_span(steps: Sequence[Step]) -> int:
    """Return the size of a time-based window when it is largest."""
    times: deque[Any] = deque()
    largest, length = 0, 0
    for name, arguments in steps:
        if name == "span":
            length = arguments[0]
        elif name != "query":
            if name == "insert":
                times.append(arguments[0])
            while times and not arguments[0] - length < times[0]:
                times.popleft()
            largest = max(largest, len(times))
    return largest


def inline(steps: Sequence[Step]) -> str:
    """Return the inline form; four or more equal operations in a row are written once, with their number.

    >>> inline([insert("a")] * 5 + [EVICT, QUERY])
    '5 * insert "a", evict, query'
    """
    parts: list[str] = []
    for text, run in itertools.groupby(map(str, steps)):
        times = sum(1 for _ in run)
        parts.extend([f"{times} * {text}"] if times > 3 else [text] * times)
    return ", ".join(parts)


_OPERATION: Final = re.compile(r"\s*(?:(\d+)\s*\*\s*)?([A-Za-z_]+)")
_SEPARATOR: Final = re.compile(r"\s*,")
_JSON: Final = json.JSONDecoder()


def parse(text: str, window: str = "fifo", option: str = "--trace") -> tuple[Step, ...]:
    """Parse the inline form.  Raises InputError that names the offending operation.

    >>> [str(step) for step in parse('2 * insert [1, "x"], evict, query')]
    ['insert [1, "x"]', 'insert [1, "x"]', 'evict', 'query']
    >>> parse('insert "a", evikt')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    swagproof.oracle.trace.InputError: --trace: operation 2: 'evikt' is none of insert, evict, query, ...
    """
    kind = WINDOWS[window]
    steps: list[Step] = []
    at = number = 0
    while True:
        number += 1
        where = f"{option}: operation {number}"
        match = _OPERATION.match(text, at)
        if not match:
            rest = text[at:].strip()
            *forms, last = kind.forms
            raise InputError(f"{where}: expected {', '.join(forms)} or {last}, found {rest[:40]!r}")
        times, name = int(match[1] or 1), match[2]
        at = match.end()
        if name not in kind.operations:
            raise InputError(f"{where}: {name!r} is none of {', '.join(kind.operations)}")
        arguments: list[Any] = []
        for what in kind.operations[name]:
            data, at = _json_at(text, at, f"{where}: {name}", what)
            arguments.append(_argument(data, f"{where}: {name}", what))
        if times + len(steps) > LONGEST:
            raise InputError(f"{where}: more than {LONGEST:,} operations")
        steps.extend([Step(name, tuple(arguments))] * times)
        if not text[at:].strip():
            return _checked(tuple(steps), option, kind)
        separator = _SEPARATOR.match(text, at)
        if not separator:
            raise InputError(f"{where}: expected a comma after {name}, found {text[at:].strip()[:40]!r}")
        at = separator.end()


def _json_at(text: str, at: int, where: str, what: str) -> tuple[Any, int]:
    """Return the JSON value at this position, and the position of its end."""
    while text[at : at + 1].isspace():
        at += 1
    try:
        return _JSON.raw_decode(text, at)
    except json.JSONDecodeError as error:
        hint = (
            'write strings in double quotes: insert "a"' if what == VALUE else f"its {{what}} is {ARGUMENTS[what][1]}"
        )
        raise InputError(
            f"{where}: expected a JSON value at column {error.pos + 1}, found {text[at : at + 20]!r}; "
            + hint.format(what=what)
        ) from None


def _argument(data: Any, where: str, what: str) -> Any:
    """Return a time or an element, from JSON.  Raises InputError for an invalid one."""
    try:
        value = decode(data)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    if what != VALUE:
        allowed, form = ARGUMENTS[what]
        if not allowed(value):
            raise InputError(f"{where}: its {what} must be {form}, found {spell(value)}")
    return value


_NEVER: Final = {
    "fifo": "{}: evict no more elements than the window holds, and use only inserts between begin_bulk and end_bulk",
    "out-of-order": "{}: use only inserts, sorted by time, between begin_bulk and end_bulk",
    "time": "{}: state the span once, first, and let no time be earlier than the one before",
    "shared": "{}: register all sizes, then insert, then look up registered ones",
    "frame": "{}: declare one frame first",
}


def _checked(steps: tuple[Step, ...], where: str, window: Window) -> tuple[Step, ...]:
    at = first_illegal(steps, window)
    if at is not None:
        said = _NEVER[window.name].format(steps[at])
        raise InputError(f"{where}: operation {at + 1}: {said}")
    return steps


@dataclass(frozen=True)
class Trace:
    """Operations, the monoid over which they run, and the kind of window."""

    steps: tuple[Step, ...]
    monoid: str
    window: str = "fifo"

    def __str__(self) -> str:
        return inline(self.steps)

    def to_json(self) -> dict[str, Any]:
        """Return the object for a trace file."""
        return {
            "format": "swagproof-trace",
            "version": 1,
            "window": self.window,
            "monoid": self.monoid,
            "operations": [[step.name, *map(encode, step.arguments)] for step in self.steps],
        }

    @classmethod
    def from_json(cls, data: Any, where: str) -> "Trace":
        """Read the result of `to_json`.  Raises InputError that names the field."""
        if not isinstance(data, dict):
            raise InputError(f"{where}: expected an object with the fields of {_EXAMPLE}")
        fields = cast("dict[str, Any]", data)
        if fields.get("format") != "swagproof-trace" or fields.get("version") != 1:
            raise InputError(f'{where}: fields format, version: expected "swagproof-trace" and 1')
        window, monoid, operations = (fields.get(name) for name in ("window", "monoid", "operations"))
        if not isinstance(window, str) or window not in WINDOWS:
            raise InputError(f"{where}: field window: {window!r} is none of {', '.join(WINDOWS)}")
        if not isinstance(monoid, str):
            raise InputError(f"{where}: field monoid: expected a name, found {monoid!r}")
        if not isinstance(operations, list):
            raise InputError(f"{where}: field operations: expected a list such as {_EXAMPLE}")
        kind = WINDOWS[window]
        steps = tuple(_step(entry, f"{where}: operations[{at}]", kind) for at, entry in enumerate(_items(operations)))
        return cls(_checked(steps, where, kind), monoid, window)

    @classmethod
    def read(cls, path: Path) -> "Trace":
        """Read a trace file.  Raises InputError that names the file, and the line or field."""
        return cls.from_json(read_json(path, option="--trace ")[1], str(path))


def read_json(path: str | Path, *, option: str = "", twice: str | None = None) -> tuple[str, Any]:
    """Return the text of a file, `-` for standard input, and its JSON value.

    Every command reads its JSON here, so that any mistake in a file is an InputError of one line; for a file that
    cannot be opened it also names the `option`.  `twice` is the error message for a duplicate key, `{}`, in an object;
    by default the last one counts.
    """

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if twice is not None and len(set(names)) < len(names):
            raise ValueError(twice.format(next(name for name in names if names.count(name) > 1)))
        return dict(pairs)

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        return text, json.loads(text, object_pairs_hook=collect)
    except OSError as error:
        raise InputError(f"{option}{path}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from None


_EXAMPLE: Final = '"operations": [["insert", "a"], ["evict"], ["query"]]'


def _items(data: Any) -> list[Any]:
    return [*data] if isinstance(data, list) else []


def _step(entry: Any, where: str, window: Window) -> Step:
    parts = _items(entry)
    if not parts or not isinstance(parts[0], str) or parts[0] not in window.operations:
        forms = ", ".join(f"[{', '.join((json.dumps(name), *takes))}]" for name, takes in window.operations.items())
        raise InputError(f"{where}: {json.dumps(entry)} is none of {forms}")
    name: str = parts[0]
    takes = window.operations[name]
    if len(parts) - 1 != len(takes):
        raise InputError(f"{where}: {name} takes {len(takes)} values, found {len(parts) - 1}")
    return Step(name, tuple(_argument(part, where, what) for part, what in zip(parts[1:], takes, strict=True)))
