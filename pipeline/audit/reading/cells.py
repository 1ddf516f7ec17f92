"""Conversion of cells for comparison: whole columns at once, and cell by cell if that fails."""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from math import floor
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute

from swagproof.models.windows.text import LONGEST
from swagproof.pipeline.audit.rules import Kind

compute: Any = pyarrow.compute  # its functions are created at run time
Array: TypeAlias = Any
"""A pyarrow.Array; pyarrow has no types."""
DECIMAL: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$"
FLOAT: Final = r"^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[nN][aA][nN]|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_TRUE: Final = ("true", "t", "yes", "y", "1")
_FALSE: Final = ("false", "f", "no", "n", "0")
_MOMENT: Final = re.compile(
    r"(\d{4,6})-(\d{1,2})(?:-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?"
    r" ?(Z|UTC|[+-]\d{1,2}(?::?\d{2})?)?)?)?"
)
PLAIN: Final = {
    pa.null(): pa.string(),
    pa.string_view(): pa.string(),
    pa.binary_view(): pa.binary(),
    pa.float16(): pa.float32(),
}
"""Types that few functions of Arrow accept, with equivalent ones."""
_FINER: Final = r":\d\d\.\d{6}\d*[1-9]"
EPOCH: Final = datetime(1970, 1, 1)  # in the column's time zone
_US: Final = timedelta(microseconds=1)


def take_column(batch: Any, name: str) -> Array:
    """Return a column of a batch, or a field of a struct, with a type that functions of Arrow accept."""
    first, *inner = [name] if name in batch.schema.names else name.split(".")
    cells = batch.column(first)
    for field in inner:
        cells = compute.struct_field(cells, field)
    cells = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
    plain = PLAIN.get(cells.type)
    return cells if plain is None else cells.cast(plain)


def is_number(found: Any) -> bool:
    """Return whether a column holds numbers."""
    return bool(pa.types.is_integer(found) or pa.types.is_floating(found) or pa.types.is_decimal(found))


def is_bytes(found: Any) -> bool:
    """Return whether a column holds bytes."""
    return bool(pa.types.is_binary(found) or pa.types.is_large_binary(found) or pa.types.is_fixed_size_binary(found))


def is_single(found: Any) -> bool:
    """Return whether a column, or lists in it, hold floats of 32 bits or fewer."""
    while found is not None and (pa.types.is_list(found) or pa.types.is_large_list(found)):
        found = found.value_type
    return found is not None and bool(pa.types.is_float32(found) or pa.types.is_float16(found))


def is_text(found: Any) -> bool:
    """Return whether a column holds text."""
    return bool(pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_string_view(found))


def to_mask(cells: Array) -> Any:
    """Return booleans for NumPy; null is false."""
    return (cells.fill_null(False) if cells.null_count else cells).to_numpy(zero_copy_only=False)


def are_near(times: Array) -> Array:
    """Return whether times are near enough to 0."""
    return compute.and_(compute.greater(times, -LONGEST), compute.less(times, LONGEST))


def keep_where(mask: Array, cells: Array) -> Array:
    """Return the cells where the mask is true; null elsewhere."""
    whole = compute.all(mask, min_count=0).as_py()
    return cells if whole else compute.if_else(mask, cells, pa.scalar(None, cells.type))


def keep_near(times: Array) -> Array:
    """Return times near enough to 0; null for others."""
    return keep_where(are_near(times), times)


def multiply(whole: Array, factor: int) -> Array:
    """Return the multiples; null if one exceeds 64 bits."""
    most = (2**63 - 1) // factor
    fits = compute.and_(compute.greater_equal(whole, -most), compute.less_equal(whole, most))
    return compute.multiply(keep_where(fits, whole), pa.scalar(factor, pa.int64()))


def of_cells(cells: Array, convert: Callable[[Any], Any], kind: Any) -> Array:
    """Convert cell by cell; null if the conversion raises ValueError, or an integer exceeds 64 bits."""
    beyond = 2**63 if kind == pa.int64() else None

    def one(cell: Any) -> Any:
        try:
            made = None if cell is None else convert(cell)
        except (ValueError, OverflowError):
            return None
        return None if made is not None and beyond is not None and not -beyond <= made < beyond else made

    return pa.array([one(cell) for cell in list_cells(cells)], kind)


_UNSET: Final = -(2**63)
"""Flink's initial watermark, in any unit."""


def drop_unset(cells: Array) -> Array:
    """Return recorded watermarks, with null for the initial one.

    >>> drop_unset(pa.array(["-9223372036854775808", "7", None])).to_pylist()
    [None, '7', None]
    """
    if not is_text(cells.type) and cells.type != pa.int64():
        return cells
    unset = pa.scalar(str(_UNSET) if is_text(cells.type) else _UNSET, cells.type)
    return keep_where(compute.not_equal(cells, unset), cells)


_MICROS: Final = {"s": 10**6, "ms": 1000, "us": 1}


def to_micros(cells: Array) -> Array:
    """Return the microseconds since the epoch of dates and of timestamps that are no finer; null if they exceed 64
    bits, such as the day that some engines write for infinity.

    >>> to_micros(pa.array([1, 2**31 - 1, None], pa.date32())).to_pylist()
    [86400000000, None, None]
    """
    if pa.types.is_date32(cells.type):
        return multiply(cells.cast(pa.int32()).cast(pa.int64()), 86_400 * 10**6)
    return multiply(cells.cast(pa.int64()), _MICROS["ms" if pa.types.is_date64(cells.type) else cells.type.unit])


def list_cells(cells: Array) -> list[Any]:
    """Return the cells as Python objects, or as text if Python cannot represent them."""
    try:
        found: list[Any] = cells.to_pylist()
    except (OverflowError, ValueError):  # moments outside Python's years
        return [show(cells.slice(i, 1)) for i in range(len(cells))]
    return found


def keep_only(cells: Array, pattern: str) -> Array:
    """Return text without surrounding spaces, null if it does not match."""
    text = compute.utf8_trim_whitespace(cells)
    return keep_where(compute.match_substring_regex(text, pattern), text)


def to_int(cells: Array) -> Array:
    """Convert to 64-bit integers; null if a cell is none.  Doubles and decimals may be integral: 0.0 is 0.

    >>> to_int(pa.array(["12", " -3 ", "+4", "0x5", "6.0", "1e3", "0.5", "9223372036854775808", None])).to_pylist()
    [12, -3, 4, None, 6, 1000, None, None, None]
    >>> to_int(pa.array([0.0, 2.5, float("nan"), None])).to_pylist()
    [0, None, None, None]
    """
    numbers = keep_only(cells, DECIMAL) if is_text(cells.type) else cells
    try:
        return numbers.cast(pa.int64())
    except pa.ArrowInvalid:  # a point, a plus sign, too large
        return of_cells(numbers, _read_whole, pa.int64())


def _read_whole(cell: Any) -> int | None:
    number = Decimal(cell)
    whole = int(number)
    return whole if whole == number and -(2**63) <= whole < 2**63 else None


def find_tick(factor: int, cell: Any) -> int:
    """Return the tick of a number in some unit."""
    return round(Fraction(cell) * factor) if isinstance(cell, float) else floor(Decimal(cell) * factor)


def to_float(cells: Array) -> Array:
    """Convert to doubles; null if a cell is none.

    >>> to_float(pa.array(["1.5", "-.5e2", "nan", "1_0", "+Infinity", None])).to_pylist()
    [1.5, -50.0, nan, None, inf, None]
    """
    if not is_text(cells.type):
        return cells.cast(pa.float64(), safe=False)
    return of_cells(keep_only(cells, FLOAT), float, pa.float64())


def to_bool(cells: Array) -> Array:
    """Convert to booleans; null if a cell is none."""
    if not is_text(cells.type):
        return cells
    text = compute.utf8_lower(compute.utf8_trim_whitespace(cells))
    yes, no = (compute.is_in(text, value_set=pa.array(words)) for words in (_TRUE, _FALSE))
    return keep_where(compute.or_(yes, no), yes)


def to_decimal(cells: Array) -> Array:
    """Return the text of decimal numbers; null if a cell is none."""
    return keep_only(cells if is_text(cells.type) else cells.cast(pa.string()), DECIMAL)


def to_json(cells: Array, to_ticks: Callable[[Array], Array]) -> Array:
    """Return JSON in which objects have no nulls and times are ticks; text is taken as JSON."""
    return cells if is_text(cells.type) else pa.array(_write_cells(cells, to_ticks), pa.string())


def _write_cells(cells: Array, to_ticks: Callable[[Array], Array]) -> list[str | None]:
    found = cells.type
    if pa.types.is_dictionary(found):
        return _write_cells(cells.dictionary_decode(), to_ticks)
    if pa.types.is_struct(found):
        names = [write_json(field.name) for field in found]
        fields = [_write_cells(compute.struct_field(cells, i), to_ticks) for i in range(len(names))]
        rows = zip(*fields, strict=True) if fields else [()] * len(cells)
        written = ([f"{name}:{it}" for name, it in zip(names, row, strict=True) if it is not None] for row in rows)
        return [
            f"{{{','.join(it)}}}" if there else None
            for it, there in zip(written, to_mask(cells.is_valid()), strict=True)
        ]
    if pa.types.is_nested(found) and not pa.types.is_map(found) and not pa.types.is_union(found):
        inner = iter(["null" if it is None else it for it in _write_cells(compute.list_flatten(cells), to_ticks)])
        lengths = compute.list_value_length(cells).to_pylist()
        return [None if n is None else f"[{','.join(islice(inner, n))}]" for n in lengths]
    if pa.types.is_timestamp(found) or pa.types.is_date(found):
        cells = to_ticks(cells)
    return [None if cell is None else write_json(cell) for cell in list_cells(cells)]


def read_inside(text: Array, kinds: Sequence[Kind], to_ticks: Callable[[Array], Array]) -> Array:
    """Return JSON in which text is converted to times and decimals, if values are of these kinds."""

    def read(it: Any) -> Any:
        match it:
            case list():
                return [read(one) for one in it]
            case dict() if "fraction" not in it:
                return {name: read(one) for name, one in it.items()}
            case str() if "decimal" in kinds and re.match(DECIMAL, it):
                return Decimal(it)
            case str() if "time" in kinds:
                (tick,) = to_ticks(pa.array([it])).to_pylist()
                return it if tick is None else tick
            case _:
                return it

    def rewrite(cell: str) -> str:
        try:
            found = json.loads(cell, parse_float=Decimal)
        except ValueError:  # invalid JSON is judged unchanged
            return cell
        return cell if (made := read(found)) == found else write_json(made)

    return of_cells(text, rewrite, pa.string())


def has_cells(found: Any) -> bool:
    """Return whether a column of this type holds one number, truth value or text per cell."""
    found = found.value_type if pa.types.is_dictionary(found) else found
    tests = pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean, is_text
    return any(is_one(found) for is_one in tests)


def to_text(cells: Array) -> Array:
    """Convert to text."""
    if is_text(cells.type):
        return cells
    cells = name_each(name_bytes, cells) if is_bytes(cells.type) else _spell_nanos(cells)
    plain = any(
        is_one(cells.type) for is_one in (pa.types.is_integer, pa.types.is_boolean, pa.types.is_decimal, is_text)
    )
    return cells.cast(pa.string()) if plain else of_cells(cells, say, pa.string())


def _spell_nanos(cells: Array) -> Array:
    """Return times in nanoseconds, which Python cannot represent, as text; other types unchanged."""
    timely = pa.types.is_timestamp(cells.type) or pa.types.is_time(cells.type)
    return cells.cast(pa.string()) if timely and cells.type.unit == "ns" else cells


def show(cells: Array) -> Any:
    """Return the first cell for reports: as a Python object, or as Arrow writes it if Python cannot represent it."""
    try:
        return _spell_nanos(cells)[0].as_py()
    except (OverflowError, ValueError):
        if pa.types.is_nested(cells.type):
            return _write_cells(cells, to_text)[0]
        if pa.types.is_timestamp(cells.type):
            cells = cells.cast(pa.timestamp(cells.type.unit))  # with a zone Arrow writes another year
        return cells.cast(pa.string())[0].as_py()


def is_finer(cells: Array) -> Array:
    """Return whether times are not whole microseconds."""
    if is_text(cells.type):
        return compute.match_substring_regex(cells, _FINER)
    if not pa.types.is_timestamp(cells.type) or cells.type.unit != "ns":
        return pa.array(np.zeros(len(cells), dtype=bool))
    nanos = cells.cast(pa.int64())
    return compute.not_equal(compute.multiply(compute.divide(nanos, 1000), 1000), nanos)


def write_json(cell: Any) -> str:
    """JSON without the nulls of objects; decimals have all their digits."""
    match cell:
        case Decimal() if cell.is_finite():
            return str(cell)
        case dict():
            inner = (f"{write_json(name)}:{write_json(it)}" for name, it in cell.items() if it is not None)
            return f"{{{','.join(inner)}}}"
        case [(_, _), *_] if all(isinstance(it, tuple) for it in cell):  # a map of Arrow
            return write_json({name if isinstance(name, str) else say(name): it for name, it in cell})
        case list():
            return f"[{','.join(map(write_json, cell))}]"
        case _:
            return json.dumps(cell, ensure_ascii=False, default=say)


def say(cell: Any) -> str:
    """Return a cell as text."""
    if cell is None or isinstance(cell, bool):
        return {None: "null", True: "true", False: "false"}[cell]
    if isinstance(cell, list | dict):
        return write_json(cell)
    return repr(cell) if isinstance(cell, float) else str(cell)


def read_moments(text: Array, zone: str | None, *, fine: bool = False) -> Array:
    """Return whole microseconds since the epoch, or nanoseconds; otherwise null. Times without a zone are in `zone`.

    >>> read_moments(pa.array(["1970-01-01T00:00:01Z", "1970-01-01 01:00:00+01", "7", None]), None).to_pylist()
    [1000000, 0, None, None]
    """
    if compute.all(compute.match_substring_regex(text, r"^\d{4}-"), min_count=0).as_py():
        for kind in (pa.timestamp("us", "UTC"), *([pa.timestamp("us")] if zone is None else [])):
            try:
                micros = text.cast(kind).cast(pa.int64())
                return multiply(micros, 1000) if fine else micros
            except pa.ArrowInvalid:  # only some have a zone, or the format differs
                continue
    own = ZoneInfo(zone) if zone is not None else UTC
    return of_cells(text, lambda cell: _read_moment(cell, own, fine=fine), pa.int64())


def _read_moment(text: str, own: Any, *, fine: bool) -> int | None:
    found = read_nanos(text, own)
    if found is None:
        return None
    if fine:
        return found if abs(found) < LONGEST else None
    return None if found % 1000 else found // 1000


def read_nanos(text: str, own: Any) -> int | None:
    """Return nanoseconds since the epoch; a time without a zone is in the zone `own`."""
    match = _MOMENT.fullmatch(text)
    if match is None or int(match[1]) > 9999:
        return None
    year, month, day, hour, minute, second = (int(match[i] or (i <= 3)) for i in range(1, 7))
    part, nanos = divmod(int((match[7] or "").ljust(9, "0")), 1000)
    local = datetime(year, month, day, hour, minute, second, part)
    named = match[8]
    if named in (None, "Z", "UTC"):
        zone = own if named is None else UTC
        micros = (local.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None) - EPOCH) // _US
    else:
        hours, _, minutes = named[1:].partition(":")
        if len(hours) > 2:
            hours, minutes = hours[:2], hours[2:]
        off = timedelta(hours=int(hours), minutes=int(minutes or 0))
        micros = (local - (off if named[0] == "+" else -off) - EPOCH) // _US
    return micros * 1000 + nanos


def name_each(name: Callable[[Any], str | None], cells: Array) -> Array:
    """Return the names of cells, each distinct one computed once."""
    coded = cells.dictionary_encode()
    return of_cells(coded.dictionary, name, pa.string()).take(coded.indices)


def name_bytes(cell: bytes) -> str:
    """Return bytes as text; invalid bytes are escaped.

    >>> name_bytes("é".encode()), name_bytes(b"a\\xff")
    ('é', 'a\\\\xff')
    """
    return cell.decode(errors="backslashreplace")
