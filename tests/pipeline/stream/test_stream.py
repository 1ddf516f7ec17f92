"""The operator of a stream by itself: against its definition in lists, restarted at every point, and wrong ones."""

import itertools
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.stream_steps import Said, Step, define, plain, play, steps_of

from swagproof.models.operations import AFFINE, ARG_MAX, COLLECT, CONCATENATION, COUNT, MAX, OPERATIONS, SUM
from swagproof.models.windows.kinds import MONDAY, Calendar, Counted, Frame, Session, Sliding
from swagproof.models.windows.lateness import NEVER, Late
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import WindowError
from swagproof.oracle.domain import domain
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.stream import pages
from swagproof.pipeline.stream.live_audit import Audit
from swagproof.pipeline.stream.operator import VERSION, Arrived, Operator, Query, Shown
from swagproof.pipeline.stream.pages import PAGE, Page, Pages, Run, Texts
from swagproof.pipeline.stream.shapes import Key, shape_of

REVISABLE = (
    Sliding(6, 6), Sliding(10, 3, 1), Sliding(3, 7), Sliding(4, 1),
    Sliding(10, 3, 1, "right"), Sliding(6, 6, 0, "both"), Sliding(8, 4, 2, "neither"), Sliding(3, 7, 0, "right"),
    Frame("range", -5, 0), Frame("range", -3, 4), Frame("range", 0, 0),
)  # fmt: skip
"""Windows that stay what they are when late events come."""
OTHERS = (
    Session(4), Session(6), Session(4, touching=True), Session(1, touching=True),
    Counted(3, 3), Counted(5, 2), Counted(1, 1), Counted(2, 5), Frame("rows", -5, 0), Frame("rows", 0, 0),
)  # fmt: skip

POLICIES: tuple[tuple[Late, int], ...] = (("drop", 0), ("update", 9), ("retract", 4), ("update", 0))


def test_operator_by_definition() -> None:
    rng = random.Random(1)
    tried = late = again = 0
    for window in REVISABLE + OTHERS:
        for policy, lateness in POLICIES if window in REVISABLE else POLICIES[:1]:
            for operation, letters in ((CONCATENATION, "abcdefgh"), (SUM, (1, 2, 4, -8, 2**70)), (MAX, (1, 2, 3))):
                query = Query(window, operation, policy, lateness)
                steps = steps_of(rng, letters, rng.choice((2, 5)))
                found = play(query, steps)
                for got, due in zip(found, define(query, steps), strict=True):
                    assert len(got) == len(set(got))
                    assert set(got) == due, (query, steps)
                tried += 1
                every = [each for shown in found for each in shown]
                late += sum(each[0] == "late" for each in every)
                again += sum(each[0] == "result" and each[4] > 0 for each in every)
    assert tried == 162
    assert late > 100
    assert again > 50, "late events are met, and results shown again"


@pytest.mark.parametrize(
    "window",
    [
        Calendar("day", 1, 1, 0, "Europe/Berlin", 1),
        Calendar("day", 7, 7, MONDAY, "America/New_York", 1, "right"),
        Calendar("day", 3, 2, 1, "Europe/Berlin", 1),
        Calendar("month", 1, 1, 0, "UTC", 1),
    ],
)
def test_days_of_a_time_zone(window: Calendar) -> None:
    """A quarter of a day to a tick, and midnights, around the days when clocks are changed."""
    noon = 1_711_800_000
    rng = random.Random(4)
    for policy, lateness in (("drop", 0), ("update", 50_000)):
        query = Query(window, CONCATENATION, "drop" if policy == "drop" else "update", lateness)
        steps = [
            (
                [each._replace(time=(each.time - 300) * 21_600 // rng.choice((1, 1, 7)) + noon) for each in events],
                watermark if watermark == NEVER else (watermark - 300) * 21_600 + noon,
            )
            for events, watermark in steps_of(rng, "abcdefgh", 3)
        ]
        assert list(map(set, play(query, steps))) == define(query, steps)


@pytest.mark.parametrize("name", sorted({*OPERATIONS, "float-sum"} - {"bloom"}))
def test_state_is_exact(name: str) -> None:
    found = domain(name)
    operation = found.rule.mirror
    letters = (*operation.samples, *found.elements.letters)[:6]
    query = Query(Sliding(7, 2), operation, "update", 9)
    steps = steps_of(random.Random(7), letters, 3)
    whole = Operator(query)
    at_once = [[plain(each) for each in whole.step(*step)] for step in steps]
    assert play(query, steps) == at_once
    half = Operator(query)
    for step in steps[: len(steps) // 2]:
        half.step(*step)
    again = Operator(query)
    again.restore(half.to_json())
    assert again.to_json() == half.to_json()


class Watched(Texts):
    """Tells what is read, and how much is written."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = self.written = 0

    def read(self, key: Key) -> str:
        self.reads += 1
        return super().read(key)

    def write(self, key: Key, text: str) -> None:
        self.written += len(text)
        super().write(key, text)


def test_pages_of_events_whose_order_matters() -> None:
    """Events in any order, more than a page of them; what is read of them is what an event comes between."""
    times = list(range(3 * PAGE))
    random.Random(9).shuffle(times)
    query = Query(Sliding(4_000, 4_000), CONCATENATION)
    for events, most in ((sorted(times), 1), (times, 5)):
        texts, text = Watched(), Operator(query).to_json()
        for i in range(0, len(events), 16):
            operator = Operator(query, texts)
            operator.restore(text)
            operator.step([Arrived(t, 0, chr(t)) for t in events[i : i + 16]], 0)
            text = operator.to_json()
        assert texts.reads <= most * len(times) // 16
        operator = Operator(query, texts)
        operator.restore(text)
        twice = operator.step([Arrived(7, 0, "again")], 0)
        assert [shown.kind for shown in twice] == ["repeated"]
        (shown,) = operator.step([], 4_000)
        assert shown.sized == (len(times), "".join(map(chr, sorted(times))))
        assert not operator.step([], 8_000)
        assert not texts.held


def state_of(number: int) -> int:
    """Return how many characters a state has, that many events in one window that is not over."""
    operator = Operator(Query(Sliding(10**6, 10**6), CONCATENATION))
    operator.step([Arrived(t, 0, "a") for t in range(number)], 0)
    return len(operator.to_json())


def test_what_is_written_does_not_grow_with_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state has a line for each page; with the aggregates in it, as it once was, it has a letter for each event."""
    assert state_of(20 * PAGE) - state_of(10 * PAGE) < PAGE
    monkeypatch.setattr(pages, "SHORT", 10**9)
    assert state_of(20 * PAGE) - state_of(10 * PAGE) > 10 * PAGE


@pytest.mark.parametrize(("page", "short"), [(1, 0), (2, 70), (3, 0), (3, 10**6), (5, 120)])
def test_pages_of_any_size(page: int, short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same is shown, of events some of which come twice."""
    rng = random.Random(page)
    queries = [
        Query(window, operation, policy, lateness)
        for window in REVISABLE[:8] + OTHERS[:3]
        for policy, lateness in (POLICIES if window in REVISABLE else POLICIES[:1])
        for operation in (CONCATENATION, COLLECT)
    ]
    played = []
    for query in queries:
        steps = steps_of(rng, "abcdefgh", rng.choice((2, 5)))
        before: list[Arrived] = []
        for events, _ in steps:
            before += events
            events += rng.sample(before, min(len(before), rng.choice((0, 0, 1, 2))))
        played.append((query, steps, list(map(set, play(query, steps)))))
    assert sum(each[0] == "repeated" for _, _, found in played for shown in found for each in shown) > 200
    monkeypatch.setattr(pages, "PAGE", page)
    monkeypatch.setattr(pages, "SHORT", short)
    for query, steps, found in played:
        assert list(map(set, play(query, steps))) == found, (query, steps)


OLD: str = (
    '{"done": 95, "number": 0, "entries": [[95, 0, 2, 5], [100, 0, 1, 4]], "of_later": 1, '
    '"versions": [[90, 100, null, 0, 2, 5]]}'
)
"""A state as it was written before it had a version, with a field that is not known."""


def test_an_old_state_is_taken() -> None:
    operator = Operator(Query(Sliding(10, 5), SUM, "update", 10))
    operator.restore(OLD)
    shown = operator.step([Arrived(96, 0, 1)], 105)
    assert [(each.window and each.window.begin, each.version, each.sized) for each in shown] == [
        (90, 1, (3, 6)),
        (95, 0, (4, 10)),
    ]
    assert json.loads(operator.to_json())["version"] == VERSION
    with pytest.raises(InputError, match="version 9, and this swagproof knows"):
        Operator(operator.query).restore(OLD.replace('"number"', '"version": 9, "number"'))


OLD_PAGES: dict[Key, str] = {(1, 0): '[[1, 0, "a"], [3, 0, "c"]]', (5, 0): '[[5, 0, "e"], [7, 0, "g"]]'}

OLD_LIST = '{"version": 1, "done": 0, "number": 0, "entries": [[1, 0, 2, "ac"], [5, 0, 2, "eg"]], "versions": []}'
"""Two pages of a slice as the first version wrote them, and their list."""

SECOND_LIST = (
    '{"version": 2, "done": 0, "number": 0, "entries": [], "versions": [], "pages": '
    '[[1, 0, 3, 0, 2, true, false, ["ac"], ""], [5, 0, 7, 0, 2, true, false, ["eg"], ""]]}'
)
"""The list as the second did, which knew no greatest arrivals."""


class AtItsFirst(Pages):
    """Takes it that a page of the first version ends where it begins."""

    def restore_first(self, rows: Iterable[list[Any]]) -> None:
        Pages.restore_first(self, rows)
        for key, row in self.listed.items():
            row[:2] = key


class Empty(Pages):
    """Takes pages of the first version for empty ones."""

    def read(self, key: Key, page: Page) -> list[Run]:
        return [run for run in Pages.read(self, key, page) if run in page.fresh]


class Sure(Pages):
    """Takes it that what is not known to be there is not there."""

    def look_at(self, key: Key) -> Page:
        page = Pages.look_at(self, key)
        page.latest = -1 if page.latest is None else page.latest
        return page


class Stale(Pages):
    """Writes the greatest arrival of a page down as it was in the beginning."""

    def write(self, key: Key, page: Page) -> list[Any]:
        return [*Pages.write(self, key, page)[:-1], 0]


def step_on(old: type[Pages], listed: str) -> list[Said]:
    """Return what comes of older pages: events between two of theirs, after the last, twice; and restarts."""
    query = Query(Sliding(10, 10), CONCATENATION)
    texts = Texts()
    texts.held = dict(OLD_PAGES)
    operator = Operator(query, texts)
    operator.pages = old(query.operation, texts)
    operator.restore(listed)
    events = [Arrived(2, 0, "b"), Arrived(3, 0, "again"), Arrived(8, 0, "h"), Arrived(0, 4, "0")]
    found = [plain(each) for each in operator.step(events, 1)]
    for later in ([Arrived(9, 0, "i"), Arrived(4, 9, "d")], [Arrived(4, 9, "again")]):
        after = Operator(query, texts)
        after.pages = old(query.operation, texts)
        after.restore(operator.to_json())
        found += [plain(each) for each in after.step(later, 2)]
        operator = after
    found += [plain(each) for each in operator.step([], 10)]
    assert not texts.held or old is not Pages
    return found


@pytest.mark.parametrize(
    ("listed", "wrong"),
    [(OLD_LIST, (AtItsFirst, Empty, Sure, Stale)), (SECOND_LIST, (Empty, Sure, Stale))],
    ids=["first", "second"],
)
def test_old_pages_are_taken(listed: str, wrong: Sequence[type[Pages]]) -> None:
    due = [
        ("repeated", Arrived(3, 0, "again")),
        ("repeated", Arrived(4, 9, "again")),
        ("result", 0, 10, None, 0, (9, "0abcdeghi")),
    ]
    assert step_on(Pages, listed) == due
    for one in wrong:
        try:
            assert step_on(one, listed) != due, one.__name__
        except (KeyError, ValueError):
            continue


def test_state_holds_numbers_of_any_size() -> None:
    operator = Operator(Query(Sliding(10, 10), OPERATIONS["product"], "update", 10))
    operator.step([Arrived(1, 0, 3**20_000), Arrived(2, 1, 7)], 5)
    again = Operator(operator.query)
    again.restore(operator.to_json())
    (shown,) = again.step([], 10)
    assert shown.sized == (2, 7 * 3**20_000)


def test_events_that_do_not_count_are_named() -> None:
    operator = Operator(Query(Sliding(10, 10), OPERATIONS["geometric-mean"]))
    shown = operator.step([Arrived(1, 0, 2), Arrived(3, 2, -1), Arrived(-20, 3, 8)], 0)
    assert [(each.kind, each.event and each.event.arrival) for each in shown] == [("bad", 2), ("late", 3)]
    assert "must be positive" in (shown[0].why or "")
    operator = Operator(Query(Counted(2, 2), COLLECT))
    operator.step([Arrived(1, 0, "a")], NEVER)
    assert [each.kind for each in operator.step([Arrived(1, 0, "a"), Arrived(1, 1, "b")], NEVER)] == ["repeated"]
    (shown,) = Operator(Query(Sliding(2, 2), MAX, refuses_nan=True)).step([Arrived(1, 0, float("nan"))], NEVER)
    assert shown.kind == "bad"


def test_keys_are_forgotten() -> None:
    operator = Operator(Query(Sliding(10, 5), SUM, "update", 20))
    operator.step([Arrived(t, 0, 1) for t in range(100)], 50)
    operator.step([], 124)
    assert not operator.is_forgettable()
    assert operator.next_due() == 125
    operator.step([], 125)
    assert operator.is_forgettable()
    assert operator.next_due() is None


# Wrong operators


class Forgetful(Operator):
    """Its oldest slice is not written down."""

    def to_json(self) -> str:
        state = json.loads(Operator.to_json(self))
        del state["pages"][:1]
        return json.dumps(state)


class Eager(Operator):
    """Shows a window a moment before its end."""

    def step(self, events: Any, watermark: int) -> list[Shown]:
        return Operator.step(self, events, watermark + 1)


class Repeating(Operator):
    """Forgets up to where it has shown."""

    def restore(self, text: str) -> None:
        Operator.restore(self, text)
        self.done -= 7


class ByArrival(Operator):
    """Takes events in the order in which they come."""

    def take(self, events: Any, closed: int) -> Any:
        return Operator.take(self, [Arrived(event.time, -event.arrival, event.element) for event in events], closed)


class Generous(Operator):
    """Lets late events change what has been shown."""

    def take(self, events: Any, closed: int) -> Any:
        return Operator.take(self, events, closed - 6)


class Silent(Operator):
    """Drops late events without a word."""

    def step(self, events: Any, watermark: int) -> list[Shown]:
        return [shown for shown in Operator.step(self, events, watermark) if shown.kind != "late"]


@pytest.mark.parametrize("wrong", [Forgetful, Eager, Repeating, ByArrival, Generous, Silent])
def test_wrong_operators_are_caught(wrong: type[Operator]) -> None:
    query = Query(Sliding(10, 5), CONCATENATION)
    for seed in range(20):
        steps = steps_of(random.Random(seed), "abcdefgh", 3)
        try:
            found = play(query, steps, wrong)
        except (AssertionError, IndexError):
            return
        if list(map(set, found)) != define(query, steps) or any(len(set(shown)) < len(shown) for shown in found):
            return
    raise AssertionError(f"{wrong.__name__} was not caught")


# A driver that is killed at every point, in a model of what Spark promises


class Killed(Exception):
    """The driver is gone."""


class Engine:
    """Micro-batches with a plan written before, and files and state published after; it may be killed in between."""

    def __init__(self, query: Query, steps: Sequence[Step], *, before_commit: bool = False) -> None:
        self.query, self.steps, self.before_commit = query, steps, before_commit
        self.planned = 0
        self.committed = 0
        self.states: dict[int, tuple[str, dict[Key, str]]] = {}
        self.files: dict[int, list[Said]] = {}
        self.loose: list[Said] = []
        """The output that a wrong job writes itself, as it is computed."""

    def run(self, kill_at: int) -> None:
        """Run until the end, or until so many points have been passed."""
        points = itertools.count()

        def point() -> None:
            if next(points) == kill_at:
                raise Killed

        while self.committed < len(self.steps):
            batch = self.committed
            point()
            self.planned = batch + 1
            point()
            operator = Operator(self.query)
            if batch in self.states:
                text, held = self.states[batch]
                operator.pages.texts.held = dict(held)
                operator.restore(text)
            found = [plain(each) for each in operator.step(*self.steps[batch])]
            if self.before_commit:
                self.loose += found
            point()
            self.states[batch + 1] = operator.to_json(), operator.pages.texts.held
            point()
            self.files.setdefault(batch, found)
            point()
            self.committed = batch + 1

    @property
    def written(self) -> list[Said]:
        """Return what a reader sees."""
        return (
            self.loose if self.before_commit else [each for batch in sorted(self.files) for each in self.files[batch]]
        )


def killed_twice(engine: Callable[[], Engine], first: int, second: int) -> list[Said]:
    """Return what is written after two kills."""
    running = engine()
    for kill_at in (first, second, 10**9):
        try:
            running.run(kill_at)
        except Killed:
            continue
    return running.written


def test_restart_at_every_point() -> None:
    query = Query(Sliding(10, 5), CONCATENATION, "retract", 5)
    steps = steps_of(random.Random(3), "abcdefgh", 3, length=25)
    points = 5 * len(steps)
    right = [each for shown in play(query, steps) for each in shown]
    assert len(right) > 10
    for first in range(points):
        for second in range(0, points, 7):
            assert killed_twice(lambda: Engine(query, steps), first, second) == right
    wrong = [killed_twice(lambda: Engine(query, steps, before_commit=True), first, 10**9) for first in range(points)]
    assert any(len(written) > len(set(written)) for written in wrong), "what is shown before the commit is shown again"


# What cannot be asked


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: Query(Sliding(1, 1), COUNT, "drop", 3), "--lateness"),
        (lambda: Query(Session(5), COUNT, "update", 3), "--late update"),
        (lambda: shape_of(parse_window("rows -2 1", "plain")), "ends at 0"),
        (lambda: shape_of(parse_window("range unbounded 0", "plain")), "needs a start"),
        (lambda: shape_of(parse_window("count 3 by arrival", "plain")), "in time order"),
        (lambda: parse_window("tumbling 1ms", "s"), "no whole number of s"),
        (lambda: Audit(Query(Counted(2, 2), COUNT), aggregation("count", ()), "int"), "--results"),
    ],
)
def test_what_cannot_be_asked(ask: Callable[[], Any], why: str) -> None:
    with pytest.raises((InputError, WindowError), match=why):
        ask()


def test_operations_that_need_their_order_keep_it() -> None:
    for operation, letters in ((ARG_MAX, ((1, "a"), (2, "b"), (2, "c"))), (AFFINE, AFFINE.samples)):
        query = Query(Sliding(8, 4), operation)
        steps = steps_of(random.Random(5), letters, 3)
        assert list(map(set, play(query, steps))) == define(query, steps)
        swapped = replace(operation, combine=lambda a, b, combine=operation.combine: combine(b, a))
        assert list(map(set, play(replace(query, operation=swapped), steps))) != define(query, steps)
