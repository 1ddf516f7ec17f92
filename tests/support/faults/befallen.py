"""What befalls a right job: events that are lost, repeated or cut short, clocks and zones, batches, sinks."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

from support.faults.planted import Came, single
from support.faults.program import AGGREGATES, HOUR, SPRING, Line, Query


@dataclass(frozen=True)
class Accident:
    """What befalls a job: its events before, or its results after."""

    said: str
    events: Callable[[list[Came]], list[Came]] = list
    results: Callable[[list[Line]], list[Line]] = list
    query: Callable[[Query], Query] = lambda query: query


def _keep(said: str, keeps: Callable[[Came], bool]) -> Accident:
    return Accident(said, events=lambda events: [e for e in events if keeps(e)])


def _move(said: str, move: Callable[[Came], Came]) -> Accident:
    return Accident(said, events=lambda events: [move(e) for e in events])


def _change(said: str, change: Callable[[Any], Any]) -> Accident:
    def results(lines: list[Line]) -> list[Line]:
        return [(k, a, b, v if isinstance(v, str) else change(v)) for k, a, b, v in lines]

    return Accident(said, results=results)


def _write(said: str, write: Callable[[int, Line], list[Line]]) -> Accident:
    return Accident(said, results=lambda lines: [made for i, line in enumerate(lines) for made in write(i, line)])


def _of_each_key(events: Sequence[Came], at: int) -> set[int]:
    keys: dict[str, list[Came]] = defaultdict(list)
    for e in sorted(events, key=lambda e: (e.time, e.seq)):
        keys[e.key].append(e)
    return {mine[at].seq for mine in keys.values() if len(mine) > 1}


def _first_of(events: Sequence[Came], of: Callable[[Came], Any]) -> list[Came]:
    seen: dict[Any, Came] = {}
    for e in events:
        seen.setdefault(of(e), e)
    return list(seen.values())


def _drop_copies(events: list[Came]) -> list[Came]:
    return _first_of(events, lambda e: (e.key, e.time, e.value))


def draw_accident(dice: Random, query: Query) -> Accident:
    """One of them, with its numbers."""
    unit = HOUR if query.kind == "calendar" else 1
    first, n = dice.randrange(40, 200), dice.randrange(12, 45)
    share, rest, few = dice.choice((2, 3, 4, 5)), dice.randrange(2), dice.uniform(0.02, 0.05)
    hit = {seq for seq in range(300) if dice.random() < few}
    shift, limit = dice.choice((1, 2, 3, 5, 11)) * dice.choice((-1, 1)) * unit, dice.choice((100, 250, 400, 1000))
    to, digits = dice.choice((2, 4, 5, 10)) * unit, dice.choice((-2, -1, 0, 1))
    choices: list[Callable[[], Accident]] = [
        lambda: _keep(f"{n} events lost from {first} on", lambda e: not first <= e.seq < first + n),
        lambda: Accident(
            f"{n} events replayed from {first} on",
            events=lambda es: [*es, *(e for e in es if first <= e.seq < first + n)],
        ),
        lambda: _keep("events lost at random", lambda e: e.seq not in hit),
        lambda: Accident("events repeated at random", events=lambda es: [*es, *(e for e in es if e.seq in hit)]),
        lambda: _keep(f"one of {share} partitions lost", lambda e: e.seq % share != rest),
        lambda: _keep("one key lost", lambda e: e.key != "c"),
        lambda: Accident("the first event of each key lost", events=lambda es: _without(es, _of_each_key(es, 0))),
        lambda: Accident("the last event of each key lost", events=lambda es: _without(es, _of_each_key(es, -1))),
        lambda: Accident("one event of each key, time and value", events=_drop_copies),
        lambda: Accident("one event of each key and time", events=lambda es: _first_of(es, lambda e: (e.key, e.time))),
        lambda: _keep("negative values filtered", lambda e: e.value >= 0),
        lambda: _keep("zeros filtered", lambda e: e.value != 0),
        lambda: _keep(f"values from {limit} on filtered", lambda e: abs(e.value) < limit),
        lambda: _keep("out of order dropped", _find_ahead()),
        lambda: _move(f"times cut to {to}", lambda e: replace(e, time=e.time // to * to)),
        lambda: _move(f"times rounded to {to}", lambda e: replace(e, time=(e.time + to // 2) // to * to)),
        lambda: _move(f"times moved by {shift}", lambda e: replace(e, time=e.time + shift)),
        lambda: _move("times of arrival", lambda e: replace(e, time=e.seq * unit - 80 * unit)),
        lambda: _move(f"values at most {limit}", lambda e: replace(e, value=min(e.value, limit))),
        lambda: _move("values without sign", lambda e: replace(e, value=abs(e.value))),
        lambda: _move("values in eight bits", lambda e: replace(e, value=(e.value + 128) % 256 - 128)),
        lambda: _move("values in tens", lambda e: replace(e, value=e.value // 10 * 10)),
        lambda: _move("two keys taken for one", lambda e: replace(e, key={"d": "c"}.get(e.key, e.key))),
        lambda: _move("some events under another key", lambda e: replace(e, key="a" if e.seq in hit else e.key)),
        lambda: _change(f"answers at most {limit}", lambda v: min(v, limit)),
        lambda: _change(f"answers at least {-limit // 10}", lambda v: max(v, -limit // 10)),
        lambda: _change("answers below zero as zero", lambda v: max(v, 0)),
        lambda: _change(f"answers rounded to {digits}", lambda v: type(v)(round(v, digits))),
        lambda: _change("answers cut to whole numbers", lambda v: type(v)(int(v))),
        lambda: _change("answers in eight bits", lambda v: (v + 128) % 256 - 128),
        lambda: _change("answers in sixteen bits times seven", lambda v: (7 * v + 2**15) % 2**16 - 2**15),
        lambda: _change("answers in singles", lambda v: type(v)(single(float(v) / 3) * 3)),
        lambda: _change(f"answers {share} times", lambda v: v * share),
        lambda: _change("answers one more", lambda v: v + 1),
        lambda: _change("answers of zero as null", lambda v: v or None),
        lambda: Accident("two results exchange names", results=_exchange),
        lambda: _write("results repeated, now and then", lambda i, x: [x] * (1 + (i % 9 == rest))),
        lambda: _write("results lost, now and then", lambda i, x: [x] * (i % 8 != rest)),
        lambda: _write("results of one key lost", lambda i, x: [x] * (x[0] != "b")),
        lambda: Accident("the last window of each key not written", results=_drop_last),
        lambda: Accident("named by the end", results=lambda ls: [(k, b, 2 * b - a, v) for k, a, b, v in ls]),
        lambda: _write("answers null, now and then", lambda i, x: [(*x[:3], None if i % 9 == rest else x[3])]),
        lambda: Accident("each answer that of the window before", results=_go_behind),
        lambda: Accident("the greatest as the sum of all before", results=_run_on),
    ]  # fmt: skip
    if query.kind == "calendar":
        choices += [
            lambda: Accident("days of UTC", query=lambda q: replace(q, text="tumbling 1 day in UTC")),
            lambda: Accident("days of New York", query=lambda q: replace(q, text="tumbling 1 day in America/New_York")),
        lambda: _move("winter time all year", lambda e: replace(e, time=e.time - HOUR * (e.time >= SPRING + HOUR))),
        ] * 4  # fmt: skip
    else:
        other = replace(
            query,
            size=query.size + dice.choice((-1, 1, query.slide, -(query.size // 2), query.size)),
            gap=query.gap + dice.choice((-1, 1, 2, query.gap)),
        )
        choices += [
            lambda: Accident(f"windows of {other.size or other.gap}", query=lambda q: other),
            lambda: Accident("tumbling for sliding", query=lambda q: replace(q, slide=q.size)),
        ] * 2
    numbers = [name for name in AGGREGATES if name not in (query.aggregate, "concatenation")]
    aggregate = dice.choice(numbers)
    if query.aggregate != "concatenation":
        choices += [lambda: Accident(f"the {aggregate}", query=lambda q: replace(q, aggregate=aggregate))] * 2
    return dice.choice(choices)()


def _without(events: list[Came], gone: set[int]) -> list[Came]:
    return [e for e in events if e.seq not in gone]


def _find_ahead() -> Callable[[Came], bool]:
    latest: list[int] = [-(10**18)]

    def is_ahead(e: Came) -> bool:
        if e.seq == 0:
            latest[0] = -(10**18)
        ahead = bool(e.time >= latest[0])
        latest[0] = max(latest[0], e.time)
        return ahead

    return is_ahead


def _exchange(lines: list[Line]) -> list[Line]:
    names = {"a": "b", "b": "a"}
    return [(names.get(k, k), a, b, v) for k, a, b, v in lines]


def _in_a_row(lines: list[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = defaultdict(list)
    for line in sorted(lines, key=lambda x: x[:3]):
        found[line[0]].append(line)
    return found


def _drop_last(lines: list[Line]) -> list[Line]:
    return [x for mine in _in_a_row(lines).values() for x in mine[:-1]]


def _go_behind(lines: list[Line]) -> list[Line]:
    rows = _in_a_row(lines).values()
    return [(*x[:3], before[3]) for mine in rows for before, x in pairwise(mine)]


def _run_on(lines: list[Line]) -> list[Line]:
    made: list[Line] = []
    for mine in _in_a_row(lines).values():
        for i, x in enumerate(mine):
            made.append((*x[:3], max(y[3] for y in mine[: i + 1])))
    return made
