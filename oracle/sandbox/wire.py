"""The data between judge and sandbox: frames of bytes, and answers as plain values.

The judge trusts nothing that comes back.  An answer is encoded as the JSON that represents it in a trace, so reading it
runs no foreign code; 64-bit integers and floats, the most common answers, are sent as arrays.  The encoding records the
value itself: for a subclass of a number or text its payload, whatever its methods return; for an object of a user's
class the class and fields, from which the judge builds an object only if it expects that class; for any other value its
`repr`, which equals nothing.
"""

import json
import marshal
import numbers
import pickle
import struct
from array import array
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from swagproof.oracle.outcome import Refusal, say
from swagproof.oracle.trace import PLAIN, decode, encode

HEADER: Final = struct.Struct("=4sIIcQ")
"""The header of a response frame: `MAGIC`, its number, its head's length, its body's form, and its body's length."""

MAGIC: Final = b"swag"

REQUEST: Final = struct.Struct("=IQ")
"""The header of a request frame: its number, and its length."""

LONGEST: Final = 1 << 29
"""The size in bytes of the longest frame that the judge reads."""


LONGEST_INTEGER: Final = 300_000
"""The size in bits of the longest integer answer: longer ones could not be written in a report."""


NESTED: Final = 16
"""The deepest nesting of objects that are encoded by their fields."""


class Told:
    """The JSON of an answer that is not plain."""

    __slots__ = ("data",)

    def __init__(self, data: Any) -> None:
        self.data = data


class Opaque:
    """A value without an encoding, known only by its `repr`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Fields(Opaque):
    """An object of a user's class."""

    def __init__(self, text: str, kind: str, fields: dict[str, Any]) -> None:
        super().__init__(text)
        self.kind, self.fields = kind, fields

    def like(self, expected: Any) -> Any:
        """Return an object of the expected one's class, if this was encoded from that class; else this itself."""
        kind: type = type(expected)
        if _name_class(kind) != self.kind:
            return self
        made: Any = object.__new__(kind)
        for name, value in self.fields.items():
            object.__setattr__(made, name, like(getattr(expected, name, None), value))
        return made


class Array(Opaque):
    """An array, which equals a list, or a tuple if one is expected."""

    def __init__(self, text: str, items: Any) -> None:
        super().__init__(text)
        self.items = items


def like(expected: Any, got: Any) -> Any:
    """Return the answer, with `Fields` replaced by objects of the expected classes."""
    if isinstance(got, Fields):
        return got.like(expected)
    if isinstance(got, Array):
        got = tuple(got.items) if type(expected) is tuple else got.items
    if type(got) is type(expected) and type(got) in (tuple, list) and len(got) == len(expected):
        return type(got)(map(like, expected, got))
    return got


def _name_class(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def tell(value: Any, within: tuple[int, ...] = ()) -> Any:
    """Encode any value as JSON.  Never raises, whatever its methods do; `within` has the ids of the enclosing objects.

    >>> from enum import IntEnum
    >>> tell((1, 2.5)), tell(IntEnum("Colour", "RED").RED), tell(float("nan"))
    ({'tuple': [1, 2.5]}, 1, {'float': 'nan'})
    """
    try:
        return _tell(value, within)
    except BaseException:
        return {"repr": say(lambda: repr(value), f"<{type(value).__name__} whose repr raises>")}


def _tell(value: Any, within: tuple[int, ...]) -> Any:
    if type(value) is Refusal:
        return {"refusal": value.error}
    for plain in (_same, _plain):
        try:
            return encode(plain(value))
        except RecursionError:
            raise
        except BaseException:  # it has no encoding; its repr, which an error may show, may raise anything
            pass
    if type(value) is list:
        return [tell(item, within) for item in value]
    if type(value) is tuple:
        return {"tuple": [tell(item, within) for item in value]}
    items = value.tolist() if hasattr(value, "tolist") else None  # for arrays of NumPy and similar libraries
    if type(items) is list:
        return {"array": tell(items)}
    if type(items) in (bool, int, float, str):
        return tell(items)
    text = say(lambda: repr(value), f"<{type(value).__name__} whose repr raises>")
    if id(value) in within or len(within) == NESTED:  # it is its own field
        return {"repr": text}
    within = (*within, id(value))
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names = [*object.__getattribute__(value, "__dict__")] if hasattr(type(value), "__dict__") and not slots else slots
    fields = [[name, tell(object.__getattribute__(value, name), within)] for name in names]
    return {"object": [text, _name_class(type(value)), fields]} if fields else {"repr": text}


def _same(value: Any) -> Any:
    return value


def _plain(value: Any) -> Any:
    """Encode a value of a type with an encoding.  Raises for others."""
    if value is None or type(value) in (bool, Fraction, bytes):
        return value
    if isinstance(value, int):
        return int.__pos__(value)
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in tuple.__iter__(value))
    if isinstance(value, list):
        return [_plain(item) for item in list.__iter__(value)]
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in dict.items(value)}
    if isinstance(value, (set, frozenset)):
        return {_plain(item) for item in value}
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, Decimal) and Decimal.is_finite(value):
        return Decimal(value)
    if isinstance(value, numbers.Rational):
        return Fraction(value)
    if isinstance(value, (numbers.Real, Decimal)):
        return float(value)
    raise TypeError


def hear(data: Any) -> Any:
    """Decode a value from `tell`.  Raises ValueError for invalid data."""
    if type(data) is list:
        short = {*map(type, data)} == {int} and max(map(int.bit_length, data)) <= LONGEST_INTEGER
        return data if short else [hear(item) for item in data]
    if type(data) is dict and len(data) == 1:
        ((form, inner),) = data.items()
        if form == "repr" and type(inner) is str:
            return Opaque(inner)
        if form == "refusal" and type(inner) is str:
            return Refusal(inner)
        if form == "array":
            return Array(repr(inner), hear(inner))
        if form == "tuple" and type(inner) is list:
            return tuple(map(hear, inner))
        if form == "object":
            try:
                text, kind, fields = inner
                return Fields(str(text), str(kind), {str(name): hear(value) for name, value in fields})
            except TypeError as error:
                raise ValueError(f"no object: {error}") from None
    value = decode(data)
    if type(value) is int and value.bit_length() > LONGEST_INTEGER:
        return Opaque(f"<an integer of {value.bit_length():,} bits>")
    return value


def ask_in_bytes(request: Any) -> bytes:
    """Encode a request for `read_request`: it goes only to the subject's side, and never comes from there."""
    try:
        return b"m" + marshal.dumps(request)  # six times as fast to read
    except ValueError:  # it has other types than the plain ones
        return b"p" + pickle.dumps(request, pickle.HIGHEST_PROTOCOL)


def read_request(data: bytes) -> Any:
    """Decode a request.

    >>> read_request(ask_in_bytes(("play", [1, Fraction(1, 2)])))
    ('play', [1, Fraction(1, 2)])
    """
    return (marshal if data[:1] == b"m" else pickle).loads(memoryview(data)[1:])


def pack(number: int, head: Any, answers: Sequence[Any]) -> bytes:
    """Return a response frame: `answers` are plain values and `Told` objects."""
    types = set(map(type, answers))
    form, body = b"j", b""
    try:
        if types == {int}:
            form, body = b"q", array("q", answers).tobytes()
        elif types == {float}:
            form, body = b"d", array("d", answers).tobytes()
        elif types == {tuple} and len(set(map(len, answers))) == 1:
            flat = [item for answer in answers for item in answer]
            if set(map(type, flat)) == {int}:
                form, body = b"t", array("q", [len(answers[0]), *flat]).tobytes()
    except OverflowError:
        form = b"j"
    if form == b"j" and answers:
        data: list[Any] = [*answers]  # the usual values are their own encoding
        if not PLAIN.issuperset(types):
            data = [answer.data if type(answer) is Told else tell(answer) for answer in answers]
        try:
            body = json.dumps(data).encode()
        except ValueError:  # an integer has more digits than can be written at once
            body = json.dumps(_in_hex(data)).encode()
    first = json.dumps(head).encode()
    return HEADER.pack(MAGIC, number, len(first), form, len(body)) + first + body


def _in_hex(data: Any) -> Any:
    """Return the data, with long integers in hexadecimal digits."""
    if type(data) is int and data.bit_length() > 10_000:
        return {"hex": hex(data)}
    if type(data) is list:
        return [_in_hex(item) for item in data]
    if type(data) is dict:
        return {name: _in_hex(item) for name, item in data.items()}
    return data


def unpack(form: bytes, body: bytes) -> list[Any]:
    """Return the answers of a frame.  Raises ValueError if they are invalid."""
    if form in (b"q", b"d", b"t"):
        values = array("d" if form == b"d" else "q")
        values.frombytes(body)
        found: list[Any] = values.tolist()
        if form != b"t":
            return found
        width = found.pop(0)
        if width < 1 or len(found) % width:
            raise ValueError("of no width")
        return list(zip(*[iter(found)] * width, strict=True))
    if form != b"j":
        raise ValueError("of no known form")
    if not body:
        return []
    data = json.loads(body)
    if type(data) is not list:
        raise ValueError("no list")
    return data if PLAIN.issuperset(map(type, data)) else [hear(item) for item in data]
