"""Windows of the same class beside the judged one, for mistakes that need several live instances.

State shared by a class, such as a list, a cache, a size or a clock, is right while only one window exists, as in most
tests.  So some traces run next to other live windows, which run legal but different operations.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from swagproof.oracle.trace import Step
from swagproof.oracle.window import TIMES, Window

_BEHIND: Final = (1, 1, 1, 2, 0, 0, 3)
"""The numbers of operations that the second window postpones, in turn."""


class Company:
    """A window, a second window of its class that does the same, and idle windows.

    They are built once the first window has run an operation.  The second window inserts the values that the first
    inserted before, in half of all traces at later times, so that the two differ if they share anything.  They go first
    in turn, since if each reads what the other wrote, the second to go is wrong.  The second window lags by some
    operations or, in the last quarter before the turns reach a power of two, by all new ones, so that the sizes differ
    either way.  Its operations are legal, since the first window did the same earlier.  Each idle window declares its
    own span or size, if any, inserts up to three values, and does nothing more; later it is dropped, and another is
    built.
    """

    def __init__(self, window: Any, kind: Window, alive: int, build: Callable[[], Any]) -> None:
        self._window, self._alive, self._build = window, alive, build
        self._times = {
            name: count for name, takes in kind.operations.items() if (count := len(TIMES.intersection(takes)))
        }
        """The number of times that each operation takes; they are its first arguments."""
        self._later: int | None = None
        """The amount by which the second window's times are later, once it exists."""
        self._second: Any = None
        self._idle = list[Any]()
        self._declared = list[tuple[str, tuple[Any, ...]]]()
        """The first operation of the idle windows: the declaration of their own span or size; one of them takes that of
        the first window."""
        self._inserts = list[tuple[str, tuple[Any, ...]]]()
        """The inserts of the idle windows; each does the first few of them."""
        self._held = itertools.cycle(range(1, _HOLD + 1))
        """The number of inserts of each next idle window."""
        self._owed: deque[tuple[str, tuple[Any, ...]]] = deque()
        """The operations that the second window has postponed."""
        self._turn = 0
        self._last: tuple[Any, ...] = ()
        self.within = ""
        """The current operation of a window other than the first."""

    def __getattr__(self, name: str) -> Any:
        """Return an operation, looked up at each call: a kept method would keep a dropped window alive."""
        return partial(self._do, name)

    def _do(self, name: str, *given: Any) -> Any:
        does, others = getattr(self._window, name), given  # some methods exist only once the span is known
        if name == "insert":
            *place, value = given
            others, self._last = (*place, *(self._last or (value,))), (value,)
        turn, self._turn = self._turn, self._turn + 1
        if name in self._times:
            others = self._move(self._times[name], others)
        self._owed.append((name, others))
        if name == "insert" and len(self._inserts) < _HOLD:
            self._inserts.append((name, given))
        elif name in _DECLARES and not self._declared:
            self._declared.append((name, tuple(size - 1 if size > 1 else size + 1 for size in given)))
        if turn % 2:
            self._follow(turn)
            return does(*given)
        answer = does(*given)
        if self._second is None:
            self._second = self._build()
        elif turn % _DROPS == 0 and self._idle:
            del self._idle[0]
        elif len(self._idle) < self._alive - 2:
            self._idle.append(self._build())
            for opening in (*self._declared, *self._inserts[: next(self._held)]):
                self._act(self._idle[-1], *opening)
        self._follow(turn)
        return answer

    def _move(self, times: int, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments at a later time: none exceeds 32 bits, and the order of times stays the same."""
        if self._later is None:
            self._later = _LATER if given[0] % 2 == 1 else 0
        if not (by := self._later):
            return given
        return (*[min(time + by, _FAR) if time < _FAR else time for time in given[:times]], *given[times:])

    def _follow(self, turn: int) -> None:
        """Run the postponed operations of the second window, except for the newest few."""
        if turn >= _STANDS and turn >> turn.bit_length() - 2 == 3:
            return
        owed, behind = self._owed, _BEHIND[turn % len(_BEHIND)]
        while len(owed) > behind:
            self._act(self._second, *owed.popleft())

    def _act(self, window: Any, name: str, given: tuple[Any, ...]) -> None:
        self.within = name
        getattr(window, name)(*given)
        self.within = ""


class _Recorder:
    """A window that records its operations."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.steps.append(Step(name, given))


def steps_of_second(steps: Iterable[Step], kind: Window) -> list[Step]:
    """Return the operations that the second window runs while the first runs these.

    >>> from swagproof.oracle.trace import inline, parse
    >>> from swagproof.oracle.window import FIFO
    >>> inline(steps_of_second(parse('insert "a", insert "b", query, insert "c", insert "d"'), FIFO))
    'insert "a", insert "a", query, insert "b", insert "c"'
    """
    second = _Recorder()
    company = Company(_Recorder(), kind, 2, lambda: second)
    for name, given in steps:
        getattr(company, name)(*given)
    return second.steps


_DECLARES: Final = ("span", "register")

_DROPS: Final = 22
"""The number of turns between drops of an idle window; another is built in its place."""

_LATER: Final = 3
"""The shift of the second window's times: small, so that those of one window are between those of the other."""

_FAR: Final = 2**30
"""The time from which times are not shifted."""

_HOLD: Final = 3
"""The most elements of an idle window."""

_STANDS: Final = 32
"""The number of turns before the second window first pauses."""
