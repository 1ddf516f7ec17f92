"""What a job may have made of right answers when it wrote them: other names, another place, or nothing at all."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Name, Part, Sample, get_place, take_all
from swagproof.pipeline.audit.causes.spans import get_second, show_span
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number, number_of
from swagproof.pipeline.audit.causes.tried.extents.slides import QUARTER
from swagproof.pipeline.audit.rules import Answer


def list_written(sample: Sample) -> Iterator[Hypothesis]:
    """Other names, results of other windows, and windows that have no result, or one too many."""
    yield from _list_names(sample)
    yield from _list_expressions(sample)
    yield from _list_edges(sample)
    yield from _list_sequences(sample)
    yield from _list_orders(sample)
    yield from _list_shown(sample)
    if any(name not in sample.results for name in sample.open):
        for said, lost in (
            ("where it is zero", lambda name, part: number_of(_find_answer(sample, part)) == 0),
            ("where it is below zero", lambda name, part: (number_of(_find_answer(sample, part)) or 0) < 0),
            ("where it is null", lambda name, part: _find_answer(sample, part).text is None),
            ("where there is but one event", lambda name, part: len(part.events) == 1),
        ):
            results = partial(_leave_out, lost)
            yield Hypothesis("result lost", f"has no result {said}", results=results)
        yield Hypothesis("result lost", "has no result", results=lambda found: {})
        why = "has no result where it is the same as that of the window before"
        yield Hypothesis("result lost", why, results=partial(_leave_unchanged, sample))


def _list_shown(sample: Sample) -> Iterator[Hypothesis]:
    """Windows with several results, each of the events that had come by some moment: updates, that are no last ones."""
    several = [name for name in sample.open if len(sample.results.get(name, ())) > 1]
    if not several:
        return
    every = Hypothesis("", "", takes=take_all).foretell(sample)
    made: Foretold = {}
    for name in several:
        for found in (sample.due, every):
            parts = found.get(name, ())
            shown = _find_begun(sample, name, parts[0].events) if len(parts) == 1 else None
            if shown is not None:
                made[name] = shown
                break
    if len(made) * 10 >= 9 * len(several):
        cause, why = "updates shown", "shows results as they change, each beside those before it"
        say = "--late update, and by --version which of a window's results came last"
        if sample.retracts:  # what is right is taken back, so that it is not what was meant
            cause, why, say = "not retracted", "leaves, for some windows, a result beside one that corrects it", ""
        yield Hypothesis(
            cause,
            why,
            results=lambda found: {**found, **made},
            needs=2,
            bits=RARE,
            say=say,
            seen=sample.retracts,
        )


def _find_begun(sample: Sample, name: Name, events: Sequence[Event]) -> list[Part] | None:
    """For each result of a window as many of the events that came first as give it; None where one is of no such."""
    if len(events) > _SHOWN:
        return None
    came = sorted(events, key=lambda e: e.arrival)
    begun = [sorted(came[:n], key=lambda e: e[:2]) for n in range(1, len(came) + 1)]
    answers = [sample.answer(some) for some in begun]
    fits = [next((n for n, due in enumerate(answers) if sample.agrees(due, one)), None) for one in sample.results[name]]
    if None in fits or len(set(fits)) < len(fits):
        return None
    return [Part(begun[n]) for n in fits if n is not None]


_SHOWN: Final = 200
"""How many events a window has at most of whose results it is looked which were there before."""


def _find_answer(sample: Sample, part: Part) -> Answer:
    return part.answer or sample.answer(part.events)


def _leave_unchanged(sample: Sample, found: Foretold) -> Foretold:
    made: Foretold = {}
    last: dict[str, str | None] = {}
    for name in sorted(found, key=lambda name: (name[0], get_place(name))):
        text = _find_answer(sample, found[name][0]).text
        if name[0] not in last or last[name[0]] != text:
            made[name] = found[name]
        last[name[0]] = text
    return made


def _leave_out(lost: Callable[[Name, Part], bool], found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if not lost(name, parts[0])}


def _list_names(sample: Sample) -> Iterator[Hypothesis]:
    """The right answers under other names: by how much, the findings tell."""
    window = sample.window
    if isinstance(window, Frame | Counted):
        return
    extra = [name for name in sorted(sample.open & sample.results.keys(), key=str) if name not in sample.due][:12]
    lacking: dict[str, list[Name]] = {}
    for name in sample.open:
        if name in sample.due:
            lacking.setdefault(name[0], []).append(name)
    seen: Counter[tuple[int, int]] = Counter()
    units: Counter[int] = Counter()
    for name in extra:
        for other in lacking.get(name[0], ()):
            if sample.fits(sample.answers[other], sample.results[name]):
                seen[(name[1] or 0) - (other[1] or 0), (name[2] or 0) - (other[2] or 0)] += 1
                if isinstance(window, Calendar):
                    units[_count_units(window, name, other)] += 1
    units.pop(0, None)
    if isinstance(window, Calendar):
        yield from (_rename_units(window, by) for by, _ in units.most_common(2))
    for (da, db), _ in seen.most_common(4):
        yield _rename(sample, da, db, needs=3)
    if isinstance(window, Sliding):
        for by in (window.range, -window.range, window.slide, -window.slide):
            yield _rename(sample, by, by, needs=2)


def _count_units(window: Calendar, name: Name, other: Name) -> int:
    """How many days or months a window is named after another one."""
    right = window.closed == "right"
    later, earlier = ((it[2] if it[1] is None else it[1]) or 0 for it in (name, other))
    return window.number(later + right) - window.number(earlier + right)


def _rename_units(window: Calendar, by: int) -> Hypothesis:
    """Windows of a calendar by the names of others, which are not as far away where clocks are changed."""

    def move(time: int | None) -> int | None:
        return None if time is None else window.start(window.number(time + (window.closed == "right")) + by)

    def results(found: Foretold) -> Foretold:
        return {(key, move(a), move(b)): parts for (key, a, b), parts in found.items()}

    said = f"{abs(by):,} {window.unit}{'' if abs(by) == 1 else 's'} {'later' if by > 0 else 'earlier'}"
    return Hypothesis("names moved", f"names windows {said}", results=results, needs=3)


def _rename(sample: Sample, da: int, db: int, needs: int) -> Hypothesis:
    window = sample.window
    by = da if "a" in sample.on else db
    length = window.range if isinstance(window, Sliding) else window.gap if isinstance(window, Session) else 0
    zone = sample.tick is not None and by % (QUARTER * get_second(sample.tick)) == 0
    said = f"{show_span(abs(by), sample.tick)} {'later' if by > 0 else 'earlier'}"
    if isinstance(window, Session) and not da:
        cause, why = "ends named otherwise", f"names sessions by an end {show_span(abs(db), sample.tick)} off"
        if db == -length:
            cause, why = "named by its last event", "names the end of a session by its last event"
    elif "a" in sample.on and "b" in sample.on and da != db:
        cause, why = "ends named otherwise", "names one end of its windows otherwise"
    elif "a" in sample.on and by == length:
        cause, why = "named by the end", "names windows by their end"
    elif zone and abs(by) <= 56 * QUARTER * get_second(sample.tick) and by % getattr(window, "slide", 1):
        cause, why = "time zone", f"names windows {said}, as in another time zone"
    else:
        cause, why = "names moved", f"names windows {said}"

    def results(found: Foretold) -> Foretold:
        return {
            (key, None if a is None else a + da, None if b is None else b + db): parts
            for (key, a, b), parts in found.items()
        }

    return Hypothesis(cause, why, results=results, needs=needs)


_EXPRESSIONS: Final[dict[str, Callable[[Name, Part], int | None]]] = {
    "their begin": lambda name, part: name[1],
    "their end": lambda name, part: name[2],
    "their first event": lambda name, part: part.events[0].time if part.events else None,
    "their last event": lambda name, part: part.events[-1].time if part.events else None,
    "as long after their end": lambda name, part: 2 * (name[2] or 0) - (name[1] or 0),
}
"""What an end of a window may be taken for."""


def _list_expressions(sample: Sample) -> Iterator[Hypothesis]:
    """Names whose ends are each another time of the window, or are one and the same for all."""
    if isinstance(sample.window, Frame | Counted) or sample.on != ("a", "b"):
        return
    extra = {name for name in sample.open if name in sample.results and name not in sample.due}
    if len(extra) < 2:
        return
    ends: list[dict[str, Callable[[Name, Part], int | None]]] = []
    for times in ([name[1] for name in extra], [name[2] for name in extra]):
        (common, n), *_ = Counter(times).most_common(1)
        alike = {"one and the same time": partial(_be_always, common)} if 2 * n > len(extra) and n > 2 else {}
        ends.append({**_EXPRESSIONS, **alike})
    for begin, make_a in ends[0].items():
        for end, make_b in ends[1].items():
            if (begin, end) == ("their begin", "their end"):
                continue
            results = partial(_name_by, make_a, make_b)
            renamed = results(sample.due)
            if 2 * sum(name in renamed for name in extra) < len(extra):
                continue
            cause = "ends named otherwise"
            if begin == "their end":
                cause = "named by the end"
            elif (begin, end) == ("their begin", "their last event") and isinstance(sample.window, Session):
                cause = "named by its last event"
            why = f"names windows from {begin} to {end}"
            if cause == "named by its last event":
                why = "names the end of a session by its last event"
            yield Hypothesis(cause, why, results=results, needs=2)


def _be_always(time: int | None, _name: Name, _part: Part) -> int | None:
    return time


def _name_by(
    make_a: Callable[[Name, Part], int | None], make_b: Callable[[Name, Part], int | None], found: Foretold
) -> Foretold:
    made: Foretold = {}
    for name, parts in found.items():
        for part in parts:
            made.setdefault((name[0], make_a(name, part), make_b(name, part)), []).append(part)
    return made


def _list_edges(sample: Sample) -> Iterator[Hypothesis]:
    """Windows at the beginning and at the end of the data, and those without events."""
    window = sample.window
    if isinstance(window, Frame):
        return
    spans = {key: (events[0].time, events[-1].time) for key, events in sample.events.items() if events}
    first, last = min((a for a, _ in spans.values()), default=0), max((b for _, b in spans.values()), default=0)
    length = window.range if isinstance(window, Sliding) else 0

    def begins(name: Name) -> int:
        return name[1] if name[1] is not None else (name[2] or 0) - length

    def ends(name: Name) -> int:
        return name[2] if name[2] is not None else (name[1] or 0) + length

    def dropping(cause: str, why: str, keeps: Callable[[Name], bool]) -> Hypothesis:
        return Hypothesis(cause, why, results=lambda found: {n: p for n, p in found.items() if keeps(n)})

    if isinstance(window, Sliding):
        cause = "first windows left out"
        yield dropping(
            cause,
            "leaves out the windows that begin before the first event of the key",
            lambda n: begins(n) >= spans.get(n[0], (first, 0))[0],
        )
        yield dropping(cause, "leaves out the windows that begin before the first event", lambda n: begins(n) >= first)
        cause = "last windows left out"
        yield dropping(cause, "leaves out the windows that end after the last event", lambda n: ends(n) <= last)
        yield dropping(
            cause,
            "leaves out the windows that end after the last event of the key",
            lambda n: ends(n) <= spans.get(n[0], (0, last))[1],
        )
    if isinstance(window, Sliding | Calendar):
        yield from _fill(sample, window, spans)
    newest: dict[str, Name] = {}
    for name in sample.due:
        if name[0] not in newest or ends(name) > ends(newest[name[0]]):
            newest[name[0]] = name
    yield dropping("last windows left out", "leaves out the last window of each key", lambda n: newest.get(n[0]) != n)


_FEW: Final = 1_000


def _be_itself(time: int) -> int:
    return time


def _find_filler(sample: Sample) -> dict[str, Answer]:
    """What most results are of windows that have no event, where that is neither null nor zero."""
    extra = [name for name in sorted(sample.open, key=str) if name not in sample.due]
    numbers = Counter(Fraction(x) for name in extra if (x := got_number(sample, name)) is not None)
    return {
        str(value if value.denominator == 1 else float(value)): answer_of(value)
        for value, n in numbers.most_common(1)
        if value and n > 2 and 2 * n > len(extra)
    }


def _fill(sample: Sample, window: Sliding | Calendar, spans: dict[str, tuple[int, int]]) -> Iterator[Hypothesis]:
    answers = {"null": NULL, "zero": Answer("0", 0.0, 0.0), "what it did for the window before": None}
    answers |= _find_filler(sample)
    units = window if isinstance(window, Sliding) else window.in_units
    number: Callable[[int], int] = _be_itself if isinstance(window, Sliding) else window.number
    start: Callable[[int], int] = _be_itself if isinstance(window, Sliding) else window.start
    edges = (min((a for a, _ in spans.values()), default=0), max((b for _, b in spans.values()), default=0))
    most = len(sample.due) + len(sample.results) + _FEW  # each of these windows would have a result
    for said, answer in answers.items():
        like = ", as COUNT(*) over an outer join does" if said == "1" and sample.aggregation.name == "count" else ""
        for among, reach in (("of a key", spans), ("of all", dict.fromkeys(spans, edges))):
            if sum((number(b) - number(a)) // units.slide for a, b in reach.values()) > most:
                continue

            def results(
                found: Foretold, answer: Answer | None = answer, reach: dict[str, tuple[int, int]] = reach
            ) -> Foretold:
                made = dict(found)
                for key, (least, most) in reach.items():
                    before = [Part((), answer or NULL)]
                    end = units.first_end(number(least))
                    while end <= units.last_end(number(most)):
                        there = made.setdefault(sample.name(key, start(end - units.range), start(end)), before)
                        before = before if answer is not None else there
                        end += units.slide
                return made

            where = f"for windows without events between the first and the last event {among}{like}"
            yield Hypothesis("empty windows filled", f"answers {said} {where}", results=results)
        if answer is not None:
            crossed = partial(_cross, answer)
            why = f"answers {said} for windows without events of a key, of which other keys have some{like}"
            yield Hypothesis("empty windows filled", why, results=crossed, mixes=True)


def _cross(answer: Answer, found: Foretold) -> Foretold:
    """Each window for each key."""
    names = dict.fromkeys(name[1:] for name in found)
    made = dict(found)
    for key in dict.fromkeys(name[0] for name in found):
        for a, b in names:
            made.setdefault((key, a, b), [Part((), answer)])
    return made


def _list_sequences(sample: Sample) -> Iterator[Hypothesis]:
    """Results that hang on those before them."""

    def in_a_row(found: Foretold) -> Iterator[tuple[Name, Name | None, Name | None]]:
        last: dict[str, list[Name]] = {}
        for name in found:
            last.setdefault(name[0], []).append(name)
        for names in last.values():
            for i, name in enumerate(names):
                yield name, names[i - 1] if i else None, names[i + 1] if i + 1 < len(names) else None

    def kept(found: Foretold) -> Foretold:
        made: Foretold = {}
        events: list[Event] = []
        for name, before, _ in in_a_row(found):
            events = [*(events if before is not None else []), *(e for part in found[name] for e in part.events)]
            made[name] = [Part(events)]
        return made

    def shifted(forward: bool, nulls: bool) -> Callable[[Foretold], Foretold]:
        def results(found: Foretold) -> Foretold:
            made: Foretold = {}
            for name, before, after in in_a_row(found):
                other = before if forward else after
                if other is not None:
                    made[name] = found[other]
                elif nulls:
                    made[name] = [Part((), Answer(None, None, None))]
            return made

        return results

    if not isinstance(sample.window, Frame):
        yield Hypothesis("state kept", "keeps what it has from one window to the next", results=kept)
    for forward in (True, False):
        why = f"answers what is due for the window {'before' if forward else 'after'}"
        cause = "a result behind" if forward else "a result ahead"
        yield Hypothesis(cause, why, results=shifted(forward, nulls=False))
        yield Hypothesis(cause, f"{why}, and null where there is none", results=shifted(forward, nulls=True))
    yield Hypothesis(
        "repeated", "writes each result twice", results=lambda found: {n: [*p, *p] for n, p in found.items()}
    )


def _list_orders(sample: Sample) -> Iterator[Hypothesis]:
    """Numbers of a key that stand in another order, or go on from one window to the next."""
    if isinstance(sample.window, Frame) or sample.kind not in ("int", "float", "decimal"):
        return

    def changed(cause: str, why: str, change: Callable[[list[Any]], list[Any]]) -> Hypothesis:
        def results(found: Foretold) -> Foretold:
            of_key: dict[str, list[Name]] = {}
            for name in sorted(found, key=get_place):
                of_key.setdefault(name[0], []).append(name)
            made = dict(found)
            for names in of_key.values():
                parts = [found[name][0] for name in names]
                numbers = [number_of(part.answer or sample.answer(part.events)) for part in parts]
                if len(names) > 1 and None not in numbers:
                    try:
                        after = change(numbers)
                    except ZeroDivisionError:
                        continue
                    made |= {name: [Part((), answer_of(v, near=_NEAR))] for name, v in zip(names, after, strict=True)}
            return made

        return Hypothesis(cause, why, results=results)

    yield changed("results sorted", "writes the results of a key in the order of their values", sorted)
    least_last = partial(sorted, reverse=True)
    yield changed("results sorted", "writes the results of a key in the order of their values, falling", least_last)
    yield changed("results sorted", "writes the results of a key in the order of time, the last first", _reverse)
    for said, combine in (("sum", _add), ("greatest", max), ("least", min)):
        running = partial(_go_on, combine)
        yield changed("running", f"answers the {said} of what is due for the windows of the key so far", running)
    cause = "made of other results"
    yield changed(cause, "answers by how much what is due differs from that for the window before", _subtract)
    yield changed(cause, "answers the share in what is due for all windows of the key", _share)
    for k in range(2, 8):
        for said, mean in (("mean", True), ("sum", False)):
            why = f"answers the {said} of what is due for the last {k} windows of the key"
            yield changed(cause, why, partial(_move, k, mean))


_NEAR: Final = 1e-9


def _reverse(numbers: list[Any]) -> list[Any]:
    return numbers[::-1]


def _subtract(numbers: list[Any]) -> list[Any]:
    return [numbers[0], *(two - one for one, two in pairwise(numbers))]


def _share(numbers: list[Any]) -> list[Any]:
    total = sum(map(Fraction, numbers))
    return [number / total for number in numbers]


def _move(k: int, mean: bool, numbers: list[Any]) -> list[Any]:
    runs = [[Fraction(number) for number in numbers[max(0, i - k) : i]] for i in range(1, len(numbers) + 1)]
    return [sum(run) / len(run) if mean else sum(run) for run in runs]


def _add(one: Any, other: Any) -> Any:
    return one + other


def _go_on(combine: Callable[[Any, Any], Any], numbers: list[Any]) -> list[Any]:
    return list(accumulate(numbers, combine))
