"""Sessions whose gaps, or numbers, are not parted by the key; weeks from Sunday on; and beside them."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from itertools import accumulate, pairwise
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, Windows, World, by_key, in_order, parted
from support.faults.shared.repeated import by_arrival, by_time

DAY: Final = 86_400_000_000


def after_any(w: World, order: Callable[[Came], Any], gap: int = 6) -> list[Row]:
    """Sessions that end where the event before, of any key, is the gap away."""
    pauses = {e.seq: e.time - before.time for before, e in pairwise(sorted(w.events, key=order))}

    def cut(events: Any) -> Windows:
        return parted(events, lambda run, e: pauses.get(e.seq, gap) >= gap)

    return w.make(windows=cut)


def numbered(w: World, breaks: Callable[[], bool] = lambda: True, gap: int = 6) -> list[Row]:
    """Sessions by a running number of all keys."""
    first: set[int] = set()
    for mine in by_key(w.events).values():
        there = in_order(mine)
        first |= {there[0].seq, *(e.seq for before, e in pairwise(there) if e.time - before.time >= gap)}
    ordered = in_order(w.events)
    numbers = accumulate(e.seq in first and breaks() for e in ordered)
    at = dict(zip((e.seq for e in ordered), numbers, strict=True))
    return w.make(windows=lambda events: parted(events, lambda run, e: at[run[-1].seq] != at[e.seq]))


def from_sunday(events: Any) -> Windows:
    """Weeks of UTC that begin on Sunday."""
    held: dict[Any, list[Came]] = {}
    for e in events:
        day = datetime.fromtimestamp(e.time // 1_000_000, UTC).date()
        held.setdefault(day - timedelta((day.weekday() + 1) % 7), []).append(e)
    for day, mine in sorted(held.items()):
        a = int(datetime.combine(day, time(), tzinfo=UTC).timestamp()) * 1_000_000
        yield a, a + 7 * DAY, mine


def in_february(seed: int) -> list[Came]:
    """Events of February and March 2026, which begin on Sunday both."""
    begin = int(datetime(2026, 2, 1, tzinfo=UTC).timestamp()) * 1_000_000
    events = few(n=260, unit=DAY // 5)(seed)
    first = min(e.time for e in events)
    moved = (Came(e.seq, e.key, e.time - first, e.value, 0) for e in events)
    return [Came(e.seq, e.key, begin + e.time + e.seq * 60_000_000, e.value, 0) for e in moved if e.time < 55 * DAY]


PARTED: Final = (
    Plant(
        "a gap to what is before in time, of any key",
        "sessions parted otherwise",
        "session 6",
        "count",
        lambda w: after_any(w, by_time),
        events=few(n=200),
    ),
    Plant(
        "a gap to what came before, of any key",
        "sessions parted otherwise",
        "session 6",
        "max",
        lambda w: after_any(w, by_arrival),
        events=few(n=200),
    ),
    Plant(
        "sessions numbered over all keys",
        "sessions parted otherwise",
        "session 6",
        "sum",
        numbered,
        events=few(n=160),
    ),
    Plant(
        "weeks from Sunday on in months that begin then",
        "windows moved",
        "tumbling 1 week in UTC",
        "sum",
        lambda w: w.make(windows=from_sunday),
        {"unit": 1},
        events=in_february,
    ),
    Plant(
        "weeks from Sunday on without nights",
        "windows moved + some times left out",
        "tumbling 1 week in UTC",
        "count",
        lambda w: w.make(windows=from_sunday, events=[e for e in w.events if e.time // (DAY // 24) % 24 >= 6]),
        {"unit": 1},
        events=in_february,
    ),
)

BESIDE_PARTED: Final[dict[str, Plant]] = {
    "where one of any key begins": Plant(
        "sessions numbered over all keys, where it is no session that begins each",
        "",
        "session 6",
        "sum",
        lambda w: numbered(w, lambda: w.draw.random() < 0.5),
        events=few(n=160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
