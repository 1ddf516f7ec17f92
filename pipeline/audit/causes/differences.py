"""How wrong results differ from what is due, as far as that is one and the same of many of them.

All are too small; or there is one factor, or one difference, of all, of each key, or of all windows of as many events;
or one and the same result.  That two findings agree by chance is the less likely the farther they are off: of what is
off by one, every other one agrees.  So each that agrees with another counts as many bits as say how far it is off.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import atanh, comb, erf, floor, log, log2, log10, sqrt
from statistics import correlation, median
from typing import Any, Final, NamedTuple

from swagproof.pipeline.audit.causes.sample import Name, Sample, get_place
from swagproof.pipeline.audit.causes.tried.answers import got_number, number_of
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN

_MOST_BITS: Final = 20.0
"""How many bits an agreement says at most."""
_SIDED: Final = 0.9
"""How many of all are off to one side, at least, that it is told."""
_EXACT: Final = 1e-9
_NEARLY: Final = 0.05
"""How far what is one factor, nearly, is from the one in the middle."""
_ENOUGH: Final = 8
"""Of how many, at least, it is told what is so of each, and worth no bits."""
_CLOSE: Final = 0.1
"""By how much all results are off at most, where that is told."""
_TREND: Final = 0.8
"""By how much ranks correlate, at least, that it is told."""
_FEWER: Final = 5
"""Of so many estimates one at least is off to the other side."""
_FAR: Final = 0.35
"""By what share an estimate is off at most."""
_RARELY: Final = 4.0
_MOSTLY: Final = 0.35
"""How many deviations an estimate is off at most, and in the middle at least, as chance gives it."""
_SHOWN: Final = 3
_LARGE: Final = 10**150
"""What is larger, or so much larger than what is due, or smaller, is not looked at: no float holds the square."""


@dataclass(frozen=True)
class Alike:
    """What is so of some findings."""

    says: str
    names: frozenset[Name]
    bits: float
    """How much less it takes to tell them, with it."""
    beside: int = 0
    """How many right results it is so of, too: it is said."""


class _Off(NamedTuple):
    """A number that is not what is due."""

    name: Name
    got: Fraction
    due: Fraction
    size: int
    """How many events are in its window."""
    among: int
    """How many of all keys are in the windows that have this begin and end."""


def list_differences(
    sample: Sample, some: Collection[Name], shared: float = 1.0, margin: float = MARGIN
) -> Iterator[Alike]:
    """What is said of these findings; windows that share events with so many others speak once."""
    yield from _list_absent(sample, some)
    off = list(_measure(sample, some))
    if len(off) >= LEAST:
        yield from _tell_numbers(off, len(some), shared, margin)
        yield from _tell_members(sample, off, len(some), shared, margin)
    yield from _tell_texts(sample, some)


def tell_estimates(sample: Sample, some: Collection[Name], right: Collection[Name], shared: float) -> Iterator[Alike]:
    """That different values are counted, or a middle is found, as an estimate would: off both ways, by shares that are
    no more than chance gives of one deviation, and about as seldom right; but exact in small windows, it may be.

    Of a middle that is said only where windows tell by their size whether they are right: any value that is lost, or
    too many, moves it both ways, too.
    """
    counts = sample.aggregation.name.endswith("distinct-count")
    if not counts and sample.aggregation.name != "median":
        return
    measure = _measure_count if counts else _measure_rank
    off = [one for name in some if (one := measure(sample, name)) is not None and one.by]
    sizes = [one.size for name in right if (one := measure(sample, name)) is not None]
    if len(off) < max(_ENOUGH * shared, _SIDED * len(some), _SIDED * len(sample.open)):
        return
    least = min(one.size for one in off)
    below, all_ = sum(size < least for size in sizes), len(off) + len(sizes)
    bits = (log2(comb(all_, len(off))) - log2(comb(all_ - below, len(off)))) / shared - log2(all_)
    if not _may_be_estimates(off, sizes, least) or (not counts and bits < MARGIN):
        return
    most = _round_up(100 * max(abs(one.by) / one.size for one in off))
    of, unit = ("", "different values") if counts else (" of the ranks", "values")
    more, less = sum(one.by > 0 for one in off), sum(one.by < 0 for one in off)
    exact = f"; windows of fewer than {least:,} {unit} are all right, which are {below:,}" if below >= LEAST else ""
    ways = f"both ways ({more:,} too large, {less:,} too small)"
    says = f"{count_of(len(off), len(some))} are off by up to {most} %{of}, {ways}, as an estimate would be{exact}"
    yield Alike(says, frozenset(one.name for one in off), bits)


def _may_be_estimates(off: Sequence["_Estimate"], sizes: Sequence[int], least: int) -> bool:
    """Whether numbers are off both ways, by shares of their sizes as chance gives them; and others, of these sizes, as
    often right as it does, but those of fewer than any that is off, which may be counted."""
    deviation = sqrt(sum(one.by**2 for one in off) / sum(one.size**2 for one in off))
    sides = sum(one.by > 0 for one in off), sum(one.by < 0 for one in off)
    far = [abs(one.by) / (deviation * one.size) for one in off]
    past = max((abs(one.by) - 1) / (deviation * one.size) for one in off)  # what is whole is rounded
    if min(sides) < len(off) / _FEWER or past > _RARELY or median(far) < _MOSTLY:
        return False
    if any(abs(one.by) > _FAR * one.size + 1 for one in off):
        return False

    def expect(all_: Iterable[int]) -> float:
        return sum(erf(0.5 / (deviation * size * sqrt(2))) for size in all_)

    above = [size for size in sizes if size >= least]
    of_these = expect((*above, *(one.size for one in off)))
    of_all = expect((*sizes, *(one.size for one in off)))
    return len(above) <= of_these + 3 * sqrt(of_these) and len(sizes) >= of_all - 3 * sqrt(of_all)


class _Estimate(NamedTuple):
    """By how much a number is off, and what that is a share of."""

    name: Name
    by: float
    size: int


def _measure_count(sample: Sample, name: Name) -> _Estimate | None:
    got, due = got_number(sample, name), sample.answers.get(name, [])
    number = number_of(due[0]) if len(due) == 1 else None
    return _Estimate(name, float(got - number), int(number)) if got is not None and number else None


def _measure_rank(sample: Sample, name: Name) -> _Estimate | None:
    """By how many ranks a number is from the middle of the values."""
    got, parts, due = got_number(sample, name), sample.due.get(name, ()), sample.answers.get(name, [])
    middle = number_of(due[0]) if len(due) == 1 else None
    held = [read_number(e.value) for part in parts for e in part.events]
    values = [v for v in held if v is not None]
    if got is None or middle is None or not values or not min(values) <= got <= max(values):
        return None
    ranks = (sum(v < got for v in values) - sum(v > got for v in values)) / 2
    return _Estimate(name, ranks or ((got > middle) - (got < middle)) / 2, len(values))


def count_of(n: int, all_: int) -> str:
    """How many of how many, in words."""
    return f"all {n:,}" if n == all_ else f"{n:,} of {all_:,}"


def _list_absent(sample: Sample, some: Collection[Name]) -> Iterator[Alike]:
    """Results that are not there, that are of no window, or null: so much is to be seen, whatever chance gives.  What
    fewer than half are is not what they have in common."""
    groups: dict[str, list[Name]] = defaultdict(list)
    for name in some:
        got, due = sample.results.get(name, ()), sample.answers.get(name, ())
        if not got:
            groups["have no result"].append(name)
        elif not due:
            groups["are results where none is due"].append(name)
        elif len(got) != len(due):
            groups["have another number of results than is due"].append(name)
        elif len(got) == 1 and got[0].text is None and got[0].number is None:
            groups["are null"].append(name)
    for words, names in sorted(groups.items()):
        if 2 * len(names) >= len(some):
            yield Alike(f"{count_of(len(names), len(some))} {words}", frozenset(names), 0.0)
    lost, more = groups["have no result"], groups["are results where none is due"]
    if lost and Counter(name[0] for name in lost) == Counter(name[0] for name in more):
        says = "of each key as many results are not there as there are where none is due"
        yield Alike(says, frozenset((*lost, *more)), 0.0)


def _measure(sample: Sample, some: Iterable[Name]) -> Iterator[_Off]:
    sizes = {name: sum(len(part.events) for part in parts) for name, parts in sample.due.items()}
    among: dict[tuple[Any, ...], int] = defaultdict(int)
    for name, size in sizes.items():
        among[name[1:]] += size
    for name in sorted(some, key=str):
        got, answers = got_number(sample, name), sample.answers.get(name, [])
        due = number_of(answers[0]) if len(answers) == 1 else None
        if got is None or due is None or got == due or max(abs(got), abs(due)) >= _LARGE:
            continue
        if got and due and not Fraction(1, _LARGE) < abs(Fraction(got) / Fraction(due)) < _LARGE:
            continue
        yield _Off(name, Fraction(got), Fraction(due), sizes.get(name, 0), among[name[1:]])


def _tell_numbers(off: Sequence[_Off], n: int, shared: float, margin: float) -> Iterator[Alike]:
    found = list(_list_agreements(off, n, shared))
    best = max(found, key=lambda one: one.bits, default=None)
    if best is not None and best.bits >= margin:
        yield best
    elif (near := _tell_factor(off, n, shared)) is not None and near.bits >= margin:
        yield near
    else:
        yield from _tell_trends(off, shared, margin)
    less = [one for one in off if one.got < one.due]
    side, word = (less, "too small") if 2 * len(less) >= len(off) else ([o for o in off if o.got > o.due], "too large")
    bits = len(off) * (1 - _entropy(len(side) / len(off))) / shared - 1
    all_of_many = len(side) == len(off) >= _ENOUGH * shared  # it is so, whatever chance gives
    if (bits >= margin and len(side) >= _SIDED * len(off)) or all_of_many:
        by = sorted(abs(float(o.got - o.due)) for o in side)
        far = f"by {by[0]:,.6g}" + (f" to {by[-1]:,.6g}, {median(by):,.6g} in the middle" if by[0] != by[-1] else "")
        yield Alike(f"{count_of(len(side), n)} are {word}, {far}", frozenset(o.name for o in side), bits)
    apart = [abs(o.got - o.due) / abs(o.due) for o in off if o.due]
    if len(apart) == len(off) >= _ENOUGH and (most := float(max(apart))) <= _CLOSE:
        yield Alike(f"none of {len(off):,} is off by more than {_round_up(100 * most)} %", _names(off), 0.0)


def _tell_trends(off: Sequence[_Off], shared: float, margin: float) -> Iterator[Alike]:
    """That it gets worse: how far results are off goes with how late they are of their key, or how much they hold."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for o in off:
        ranks[o.name[0]].append(get_place(o.name))
    orders = {key: {at: i for i, at in enumerate(sorted(places))} for key, places in ranks.items()}
    far = [float(abs(o.got - o.due)) for o in off]
    trends: tuple[tuple[str, list[float]], ...] = (
        ("later a wrong result is of its key", [orders[o.name[0]][get_place(o.name)] for o in off]),
        ("more events a wrong window holds", [o.size for o in off]),
    )
    for words, values in trends:
        if len(set(values)) < LEAST or len(set(far)) < LEAST or (n := len(off) / shared) <= _ENOUGH:
            continue
        r = correlation(_rank(values), _rank(far))
        z = atanh(min(0.999, abs(r))) * sqrt(n - 3)  # as the normal distribution has it, far out
        bits = z * z / 2 / log(2) - log2(2 * len(trends))
        if abs(r) >= _TREND and bits >= margin:
            less = "farther" if r > 0 else "less"
            yield Alike(
                f"the {words}, the {less} it is off, most of the time: ranks correlate by {r:.2f}", _names(off), bits
            )


def _rank(values: Sequence[float]) -> list[float]:
    """The rank of each; those that are the same share theirs."""
    places: dict[float, list[int]] = defaultdict(list)
    for i, x in enumerate(sorted(values)):
        places[x].append(i)
    return [sum(places[x]) / len(places[x]) for x in values]


def _names(off: Iterable[_Off]) -> frozenset[Name]:
    return frozenset(one.name for one in off)


def _round_up(x: float) -> str:
    """A number of two digits that is no less.

    >>> _round_up(0.8123), _round_up(5.0), _round_up(0.0)
    ('0.82', '5', '0')
    """
    said = f"{x:.2g}"
    return said if float(said) >= x else f"{float(said) + 10.0 ** (floor(log10(x)) - 1):.2g}"


def _entropy(p: float) -> float:
    return 0.0 if p in (0, 1) else -p * log2(p) - (1 - p) * log2(1 - p)


def _list_agreements(off: Sequence[_Off], n: int, shared: float) -> Iterator[Alike]:
    """One factor, difference or result; of all, of each key, of all windows of as many events.  Or a factor that is
    made of how many events there are."""
    tried = [(verb, quantity, of, group) for verb, quantity in _QUANTITIES for of, group in _GROUPINGS]
    tried += [(verb, quantity, "", _GROUPINGS[0][1]) for verb, quantity in _BY_COUNT]
    for verb, quantity, of, group in tried:
        groups: dict[Hashable, list[tuple[_Off, Fraction]]] = defaultdict(list)
        for o in off:
            if (x := quantity(o)) is not None:
                groups[group(o)].append((o, x))
        many = [those for those in groups.values() if len(those) > 1]
        if (of and len(many) < LEAST) or not all(_agree([x for _, x in those]) for those in many):
            continue
        together = [o for those in many for o, _ in those]
        if len(together) < _SIDED * len(off) or (of and sum(len(those) - 1 for those in many) < len(many)):
            continue
        # what is due may be one and the same itself: then it says nothing that results are, or differ so
        told = [o for those in many if len({o.due for o, _ in those}) > 1 for o, _ in those[1:]]
        bits = sum(map(_weigh, told)) / shared - log2(len(tried))
        yield Alike(f"{count_of(len(together), n)} {_show(verb, of, many)}", _names(together), bits)


def _find_factor(one: _Off) -> Fraction | None:
    return one.got / one.due if one.due and one.got else None


def _make_by_count(change: Callable[[_Off, Fraction], Fraction | None]) -> Callable[[_Off], Fraction | None]:
    def find(one: _Off) -> Fraction | None:
        factor = _find_factor(one)
        return None if factor is None or not one.size else change(one, factor)

    return find


_QUANTITIES: Final[tuple[tuple[str, Callable[[_Off], Fraction | None]], ...]] = (
    ("differ by", lambda o: o.got - o.due),
    ("are what is due times", _find_factor),
    ("are", lambda o: o.got),
)
_GROUPINGS: Final[tuple[tuple[str, Callable[[_Off], Hashable]], ...]] = (
    ("", lambda _: None),
    (" of each key", lambda o: o.name[0]),
    (" of all windows of as many events", lambda o: o.size),
)
_BY_COUNT: Final = (
    ("are what is due, divided by how many events are in the window, times", _make_by_count(lambda o, x: x * o.size)),
    ("are what is due, times how many events are in the window, times", _make_by_count(lambda o, x: x / o.size)),
    (
        "are what is due, divided by the root of how many events are in the window, times",
        _make_by_count(lambda o, x: _root(x * x * o.size)),
    ),
    (
        "are what is due, times the root of how many events are in the window, times",
        _make_by_count(lambda o, x: _root(x * x / o.size)),
    ),
    (
        "are what is due, times the share of the window's events among those of all keys, times",
        _make_by_count(lambda o, x: x * o.among / o.size),
    ),
)


def _root(x: Fraction) -> Fraction:
    return Fraction(sqrt(x))


def _agree(numbers: Sequence[Fraction]) -> bool:
    first = numbers[0]
    return all(abs(x - first) <= _EXACT * abs(first) for x in numbers)


def _weigh(one: _Off) -> float:
    if one.got.denominator == one.due.denominator == 1:
        return min(_MOST_BITS, log2(2 * abs(float(one.got - one.due)) + 1))
    return _MOST_BITS


def _show(verb: str, of: str, groups: Sequence[Sequence[tuple[_Off, Fraction]]]) -> str:
    values = [float(those[0][1]) for those in groups]
    if not of:
        return (
            verb.removesuffix(", times") if verb.endswith(", times") and values[0] == 1 else f"{verb} {values[0]:,.6g}"
        )
    some = ", ".join(f"{x:,.6g}" for x in values[:_SHOWN])
    more = ", ..." if len(values) > _SHOWN else ""
    return f"{verb} one number{of}: {some}{more}"


def _tell_factor(off: Sequence[_Off], n: int, shared: float) -> Alike | None:
    """One factor, nearly, that is none that is near 1."""
    if any(not o.due or not o.got for o in off) or len({o.due for o in off}) < LEAST:
        return None
    factors = [float(o.got / o.due) for o in off]
    middle = median(factors)
    if any(abs(x / middle - 1) > _NEARLY for x in factors) or abs(middle - 1) < 3 * _NEARLY:
        return None
    bits = (len(off) - 1) * log2(1 / (2 * _NEARLY)) / shared
    least, most = min(factors), max(factors)
    return Alike(f"{count_of(len(off), n)} are what is due times {least:.4g} to {most:.4g}", _names(off), bits)


def _tell_members(sample: Sample, off: Sequence[_Off], n: int, shared: float, margin: float) -> Iterator[Alike]:
    """Results that are the value of an event in their window, where what is due is not; or the other way round."""
    values = {o.name: _values(sample, o.name) for o in off}
    if not all(values.values()):
        return
    inside = [o for o in off if _is_in(o.got, values[o.name])]
    due = sum(_is_in(o.due, values[o.name]) for o in off)
    if len(inside) == len(off) and 2 * due <= len(off):
        # by chance, a result is among the values of another window as often as it is among those of the next
        turned = sum(_is_in(o.got, values[off[i - 1].name]) for i, o in enumerate(off))
        bits = len(off) * log2((len(off) + 2) / (turned + 1)) / shared
        if bits >= margin:
            yield Alike(
                f"{count_of(len(off), n)} are the value of an event in the window, as {due:,} of what is due are",
                _names(off),
                bits,
            )
    elif not inside and due == len(off):
        yield Alike(
            f"{count_of(len(off), n)} are the value of no event in the window, as what is due is", _names(off), 0.0
        )


def _values(sample: Sample, name: Name) -> frozenset[float]:
    held = (read_number(e.value) for part in sample.due.get(name, ()) for e in part.events)
    return frozenset(x for x in held if x is not None)


def read_number(value: Any) -> float | None:
    """A value as a number; None where it is none, or none that a float comes near."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal):
        return None
    try:
        return float(value)
    except (OverflowError, ValueError):
        return None


def _is_in(number: Fraction, values: frozenset[float]) -> bool:
    return float(number) in values


def _tell_texts(sample: Sample, some: Collection[Name]) -> Iterator[Alike]:
    """Texts, and lists in JSON, that are due but for capitals, blanks or order; or have more, or less."""
    pairs: list[tuple[Name, Any, Any]] = []
    for name in sorted(some, key=str):
        got, due = sample.results.get(name, ()), sample.answers.get(name, ())
        if len(got) == len(due) == 1 and got[0].text is not None and due[0].text is not None:
            pairs.append((name, *map(_read, (got[0].text, due[0].text))))
    if len(pairs) < _ENOUGH:
        return
    for words, fits in _TEXTS:
        if all(type(g) is type(d) and isinstance(g, str | list) and fits(g, d) for _, g, d in pairs):
            names = frozenset(name for name, _, _ in pairs)
            yield Alike(f"{count_of(len(pairs), len(some))} {words}", names, 0.0)
            return


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _items(of: Any) -> list[str]:
    return sorted(map(repr, of))


def _has(more: Any, less: Any) -> bool:
    rest = _items(more)
    for item in _items(less):
        if item not in rest:
            return False
        rest.remove(item)
    return True


_TEXTS: Final[tuple[tuple[str, Callable[[Any, Any], bool]], ...]] = (
    ("are what is due but for capitals", lambda g, d: str(g).casefold() == str(d).casefold()),
    ("are what is due but for blanks", lambda g, d: "".join(str(g).split()) == "".join(str(d).split())),
    ("are what is due in another order", lambda g, d: _items(g) == _items(d)),
    ("have all that is due, and more", lambda g, d: _has(g, d)),
    ("have some of what is due, and nothing else", lambda g, d: _has(d, g)),
)
