"""The line protocol: windows, stream elements and answers as lines of text.  `PROTOCOL.md` describes it on one page.

Every built-in aggregation has a form for its elements and one for its partial aggregates, which are the program's
answers.  A line has words separated by one space; text, if there is any, comes last and is the rest of the line.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from swagproof.oracle.adapting.declared import NUMBERS, RANGES
from swagproof.oracle.domain import Domain
from swagproof.oracle.domains.elements import number
from swagproof.oracle.trace import InputError, Step, decode, encode
from swagproof.oracle.window import VALUE, Window
from swagproof.oracle.window import WINDOWS as KNOWN

GREETING: Final = "swagproof 1"
"""The first line sent, and the beginning of its answer: the protocol's name and version."""

NONE: Final = "none"
"""The text for "no element"."""

WINDOWS: Final = ("fifo", "out-of-order", "shared", "time")
"""The kinds of window that a program can announce."""


@dataclass(frozen=True)
class Shape:
    """The form of a value on a line."""

    says: str
    """A description in words."""
    write: Callable[[Any], str]
    """Formats a value.  Raises ValueError if it has no such form."""
    read: Callable[[str], Any]
    """Parses a text.  Raises ValueError if it is invalid."""
    words: int = 1
    """The number of words; a text counts as one, as it comes last."""


_INTEGER: Final = re.compile(r"[+-]?[0-9]+")


def _digits(text: str) -> int:
    if not _INTEGER.fullmatch(text) or len(text) > _LONGEST:
        raise ValueError
    return int(text) if len(text) < _LONG else int(Decimal(text))


def _integer(value: Any) -> str:
    if type(value) is not int:
        raise ValueError
    return str(value) if value.bit_length() < _LONG else str(Decimal(value))


_LONG: Final = 4000
"""The number of digits from which integers are converted through decimals, which have no limit and are faster to
read."""


_LONGEST: Final = 100_000
"""The length of the longest integer that is read: one of a million characters takes the judge a minute."""


def _number(value: Any) -> str:
    if type(value) is int:
        return _integer(value)
    if type(value) is Fraction:
        whole = value.denominator == 1
        return _integer(value.numerator) + ("" if whole else f"/{_integer(value.denominator)}")
    if type(value) is not float or value != value:
        raise ValueError
    return str(value)


def _read_number(text: str) -> int | float | Fraction:
    if text != text.strip() or not text.isascii():  # Python reads the digits of any script
        raise ValueError
    if _INTEGER.fullmatch(text):
        return _digits(text)
    try:
        above, slash, below = text.partition("/")
        return Fraction(_digits(above), _digits(below)) if slash else number(text)
    except ZeroDivisionError as error:
        raise ValueError from error


def _float(value: Any) -> str:
    if type(value) not in (int, float):
        raise ValueError
    return repr(float(value))


def _read_float(text: str) -> float:
    found = _read_number(text)
    try:
        return float(found)
    except OverflowError:  # as for an exponent that is too large
        return math.inf if found > 0 else -math.inf


def _text(value: Any) -> str:
    if type(value) is not str or not _LINE.fullmatch(value):
        raise ValueError
    return value


_LINE: Final = re.compile(r"[^\n\r\0]*")


def _tuple(*shapes: Shape, says: str = "") -> Shape:
    """Return the shape of a tuple: the words of each shape in turn; a text may be the last."""
    words = sum(shape.words for shape in shapes)

    def write(value: Any) -> str:
        if type(value) is not tuple:
            raise ValueError
        return " ".join(shape.write(part) for shape, part in zip(shapes, value, strict=True))

    def read(text: str) -> Any:
        found = text.split(" ", words - 1)
        if len(found) != words:
            raise ValueError
        rest = iter(found)
        return tuple(shape.read(" ".join(islice(rest, shape.words))) for shape in shapes)

    return Shape(says or ", ".join(shape.says for shape in shapes), write, read, words)


def _or_none(shape: Shape) -> Shape:
    """Return the same shape, or the word for no element."""

    def write(value: Any) -> str:
        text = NONE if value is None else shape.write(value)
        if value == NONE:
            raise ValueError
        return text

    return Shape(f"{shape.says}, or `{NONE}`", write, lambda text: None if text == NONE else shape.read(text))


def _json(value: Any) -> str:
    try:
        return json.dumps(encode(value), ensure_ascii=False)
    except TypeError as error:
        raise ValueError from error


def _read_json(text: str) -> Any:
    try:
        return decode(json.loads(text))
    except RecursionError as error:
        raise ValueError from error


INTEGER: Final = Shape("integer", _integer, _digits)
NUMBER: Final = Shape("number", _number, _read_number)
FLOAT: Final = Shape("float", _float, _read_float)
TEXT: Final = Shape("text", _text, lambda text: text)
JSON: Final = Shape("JSON", _json, _read_json)
"""The encoding of traces, for custom aggregations."""

_TEXT_OR_NONE: Final = _or_none(TEXT)
_SOME_TEXT: Final = Shape(f"text other than `{NONE}`", lambda value: _TEXT_OR_NONE.write(str(value)), TEXT.read)
_ARGUMENT: Final = _tuple(NUMBER, TEXT, says="measure (number), argument (text)")
_COUNTED: Final = _tuple(_or_none(NUMBER), INTEGER, says=f"the extreme (number, or `{NONE}`), how often (integer)")
_POINT: Final = _tuple(NUMBER, NUMBER, says="time, value (numbers)")
_MAP: Final = _tuple(INTEGER, INTEGER, says="slope, shift (integers)")
_MATRIX: Final = _tuple(*[INTEGER] * 4, says="a, b, c, d (integers)")
_INTEGERS: Final = Shape(
    "integers, or an empty line",
    lambda value: " ".join(map(_integer, value)),
    lambda text: tuple(map(_digits, text.split(" ") if text else ())),
)
_MEAN: Final = _tuple(INTEGER, NUMBER, says="how many (integer), their sum (number)")
_MOMENTS: Final = _tuple(INTEGER, NUMBER, NUMBER, says="how many, their sum, the sum of their squares")

FORMS: Final[Mapping[str, tuple[Shape, Shape, str]]] = MappingProxyType(
    {
        "concatenation": (TEXT, TEXT, "older text, then newer"),
        "count": (INTEGER, INTEGER, "how many"),
        "sum": (
            INTEGER,
            INTEGER,
            "the sum; whichever elements of a window are added up, they stay within 64 bits, or what `numbers` says",
        ),
        "wide-sum": (INTEGER, INTEGER, "the sum of 64-bit integers, which may need more bits"),
        "float-sum": (FLOAT, FLOAT, "the sum, within eps n times the sum of abs(x) of the exact one"),
        "product": (NUMBER, NUMBER, "the product, exactly"),
        "mean": (NUMBER, _MEAN, "both sums, exactly"),
        "sample-standard-deviation": (NUMBER, _MOMENTS, "the three sums, exactly"),
        "population-standard-deviation": (NUMBER, _MOMENTS, "the three sums, exactly"),
        "min": (NUMBER, _or_none(NUMBER), "the least"),
        "max": (NUMBER, _or_none(NUMBER), "the greatest"),
        "min-count": (NUMBER, _COUNTED, "the least, and how often it occurs"),
        "max-count": (NUMBER, _COUNTED, "the greatest, and how often it occurs"),
        "arg-min": (_ARGUMENT, _or_none(_ARGUMENT), "the one of least measure, the oldest of equals"),
        "arg-max": (_ARGUMENT, _or_none(_ARGUMENT), "the one of greatest measure, the oldest of equals"),
        "m4": (
            _POINT,
            _or_none(_tuple(*[_POINT] * 4, says="eight numbers")),
            "first, last, lowest and highest point, the oldest of equals",
        ),
        "first": (_SOME_TEXT, _TEXT_OR_NONE, "the oldest"),
        "last": (_SOME_TEXT, _TEXT_OR_NONE, "the newest"),
        "collect": (INTEGER, _INTEGERS, "all, in order"),
        "affine": (_MAP, _MAP, "(a, b) then (c, d) is (a c, c b + d), modulo 2^61 - 1"),
        "matrix": (_MATRIX, _MATRIX, "2x2 matrix product, older on the left; needs integers without bound"),
        "unimodular-matrix": (_MATRIX, _MATRIX, "the same over determinants of 1 and -1"),
    }
)
"""The elements, the answers and the definition of each aggregation, by name."""


def form(domain: Domain) -> tuple[Shape, Shape]:
    """Return the forms of elements and answers: JSON if the aggregation is custom."""
    return FORMS[domain.name][:2] if domain.name in FORMS else (JSON, JSON)


def spell_monoid(domain: Domain) -> str:
    """Return the name of an aggregation in the protocol: for a custom one, the part after the colon.

    >>> from swagproof.oracle.domain import domain
    >>> spell_monoid(domain("max-count"))
    'max-count'
    """
    return domain.name.rpartition(":")[2]


_SAYS: Final = ("window", "monoids", "claims", "numbers")
_HAS: Final = ("ranges", "bulk_insert", "bulk_evict", "advance", "calls")
"""The capability words of the greeting; `ranges` may name a kind of range."""


ANNOUNCED: Final = {
    "range_query": "ranges",
    "begin_bulk": "bulk_insert",
    "end_bulk": "bulk_insert",
    "bulk_evict": "bulk_evict",
    "advance": "advance",
}
"""The word of the greeting that announces each operation a program may lack."""


@dataclass(frozen=True)
class Handshake:
    """A program's announced capabilities."""

    line: str
    """The whole line."""
    window: str
    monoids: tuple[str, ...]
    ranges: str = ""
    """The range queries that it supports, one of `swagproof.oracle.adapting.declared.RANGES`; empty if none."""
    bulk_insert: bool = False
    """True if it takes inserts in bulk."""
    bulk_evict: bool = False
    """True if it evicts all entries up to a time."""
    advance: bool = False
    """True if time can advance without an insert."""
    claims: str | None = None
    """The cost theorem that it claims."""
    calls: bool = False
    """True if it counts its combine calls."""
    numbers: str | None = None
    """The numbers that it computes with, one of `swagproof.oracle.adapting.declared.NUMBERS`."""

    @classmethod
    def read(cls, line: str) -> "Handshake":
        """Parse the answer to the greeting.  Raises ValueError that explains the mistake.

        >>> Handshake.read("swagproof 1 window=out-of-order monoids=sum,max ranges").monoids
        ('sum', 'max')
        """
        name, version, *words = [*line.split(" "), "", ""]
        if name != "swagproof":
            raise ValueError(f"answers the greeting with {line[:80]!r}, not with {GREETING} window=... monoids=...")
        if f"{name} {version}" != GREETING:
            raise ValueError(f"speaks version {version!r} of the protocol, and this is version 1")
        fields = {word.partition("=")[0]: word.partition("=")[2] for word in words if word}
        fields.pop("state", None)  # announced by programs of earlier versions; ignored
        unknown = [word for word in fields if word not in (*_SAYS, *_HAS)]
        if unknown:
            raise ValueError(f"announces {unknown[0]!r}, none of {'=, '.join(_SAYS)}=, {', '.join(_HAS)}")
        window, monoids = fields.get("window", ""), fields.get("monoids", "").split(",")
        if window not in WINDOWS:
            raise ValueError(f"announces window={window}, none of {', '.join(WINDOWS)}")
        if not all(monoids):
            raise ValueError("announces no monoids: monoids=sum,max, say")
        said = [word for word in words if word.startswith(tuple(f"{word}=" for word in _HAS[1:]))]
        ranges = (fields["ranges"] or "any") if "ranges" in fields else ""
        if ranges not in ("", *RANGES):
            raise ValueError(f"announces ranges={ranges}, none of {', '.join(RANGES)}")
        if fields.get("numbers") not in (None, *NUMBERS):
            raise ValueError(f"announces numbers={fields['numbers']}, none of {', '.join(NUMBERS)}")
        if said or len(fields) < len([word for word in words if word and not word.startswith("state=")]):
            raise ValueError(f"announces {said[0]!r}: leave out what it has not" if said else "announces a word twice")
        for operation, word in ANNOUNCED.items():
            if word in fields and operation not in KNOWN[window].operations:
                raise ValueError(f"announces {word}, which a {window} window has not")
        has: dict[str, Any] = {word: word in fields for word in _HAS[1:]}
        which: dict[str, Any] = {word: fields.get(word) for word in _SAYS[2:]}
        return cls(line, window, tuple(monoids), ranges, **has, **which)

    def offers(self, operation: str) -> bool:
        """Return whether it supports an operation that a program may lack."""
        return bool(getattr(self, ANNOUNCED[operation]))


def forms_of(window: Window) -> Mapping[str, str]:
    """Return the format of each operation's line, with a place for each argument; for an insert, without the element.

    >>> from swagproof.oracle.window import OUT_OF_ORDER
    >>> forms_of(OUT_OF_ORDER)["insert"], forms_of(OUT_OF_ORDER)["range_query"]
    ('insert {} ', 'range_query {} {}\\n')
    """
    operations = {**window.operations, "calls": ()}
    forms = {name: " ".join([name, *("{}" for _ in takes)]) + "\n" for name, takes in operations.items()}
    alone = window.operations["insert"] == (VALUE,)
    return {**forms, "insert": "" if alone else forms["insert"].removesuffix("{}\n")}


def lines_of(steps: Iterable[tuple[str, Sequence[Any]]], elements: "Written", first: int = 0) -> list[str]:
    """Return operations as lines.  Raises InputError for values without a form; operations count from `first`."""
    lines = list[str]()
    put, forms = lines.append, elements.forms
    name: str = ""
    arguments: Sequence[Any] = ()
    try:
        for name, arguments in steps:
            if name == "insert":
                end = elements[arguments[-1]]
                put(forms[name].format(*arguments[:-1]) + end if len(arguments) > 1 else end)
            else:
                put(forms[name].format(*arguments) if arguments else forms[name])
    except (InputError, TypeError, KeyError) as error:
        why = elements.lacking[name] if isinstance(error, KeyError) else error
        raise InputError(f"operation {first + len(lines) + 1}, {Step(name, tuple(arguments))}: {why}") from None
    return lines


class Written(dict[Any, str]):
    """A cache of elements as the ends of lines, or as whole lines of inserts that take nothing else.

    Raises InputError for an element that has no form, and TypeError for one that cannot be a key.
    """

    MOST: Final = 1 << 16
    """The most elements in the cache."""

    def __init__(self, domain: Domain, window: Window, lacking: Mapping[str, str] = MappingProxyType({})) -> None:
        """`lacking` has an error message for each operation that is not announced."""
        super().__init__()
        self.domain = domain
        self.window = window
        self.lacking = lacking
        self.shape = form(domain)[0]
        self.forms = {name: form for name, form in forms_of(window).items() if name not in lacking}
        self.before = "" if self.forms["insert"] else "insert "

    def __missing__(self, element: Any) -> str:
        try:
            text = self.shape.write(element)
        except (ValueError, TypeError):
            hint = " without line breaks" if "text" in self.shape.says else ""
            raise InputError(f"{self.domain.name} takes {self.shape.says}{hint}, not {element!r}") from None
        line = f"{self.before}{text}\n"
        if len(self) < self.MOST and not self.domain.mutable:
            self[element] = line
        return line
