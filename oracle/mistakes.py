"""Descriptions of a history, and the answers of usual mistakes at its end.

Each kind of window has its own class.  It describes the history, and lists the answers of usual mistakes, the likeliest
first, each with a diagnosis and a sentence.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.trace import Step, asks, encode_answer, singly

Mistake: TypeAlias = tuple[str, Any, str]
"""The diagnosis, the wrong answer that the mistake would give, and a sentence."""

_FEW: Final = 400
"""The size of the longest trace that is compared with all usual mistakes; longer ones are compared with some."""

_MANY: Final = 3000
"""The size of the largest window for which each single element is removed in turn."""

_BLOCKED: Final = 130
"""The size of the largest window for which each block of elements is removed in turn."""

_SOME: Final = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)
"""The differences in the number of elements to compare if there are too many for all."""


def count(n: int, noun: str = "element") -> str:
    """Return a number with its noun.

    >>> count(1), count(1002, "entry")
    ('1 element', '1002 entries')
    """
    if n == 1:
        return f"1 {noun}"
    return f"{n} {noun[:-1]}ies" if noun.endswith("y") else f"{n} {noun}s"


def show_json(data: Any) -> str:
    """Return the text of a JSON value; a long one is shortened in its middle."""
    text = json.dumps(data)
    return text if len(text) <= 70 else f"{text[:30]} ... {text[-20:]} ({len(text):,} characters)"


def show(value: Any) -> str:
    """Return the text of a value for a sentence."""
    return show_json(encode_answer(value))


def product(domain: Domain, elements: Sequence[Any]) -> Any:
    """Return the right answer for a window of these elements."""
    return reduce(domain.operation.combine, map(domain.lifted, elements), domain.fresh().identity)


@dataclass(frozen=True)
class InOrder:
    """The elements inserted into a FIFO window and the number evicted from it when a trace ends."""

    elements: list[Any]
    evicted: int

    @property
    def nothing(self) -> str:
        """The reason why the right answer is the identity, if it is."""
        return "the window is empty"

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "InOrder":
        """Return the history after these operations."""
        return cls(
            [step.arguments[0] for step in steps if step.name == "insert"],
            sum(step.name == "evict" for step in singly(steps)),
        )

    @property
    def window(self) -> list[Any]:
        """The elements in the window."""
        return self.elements[self.evicted :]

    @property
    def size(self) -> int:
        """The number of elements in the answer."""
        return len(self.elements) - self.evicted

    @property
    def lead(self) -> str:
        """The beginning of a sentence."""
        return str(self)

    def __str__(self) -> str:
        """`after evicting 1 of 3 elements`."""
        if self.evicted == 0:
            return f"after inserting {count(len(self.elements))}" if self.elements else "before anything is inserted"
        if self.evicted == len(self.elements) == 1:
            return "after evicting the only element"
        many = count(len(self.elements))
        return f"after evicting {'all ' if not self.size else f'{self.evicted} of '}{many}"

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """Yield the answers of usual mistakes."""
        if len(self.elements) <= _FEW:
            yield from _stale(domain, steps, lambda then: type(self).of(then).window)
        refilled = _was_empty(steps) and self.size > 0
        for diagnosis, answer, text in _in_a_row(domain, self.elements, self.evicted, len(self.elements), "evicted"):
            if diagnosis == "element lost" and refilled:
                yield "lost after refill", answer, f"{text}; it had been empty before"
            else:
                yield diagnosis, answer, text


@dataclass(frozen=True)
class Lapsed(InOrder):
    """The elements inserted into a time-based window, and the number that have lapsed."""

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Lapsed":
        elements, times, length, gone = list[Any](), list[Any](), 0, 0
        for name, arguments in steps:
            if name == "span":
                length = arguments[0]
            elif name != "query":
                if name == "insert":
                    times.append(arguments[0])
                    elements.append(arguments[1])
                while gone < len(times) and not arguments[0] - length < times[gone]:
                    gone += 1
        return cls(elements, gone)

    def __str__(self) -> str:
        """`once 1 of 3 elements has lapsed`."""
        if not self.elements:
            return "before anything is inserted"
        if not self.evicted:
            return f"after inserting {count(len(self.elements))}, none of which has expired"
        if self.evicted == len(self.elements) == 1:
            return "when the only element has expired"
        gone = "all" if not self.size else str(self.evicted)
        return f"once {gone} of {count(len(self.elements))} {'has' if gone == '1' else 'have'} lapsed"


def _was_empty(steps: Sequence[Step]) -> bool:
    """Return whether a FIFO window was empty again at some point."""
    size = 0
    for name, _ in singly(steps):
        if name == "evict":
            size -= 1
            if not size:
                return True
        elif name == "insert":
            size += 1
    return False


def _stale(
    domain: Domain, steps: Sequence[Step], window_then: Callable[[Sequence[Step]], Sequence[Any]]
) -> Iterator[Mistake]:
    """Yield the earlier answers to the last operation, latest first, with the changes since then; `window_then` returns
    the window's elements after the first operations."""
    for at in range(len(steps) - 2, -1, -1):
        if steps[at] == steps[-1]:
            names = (step.name for step in steps[at:-1] if not asks(step) and step.name != "begin_bulk")
            since = " and ".join(dict.fromkeys("bulk_insert" if name == "end_bulk" else name for name in names))
            if since:
                answer = product(domain, window_then(steps[: at + 1]))
                diagnosis = "stale after evict" if since in ("evict", "bulk_evict") else "stale answer"
                yield diagnosis, answer, f"{steps[-1]} answers {show(answer)} again, as before the {since}"


def _in_a_row(domain: Domain, elements: Sequence[Any], first: int, end: int, gone: str) -> Iterator[Mistake]:
    """Yield the answers of usual mistakes for the window elements[first:end] of a stream; elements before it are
    `gone`.

    For streams beyond a few hundred elements only some mistakes are tried, at a few combine calls per element.
    """
    window = elements[first:end]
    few = len(elements) <= _FEW
    if len(window) > 1:
        answer = product(domain, window[::-1])
        right = show(product(domain, window))
        yield "operands swapped", answer, f"the operands are swapped: {show(answer)}, not {right}"
    for start in range(first - 1, -1, -1) if few else sorted({max(0, first - by) for by in _SOME} - {first})[::-1]:
        kept = ", ".join(map(show, elements[start:first])) if first - start < 60 else ""
        if not kept or len(kept) > 60:
            kept = f"{first - start} {gone} elements, from {show(elements[start])} to {show(elements[first - 1])}"
        yield "element kept", product(domain, elements[start:end]), f"the answer still contains {kept}"
    alike = len(window) > 1 and all(element == window[0] for element in window)
    for lost, answer in _without_one(domain, window):
        place = f"one of {len(window)} equal elements" if alike else _place(lost, len(window))
        yield "element lost", answer, f"the answer lacks {show(window[lost])}, {place}"
    for again in range(len(window)) if few else ():
        text = f"the answer counts {show(window[again])} twice"
        yield "element repeated", product(domain, [*window[: again + 1], *window[again:]]), text
    if len(window) > 1:
        text = f"the answer is the identity, of a window of {count(len(window))}"
        yield "element lost", product(domain, ()), text
        for size in range(2, len(window)) if few else (len(window) - by for by in _SOME if by < len(window) - 1):
            for kept_window, place in ((window[-size:], "oldest"), (window[:size], "newest")):
                text = f"the answer lacks the {place} {count(len(window) - size)} of {len(window)}"
                yield "element lost", product(domain, kept_window), text
        yield "element repeated", product(domain, [*window, *window]), "the answer counts the whole window twice"
    if 2 < len(window) < 6:
        for order in itertools.permutations(window):
            text = f"the answer has the elements in the wrong order: {show(product(domain, order))}"
            yield "wrong order", product(domain, order), text
    if 2 < len(window) <= _BLOCKED:
        yield from _moved_or_lost(domain, window)
    if first and few:
        for start, stop in itertools.combinations(range(min(end, 40) + 1), 2):
            if start < first <= stop < end:
                text = f"the answer still contains {gone} elements, and lacks newer ones"
                yield "element kept", product(domain, elements[start:stop]), text


def _moved_or_lost(domain: Domain, window: Sequence[Any]) -> Iterator[Mistake]:
    """Yield the window rotated, as after a wrong copy of a ring, and without a block between its ends."""
    combine, identity = domain.operation.combine, domain.fresh().identity
    values = list(map(domain.lifted, window))
    before = [identity, *itertools.accumulate(values, combine)]
    after = [identity, *itertools.accumulate(reversed(values), lambda aggregate, v: combine(v, aggregate))][::-1]
    for end, turn in itertools.product((len(window), len(window) - 1), range(1, len(window) - 1)):
        wrong = reduce(combine, [*values[turn:end], *values[:turn], *values[end:]], identity)
        behind = f"{show(window[0])}, the oldest, comes behind {show(window[end - 1])}"
        yield "wrong order", wrong, f"the answer begins with {show(window[turn])}, and {behind}"
    for lost_at, other in ((at, at + by) for at in range(len(window)) for by in (-1, 1) if 0 <= at + by < len(window)):
        wrong = combine(combine(before[lost_at], values[other]), after[lost_at + 1])
        text = f"the answer lacks {show(window[lost_at])}, and counts {show(window[other])} twice"
        yield "element lost", wrong, text
    for start, stop in itertools.combinations(range(1, len(window)), 2):
        lost = f"{show(window[start])} to {show(window[stop - 1])}, {count(stop - start)} of {len(window)}"
        yield "element lost", combine(before[start], after[stop]), f"the answer lacks {lost}"


def _without_one(domain: Domain, window: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield the product without each element in turn; in a large window, only at its ends.  3 combine calls each."""
    combine, identity = domain.operation.combine, domain.fresh().identity
    if len(window) > _MANY:
        for lost in (*range(8), *range(len(window) - 8, len(window))):
            yield lost, product(domain, [*window[:lost], *window[lost + 1 :]])
        return
    values = list(map(domain.lifted, window))
    after = [identity, *itertools.accumulate(reversed(values), lambda aggregate, v: combine(v, aggregate))][::-1]
    before = identity
    for lost, value in enumerate(values):
        yield lost, combine(before, after[lost + 1])
        before = combine(before, value)


def _place(at: int, size: int) -> str:
    if size == 1:
        return "the only element"
    return f"{'the oldest' if at == 0 else 'the newest' if at == size - 1 else f'number {at + 1}'} of {size} elements"


@dataclass(frozen=True)
class Shared:
    """The windows and the stream at the end of a trace, and the window that its last operation looks up."""

    registered: list[int]
    """The registered sizes, once for each registration."""
    elements: list[Any]
    """The whole stream."""
    asked: int | None
    """The size that the last operation looks up."""

    @property
    def nothing(self) -> str:
        """The reason why the right answer is the identity, if it is."""
        return "there is nothing"

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Shared":
        """Return the history after these operations."""
        return cls(
            [step.arguments[0] for step in steps if step.name == "register"],
            [step.arguments[0] for step in steps if step.name == "insert"],
            steps[-1].arguments[0] if steps and asks(steps[-1]) else None,
        )

    @property
    def size(self) -> int:
        """The number of elements in the answer."""
        return len(self.elements) if self.asked is None else min(self.asked, len(self.elements))

    @property
    def lead(self) -> str:
        """The beginning of a sentence."""
        return f"{self}," if self.asked is None else f"{self}, in the window of {self.asked}"

    def __str__(self) -> str:
        """`after registering 1 and 3 and inserting 4 elements`; the sizes are named if there are several."""
        inserted = f"inserting {count(len(self.elements))}" if self.elements else ""
        several = len(self.registered) > 1
        parts = [_list_times("registering", self.registered, "window") if several else "", inserted]
        return f"after {' and '.join(filter(None, parts))}" if any(parts) else "before anything is inserted"

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """Yield the answers of usual mistakes."""
        elements, end = self.elements, len(self.elements)
        if self.asked is None:
            return
        if end <= _FEW:
            size = self.asked
            yield from _stale(domain, steps, lambda then: Shared.of(then).elements[-size:])
        for other in sorted(set(self.registered) - {self.asked}, key=lambda size: abs(size - self.size)):
            answer = product(domain, elements[-other:])
            yield "another window", answer, f"the answer is that of the window of {other}: {show(answer)}"
        yield from _in_a_row(domain, elements, end - self.size, end, "older")


@dataclass(frozen=True)
class OutOfOrder:
    """An out-of-order window's history at the end of a trace, and the entries that its last operation asks about."""

    arrived: list[tuple[Any, Any]]
    """Every insert: its time and its element."""
    evicted: list[Any]
    """The time of every evict."""
    present: dict[Any, list[Any]]
    """The elements at each time, in order of arrival; the times ascend."""
    gone: dict[Any, list[Any]]
    """The elements evicted last, at each time."""
    asked: Step | None
    """The last operation, if it is a query."""

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "OutOfOrder":
        arrived: list[tuple[Any, Any]] = []
        evicted: list[Any] = []
        present: dict[Any, list[Any]] = {}
        gone: dict[Any, list[Any]] = {}
        for name, arguments in steps:
            if name == "insert":
                time, element = arguments
                arrived.append((time, element))
                present.setdefault(time, []).append(element)
            elif name == "evict":
                evicted.append(arguments[0])
                if arguments[0] in present:
                    gone[arguments[0]] = present.pop(arguments[0])
            elif name == "bulk_evict":
                old = [time for time in present if not arguments[0] < time]
                evicted += sorted(old)
                gone.update((time, present.pop(time)) for time in old)
        return cls(
            arrived, evicted, dict(sorted(present.items())), gone, steps[-1] if steps and asks(steps[-1]) else None
        )

    @property
    def elements(self) -> list[Any]:
        """All inserted elements."""
        return [element for _, element in self.arrived]

    @property
    def window(self) -> dict[Any, list[Any]]:
        """The entries that the last operation asks about: all, or those in its range."""
        if self.asked is None or self.asked.name == "query":
            return self.present
        first, last = self.asked.arguments
        return {time: elements for time, elements in self.present.items() if first <= time <= last}

    @property
    def size(self) -> int:
        """The number of elements in the answer."""
        return sum(map(len, self.window.values()))

    @property
    def nothing(self) -> str:
        """The reason why the right answer is the identity, if it is."""
        if not self.present:
            return "the window is empty"
        assert self.asked is not None
        first, last = self.asked.arguments
        return "the range is reversed" if last < first else "no entry is in the range"

    @property
    def lead(self) -> str:
        """The beginning of a sentence."""
        return f"{self},"

    def __str__(self) -> str:
        """`after inserting at 1, 3 and 2 and evicting 1`."""
        parts = [_list_times("inserting at", [time for time, _ in self.arrived]), _list_times("evicting", self.evicted)]
        return f"after {' and '.join(filter(None, parts))}" if any(parts) else "before anything is inserted"

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """Yield the answers of usual mistakes."""
        window = self.window
        if len(self.arrived) > _FEW:
            return

        def answer(entries: Mapping[Any, Sequence[Any]]) -> Any:
            ordered = (entries[time] for time in sorted(entries))
            return product(domain, [element for elements in ordered for element in elements])

        right = show(answer(window))
        yield from _stale(domain, steps, lambda then: list(itertools.chain(*OutOfOrder.of(then).window.values())))
        for time, elements in window.items():
            if len(elements) > 1:
                for diagnosis, instead, text in (
                    ("duplicate replaces", elements[-1:], "the later element replaces the earlier"),
                    ("duplicate ignored", elements[:1], "the later element is dropped"),
                    ("duplicate swapped", elements[::-1], "the later element comes first"),
                ):
                    wrong = answer({**window, time: instead})
                    yield diagnosis, wrong, f"at time {show(time)} {text}: {show(wrong)}, not {right}"
                for other in window:
                    if other != time:
                        wrong = answer({**window, time: elements[:-1], other: [*window[other], elements[-1]]})
                        text = f"{show(elements[-1])}, inserted at {show(time)}, is combined with the entry at"
                        yield "wrong order", wrong, f"{text} {show(other)}: {show(wrong)}, not {right}"
        order = [element for time, element in self.arrived if time in window]
        if len(order) == self.size > 1:
            wrong = product(domain, order)
            text = f"the entries are in the order of arrival, not of time: {show(wrong)}, not {right}"
            yield "arrival order", wrong, text
        if self.size > 1:
            wrong = product(domain, [element for elements in window.values() for element in elements][::-1])
            yield "operands swapped", wrong, f"the operands are swapped: {show(wrong)}, not {right}"
        yield from self._ranges(answer)
        for time, elements in self.gone.items():
            kept = answer({**window, time: [*elements, *window.get(time, ())]})
            yield "element kept", kept, f"the answer still contains {_several(elements)}, evicted at {show(time)}"
        for time in window:
            fewer = {other: window[other] for other in window if other != time}
            yield "element lost", answer(fewer), f"the answer lacks {_several(window[time])}, at time {show(time)}"
            twice = {**window, time: window[time] * 2}
            text = f"the answer counts {_several(window[time])}, at time {show(time)}, twice"
            yield "element repeated", answer(twice), text
            for kept_time, kept_elements in self.gone.items():
                text = (
                    f"the answer lacks the entry at {show(time)}, and still contains that evicted at {show(kept_time)}"
                )
                yield "element kept", answer({**fewer, kept_time: kept_elements}), text
        if len(window) > 1:
            times = list(window)
            yield "element lost", answer({}), f"the answer is the identity, of {count(len(window), 'entry')}"
            for size in range(2, len(window)):
                for some, place in ((times[-size:], "oldest"), (times[:size], "youngest")):
                    text = f"the answer lacks the {place} {count(len(window) - size, 'entry')} of {len(window)}"
                    yield "element lost", answer({time: window[time] for time in some}), text
        if 2 < len(window) < 6:
            for permuted in itertools.permutations(window.values()):
                wrong = product(domain, [element for elements in permuted for element in elements])
                text = f"the answer has the entries in the wrong order: {show(wrong)}, not {right}"
                yield "wrong order", wrong, text

    def _ranges(self, answer: Callable[[Mapping[Any, Sequence[Any]]], Any]) -> Iterator[Mistake]:
        if self.asked is None or self.asked.name == "query":
            return
        first, last = self.asked.arguments
        window, asked = self.window, str(self.asked)
        reverse = {time: elements for time, elements in self.present.items() if last <= time <= first}
        if last < first:
            text = f"{asked} answers {show(answer(reverse))}, as if its ends were swapped"
            yield "range reversed", answer(reverse), text
        ends = (((last,), "end"), ((first,), "start"), ((first, last), "start and end"))
        for without, end in ends if first != last else (((first,), "ends"),):
            inner = {time: elements for time, elements in window.items() if time not in without}
            yield "range end", answer(inner), f"{asked} leaves out the entry at its {end}"
        yield "range ignored", answer(self.present), f"{asked} answers {show(answer(self.present))}, the whole window"
        for time in self.present:
            if time not in window:
                wider = answer({**window, time: self.present[time]})
                yield "range too wide", wider, f"{asked} contains the entry at {show(time)}, which is outside"


def _several(elements: Sequence[Any]) -> str:
    return " and ".join(map(show, elements)) if len(elements) < 4 else count(len(elements))


def _list_times(what: str, times: Sequence[Any], noun: str = "time") -> str:
    """Return `inserting at 1, 3 and 2`; only the number of times if there are many."""
    if not times:
        return ""
    if len(times) > 5:
        return f"{what.split()[0]} {count(len(times), noun)}"
    *most, last = map(show, times)
    return f"{what} {', '.join(most)} and {last}" if most else f"{what} {last}"
