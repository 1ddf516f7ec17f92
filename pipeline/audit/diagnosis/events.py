"""The table of events: changes to the events that a job counts, their multiplicity, values and keys."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Session, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.diagnosis.hypothesis import (
    Edit,
    Family,
    Row,
    keep_events,
    repeat_events,
    replace_events,
)
from swagproof.pipeline.audit.diagnosis.readings import (
    MANY,
    READ,
    Sums,
    bad_cells,
    clocks,
    find_delay,
    key_words,
    limits,
    second,
    source_keys,
    spans,
    take_all,
    time_columns,
)
from swagproof.pipeline.audit.diagnosis.sample import (
    Event,
    Events,
    Name,
    Part,
    Predicted,
    Sample,
    Takes,
    cell_of,
    get_place,
    in_order,
)
from swagproof.pipeline.audit.wording import show_span

_BLOCKS: Final = (10, 20, 25, 32, 40, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000)
"""Common sizes of batches of events."""
_FEW: Final = 12
"""The greatest number of distinct cells in a column for which each is tried."""


def _late_counted(sample: Sample) -> Iterator[Edit]:
    if sample.delay is not None:
        option = "--late update" if sample.late == "drop" else "no --lateness"
        yield Edit("counts late events", takes=take_all, option=option)
        yield from _closings(sample, longer=True)


def _late_dropped(sample: Sample) -> Iterator[Edit]:
    if sample.delay is not None and sample.lateness != 0 and not sample.by_time:
        yield Edit("drops late events", takes=lambda e, end: e.watermark < end, option="--late drop")
    yield from _closings(sample, longer=False)


def _closings(sample: Sample, *, longer: bool) -> Iterator[Edit]:
    """Yield edits that close windows by another clock or delay; `longer` selects delays above the watermark's."""
    for words, read in clocks(sample) if not isinstance(sample.window, Frame) else ():
        delay = find_delay(sample, read, longer=longer)
        if delay is None:
            continue
        behind = f" minus {show_span(delay, sample.tick)}" if delay else ""
        plain = show_span(delay, sample.tick).replace(",", "")
        yield Edit(
            f"drops events whose window is already closed by {words}{behind}",
            takes=partial(lambda read, delay, e, end: read(e) - delay < end, read, delay), bits=READ, needs=3,
            option=f"--watermark {plain}" if words == "the latest time so far" else "",
        )  # fmt: skip


def _watermarks(sample: Sample) -> Iterator[Edit]:
    if sample.delay is None or not sample.numbered:
        return
    delay, of_key, latest = sample.delay, sample.latest_of_key, sample.latest

    def by(read: Callable[[Event], int]) -> Takes:
        return lambda e, end: read(e) - delay < (e.time + sample.margin if sample.by_time else end)

    yield Edit("keeps one watermark per key", takes=by(lambda e: of_key.get(id(e), NEVER)),
               option="--watermark-per-key")  # fmt: skip
    yield Edit("keeps one watermark for all keys", takes=by(lambda e: latest.get(e.arrival, NEVER)),
               option="one --watermark for all keys")  # fmt: skip


def _late_otherwise(sample: Sample) -> Iterator[Edit]:
    if sample.delay is None:
        return
    margin = sample.margin
    if sample.by_time:
        yield Edit("decides lateness by the window's end, not by the event's time",
                   takes=lambda e, end: e.watermark < end, option="no --late-by")  # fmt: skip
    elif not isinstance(sample.window, Session):
        yield Edit("drops events behind the watermark even if their window is still open",
                   takes=lambda e, _end: e.watermark < e.time + margin, option="--late-by time")  # fmt: skip


def _late_by_tick(sample: Sample) -> Iterator[Edit]:
    if sample.delay is not None and sample.lateness is not None and not sample.by_time:
        more = sample.lateness
        yield Edit("still accepts events when the watermark equals the window's end",
                   takes=lambda e, end: e.watermark <= end + more)  # fmt: skip


def _out_of_order(sample: Sample) -> Iterator[Edit]:
    if sample.numbered:
        latest = sample.latest
        yield Edit("drops every out-of-order event",
                   events=keep_events(lambda e: e.time >= latest[e.arrival]), filters=True)  # fmt: skip


def _late_of(sample: Sample) -> dict[str, list[Event]]:
    """Return the events of each key that are late for all their windows."""
    held = {id(e) for parts in sample.expected.values() for part in parts for e in part.events}
    return {key: [e for e in events if id(e) not in held] for key, events in sample.events.items()}


def _late_elsewhere(sample: Sample) -> Iterator[Edit]:
    if sample.delay is None or not isinstance(sample.window, Sliding | Session):
        return
    late = _late_of(sample)

    def add_to_next(rows: Predicted) -> Predicted:
        made, ordered = dict(rows), sorted(rows, key=get_place)
        for key, events in late.items():
            for e in events:
                for name in [name for name in ordered if name[0] == key and get_place(name) > e.time][:1]:
                    made[name] = [Part(in_order([*made[name][0].events, e])), *made[name][1:]]
        return made

    yield Edit("counts late events in the key's next window", rows=add_to_next)


def _late_apart(sample: Sample) -> Iterator[Edit]:
    if sample.delay is None or not isinstance(sample.window, Sliding):
        return
    late = _late_of(sample)
    apart = sample.cut(lambda _all: late, takes=take_all)

    def second_results(rows: Predicted) -> Predicted:
        return rows | {name: [*rows.get(name, ()), *parts] for name, parts in apart.items()}

    def one_each(rows: Predicted) -> Predicted:
        alone = {name: [Part([e]) for part in parts for e in part.events] for name, parts in apart.items()}
        return rows | {name: [*rows.get(name, ()), *parts] for name, parts in alone.items()}

    yield Edit("writes a second result from the late events only", rows=second_results)
    yield Edit("writes one more result per late event", rows=one_each)


def _at_column(i: int, e: Event) -> Event:
    return e if e.others[i] is None else e._replace(time=e.others[i])


def _reclocked(sample: Sample) -> Iterator[Edit]:
    for i, column in time_columns(sample):
        yield Edit(f"uses {column} as the event time",
                   events=replace_events(partial(_at_column, i)), option=f"--time {column}")  # fmt: skip


Read = Callable[[str, Event], Hashable]


def _once(read: Read, *, last: bool, by_time: bool) -> Callable[[Events], Events]:
    """Return a function that keeps the first, or the last, of events with equal marks."""

    def make(all_: Events) -> Events:
        order = (lambda it: it[1][:2]) if by_time else (lambda it: it[1].arrival)
        there = sorted(((key, e) for key, events in all_.items() for e in events), key=order, reverse=not last)
        kept: Events = {key: [] for key in all_}
        for key, e in {read(key, e): (key, e) for key, e in there}.values():
            kept[key].append(e)
        return {key: in_order(events) for key, events in kept.items()}

    return make


def _alike(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Hashable]]]:
    """Yield the columns by which a job may remove duplicate events of a key."""
    yield "time", lambda e: e.time
    marks: dict[str, Callable[[Event], Hashable]] = {"value": lambda e: repr(e.value)} if sample.kinds else {}
    for i, column in enumerate(sample.columns):
        marks[column] = cell_of(i)
    for words, mark in marks.items():
        yield words, mark
        yield f"time and {words}", partial(lambda m, e: (e.time, m(e)), mark)
        if words != "value" and sample.kinds:
            yield f"value and {words}", partial(lambda m, e: (repr(e.value), m(e)), mark)
    for words, unit in (("minute", 60), ("hour", 3600), ("day", 86_400)) if sample.tick is not None else ():
        ticks = unit * second(sample.tick)
        yield words, partial(lambda n, e: e.time // n, ticks)
        yield f"value and {words}", partial(lambda n, e: (e.time // n, repr(e.value)), ticks)


def _duplicates(sample: Sample) -> Iterator[Edit]:
    commutes = sample.aggregation.operation.commutative or not sample.numbered
    for words, mark in _alike(sample):
        of_key: Read = partial(lambda m, key, e: (key, m(e)), mark)
        of_all: Read = partial(lambda m, _key, e: m(e), mark)
        for read, whose in ((of_key, ""), (of_all, ", across all keys")):
            distinct = len({read(key, e) for key, events in sample.events.items() for e in events})
            if not 1 < distinct < len(sample.came):
                continue
            for last, by_time in product((False, True), (True,) if commutes else (True, False)):
                yield Edit(f"keeps only the {'last' if last else 'first'} event per {words}{whose}", bits=2.0,
                           whole=bool(whose), filters=True, events=_once(read, last=last, by_time=by_time))  # fmt: skip
        yield Edit(f"keeps one event per {words} in each window", content=partial(_once_in_window, of_key), bits=2.0)


def _once_in_window(read: Read, events: Any) -> Any:
    return list({read("", e): e for e in reversed(events)}.values())[::-1]


def _runs(sample: Sample, *, twice: bool) -> Iterator[Edit]:
    """Yield edits that lose batches, or count them twice: cells of a column, runs or blocks of arrival numbers."""
    sums = Sums.read(sample)

    def of_cells(read: Callable[[Event], Any], cells: Sequence[Any], words: str, bits: float) -> Edit:
        those, often, does = frozenset(cells), 2 if twice else 0, "double-counts" if twice else "drops"
        return Edit(f"{does} the events with {words}", filters=not twice, bits=bits,
                    events=repeat_events(lambda e: often if read(e) in those else 1))  # fmt: skip

    for i, column in enumerate(sample.columns):
        read = cell_of(i)
        bad, n = bad_cells(sample, read)
        if n >= 4 and all(isinstance(cell, int) for cell in sample.cells[i]):
            found = [bad, *([cell] for cell in bad[:8])] if 0 < len(bad) <= n // 2 else []
            for cells in (*found, sums.find_cells(read, twice=twice) if sums is not None else []):
                if cells:
                    yield of_cells(read, cells, f"{column} {_list(map(str, sorted(cells)))}", len(cells) * log2(n))
    run = sums.find_run(lambda e: e.arrival, twice=twice) if sums is not None and sample.numbered else None
    if run is not None and run[0] < run[1]:  # a single event has its own diagnosis
        low, high = run
        yield of_cells(lambda e: low <= e.arrival <= high, [True], f"arrival numbers {low} to {high}",
                       2 * log2(max(2, len(sample.came))))  # fmt: skip
    for size in _BLOCKS if sums is not None and sample.numbered and run is None else ():
        block = partial(lambda size, e: e.arrival // size, size)
        cells = sums.find_cells(block, twice=twice) if sums is not None else []
        if 1 < len(cells) < len(sample.came) // size:
            shown = _list(f"{at * size} to {at * size + size - 1}" for at in sorted(cells))
            bits = 3.0 + len(cells) * log2(len(sample.came) / size)
            yield of_cells(block, cells, f"arrival numbers {shown}", bits)


def _loads(sample: Sample, *, again: bool) -> Iterator[Edit]:
    def load(all_: Events, batch: Callable[[Event], int]) -> Events:
        of: dict[int, list[tuple[str, Event]]] = defaultdict(list)
        for key, events in all_.items():
            for e in events:
                of[batch(e)].append((key, e))
        kept: Events = {key: [] for key in all_}
        top, newest = NEVER, list[tuple[str, Event]]()
        for number in sorted(of):
            more = [(key, e) for key, e in of[number] if e.time > top or (again and e.time == top)]
            if again:
                more += [(key, e) for key, e in newest if e.time == top]
            for key, e in more:
                kept[key].append(e)
            fresh = max((e.time for _, e in of[number]), default=top)
            if fresh >= top:
                newest = [(key, e) for key, e in (*newest, *of[number]) if e.time == fresh]
                top = max(top, fresh)
        return {key: in_order(events) for key, events in kept.items()}

    does = "rereads events at the latest time so far" if again else "drops events that are not later than all before"
    for words, batch, bits in _batches(sample):
        yield Edit(f"loads {words}, and {does}", events=partial(load, batch=batch), whole=True, bits=bits,
                   filters=not again)  # fmt: skip


def _batches(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int], float]]:
    """Yield ways in which a job may have loaded its events: by a column of batches, spans of arrival, or singly."""
    if not sample.whole:
        return
    for i, column in enumerate(sample.columns):
        cells = sample.cells[i]
        if all(isinstance(cell, int) for cell in cells) and 1 < len(cells) <= len(sample.came) / 2:
            yield f"by {column}", cell_of(i), 1.0
    for words, read in clocks(sample):
        for span in spans(sample.tick)[3:]:
            at = partial(lambda read, n, e: -(-max(e.time, read(e)) // n), read, span)
            yield f"every {show_span(span, sample.tick)} of {words}", at, 3.0
    yield "by arrival number", lambda e: e.arrival, 1.0


def _list(words: Iterable[str]) -> str:
    """Return the first words as a list in text."""
    shown = list(words)
    return ", ".join(shown[:3]) + (", ..." if len(shown) > 3 else "")


def _cell_groups(sample: Sample, i: int) -> Iterator[tuple[frozenset[Any], str, float]]:
    """Yield cells of a column with their text and bits: each of a few, and all those found only in suspects."""
    bad, n = bad_cells(sample, cell_of(i))
    few = sample.cells[i] if len(sample.cells[i]) <= _FEW else bad if len(sample.cells[i]) <= MANY else {None, *bad[:3]}
    groups = {frozenset([cell]): 1.0 if cell is None else log2(max(2, n)) for cell in few if cell in sample.cells[i]}
    if 1 < len(bad) <= n // 2:
        groups[frozenset(bad)] = len(bad) * log2(n)
    for group, bits in groups.items():
        yield group, " or ".join(_list(map(_word, sorted(group, key=str))).split(", ")), bits


def _by_cells(sample: Sample, how: Mapping[str, int]) -> Iterator[Edit]:
    """Yield edits that repeat or drop the events with some cells in another column."""
    for i, column in enumerate(sample.columns):
        for group, shown, bits in _cell_groups(sample, i):
            for words, often in how.items():
                yield Edit(words.format(f"events whose {column} is {shown}"), filters=not often, bits=bits + often // 3,
                           events=repeat_events(partial(
                               lambda i, g, n, e: n if e.others[i] in g else 1, i, group, often)))  # fmt: skip


def _filtered(sample: Sample) -> Iterator[Edit]:
    yield from _by_cells(sample, {"drops {}": 0})
    for i, column in enumerate(sample.columns):
        for group, shown, bits in _cell_groups(sample, i):
            if len(group) == 1 and len(sample.cells[i]) <= _FEW:
                yield Edit(f"counts only events whose {column} is {shown}", filters=True, bits=bits,
                           events=keep_events(partial(lambda i, g, e: e.others[i] in g, i, group)))  # fmt: skip


def _word(cell: Any) -> str:
    return "null" if cell is None else str(cell)


def _another_column(sample: Sample) -> Iterator[Edit]:
    for i, column in enumerate(sample.columns):
        cells = sample.cells[i] - {None}
        if sample.aggregate == "count":
            yield Edit(f"counts distinct {column}", bits=1.0, content=partial(lambda i, events: list(
                {e.others[i]: e for e in events if e.others[i] is not None}.values()), i))  # fmt: skip
        whole = all(isinstance(cell, int) for cell in cells)
        if not sample.numeric or not cells or any(isinstance(cell, str) for cell in cells):
            continue
        if whole or sample.kinds != ("int",):
            yield Edit(f"uses {column} as the value", option=f"--value {column}", events=replace_events(
                partial(lambda i, e: None if e.others[i] is None else sample.lift(e, e.others[i]), i)))  # fmt: skip


def _values_dropped(sample: Sample) -> Iterator[Edit]:
    if sample.has_nulls:
        yield Edit("drops events without a value", events=keep_events(lambda e: e.value is not None), filters=True,
                   option="--nulls skip")  # fmt: skip
    if not sample.numeric:
        return
    rules: dict[str, Callable[[Any], bool]] = {
        "negative values": lambda v: v >= 0, "zeros": lambda v: v != 0, "values that are not positive": lambda v: v > 0,
    }  # fmt: skip
    for words, fits in rules.items():
        yield Edit(f"drops {words}", filters=True,
                   events=keep_events(partial(lambda f, e: e.value is None or f(e.value), fits)))  # fmt: skip
    for side, limit, bits in limits(sample):
        yield Edit(f"drops values of {_word(limit)} or {side}", filters=True, bits=bits, needs=3,
                   events=keep_events(partial(lambda side, limit, e: e.value is None or (
                       e.value < limit if side == "more" else e.value > limit), side, limit)))  # fmt: skip


def _nulls(sample: Sample, *, how: str) -> Iterator[Edit]:
    """Yield edits that replace null: by zero, a special value, or the value of the event before or after it."""
    some = next((e.value for e in sample.came if e.value is not None), 0)
    skipped = {id(e) for events in sample.skipped.values() for e in events}
    text = isinstance(some, str)
    if not sample.has_nulls or len(sample.kinds) != 1 or not (text or sample.numeric):
        return

    def fill(all_: Events, value: Callable[[Event | None], Any], *, back: bool = False) -> Events:
        made: Events = {}
        for key in {**all_, **sample.skipped}:
            before: Event | None = None
            filled: list[Event] = []
            events = in_order([*all_.get(key, ()), *sample.skipped.get(key, ())])
            for e in reversed(events) if back else events:
                before = before if e.value is None else e
                given = value(before) if e.value is None else None
                if given is not None:
                    filled.append(sample.lift(e, given))
                elif id(e) not in skipped:
                    filled.append(e)
            made[key] = in_order(filled)
        return made

    if how != "counted" and sample.aggregate == "count":
        return  # a count has no value
    if how == "zero":
        word = "the empty text" if text else "zero"
        yield Edit(f"treats null as {word}", events=partial(fill, value=lambda _before: "" if text else 0))
    elif how == "counted" and sample.aggregate in ("count", "distinct-count"):
        another = f"{some}\0" if text else 2**70
        yield Edit("counts null as a value", events=partial(fill, value=lambda _before: another))
    elif how == "filled":
        for back, word in ((False, "previous"), (True, "next")):
            yield Edit(f"replaces null with the {word} value",
                       events=partial(fill, value=lambda e: e and e.value, back=back))  # fmt: skip


def _all_keys(sample: Sample) -> Iterator[Edit]:
    if len(sample.events) < 2:
        return
    owners = {id(e): key for key, events in sample.events.items() for e in events}
    frame = isinstance(sample.window, Frame)

    def merge(all_: Events) -> Events:
        return dict.fromkeys(all_, in_order(e for events in all_.values() for e in events))

    def find_own(name: Name, parts: Sequence[Part]) -> list[Event]:
        """Return the events of the result's key; for a frame, its row."""
        mine = (e for part in parts for e in part.events if owners.get(id(e)) == name[0])
        return [e for e in mine if not frame or e[:2] == name[1:]]

    def of_key(rows: Predicted) -> Predicted:
        return {name: parts for name, parts in rows.items() if find_own(name, parts)}

    yield Edit("computes windows across all keys", events=merge, rows=of_key, whole=True)
    if isinstance(sample.window, Frame) and sample.window.unit == "rows":
        yield Edit("computes windows across all keys, one key after another", rows=of_key, whole=True,
                   events=lambda all_: {k: [e for own in sorted(all_) for e in all_[own]] for k in all_})  # fmt: skip
    if isinstance(sample.window, Session):
        gap = sample.window.gap

        def own_of_all(rows: Predicted, *, named: bool) -> Predicted:
            held = ((name, mine) for name, parts in rows.items() if (mine := find_own(name, parts)))
            return {sample.name(name[0], mine[0].time, mine[-1].time + gap) if named else name: [Part(mine)]
                    for name, mine in held}  # fmt: skip

        for named, words in ((False, ""), (True, ", which name the window")):
            yield Edit(f"merges sessions across keys, and counts each key's own events in them{words}", events=merge,
                       rows=partial(own_of_all, named=named), whole=True)  # fmt: skip


def _keys_renamed(sample: Sample) -> Iterator[Edit]:
    """Yield the edit that writes results of other keys under keys without events."""
    sources = {key: source for key, source in source_keys(sample).items() if key not in sample.events}
    names = {source: key for key, source in sources.items()}
    if sources:
        shown = _list(f"{key_words(source)} as {key_words(key)}" for key, source in sorted(sources.items()))
        yield Edit(f"writes results under other keys: {shown}", whole=True, bits=READ, rows=lambda rows: {
            (names.get(name[0], name[0]), *name[1:]): parts for name, parts in rows.items()})  # fmt: skip


def _ends_lost(_sample: Sample, *, last: bool) -> Iterator[Edit]:
    kept, words = (slice(-1), "last") if last else (slice(1, None), "first")
    yield Edit(f"drops the {words} event of each key", filters=True,
               events=lambda all_: {key: events[kept] for key, events in all_.items()})  # fmt: skip
    yield Edit(f"drops the {words} event of each window", content=lambda events: events[kept])


_SPARK: Final = "Apache Spark: Structured Streaming Programming Guide, Handling Late Data and Watermarking"
_FLINK: Final = "Apache Flink: Windows, Allowed Lateness"
_DISTINCT: Final = "PostgreSQL: SELECT, DISTINCT Clause"
_JOINS: Final = "PostgreSQL: Table Expressions, Joined Tables"
_INCREMENTAL: Final = "dbt: Configure incremental models"

EVENTS: Final = (
    Row("late events counted", "Late events count although the policy drops them.", Family.LATE, _SPARK, _late_counted),
    Row("late events left out", "Late events are dropped although the policy counts them.", Family.LATE,
        "timescale/timescaledb#2285", _late_dropped),
    Row("another watermark", "The watermark is per key, for all keys, per batch, or the last time.", Family.LATE,
        _SPARK, _watermarks),
    Row("late by its time", "Lateness is decided by the event's time instead of its window's end, or the reverse.",
        Family.LATE, "apache/flink#15495", _late_otherwise),
    Row("late by a tick", "A window still accepts events when the watermark equals its end.", Family.LATE, _FLINK,
        _late_by_tick),

    Row("out of order left out", "Out-of-order events are dropped.", Family.LATE,
        "Apache Kafka Streams: Core Concepts, Out-of-Order Handling", _out_of_order),
    Row("late events counted elsewhere", "Late events count in a later window of their key.", Family.LATE,
        "hazelcast/hazelcast-jet#747", _late_elsewhere),
    Row("late events apart", "Late events get a separate result.", Family.LATE, "quixio/quix-streams#728",
        _late_apart),
    Row("arrival for time", "The arrival number or another column is used as the event time.", Family.ZONE,
        "Apache Flink: Timely Stream Processing, Notions of Time", _reclocked),
    Row("duplicates left out", "Of events with the same time, value or other column, only one counts.", Family.RETRY,
        _DISTINCT, _duplicates),
    Row("batch lost", "A run of consecutive events, or a batch, does not count.", Family.RETRY,
        "Apache Kafka: Design, Message Delivery Semantics", partial(_runs, twice=False)),
    Row("batch replayed", "A run of consecutive events, or a batch, counts twice.", Family.RETRY,
        "NangoHQ/nango#6122", partial(_runs, twice=True)),
    Row("left out by a load", "Each load reads events later than the latest time so far; late events are lost.",
        Family.LOAD, _INCREMENTAL, partial(_loads, again=False)),
    Row("loaded twice", "Each load reads events from the latest time so far on; those at that time are read twice.",
        Family.LOAD, _INCREMENTAL, partial(_loads, again=True)),
    Row("filtered by another column", "Events are dropped by the value of another column.", Family.RETRY, _JOINS,
        _filtered),
    Row("doubled by another column", "Events count twice by the value of another column, as where a join finds two.",
        Family.RETRY, _JOINS, partial(_by_cells, how={"counts {} twice": 2, "counts {} three times": 3})),
    Row("another column", "Another column is aggregated.", Family.AGGREGATE,
        "PostgreSQL: Aggregate Functions", _another_column),
    Row("some values left out", "Negative values, zeros, nulls or values beyond a limit do not count.", Family.OTHER,
        "PostgreSQL: Value Expressions, FILTER", _values_dropped),
    Row("null as zero", "Null counts as zero, or as the empty text.", Family.NULL,
        "pandas: Working with missing data", partial(_nulls, how="zero")),
    Row("null counted", "Null counts as a value.", Family.NULL, "pandas: Working with missing data",
        partial(_nulls, how="counted")),
    Row("null filled", "Null is replaced with the previous or the next value.", Family.NULL,
        "pandas: DataFrame.ffill", partial(_nulls, how="filled")),
    Row("over all keys", "Windows are computed across all keys instead of per key.", Family.RETRY,
        "metabase/metabase#41340, apache/beam#20438", _all_keys),
    Row("keys written otherwise", "Results of a key are written under another key that has no event.", Family.OTHER,
        "pandas: Nullable integer data type", _keys_renamed),
    Row("first event lost", "The first event of each key, or of each window, does not count.", Family.BORDER,
        "Apache Flink: Windows, Evictors", partial(_ends_lost, last=False)),
    Row("last event lost", "The last event of each key, or of each window, does not count.", Family.BORDER,
        "influxdata/influxdb#6396", partial(_ends_lost, last=True)),
)  # fmt: skip
"""The rows of the slot `events`."""
