"""Column-wise computation of expected results that are exact in 64 bits: counts, and sums, minima and maxima of
integers and decimals, over tumbling and sliding windows.

A key *agrees* if its results are the expected ones, none is missing, and none is extra.  The reference judges all other
keys, so each finding comes from the reference; among them are keys that the columns cannot decide: with late events or
null values.  It also judges a sample of the keys that agree, at least one in a hundred windows and at least a hundred.
If it finds another number of windows there, or any other difference, it judges all.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import gcd
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.lateness import late_for_first, slack
from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.compare import FOUND, compare_tables, unify_keys
from swagproof.pipeline.audit.expected.plan import Plan
from swagproof.pipeline.audit.expected.scope import Span
from swagproof.pipeline.audit.expected.sliding import edges
from swagproof.pipeline.audit.reading.cells import compute
from swagproof.pipeline.batches import Batch, make_batch, names_of

Longs: TypeAlias = Any
"""A NumPy array of 64-bit integers."""
Mask: TypeAlias = Any
"""A NumPy array of truth values."""
SHARES: Final = (50, 10, 2, 1)
"""The reference judges one in this many agreeing keys; the first share with `LEAST` windows is used."""
LEAST: Final = 100
"""The reference judges at least this many windows, and at least one in this many."""
FEW: Final = 4_000
"""The number of events up to which the reference judges all keys."""
_UFUNCS: Final[dict[str, Any]] = {"count": np.add, "sum": np.add, "min": np.minimum, "max": np.maximum}
_DIGITS: Final = 6
"""The greatest number of decimal places."""
_WHOLE: Final = 18
"""The greatest number of digits of numbers in text."""
_FAR: Final = 2**62
_EXACT: Final = 2**53
"""The bound up to which integers are exact as floats."""


def is_columnwise(plan: Plan) -> bool:
    """Return whether results can be computed column by column."""
    over, window = plan.aggregation, plan.window
    name = over.name.removeprefix("sql-")
    kind = "int" if name == "count" else plan.kinds[0] if len(plan.kinds) == 1 else None
    return (
        name in _UFUNCS
        and isinstance(window, Sliding)
        and window.leading
        and kind in ("int", "decimal", "time")
        and plan.kind in ("int", "decimal", "time", *(("float",) if kind == "int" else ()))
        and not (over.single or over.rounding or over.bounds or plan.versioned or plan.retractions)
        and plan.versions == "last"
        and plan.span is None
        and plan.block is None
    )


class _DoubtError(Exception):
    """The columns exceed the exact range: the reference judges all."""


class _Seen(NamedTuple):
    """The windows with events, in the order of key and end."""

    agrees: Mask
    """The keys that agree."""
    keys: Longs
    ends: Longs
    """The ends of half-open windows."""
    lacks: Mask
    """The windows without a result; if their key agrees, they need none yet."""


class Columns:
    """Two non-empty tables of some keys, compared column by column, and by the reference."""

    def __init__(self, events: Any, results: Any, job: Job, final: int | None) -> None:
        assert isinstance(job.window, Sliding)
        self.events, self.results, self.job, self.final = events, results, job, final
        self.window, self.spec = job.window, job.window.half_open
        self.shift = self.window.reach(0)[1] - self.window.range
        """The difference between half-open and named ends."""
        self.codes, self.of_results, self.names = unify_keys(events, results)

    def judge(self) -> Iterator[Batch]:
        """Compare as `compare_tables` does; `copies` of the tally counts windows that the reference did not judge."""
        try:
            seen = self._compare()
        except _DoubtError:
            seen = None
        if seen is None or not seen.agrees.any():
            yield from self._ask()
            return
        agreed, ends = seen.agrees[seen.keys], seen.ends - self.shift
        sample, span, checked = self._sample(seen, agreed, ends)
        due, alone = np.count_nonzero(checked), np.count_nonzero(agreed & ~checked)
        *said, tally = [row for batch in self._ask(sample, span) for row in batch.to_pylist()]
        if tally["n"] != due or any(row["kind"] not in ("open", "outside") for row in said):
            yield from self._ask()
            return
        lacking = [of[agreed & seen.lacks].tolist() for of in (seen.keys, ends - self.window.range, ends)]
        rows = [
            {"kind": "open", "key": self.names[i].as_py(), "a": a, "b": b} for i, a, b in zip(*lacking, strict=True)
        ]
        rows.append({"kind": "tally", "n": int(due + alone), "n_other": 0, "copies": int(alone)})
        yield make_batch(FOUND, [[row.get(name) for name in names_of(FOUND)] for row in rows])
        if not seen.agrees.all():
            yield from self._ask(~seen.agrees)

    def _ask(self, keys: Mask | None = None, span: Span | None = None) -> Iterator[Batch]:
        """Have the reference judge these keys, or all."""
        events, results = self.events, self.results
        if keys is not None:
            events, results = events.filter(pa.array(keys[self.codes])), results.filter(pa.array(keys[self.of_results]))
        if span is not None:
            events, results = span.keep(events, 1), span.keep(results, 0)
        return compare_tables(events, results, replace(self.job.plan, span=span), self.final, None)

    def _sample(self, seen: _Seen, agreed: Mask, ends: Longs) -> tuple[Mask, Span | None, Mask]:
        """Return some agreeing keys, or a span of time if these have too many events; and a mask of their windows."""
        agreeing = int(np.count_nonzero(agreed))
        least = min(agreeing, max(LEAST, agreeing // LEAST))
        sample, checked = seen.agrees, agreed
        for share in SHARES:
            sample = np.zeros_like(seen.agrees)
            sample[np.flatnonzero(seen.agrees)[::share]] = True
            checked = sample[seen.keys]
            if np.count_nonzero(checked) >= least:
                break
        times = np.sort(self.events["time"].to_numpy()[sample[self.codes]])
        share = max(FEW, len(self.codes) // SHARES[0])
        if len(times) > 2 * share:
            middle = (len(times) - share) // 2
            span = Span(self.window, int(times[middle]), int(times[middle + share]))
            within = checked & (ends > span.begin) & (ends <= span.end)
            if np.count_nonzero(within) >= least:
                return sample, span, within
        return sample, None, checked

    def _compare(self) -> _Seen:
        """Return the windows as the columns compute them.  Raises _DoubtError if they cannot decide."""
        plan, spec, number = self.job.plan, self.spec, len(self.names)
        times, doubtful = self.events["time"].to_numpy(), np.zeros(number, dtype=bool)
        _require(_size(times) + 2 * (spec.range + spec.slide))
        if plan.watermarks:
            until = late_for_first(self.window, times) if plan.behind is None else times + plan.behind
            doubtful[self.codes[until <= self.events["watermark"].to_numpy()]] = True
        for i in range(len(plan.kinds)):
            doubtful[self.codes[self.events[f"v{i}"].is_null().to_numpy()]] = True
        name = plan.aggregation.name.removeprefix("sql-")
        ufunc, digits = _UFUNCS[name], _DIGITS if "decimal" in plan.kinds and name != "count" else 0
        values, odd = (np.ones_like(times), times < times) if name == "count" else _to_units(self.events["v0"], digits)
        sizes = np.abs(values.astype(np.float64))
        if ufunc is np.add and sizes.sum() > _FAR:
            odd |= sizes > _FAR // len(values)  # a sum of these might exceed 64 bits
        doubtful[self.codes[odd]] = True
        values = np.where(odd, 0, values)
        # keys and edges as one sorted number: edges are divided by their common step
        edge: Any = edges(times, spec)
        step = gcd(spec.range, spec.slide)
        first = int(edge.min()) - spec.range
        width = (int(edge.max()) + spec.range - first) // step + 1
        _require(number * width)
        at = self.codes * width + (edge - first) // step
        # the slices
        order = np.argsort(at, kind="stable")
        starts = np.flatnonzero(np.diff(at[order], prepend=-1))
        partials, slices = ufunc.reduceat(values[order], starts), order[starts]
        at, keys, edge = at[slices], self.codes[slices], edge[slices]
        # the windows of each slice that do not belong to the slice before
        last: Longs = spec.last_end(edge)
        before = np.where(np.diff(keys, prepend=-1) == 0, np.roll(last, 1), -_FAR)
        each = np.maximum((last - np.maximum(spec.first_end(edge) - spec.slide, before)) // spec.slide, 0)
        total = int(each.sum())
        if not 0 < total <= 4 * (len(times) + len(self.results)):
            raise _DoubtError
        keys = np.repeat(keys, each)
        ends = np.repeat(last, each) - spec.slide * (np.repeat(np.cumsum(each), each) - 1 - np.arange(total))
        to = keys * width + (ends - first) // step
        expected = _reduce(ufunc, partials, *(np.searchsorted(at, edge) for edge in (to - spec.range // step, to)))
        # the results
        got, named, odd = self._read_results(digits)
        odd |= (named < first) | (named >= first + width * step)
        there = self.of_results * width + np.where(odd, 0, (named - first) // step)
        order = np.argsort(there, kind="stable")
        there, got, of_results = there[order], got[order], self.of_results[order]
        found = np.searchsorted(there, to)
        has = np.append(there, -1)[found] == to
        other = np.ones(len(there), dtype=bool)
        other[found[has]] = False
        doubtful[self.of_results[odd]] = True
        doubtful[of_results[other]] = True
        doubtful[keys[has & (np.append(got, 0)[found] != expected)]] = True
        is_open = False if self.final is None else ends - self.shift + slack(self.window) > self.final
        doubtful[keys[~(has | is_open)]] = True
        return _Seen(~doubtful & (np.bincount(keys, minlength=number) > 0), keys, ends, ~has)

    def _read_results(self, digits: int) -> tuple[Longs, Longs, Mask]:
        """Return the results, the half-open ends of their windows, and a mask of those outside the exact range."""
        rows, on, length = self.results, self.job.plan.on, self.window.range
        a, b = (rows[name].fill_null(0).to_numpy() for name in ("a", "b"))
        ends = (a + length if "a" in on else b) + self.shift
        odd = (ends - self.spec.offset - self.spec.range) % self.spec.slide != 0
        if len(on) > 1:
            odd |= a + length != b
        for name in on:
            odd |= rows[name].is_null().to_numpy()
        if self.job.plan.kind != "float":
            got, no_number = _to_units(rows["got"], digits)
            return got, ends, odd | no_number
        numbers = rows["number"].fill_null(0.5).to_numpy()
        whole = (np.floor(numbers) == numbers) & (np.abs(numbers) <= _EXACT)
        return np.where(whole, numbers, 0).astype(np.int64), ends, odd | ~whole


def _require(size: int) -> None:
    if size > _FAR:
        raise _DoubtError


def _size(values: Longs) -> int:
    """The largest absolute value."""
    return max(-int(values.min()), int(values.max()))


def _reduce(ufunc: Any, partials: Longs, starts: Longs, stops: Longs) -> Longs:
    """Return the product of the partials from each start to before its stop; none of these ranges is empty.

    >>> ends = np.array([0, 1, 0]), np.array([4, 3, 1])
    >>> [_reduce(one, np.array([3, 1, 2, 5]), *ends).tolist() for one in (np.add, np.minimum, np.maximum)]
    [[11, 3, 3], [1, 1, 3], [5, 2, 3]]
    """
    if ufunc is np.add:
        sums = np.concatenate(([0], np.cumsum(partials)))
        return sums[stops] - sums[starts]
    made, table = np.empty_like(starts), partials
    level = np.frexp(stops - starts)[1] - 1  # each is covered by two stretches of this power of 2
    for k in range(int(level.max()) + 1):
        of = np.flatnonzero(level == k)
        made[of] = ufunc(table[starts[of]], table[stops[of] - (1 << k)])
        table = ufunc(table[: -(1 << k)], table[1 << k :])  # of stretches twice as long
    return made


def _to_units(numbers: Any, digits: int) -> tuple[Longs, Mask]:
    """Return integers, or decimals in units of their last digit, and a mask of those that are null or have more digits.

    Arrow's cast takes some texts with more than 38 digits, or with exponents, for other numbers: they are not cast.
    """
    if pa.types.is_integer(numbers.type):
        return numbers.fill_null(0).to_numpy(), numbers.is_null().to_numpy()
    pattern = rf"^-?[0-9]{{1,{_WHOLE - digits}}}(\.[0-9]{{0,{digits}}}0{{0,9}})?$"
    plain = compute.fill_null(compute.match_substring_regex(numbers, pattern), False)
    cells = compute.if_else(plain, numbers, "0").cast(pa.decimal128(_WHOLE, digits)).combine_chunks()
    halves = np.frombuffer(cells.buffers()[1], dtype=np.int64)  # of 128 bits, the lower half first
    return halves[2 * cells.offset :][: 2 * len(cells) : 2], ~plain.to_numpy()
