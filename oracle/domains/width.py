"""Integer and float widths: keep the sums of a trace within the numbers that a subject computes with.

A sum in a `long` is right only while it fits; a sum in an `int`, a float or a saturating counter may not fit.  So
elements go up to the limit of the subject's numbers, while no sum that it may compute exceeds the limit: at any time
the positive elements together fit, and so do the negative ones, so every part of the window has a sum in any order.  An
element that would exceed the limit is inserted with the other sign, or as 0, the identity.

`ADDENDS` gives an element's addend for each aggregation; for a deviation it is the square.  If a subject declares its
numbers, it gets integers only, whatever it computes, if the aggregation has any: a `long` holds no third, and a float
adds none exactly.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any, Final

from swagproof.oracle.domains.elements import Element, Elements
from swagproof.oracle.trace import Step
from swagproof.oracle.window import Window

CROWD: Final = 64
"""The window size from which no more huge elements are inserted."""

HUGE: Final = 9
"""The number of bits between the largest element and the largest that is not huge: five hundred of one sign fit."""

SPREAD: Final = 20
"""The value of `HUGE` if other windows hold elements, too: a million fit, whatever each window gets."""


def _itself(element: Any) -> Any:
    return element


def _square(element: Any) -> Any:
    return element * element


ADDENDS: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "sum": _itself,
        "mean": _itself,
        "sample-standard-deviation": _square,
        "population-standard-deviation": _square,
    }
)
"""The function that gives an element's addend, by aggregation; none for `wide-sum`, whose sums are wider than its
elements by definition."""


def addend_of(name: str) -> Callable[[Any], Any] | None:
    """Return the addend function of an aggregation; for a combination, the largest addend."""
    found = [ADDENDS[part] for part in name.split("+") if part in ADDENDS]
    return None if not found else _square if _square in found else _itself


@dataclass(frozen=True)
class Width:
    """Bounds on a sum; makes traces keep within them.

    >>> from swagproof.oracle.trace import inline, parse
    >>> from swagproof.oracle.window import FIFO
    >>> bytes = Width(-128, 127)
    >>> inline(bytes.fit(parse("insert 127, insert 3, insert -128, evict, insert 4"), FIFO))
    'insert 127, insert -3, insert 0, evict, insert 4'
    >>> bytes.fits(parse("insert 127, evict, insert 3"), FIFO), bytes.fits(parse("insert 127, insert 3"), FIFO)
    (True, False)
    """

    least: int
    most: int
    addend: Callable[[Any], Any] = _itself
    """The function that gives an element's addend."""
    whole: bool = False
    """True if only integers fit."""

    def holds(self, element: Any) -> bool:
        """Return whether an element by itself fits, with all integers in it."""
        if isinstance(element, (tuple, list)):
            return all(map(self.holds, element))
        if self.whole and isinstance(element, (Fraction, float)):
            return False
        return not isinstance(element, int) or self.least <= element <= self.most

    def restrict(self, elements: Elements, added: bool = False) -> Elements:
        """Return the elements that fit by themselves; if they are `added`, with letters that fit any number of times.

        >>> from swagproof.oracle.domains.elements import ELEMENTS
        >>> DOUBLES.restrict(ELEMENTS["max"]).orders[5]
        (9007199254740992, 2147483648, -9007199254740992)
        """

        def draw(random: Random) -> Element:
            while not self.holds(element := elements.draw(random)):
                pass
            return element

        orders = tuple(tuple(filter(self.holds, order)) for order in elements.orders)
        few = (letter for letter in elements.letters if self.holds(letter))
        letters = tuple(letter for letter in few if not added or self._reduce(letter, HUGE) is letter)
        return replace(elements, letters=letters, draw=draw, orders=tuple(filter(None, orders)))

    def fit(self, steps: Sequence[Step], window: Window, alone: bool = True) -> Sequence[Step]:
        """Return the trace with replacements for the elements that do not fit; if the window is not `alone`, for those
        that might not fit in another window."""
        if not alone:
            return [_with(s, self._reduce(s.arguments[-1], SPREAD)) if s.name == "insert" else s for s in steps]
        return [*self._fitted(steps, window, CROWD)]

    def fits(self, steps: Sequence[Step], window: Window, alone: bool = True) -> bool:
        """Return whether all elements fit."""
        if not all(self.holds(step.arguments[-1]) for step in steps if step.name == "insert"):
            return False
        if not alone:
            taken: Any = sum(abs(self.addend(s.arguments[-1])) for s in steps if s.name == "insert")
            return bool(2 * taken <= self.most)
        fitted = self._fitted(steps, window, len(steps))
        return all(step is other for step, other in zip(fitted, steps, strict=True))

    def _fitted(self, steps: Sequence[Step], window: Window, crowd: int) -> Iterator[Step]:
        held = _Held(steps, window)
        for step in steps:
            if step.name != "insert":
                held.go_on(step)
                yield step
                continue
            element = step.arguments[-1]
            if len(held) >= crowd:
                element = self._reduce(element, HUGE)
            for taken in (element, -element, 0):
                added = self.addend(taken)
                if held.least + min(added, 0) >= self.least and held.most + max(added, 0) <= self.most:
                    break
            held.add(step, added)
            yield step if taken is step.arguments[-1] else _with(step, taken)

    def _reduce(self, element: Any, bits: int) -> Any:
        while not abs(self.addend(element)) <= self.most >> bits:
            element = abs(element) // 1024 * (1 if element > 0 else -1)
        return element


DOUBLES: Final = Width(-(2**53), 2**53)
"""64-bit floats, which represent every integer up to this bound."""

INT64: Final = Width(-(2**63), 2**63 - 1)

WIDTHS: Final[Mapping[str, Width | None]] = MappingProxyType(
    {"int32": Width(-(2**31), 2**31 - 1), "doubles": DOUBLES, "int64": INT64, "any": None}
)
"""The widths by their names in a subject's declaration, the narrowest first."""


def narrowest(name: str, steps: Sequence[Step], window: Window) -> str | None:
    """Return the first of `WIDTHS` in which a trace over this aggregation fits; None if nothing is added.

    >>> from swagproof.oracle.trace import parse
    >>> from swagproof.oracle.window import FIFO
    >>> narrowest("sum", parse("insert 2147483647, insert 1"), FIFO), narrowest("max", parse("insert 1"), FIFO)
    ('doubles', None)
    """
    addend = addend_of(name)
    if addend is None:
        return None
    fitting = (each for each, width in WIDTHS.items() if width and replace(width, addend=addend).fits(steps, window))
    return next(fitting, "any")


def _with(step: Step, element: Any) -> Step:
    return step if element is step.arguments[-1] else Step(step.name, (*step.arguments[:-1], element))


class _Held:
    """The content of a window, or a superset of it: a window that evicts by itself does so only after an insert."""

    def __init__(self, steps: Sequence[Step], window: Window) -> None:
        self.least = self.most = 0
        """The sum of the negative addends and the sum of the positive ones."""
        self._queue: deque[tuple[Any, Any]] = deque()
        """Addends, oldest first, with times if the window evicts by time in order."""
        self._by_time: dict[Any, list[Any]] = {}
        self._evicts = window.evicts
        self._newest: float = float("inf")
        self._span: Any = 0
        if window.evicts == "never":  # trees and rings hold more than the window, by up to a constant factor
            self._newest = 2 * max((s.arguments[0] for s in steps if s.name == "register"), default=0) + 1
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, step: Step, added: Any) -> None:
        """Process an insert."""
        time = step.arguments[0]
        if self._evicts == "by time":
            self._by_time.setdefault(time, []).append(added)
        else:
            self._queue.append((time, added))
        self._count(added, 1)
        if self._size > self._newest:
            self._drop()
        elif self._evicts == "as time passes":
            self._lapse(time)

    def go_on(self, step: Step) -> None:
        """Process any other operation."""
        name, arguments = step
        if name == "span":
            self._span = arguments[0]
        elif name == "advance":
            self._lapse(arguments[0])
        elif name in ("evict", "bulk_evict"):
            if self._evicts != "by time":
                for _ in range(arguments[0] if arguments else 1):
                    self._drop()
                return
            gone = arguments[:1] if name == "evict" else [t for t in self._by_time if not arguments[0] < t]
            for time in gone:
                for added in self._by_time.pop(time, ()):
                    self._count(added, -1)

    def _lapse(self, now: Any) -> None:
        while self._queue and not now - self._span < self._queue[0][0]:
            self._drop()

    def _drop(self) -> None:
        self._count(self._queue.popleft()[1], -1)

    def _count(self, added: Any, sign: int) -> None:
        self._size += sign
        if added > 0:
            self.most += sign * added
        else:
            self.least += sign * added
