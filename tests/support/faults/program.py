"""A job's program, its queries and events, and all edits of it.

The job is right as it stands: partial aggregates of batches, merged; or sessions.
"""

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, Final

from support.faults.planted import Came

from swagproof.models.windows.kinds import Calendar
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_window

PROGRAM: Final = """
def find_starts(time):
    first = (time - SIZE) // SLIDE * SLIDE + SLIDE
    last = time // SLIDE * SLIDE
    return range(first, last + 1, SLIDE)

def find_day(time):
    at = bisect_right(MIDNIGHTS, time) - 1
    return MIDNIGHTS[at], MIDNIGHTS[at + 1]

def begin():
    return {"n": 0, "total": 0, "least": None, "greatest": None, "values": []}

def add(state, event):
    value = event.value
    state["n"] = state["n"] + 1
    state["total"] = state["total"] + value
    if state["least"] is None or value < state["least"]:
        state["least"] = value
    if state["greatest"] is None or value > state["greatest"]:
        state["greatest"] = value
    state["values"].append((event.time, event.seq, value))

def merge(state, other):
    state["n"] = state["n"] + other["n"]
    state["total"] = state["total"] + other["total"]
    if state["least"] is None or other["least"] < state["least"]:
        state["least"] = other["least"]
    if state["greatest"] is None or other["greatest"] > state["greatest"]:
        state["greatest"] = other["greatest"]
    state["values"] = state["values"] + other["values"]

def finish(state):
    values = sorted(state["values"])
    if AGGREGATE == "sum":
        return state["total"]
    if AGGREGATE == "count":
        return state["n"]
    if AGGREGATE == "mean":
        return divide(state["total"], state["n"])
    if AGGREGATE == "min":
        return state["least"]
    if AGGREGATE == "max":
        return state["greatest"]
    if AGGREGATE == "first":
        return values[0][2]
    if AGGREGATE == "last":
        return values[-1][2]
    return "".join([letter(value) for time, seq, value in values])

def split(events):
    runs = []
    before = None
    for event in sorted(events, key=lambda e: (e.time, e.seq)):
        if before is None or event.time - before >= GAP:
            runs.append([])
        runs[-1].append(event)
        before = event.time
    return runs

def run(events):
    states = {}
    for at in range(0, len(events), BATCH):
        partial = {}
        for event in events[at : at + BATCH]:
            if KIND == "calendar":
                name = find_day(event.time)
                add(partial.setdefault((event.key, name[0], name[1]), begin()), event)
            else:
                for start in find_starts(event.time):
                    add(partial.setdefault((event.key, start, start + SIZE), begin()), event)
        for name in partial:
            if name in states:
                merge(states[name], partial[name])
            else:
                states[name] = partial[name]
    return [(key, a, b, finish(states[key, a, b])) for key, a, b in states]

def run_sessions(events):
    found = []
    for key in sorted({event.key for event in events}):
        for held in split([event for event in events if event.key == key]):
            state = begin()
            for event in held:
                add(state, event)
            found.append((key, held[0].time, held[-1].time + GAP, finish(state)))
    return found
"""
"""A job that is right: partial aggregates of batches, merged; or sessions."""

SECOND: Final = 1_000_000
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
SPRING: Final = 1_711_843_200 * SECOND
"""2024-03-31 00:00 in UTC; clocks are put forward an hour later in Berlin."""

Line = tuple[str, int, int, Any]
"""A result: key, begin, end, answer."""

AGGREGATES: Final = ("sum", "count", "mean", "min", "max", "first", "last", "concatenation")


@dataclass(frozen=True)
class Query:
    """What a job is to compute."""

    kind: str
    text: str
    aggregate: str
    size: int = 0
    slide: int = 0
    gap: int = 0
    batch: int = 40

    @property
    def calendar(self) -> Calendar | None:
        """The days, where it is of days."""
        window = parse_window(self.text, "us") if self.kind == "calendar" else None
        return window if isinstance(window, Calendar) else None

    def bind(self) -> dict[str, Any]:
        """What its program knows."""
        days: list[int] = []
        if self.calendar is not None:
            number = self.calendar.number(SPRING)
            days = [self.calendar.start(at) for at in range(number - 30, number + 30)]
        return {
            "SIZE": self.size, "SLIDE": self.slide, "GAP": self.gap, "BATCH": self.batch, "KIND": self.kind,
            "AGGREGATE": self.aggregate, "MIDNIGHTS": days, "bisect_right": bisect_right, "divide": divide,
            "letter": letter,
        }  # fmt: skip

    def run(self, tree: ast.Module, events: Sequence[Came]) -> list[Line]:
        """What a program writes."""
        scope = self.bind()
        exec(compile(tree, "job", "exec"), scope)  # our own text above, edited
        made: list[Line] = scope["run_sessions" if self.kind == "session" else "run"](list(events))
        return made


def divide(total: Any, n: Any) -> float:
    """As a job in doubles does."""
    return float(Fraction(total) / n)


def letter(value: int) -> str:
    """A value as text."""
    return chr(97 + value % 26) + chr(97 + value // 26 % 26)


def draw_query(dice: Random) -> Query:
    """Some windows and some aggregate."""
    aggregate = dice.choice(AGGREGATES)
    match dice.choice(("tumbling", "sliding", "sliding", "session", "calendar")):
        case "tumbling":
            size = dice.choice((10, 12, 30))
            return Query("tumbling", f"tumbling {size}", aggregate, size, size)
        case "sliding":
            size, slide = dice.choice(((30, 10), (12, 10), (40, 10), (20, 5)))
            return Query("sliding", f"sliding {size} every {slide}", aggregate, size, slide)
        case "session":
            gap = dice.choice((5, 6, 8))
            return Query("session", f"session {gap}", aggregate, gap=gap)
        case _:
            return Query("calendar", f"tumbling 1 day in {dice.choice(('Europe/Berlin', 'UTC'))}", aggregate)


def draw_world(query: Query, seed: int, n: int = 300) -> list[Came]:
    """Events of six keys in the order of arrival: out of order, with ties, pauses, and times below zero."""
    dice = Random(seed)
    now, found = -80, list[Came]()
    for seq in range(n):
        now += dice.choice((0, 0, 1, 1, 1, 2)) if dice.random() < 0.95 else 19
        time = now - (dice.randint(1, 25) if dice.random() < 0.2 else 0)
        if query.kind == "calendar":
            time = SPRING + time * HOUR // 2 + dice.choice((0, 0, 7 * 60 * SECOND))
        found.append(Came(seq, dice.choice("aaabbcdef"), time, _draw_value(dice), NEVER))
    return found


def _draw_value(dice: Random) -> int:
    value = int(dice.lognormvariate(5, 1.2)) * dice.choice((1, 1, 1, 1, -1))
    return dice.choice((0, 1, 2, value, value, value, value, value))


def give_values(events: Sequence[Came], seed: int) -> list[Came]:
    """The same events with other values."""
    dice = Random(seed)
    return [replace(e, value=_draw_value(dice)) for e in events]


_COMPARE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.Is: ast.IsNot, ast.In: ast.NotIn,
}  # fmt: skip
_TURN: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.GtE: ast.Lt}
_OPERATE: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mod,
}  # fmt: skip


def list_edits(tree: ast.Module) -> Iterator[tuple[str, Callable[[ast.Module], None]]]:
    """All edits of a program: what was done in which line, and what does it to a copy."""
    for at, node in enumerate(ast.walk(tree)):
        line = ast.unparse(node) if isinstance(node, ast.expr) else ""
        match node:
            case ast.Compare(ops=[op]):
                for table in (_COMPARE, _TURN):
                    if type(op) in table:
                        yield f"{line} compared otherwise", _set_at(at, "ops", [table[type(op)]()])
            case ast.BinOp(op=op) if type(op) in _OPERATE:
                yield f"{line} computed otherwise", _set_at(at, "op", _OPERATE[type(op)]())
                yield f"{line} without its right side", _replace_at(at, "left")
                yield f"{line} without its left side", _replace_at(at, "right")
            case ast.Constant(value=int(value)):
                for step in (1, -1):
                    yield f"{value} becomes {value + step}", _set_at(at, "value", value + step)
            case ast.Name(id=("SIZE" | "SLIDE" | "GAP" | "BATCH") as name, ctx=ast.Load()):
                for other in ("SIZE", "SLIDE", "GAP"):
                    if other != name:
                        yield f"{name} becomes {other}", _set_at(at, "id", other)
            case ast.Call(func=ast.Name(id="sorted"), args=[_, *_]):
                yield f"{line} not sorted", _unwrap_at(at)
            case ast.Assign() | ast.If() | ast.Expr():
                yield f"{ast.unparse(node).splitlines()[0]} left out", _drop_at(at)
            case ast.Attribute(attr="time"):
                yield f"{line} becomes seq", _set_at(at, "attr", "seq")
            case _:
                pass


def _set_at(at: int, field: str, value: Any) -> Callable[[ast.Module], None]:
    return lambda tree: setattr(list(ast.walk(tree))[at], field, value)


def _put(tree: ast.Module, old: ast.AST, new: ast.AST) -> None:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list):
                value[:] = [new if one is old else one for one in value]


def _replace_at(at: int, side: str) -> Callable[[ast.Module], None]:
    def edit(tree: ast.Module) -> None:
        node = list(ast.walk(tree))[at]
        _put(tree, node, getattr(node, side))

    return edit


def _unwrap_at(at: int) -> Callable[[ast.Module], None]:
    def edit(tree: ast.Module) -> None:
        node: Any = list(ast.walk(tree))[at]
        _put(tree, node, node.args[0])

    return edit


def _drop_at(at: int) -> Callable[[ast.Module], None]:
    return lambda tree: _put(tree, list(ast.walk(tree))[at], ast.Pass())


@cache
def read_program() -> ast.Module:
    """The program, parsed."""
    return ast.parse(PROGRAM)
