"""Different values that a job takes for one where it tells them apart by less than they are.

Whoever joins several columns to one text, with nothing between them or with what is in them, has one text of several
values: A1 and 12, A11 and 2.  So has who compares a part of them, forgets their order, cuts a text after some letters,
or keeps a hash, or a remainder, that has too few places.  What of all values is one then is known, and so how many are
left in each window.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite, log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample
from swagproof.pipeline.audit.causes.tried.answers import wrap
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_CAUSE: Final = "different values as one"
_BETWEEN: Final = ("", " ", "-", "_", ",", "|", ":", "/", ".", ";", "#", ", ")
"""What may stand between columns that are joined, the likelier first."""
_PLACES: Final = ("first", "second", "third", "fourth")
_LETTERS: Final = 40
_BITS: Final = (8, 10, 12, 16)
_WIDTHS: Final = (8, 16)
"""Of how many bits there are integers: values in so few are looked for elsewhere."""
_SIZES: Final = (100, 1000, 10_000, 100_000)
_PREFIXES: Final = (1, 2, 3, 4, 5, 6, 8)
"""How many letters of a hash in hexadecimal digits are kept."""

Of = Callable[[Any], Hashable]
"""What a value is told by."""
Way = tuple[str, Of]


Like = Mapping[str, Any]
"""Of each value, as it is written, the first of those that it is one with."""


def list_mistaken(sample: Sample) -> Iterator[Hypothesis]:
    """The ways in which values are told apart by less, of those that make different ones of them one."""
    name = sample.aggregation.name
    if not (name.endswith("distinct-count") or ":" in name):
        return
    values: dict[str, Any] = {}
    for e in sample.came:
        if e.value is not None:
            values.setdefault(repr(e.value), e.value)
    there, looked = list(values.values()), choose_findings(sample)
    made = {tuple(range(len(there)))}
    for said, like in _list_merging(there, _list_plain(there), made):
        yield Hypothesis(_CAUSE, said, events=partial(_change, sample, like))
    many = list(_list_merging(there, _list_cuts(there), made))
    for said, like in many:
        if fits_some(sample, looked, partial(_answer, sample, like)):
            yield Hypothesis(_CAUSE, said, events=partial(_change, sample, like), bits=log2(len(many)))


def _list_merging(values: Sequence[Any], ways: Iterator[Way], made: set[tuple[int, ...]]) -> Iterator[tuple[str, Like]]:
    """The ways that make of these values what none before does, with two that are one."""
    for said, of in ways:
        first: dict[Hashable, int] = {}
        ones: list[int] = []
        for i, value in enumerate(values):
            ones.append(first.setdefault(of(value), i))
        if tuple(ones) not in made:
            made.add(tuple(ones))
            i = next(i for i, one in enumerate(ones) if one != i)
            such = f"{_show(values[ones[i]])} and {_show(values[i])}"
            like = {repr(value): values[one] for value, one in zip(values, ones, strict=True)}
            yield f"{said}, so that {such} are one", like


def _show(value: Any) -> str:
    parts = value if isinstance(value, tuple | list) else (value,)
    return f"({', '.join(map(_write, parts))})" if len(parts) != 1 else _write(*parts)


def _write(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, default=str)


def _list_plain(values: Sequence[Any]) -> Iterator[Way]:
    """Ways with several columns, or the items of lists: joined, without one of them, in any order."""
    sizes = {len(value) if isinstance(value, tuple | list) else 0 for value in values}
    if not sizes or min(sizes) < 1 or max(sizes) < 2:
        return
    for sep in _BETWEEN:
        between = f"{sep!r} between them" if sep else "nothing between them"
        yield f"joins the parts of a value to one text, with {between}", partial(_join, sep)
    if len(sizes) == 1 and max(sizes) <= len(_PLACES):
        for i in range(max(sizes)) if max(sizes) > 2 else ():
            yield f"tells values apart without their {_PLACES[i]} part", partial(_leave, i)
        for i in range(max(sizes)):
            yield f"tells values apart by their {_PLACES[i]} part alone", partial(_take, i)
    yield "tells values apart by their parts in any order", _sort


def _join(sep: str, value: Any) -> str:
    return sep.join(part if isinstance(part, str) else _write(part) for part in value)


def _leave(i: int, value: Any) -> str:
    return repr([*value[:i], *value[i + 1 :]])


def _take(i: int, value: Any) -> str:
    return repr(value[i])


def _sort(value: Any) -> str:
    return repr(sorted(map(repr, value)))


def _list_cuts(values: Sequence[Any]) -> Iterator[Way]:
    """Texts that are cut, numbers without some of their digits, and hashes of either, of few places."""
    if values and all(isinstance(value, str) for value in values):
        longest = max(map(len, values))
        for n in range(1, min(longest, _LETTERS)):
            yield f"tells texts apart by their first {n:,} letters", partial(_cut, n, False)
            yield f"tells texts apart by their last {n:,} letters", partial(_cut, n, True)
    elif values and all(type(value) is int for value in values):
        for bits in (bits for bits in _BITS if bits not in _WIDTHS):
            yield f"tells numbers apart by their last {bits} bits", partial(_divide, 1 << bits, int)
        for size in _SIZES:
            yield f"tells numbers apart by what is left of them by {size:,}", partial(_divide, size, int)
    elif values and all(isinstance(value, int | float) and isfinite(value) for value in values):
        yield "tells numbers apart without their fractions", int
        for digits in range(4):
            yield f"tells numbers apart when they are rounded to {digits} digits", partial(_round, digits)
    if values and all(isinstance(value, str) or type(value) is int for value in values):
        yield from _list_hashes()


def _list_hashes() -> Iterator[Way]:
    for said, make in (("CRC32", _make_crc), ("Java's hashCode", _hash_as_java)):
        yield f"tells values apart by {said} alone", make
        for size in (*_SIZES, *(1 << bits for bits in _BITS)):
            yield f"tells values apart by what is left of {said} by {size:,}", partial(_divide, size, make)
    for name in ("md5", "sha1", "sha256"):
        for n in _PREFIXES:
            yield f"tells values apart by the first {n} digits of {name}", partial(_digest, name, n)


def _cut(n: int, last: bool, text: str) -> str:
    return text[-n:] if last else text[:n]


def _divide(size: int, of: Callable[[Any], int], value: Any) -> int:
    return of(value) % size


def _round(digits: int, value: Any) -> Any:
    return round(value, digits)


def _make_crc(value: Any) -> int:
    return zlib.crc32(str(value).encode("utf-8", "surrogatepass"))


def _hash_as_java(value: Any) -> int:
    made = 0
    for unit in _list_units(value):
        made = wrap(32, 31 * made + unit)
    return made


def _list_units(value: Any) -> list[int]:
    """The units of 16 bits of a text."""
    raw = str(value).encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]


def _digest(name: str, n: int, value: Any) -> str:
    return hashlib.new(name, str(value).encode("utf-8", "surrogatepass")).hexdigest()[:n]


def _to_one(sample: Sample, like: Like, e: Event) -> Event:
    return e if e.value is None else sample.lift(e, like.get(repr(e.value), e.value))  # another cause may have made it


def _answer(sample: Sample, like: Like, events: Sequence[Event]) -> Answer:
    """What is answered of a finding; nothing where none of its values is taken for another."""
    made = [_to_one(sample, like, e) for e in events]
    if all(e.value == other.value for e, other in zip(events, made, strict=True)):
        raise ValueError("none is taken for another one")
    return sample.answer(made)


def _change(sample: Sample, like: Like, all_: Events) -> Events:
    return {key: [_to_one(sample, like, e) for e in events] for key, events in all_.items()}
