"""Bad records, each of which ends its batch: what comes after it in the same batch is lost, too, or all of the batch.

A loop over a batch that stands in one `try`, or a bulk write in which one row is refused, goes on with the next batch.
What makes a record a bad one is seen in what it holds, or in when it came: no value, one below zero, a word of a
column, a time that was there before.  Which events are lost then is known for each size of a batch.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import accumulate
from math import isfinite, log2
from typing import Any, Final

from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, get_cell
from swagproof.pipeline.audit.causes.tried.cuts import has_result, sort_arrived
from swagproof.pipeline.audit.causes.tried.divided import BATCHES
from swagproof.pipeline.audit.causes.tried.events.inputs import add_skipped
from swagproof.pipeline.audit.causes.tried.events.touched import Often, choose_touching, find_often
from swagproof.pipeline.audit.causes.tried.lost.loads import list_numbers
from swagproof.pipeline.audit.causes.tried.states import choose_findings

_SIZES: Final = tuple(dict.fromkeys((*BATCHES, *range(10, 500, 10))))
_LEAST: Final = 2
"""How many batches have a bad record."""
_RARE: Final = 4
"""Of so many events one is a bad record at most."""
_WORDS: Final = 12
"""How many different cells a column has at most of which one may be bad."""
_TOUCHING: Final = 80
"""How many ways are tried on a few findings."""
_TRIED: Final = 6
"""How many ways are held against all results."""
_LARGE: Final = 2**31

_RESTS: Final[Mapping[str, Callable[[int, int, int], slice]]] = {
    "leaves out of each {} what comes from the first event {} on": lambda first, last, n: slice(first, n),
    "leaves out of each {} what comes after the first event {}": lambda first, last, n: slice(first + 1, n),
    "leaves out of each {} what comes up to the last event {}": lambda first, last, n: slice(0, last + 1),
    "leaves out each {} that has an event {}": lambda first, last, n: slice(0, n),
}
"""What is lost of a batch, by the places of its first and last bad record, and how many events it has."""

Batches = Callable[[Sequence[Event]], list[Sequence[Event]]]


def list_poisoned(sample: Sample) -> Iterator[Hypothesis]:
    """The batches and bad records that touch most findings and fewest right results."""
    ways = list(_list_ways(sample))
    looked = choose_findings(sample)

    def count(way: tuple[str, Often]) -> int:
        return sum(_explains(sample, name, way[1]) for name in looked)

    for why, often in nlargest(_TRIED, choose_touching(sample, ways, _TOUCHING), key=count):
        lost = partial(count_so_often, partial(find_often, often))
        yield Hypothesis("batch lost", why, events=lost, filters=True, needs=_LEAST, bits=log2(len(ways)))


def _explains(sample: Sample, name: Name, lost: Often) -> bool:
    kept = [e for e in sample.due[name][0].events if e.arrival not in lost]
    return has_result(sample, kept, sample.results[name])


def _list_ways(sample: Sample) -> Iterator[tuple[str, Callable[[], Often]]]:
    held: dict[int, list[Name]] = {}
    for name, parts in sample.due.items():
        for e in (e for part in parts for e in part.events):
            held.setdefault(e.arrival, []).append(name)
    bad = [(which, those) for which, those in _list_bad(sample) if _is_felt(sample, held, those)]
    if not bad:
        return
    groups = [("", [sample.came])] if sample.whole else []
    if len(sample.events) > 1:
        groups.append((" of each key", list(map(sort_arrived, add_skipped(sample, sample.events).values()))))
    for whose, those in groups:
        for said, divide in list_batches(sample, max(map(len, those), default=0)):
            batches = [batch for came in those for batch in divide(came)]
            for which, arrivals in bad:
                hit = [batch for batch in batches if any(e.arrival in arrivals for e in batch)]
                if len(hit) >= _LEAST:
                    for why, rest in _RESTS.items():
                        yield why.format(f"{said}{whose}", which), partial(_lose, rest, hit, arrivals)


def _lose(
    rest: Callable[[int, int, int], slice], batches: Sequence[Sequence[Event]], arrivals: frozenset[int]
) -> Often:
    lost: Often = {}
    for batch in batches:
        places = [i for i, e in enumerate(batch) if e.arrival in arrivals]
        lost |= dict.fromkeys((e.arrival for e in batch[rest(places[0], places[-1], len(batch))]), 0)
    return lost


def list_batches(sample: Sample, longest: int) -> Iterator[tuple[str, Batches]]:
    """How events may be divided into batches, in words that follow 'each'."""
    for said, number in list_numbers(sample):
        yield said, partial(_group, number)
    for size in _SIZES:
        if _LEAST * size <= longest:
            yield f"batch of {size:,} events", partial(_chop, size)


def _group(number: Callable[[Event], int], came: Sequence[Event]) -> list[Sequence[Event]]:
    batches: dict[int, list[Event]] = {}
    for e in came:
        batches.setdefault(number(e), []).append(e)
    return list(batches.values())


def _chop(size: int, came: Sequence[Event]) -> list[Sequence[Event]]:
    return [came[i : i + size] for i in range(0, len(came), size)]


def _is_felt(sample: Sample, held: Mapping[int, Sequence[Name]], those: frozenset[int]) -> bool:
    """Whether some events are few, and the windows that have one are wrong more often than others."""
    if not _LEAST <= len(those) <= len(sample.came) // _RARE:
        return False
    names = {name for arrival in those for name in held.get(arrival, ())}
    hits, wrong, right = len(names & sample.open), len(sample.open), len(sample.due) - len(sample.open)
    return hits > 0 and hits * right > len(names - sample.findings) * wrong


def _list_bad(sample: Sample) -> Iterator[tuple[str, frozenset[int]]]:
    """What makes an event a bad record, in words, and the arrival numbers of those that are."""
    came = sample.came
    tests: dict[str, Callable[[Event], bool]] = {}
    for column, get in _list_columns(sample):
        cells = Counter(get(e) for e in came)
        tests |= {f"whose {column} is {said}": partial(_has, fits, get) for said, fits in _CELLS.items()}
        if len(cells) <= _WORDS:
            there = sorted((cell for cell in cells if cell is not None), key=str)
            tests |= {f"whose {column} is {cell}": partial(_has, partial(_is, cell), get) for cell in there}
        elif column != "value":
            again = _find_repeated(came, get)
            tests[f"whose {column} was there before"] = partial(_is_among, again)
    tied = (_find_repeated(sort_arrived(of), _get_time) for of in add_skipped(sample, sample.events).values())
    tests["whose time its key had before"] = partial(_is_among, frozenset[int]().union(*tied))
    latest = [NEVER, *accumulate((e.time for e in came), max)]
    overtaken = frozenset(e.arrival for e, most in zip(came, latest, strict=False) if e.time < most)
    tests["that came after a later one"] = partial(_is_among, overtaken)
    if sample.delay is not None:
        tests["that the watermark had passed when it came"] = _is_behind
    for said, fits in tests.items():
        yield said, frozenset(e.arrival for e in came if fits(e))


def _list_columns(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Any]]]:
    if len(sample.kinds) == 1 and sample.kinds[0] != "json":
        yield "value", _get_value
    yield from ((name, partial(get_cell, i)) for i, name in enumerate(sample.columns))


def _find_repeated(came: Sequence[Event], get: Callable[[Event], Any]) -> frozenset[int]:
    seen, again = set[Any](), set[int]()
    for e in came:
        if get(e) in seen:
            again.add(e.arrival)
        seen.add(get(e))
    return frozenset(again)


def _is_number(cell: Any) -> bool:
    return not isinstance(cell, str | bool | None | tuple | list)


_CELLS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "null": lambda cell: cell is None,
    "negative": lambda cell: _is_number(cell) and cell < 0,
    "not positive": lambda cell: _is_number(cell) and cell <= 0,
    "zero": lambda cell: _is_number(cell) and cell == 0,
    "no number": lambda cell: _is_number(cell) and not isfinite(cell),
    "of more than 32 bits": lambda cell: _is_number(cell) and not -_LARGE <= cell < _LARGE,
    "empty, or has a blank at an end": lambda cell: isinstance(cell, str) and cell != (cell.strip() or None),
    "not ASCII": lambda cell: isinstance(cell, str) and not cell.isascii(),
}
"""What may be wrong with a value, or with what is in another column."""


def _has(fits: Callable[[Any], bool], get: Callable[[Event], Any], e: Event) -> bool:
    return fits(get(e))


def _is(one: Any, cell: Any) -> bool:
    return bool(cell == one)


def _is_among(those: frozenset[int], e: Event) -> bool:
    return e.arrival in those


def _is_behind(e: Event) -> bool:
    return e.time < e.watermark


def _get_time(e: Event) -> Any:
    return e.time


def _get_value(e: Event) -> Any:
    return e.value
