"""Count-min and HyperLogLog on the sketches of the library `datasketches` (the extra `sketches`).

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), Table 1 and section 2.2.

The library's sketches change in place, cannot be copied or compared, and `merge` changes its own sketch.  So a partial
aggregate here is the immutable bytes of a serialised sketch: combine reads two, merges them and writes a third, in time
linear in their size.  `lower` returns the library's sketch, which gives estimates.

So equality means equal bytes, and the two sketches behave differently:

- Count-min is a table of counters.  Merging adds them, so it is associative, commutative and has the empty sketch as
  identity, exactly, as long as counts stay below 2^53.
- HyperLogLog, as the library merges it, is **not** associative.  A small sketch is a list of its elements in arrival
  order.  A large one has a running estimate that is updated element by element (HIP) and survives a merge with a small
  sketch.  So bytes depend on the order, and estimates on the grouping.  Here every lifted sketch starts at full size
  and is merged with itself, which changes no register and drops that running estimate.  From there on merging is the
  maximum of registers: associative, commutative and idempotent, byte by byte.
"""

import importlib
import struct
from typing import Any, Final, Protocol

from swagproof.models.operations import Operation

try:
    _library: Final[Any] = importlib.import_module("datasketches")  # it has no type hints
except ImportError as error:
    raise ImportError("the sketches need datasketches: pip install swagproof[sketches]") from error

HASHES: Final = 5
"""Rows of the count-min sketch: an estimate is within its bound with probability 1 - e^-5."""

BUCKETS: Final = 64
"""Columns of the count-min sketch: estimates exceed the truth by at most e / 64 of the window's size."""

LG_K: Final = 8
"""HyperLogLog keeps 2^LG_K registers: a standard error of about 1.04 / sqrt(2^LG_K), 6.5 %."""


class Frequencies(Protocol):
    """The type of `datasketches.count_min_sketch`."""

    def get_estimate(self, item: str | int) -> float:
        """Return an estimate of how often the item occurs, never too low."""
        ...


class Cardinality(Protocol):
    """The type of `datasketches.hll_sketch`."""

    def get_estimate(self) -> float:
        """Return an estimate of the number of distinct items."""
        ...


def _count_min(e: str | int) -> bytes:
    sketch = _library.count_min_sketch(HASHES, BUCKETS)
    sketch.update(e)
    return bytes(sketch.serialize())


def _add(a: bytes, b: bytes) -> bytes:
    sketch = _library.count_min_sketch.deserialize(a)
    sketch.merge(_library.count_min_sketch.deserialize(b))
    return bytes(sketch.serialize())


_HEADER: Final = 16
_EMPTY: Final = bytes(_library.count_min_sketch(HASHES, BUCKETS).serialize())


def _subtract(a: bytes, ab: bytes) -> bytes:
    # After the header: the total weight and the counters, as doubles, or nothing in the empty sketch.
    if a == _EMPTY:
        return ab
    count = (len(ab) - _HEADER) // 8
    layout = f"<{count}d"
    counters = [y - x for x, y in zip(*(struct.unpack_from(layout, v, _HEADER) for v in (a, ab)), strict=True)]
    return ab[:_HEADER] + struct.pack(layout, *counters) if any(counters) else _EMPTY


COUNT_MIN: Final[Operation[str | int, bytes, Frequencies]] = Operation(
    "count-min",
    lift=_count_min,
    combine=_add,
    lower=_library.count_min_sketch.deserialize,
    identity=_EMPTY,
    commutative=True,
    remove=_subtract,
    samples=("a", "b", "a", 1),
)
"""str or int -> counters -> a sketch whose `get_estimate(e)` is how often e occurs in the window, never too low.

Invertible, although Table 1 (2021) says otherwise of mergeable sketches: its counters are sums, which can be
subtracted.
"""


def _hyper_log_log(e: str | int) -> bytes:
    sketch = _library.hll_sketch(LG_K, _library.tgt_hll_type.HLL_8, True)
    sketch.update(e)
    return _union(sketch, sketch)


def _union(*sketches: Any) -> bytes:
    union = _library.hll_union(LG_K)
    for sketch in sketches:
        union.update(sketch)
    return bytes(union.get_result(_library.tgt_hll_type.HLL_8).serialize_compact())


HYPER_LOG_LOG: Final[Operation[str | int, bytes, Cardinality]] = Operation(
    "hyper-log-log",
    lift=_hyper_log_log,
    combine=lambda a, b: _union(*map(_library.hll_sketch.deserialize, (a, b))),
    lower=_library.hll_sketch.deserialize,
    identity=_union(),
    commutative=True,
    samples=("a", "b", "a", 1),
)
"""str or int -> registers -> a sketch whose `get_estimate()` is the number of distinct elements in the window.

Not invertible: a maximum forgets the smaller values.
"""

SKETCHES: Final = {operation.name: operation for operation in (COUNT_MIN, HYPER_LOG_LOG)}
"""Both by name, as in `swagproof.models.operations.OPERATIONS`."""
