"""Queues of two stacks that combine in a wrong order, over what does not commute; one of them now and then."""

from collections.abc import Callable
from typing import Final

from support.faults.planted import Came, Plant, Row, World, by_key, draw_events, in_order

Join = Callable[[str, str], str]
OF_TEXT: Final = {"kind": "text"}


def right(a: str, b: str) -> str:
    return a + b


def swapped(a: str, b: str) -> str:
    return b + a


class Queue:
    """Two stacks of partial aggregates."""

    def __init__(self, turn: Join, insert: Join, query: Join) -> None:
        self.front: list[tuple[str, str]] = []
        self.back: list[tuple[str, str]] = []
        self.turn, self.join, self.ask = turn, insert, query

    def __len__(self) -> int:
        return len(self.front) + len(self.back)

    def insert(self, value: str) -> None:
        self.back.append((value, self.join(self.back[-1][1] if self.back else "", value)))

    def evict(self) -> None:
        if not self.front:
            while self.back:
                value, _ = self.back.pop()
                self.front.append((value, self.turn(value, self.front[-1][1] if self.front else "")))
        self.front.pop()

    def query(self) -> str:
        return self.ask(self.front[-1][1] if self.front else "", self.back[-1][1] if self.back else "")


def of_rows(w: World, size: int, *, turn: Join = right, insert: Join = right, query: Join = right) -> list[Row]:
    """Frames of the last rows; what is too old goes before the next one comes."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        queue = Queue(turn, insert, query)
        for e in in_order(mine):
            if len(queue) == size:
                queue.evict()
            queue.insert(e.value)
            made.append(w.row(key, e.time, e.seq, queue.query()))
    return made


def of_times(w: World, size: int, slide: int, *, turn: Join = right, query: Join = right) -> list[Row]:
    """Windows of time; what is too old goes when all of the window has come."""

    def slide_over(held: list[Came], queue: Queue, gone: int, came: int, a: int) -> tuple[int, int]:
        while came < len(held) and held[came].time < a + size:
            queue.insert(held[came].value)
            came += 1
        while gone < came and held[gone].time < a:
            queue.evict()
            gone += 1
        return gone, came

    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held, queue, gone, came = in_order(mine), Queue(turn, right, query), 0, 0
        for a in range(held[0].time // slide * slide - size, held[-1].time + 1, slide):
            gone, came = slide_over(held, queue, gone, came, a)
            if gone < came:
                made.append(w.row(key, a, a + size, queue.query()))
    return made


def letters(n: int) -> Callable[[int], list[Came]]:
    return lambda seed: draw_events(seed, "text", n=n)


STACKED: Final = (
    Plant(
        "a stack turned over the wrong way round",
        "merge order",
        "rows -5 0",
        "concatenation",
        lambda w: of_rows(w, 6, turn=swapped),
        OF_TEXT,
        value="text",
        events=letters(160),
    ),
    Plant(
        "a back stack that is inserted in front",
        "merge order",
        "rows -3 0",
        "concatenation",
        lambda w: of_rows(w, 4, insert=swapped),
        OF_TEXT,
        value="text",
        events=letters(160),
    ),
    Plant(
        "the back before the front",
        "merge order",
        "sliding 12 every 4",
        "concatenation",
        lambda w: of_times(w, 12, 4, query=swapped),
        OF_TEXT,
        value="text",
        events=letters(200),
    ),
)

BESIDE_STACKED: Final[dict[str, Plant]] = {
    "combines the wrong way round where it turns": Plant(
        "a stack turned over the wrong way round now and then",
        "",
        "rows -5 0",
        "concatenation",
        lambda w: of_rows(w, 6, turn=lambda a, b: a + b if w.draw.random() < 0.5 else b + a),
        OF_TEXT,
        value="text",
        events=letters(160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
