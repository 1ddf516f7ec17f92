"""Windows that are told by a part of their time alone, and times that are of another unit than they are taken for.

Who groups by the hour of the day and forgets the date puts all days into one; and whoever divides milliseconds once too
often has all events in January 1970.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Part, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second, show_span

_FACTORS = (1000, 1_000_000)


def list_cycles(sample: Sample) -> Iterator[Hypothesis]:
    """Windows without their date, and times of another unit."""
    if sample.tick is None:
        return
    if isinstance(sample.window, Sliding | Session | Calendar) and any(n not in sample.due for n in sample.open):
        yield from _list_units()
    second = get_second(sample.tick)
    match sample.window:
        case Sliding(range_, slide) if range_ == slide:
            for said, period in (("hour", 3600), ("day", 86_400), ("week", 604_800)):
                if range_ < period * second and period * second % range_ == 0:
                    of = partial(_find_place, period * second)
                    yield from _list_names(sample, show_span(range_, sample.tick), said, of)
        case Calendar(unit="month", range=1, slide=1) as window:
            yield from _list_names(sample, "month", "year", lambda at: window.number(at) % 12)
        case Calendar(unit="day", range=1, slide=1) as window:
            yield from _list_names(sample, "day", "week", lambda at: window.number(at) % 7)
        case _:
            pass


def _find_place(period: int, at: int) -> int:
    return at % period


def _list_names(sample: Sample, part: str, whole: str, of: Callable[[int], int]) -> Iterator[Hypothesis]:
    """Windows of which `of` says the same are one; which has one name, or is joined to all of theirs."""
    cause = "windows by another formula"
    why = f"answers for the same {part} of all {whole}s together, as where windows are told without their date"
    yield Hypothesis(cause, why, results=partial(_answer_each, sample, of), needs=2)
    for said, last, shared in (
        ("the first of its key", False, False),
        ("the last of its key", True, False),
        ("the first of all", False, True),
    ):
        why = f"puts the same {part} of each {whole} into one window, called as {said}"
        yield Hypothesis(cause, why, results=partial(_put_together, of, last, shared), needs=2)


def _put_together(of: Callable[[int], int], last: bool, shared: bool, found: Foretold) -> Foretold:
    """Windows that have the same place, as one."""
    names: dict[int, Name] = {}
    made: Foretold = {}
    for name in sorted(found, key=lambda name: name[1:], reverse=last):
        names.setdefault(of(_find_begin(name)), name)
    for (key, at), those in _group(of, found).items():
        first = max(those, key=lambda name: name[1:]) if last else min(those, key=lambda name: name[1:])
        made[(key, *names[at][1:]) if shared else first] = [Part(_join(found, those))]
    return made


def _answer_each(sample: Sample, of: Callable[[int], int], found: Foretold) -> Foretold:
    """What is answered of all windows that have the same place, for each of them."""
    made: Foretold = {}
    for those in _group(of, found).values():
        events = _join(found, those)
        made |= {key: [Part(events, sample.answer(events))] for key in those}  # once, for it is of many events
    return made


def _group(of: Callable[[int], int], found: Foretold) -> dict[tuple[str, int], list[Name]]:
    groups: dict[tuple[str, int], list[Name]] = {}
    for name in found:
        groups.setdefault((name[0], of(_find_begin(name))), []).append(name)
    return groups


def _find_begin(name: Name) -> int:
    return name[1] if name[1] is not None else (name[2] or 0) - 1


def _join(found: Foretold, those: Sequence[Name]) -> list[Event]:
    return sorted((e for name in those for part in found[name] for e in part.events), key=time_and_arrival)


def _list_units() -> Iterator[Hypothesis]:
    for factor in _FACTORS:
        for said, by in (
            (f"takes times for {factor:,} times what they are", partial(_multiply, factor)),
            (
                f"takes times for a {'thousandth' if factor == 1000 else 'millionth'} of what they are",
                partial(_divide, factor),
            ),
        ):
            yield Hypothesis("times read wrongly", said, events=partial(_retime, by), needs=2)


def _multiply(factor: int, time: int) -> int:
    return time * factor


def _divide(factor: int, time: int) -> int:
    return time // factor


def _retime(by: Callable[[int], int], all_: Events) -> Events:
    return {
        key: sorted((e._replace(time=by(e.time)) for e in events), key=lambda e: e[:2]) for key, events in all_.items()
    }
