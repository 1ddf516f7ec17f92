"""Flink's windows according to its source, one event at a time; `flink.json` has some real results."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from support.auditing import Row

from swagproof.models.windows.lateness import NEVER

SIZE, GAP, DELAY = 10, 5, 10


def emulate(
    events: Sequence[Row], windows: Callable[[int], list[tuple[int, int]]], marks: Sequence[int], lateness: int = 0,
    *, merging: bool = False, last: int = 2**62,
) -> Iterator[Row]:  # fmt: skip
    """Emulate Flink's WindowOperator: yield the firings of each event and each watermark.  `marks` are the watermarks
    before each event, and `last` the one after all, in integers such that a window's last is one less than its end.
    """
    versions: dict[Any, int] = {}
    live: dict[tuple[str, int, int], list[int]] = {}
    fired: set[tuple[str, int, int]] = set()

    def fire(name: tuple[str, int, int]) -> Row:
        versions[name] = versions.get(name, -1) + 1
        fired.add(name)
        place = {"key": name[0], "window_start": name[1], "window_end": name[2]}
        return {**place, "result": sum(live[name]), "version": versions[name]}

    def advance(mark: int) -> Iterator[Row]:
        for name in sorted(live, key=lambda name: name[2]):
            if name not in fired and name[2] - 1 <= mark:
                yield fire(name)
            if name[2] - 1 + lateness <= mark:
                del live[name]

    for event, mark in zip(events, marks, strict=True):
        yield from advance(mark)
        for begin, end in windows(event["time"]):
            name, values = (event["key"], begin, end), [event["value"]]
            if merging:
                met = [n for n in live if n[0] == name[0] and n[1] <= end and n[2] >= begin]
                name = (name[0], min([begin, *(n[1] for n in met)]), max([end, *(n[2] for n in met)]))
                if name[2] - 1 + lateness <= mark:
                    continue
                for other in met:
                    values += live.pop(other)
            elif end - 1 + lateness <= mark:
                continue
            live[name] = live.get(name, []) + values
            if name[2] - 1 <= mark:
                yield fire(name)
    yield from advance(last)


def slide(size: int, time: int) -> list[tuple[int, int]]:
    """Return windows of two sizes, one every size."""
    return [(start, start + 2 * size) for start in range(time - time % size, time - 2 * size, -size)]


def part(gap: int, time: int) -> list[tuple[int, int]]:
    """Return the window of an event, from which its session is merged."""
    return [(time, time + gap)]


fixed: Final = partial(slide, SIZE)


def bounded(events: Sequence[Row], period: int = 1, delay: int = DELAY + 1) -> list[int]:
    """Return the watermarks of BoundedOutOfOrdernessWatermarks, emitted after every `period` events."""
    marks, latest, mark = [], NEVER, NEVER
    for i, event in enumerate(events):
        marks.append(mark)
        latest = max(latest, event["time"])
        mark = latest - delay if (i + 1) % period == 0 else mark
    return marks
