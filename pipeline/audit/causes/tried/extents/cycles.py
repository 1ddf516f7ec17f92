"""Windows that are told by a part of their time alone, and times that are of another unit than they are taken for.

Who groups by the hour of the day and forgets the date puts all days into one; and whoever divides milliseconds once too
often has all events in January 1970.
"""

from collections.abc import Callable, Iterator
from functools import partial

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Part, Sample
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
                    yield from _list_names(f"puts the same {show_span(range_, sample.tick)} of each {said}", of)
        case Calendar(unit="month", range=1, slide=1) as window:
            yield from _list_names("puts the same month of each year", lambda at: window.number(at) % 12)
        case Calendar(unit="day", range=1, slide=1) as window:
            yield from _list_names("puts the same day of each week", lambda at: window.number(at) % 7)
        case _:
            pass


def _find_place(period: int, at: int) -> int:
    return at % period


def _list_names(why: str, of: Callable[[int], int]) -> Iterator[Hypothesis]:
    for said, last, shared in (
        ("the first of its key", False, False),
        ("the last of its key", True, False),
        ("the first of all", False, True),
    ):
        yield Hypothesis(
            "windows by another formula",
            f"{why} into one window, called as {said}",
            results=partial(_put_together, of, last, shared),
            needs=2,
        )


def _put_together(of: Callable[[int], int], last: bool, shared: bool, found: Foretold) -> Foretold:
    """Windows that have the same place, as one."""
    groups: dict[tuple[str, int], list[Name]] = {}
    names: dict[int, Name] = {}
    for name in sorted(found, key=lambda name: name[1:], reverse=last):
        at = name[1] if name[1] is not None else (name[2] or 0) - 1
        groups.setdefault((name[0], of(at)), []).append(name)
        names.setdefault(of(at), name)
    made: Foretold = {}
    for (key, at), those in groups.items():
        events: list[Event] = [e for name in those for part in found[name] for e in part.events]
        called = (key, *names[at][1:]) if shared else those[0]
        made[called] = [Part(sorted(events, key=lambda e: e[:2]))]
    return made


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
