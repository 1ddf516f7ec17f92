"""Names of keys, independent of the column types in events and results."""

import json
import re
from collections.abc import Callable
from datetime import UTC, timedelta
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import pyarrow as pa

from swagproof.pipeline.audit.reading.cells import (
    EPOCH,
    FLOAT,
    Array,
    is_number,
    is_text,
    name_each,
    of_cells,
    read_nanos,
    to_text,
    write_json,
)


def choose_names(found: Any, other: Any) -> Callable[[Array], Array]:
    """Return the conversion of a key column of this type to names, when compared with another type.

    Equal values have one name whatever their type, such as 1, 1.0 and 1.00.  Numbers compared with floats are rounded
    to these, with the fewer bits.  Moments are named in UTC, also those without a zone.  NaN is null, as in pandas.
    """
    types = [found, other] if other is not None else [found]
    moments = [it for it in types if pa.types.is_timestamp(it) or pa.types.is_date(it)]
    if moments:
        return partial(_name_moments, dated=not any(map(pa.types.is_timestamp, moments)))
    numbers = [it for it in types if is_number(it)]
    if numbers and not all(map(pa.types.is_integer, types)):
        bits = min((it.bit_width for it in numbers if pa.types.is_floating(it)), default=0)
        return partial(name_each, partial(_name_number, _FLOATS.get(bits)))
    if any(map(pa.types.is_boolean, types)):
        return partial(name_each, _name_truth)
    if pa.types.is_nested(found):
        return _name_nested
    return to_text


_FLOATS: Final[dict[int, Any]] = {16: np.float16, 32: np.float32, 64: np.float64}


def _name_number(nearest: Any, number: Any) -> str | None:
    if isinstance(number, str) and not re.match(FLOAT, number.strip()):
        return number
    if nearest is None:
        exact = Decimal(number)
        if not exact.is_finite():
            return None if exact.is_nan() else str(exact)
        text = format(exact, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    with np.errstate(over="ignore"):
        short = nearest(float(number))
    x = float(short)
    if x != x:
        return None
    return str(int(x)) if x.is_integer() and abs(x) < 2.0**53 else repr(x) if nearest is np.float64 else str(short)


def _name_truth(cell: Any) -> str:
    text = str(cell)
    return text.lower() if text.lower() in ("true", "false") else text


def _name_nested(cells: Array) -> Array:
    return of_cells(cells, write_json, pa.string())


_NANOS: Final = {"day": 86_400 * 10**9, "s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}


def _name_moments(cells: Array, *, dated: bool) -> Array:
    """Name dates as dates if all are dates, else as moments; text that is neither is unchanged."""
    found = cells.type
    if is_text(found):
        return name_each(lambda text: _name_moment(read_nanos(text.strip(), UTC), dated) or text, cells)
    if not (pa.types.is_timestamp(found) or pa.types.is_date(found)):
        return to_text(cells)
    grain = _NANOS["day" if pa.types.is_date32(found) else "ms" if pa.types.is_date64(found) else found.unit]
    whole = cells.cast(pa.int32()) if pa.types.is_date32(found) else cells
    return name_each(lambda at: _name_moment(at * grain, dated), whole.cast(pa.int64()))


def _name_moment(nanos: int | None, dated: bool) -> str | None:
    if nanos is None:
        return None
    try:
        at = EPOCH + timedelta(microseconds=nanos // 1000)
    except OverflowError:  # outside Python's years
        return str(nanos)
    if dated and nanos % (86_400 * 10**9) == 0:
        return str(at.date())
    return f"{at.isoformat(timespec='microseconds')}{nanos % 1000:03}Z" if nanos % 1000 else f"{at.isoformat()}Z"


def join_names(parts: list[Array], n: int) -> Array:
    """Return the keys as JSON, dictionary-encoded, since each key has many rows."""
    if not parts:
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, dtype=np.int32)), pa.array(["[]"]))
    coded = [part.dictionary_encode(null_encoding="encode") for part in parts]
    if len(coded) == 1:
        names = [dump_key((cell,)) for cell in coded[0].dictionary.to_pylist()]
        return pa.DictionaryArray.from_arrays(coded[0].indices, pa.array(names, pa.string()))
    codes, first = np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for code in coded:
        mixed = codes * max(1, len(code.dictionary)) + code.indices.to_numpy()
        _, first, codes = np.unique(mixed, return_index=True, return_inverse=True)
    cells = (part.take(pa.array(first)).to_pylist() for part in parts)
    names = [dump_key(key) for key in zip(*cells, strict=True)]
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(names, pa.string()))


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=2**16)
def dump_key(key: tuple[Any, ...]) -> str:
    """Return a key as the JSON list of its cells."""
    return _ENCODER.encode(key)


def show_key(key: str) -> str:
    r"""Return a key as text; parts that would be ambiguous are in quotes.

    >>> show_key('["a",null,"7"]'), show_key('[""]'), show_key('["null"]'), show_key('["a\\nb"]')
    ('a, null, 7', '""', '"null"', '"a\\nb"')
    """
    return ", ".join("null" if part is None else _quote(str(part)) for part in json.loads(key))


def _quote(part: str) -> str:
    plain = part == " ".join(part.split()) and part not in ("", "null")
    return part if plain else json.dumps(part, ensure_ascii=False)
