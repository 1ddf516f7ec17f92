"""Windows with a result for each event that ties for the one that is asked for.

Who finds the first value by joining the events with the least time of each window, or keeps those whose RANK is one,
has a row for each event of that time.  So with the last, the least and the greatest, and the value beside a measure.
Where the join forgets the window, or the key, it finds rows there, too.  Of the greatest so many values RANK takes all
that are as great as the last of them, and DENSE_RANK those of so many different ones.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from math import log2
from typing import Any, Final, Literal

from swagproof.models.windows.kinds import Counted, Frame
from swagproof.oracle.trace import encode
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.rules import Answer

_TOP: Final = "top-"

Scope = Literal["window", "key", "all"]
Measure = Callable[[Event], Any]


def _get_time(e: Event) -> Any:
    return e.time


def _get_value(e: Event) -> Any:
    return e.value


def _get_first(e: Event) -> Any:
    return None if e.value is None or e.value[1] is None else e.value[0]


_MEASURES: Final[dict[str, tuple[str, Measure, Callable[[list[Any]], Any]]]] = {
    "first": ("first time", _get_time, min),
    "last": ("last time", _get_time, max),
    "min": ("least value", _get_value, min),
    "max": ("greatest value", _get_value, max),
    "arg-min": ("least measure", _get_first, min),
    "arg-max": ("greatest measure", _get_first, max),
    "min-by": ("least measure", _get_first, min),
    "max-by": ("greatest measure", _get_first, max),
}
"""Of what aggregates choose an event by, what it is, and which is the best."""
_WHERE: Final[dict[Scope, str]] = {
    "window": "of a window that has its {}, as where it is joined back, or ranked",
    "key": "of a key that has the {} of a window, as where it is joined back without the window",
    "all": "of any key that has the {} of a window, as where it is joined back without the key",
}


Choose = Callable[[list[Any], int], list[Any]]
_ORDERED: Final[dict[str, Choose]] = {
    "the {} values that are greatest as text, letter by letter": lambda v, n: sorted(v, key=str, reverse=True)[:n],
    "the {} least values": lambda v, n: sorted(v)[:n],
    "the {} greatest values, the least of them first": lambda v, n: sorted(sorted(v)[-n:]),
    "the first {} values": lambda v, n: v[:n],
    "the last {} values": lambda v, n: v[-n:],
    "the first {} values, the greatest of them first": lambda v, n: sorted(v[:n], reverse=True),
    "the last {} values, the greatest of them first": lambda v, n: sorted(v[-n:], reverse=True),
}
"""Which of so many values a job may take for the greatest."""


def list_tied(sample: Sample) -> Iterator[Hypothesis]:
    """A result for each of the events that tie, or all of them in one."""
    own = sample.aggregation.name
    if own.startswith(_TOP):
        for dense, rank in ((False, "RANK"), (True, "DENSE_RANK")):
            answer = partial(_rank, sample, int(own.removeprefix(_TOP)), dense)
            of = "different values" if dense else "values"
            why = f"answers all values that are among the greatest {own.removeprefix(_TOP)} {of}, as {rank} does"
            yield Hypothesis("ties repeated", why, answer=answer)
        yield from _list_others(int(own.removeprefix(_TOP)))
    it = _MEASURES.get(sample.aggregation.name.removeprefix("sql-"))
    if it is None or isinstance(sample.window, Frame | Counted):
        return
    if not any(len(sample.results.get(name, ())) > 1 for name in sample.open):
        return
    what, measure, best = it
    scopes: tuple[Scope, ...] = ("window",) if measure is _get_time else ("window", "key")
    if sample.whole and len(sample.events) > 1:
        scopes = (*scopes, "all")
    for scope in scopes:
        for distinct in (False, True):
            why = f"writes a result for each event {_WHERE[scope].format(what)}"
            why += ", equal ones once" if distinct else ""
            results = partial(_write_tied, sample, measure, best, scope, distinct)
            yield Hypothesis("ties repeated", why, results=results, needs=2, bits=log2(2 * len(scopes)))


def _list_others(most: int) -> Iterator[Hypothesis]:
    """So many values, but not the greatest, or these in another order."""
    for said, choose in _ORDERED.items():
        why = f"answers {said.format(most)}"
        yield Hypothesis("another aggregate", why, answer=partial(_take_some, choose, most), bits=1.0)


def _take_some(choose: Choose, most: int, events: Sequence[Event]) -> Answer:
    values = choose([e.value for e in events if e.value is not None], most)
    return Answer(json.dumps([encode(value) for value in values]), None, None)


def _rank(sample: Sample, most: int, dense: bool, events: Sequence[Event]) -> Answer:
    """The greatest values with all that tie for the last place."""
    values = sorted((e.value for e in events if e.value is not None), reverse=True)
    if len(values) <= most:
        return sample.answer(events)
    least = sorted(set(values), reverse=True)[:most][-1] if dense else values[most - 1]
    over = aggregation(f"{_TOP}{sum(value >= least for value in values)}", sample.kinds)
    operation = over.operation
    state = reduce(operation.combine, [operation.lift(value) for value in values])
    return over.answer(state, as_text=sample.kind == "text")


def _write_tied(
    sample: Sample,
    measure: Measure,
    best: Callable[[list[Any]], Any],
    scope: Scope,
    distinct: bool,
    found: Foretold,
) -> Foretold:
    among: dict[Any, dict[int, Event]] = {}
    for name, parts in found.items():
        there = among.setdefault(_find_scope(scope, name), {})
        there.update((id(e), e) for part in parts for e in part.events if measure(e) is not None)
    tied: dict[Any, dict[Any, list[Event]]] = {}
    for place, events in among.items():
        mine = tied.setdefault(place, {})
        for e in events.values():
            mine.setdefault(measure(e), []).append(e)
    made = Foretold()
    for name, parts in found.items():
        measures = [m for part in parts for e in part.events if (m := measure(e)) is not None]
        if len(parts) != 1 or parts[0].answer is not None or not measures:
            made[name] = parts
            continue
        rows = tied[_find_scope(scope, name)][best(measures)]
        if distinct:
            rows = list({sample.answer([e]).text: e for e in rows}.values())
        made[name] = [Part([e]) for e in rows]
    return made


def _find_scope(scope: Scope, name: Name) -> Any:
    return {"window": name, "key": name[0], "all": name[1:]}[scope]
