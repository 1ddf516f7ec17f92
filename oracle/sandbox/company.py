"""Windows of the same class beside the judged one, for mistakes that need several live instances.

A list on the class, a shared cache, size or clock are right while only one window exists, as in most tests.  So some
traces run beside other live windows, which play legal operations that are never quite the same.
"""

import itertools
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from swagproof.oracle.window import TIMES, Window

_BEHIND: Final = (1, 1, 1, 2, 0, 0, 3)
"""Operations that the window beside the first leaves for later, by turns."""


class Company:
    """A window, and beside it another of its class, which does the same, and others, which do next to nothing.

    They are built once the first has done something.  What the second inserts is what the first inserted before, so
    that neither looks like the other where they share anything, and in half of all traces at times that are later.  It
    goes first by turns, for of two who read what either wrote, the second is wrong; and it lags behind, by some
    operations or, in the last quarter before the turns reach a power of two, by all that come, so that the two differ
    in size, either way.  As it does what the first did until some time ago, all that it does is legal.  Each of the
    others declares a span or size of its own, where there is one to declare, inserts up to three values, and stands
    still; it is dropped in the end, and another built.
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
        """The first operation of the idle windows: a span or size of their own; one of them takes that of the first
        window."""
        self._inserts = list[tuple[str, tuple[Any, ...]]]()
        """The inserts of the idle windows; each does the first few of them."""
        self._held = itertools.cycle(range(1, _HOLD + 1))
        """The number of inserts of the next idle window."""
        self._owed: deque[tuple[str, tuple[Any, ...]]] = deque()
        """The operations that the second window has yet to do."""
        self._turn = 0
        self._last: tuple[Any, ...] = ()
        self.within = ""
        """The operation that a window other than the first is doing."""

    def __getattr__(self, name: str) -> Any:
        """An operation, looked up when it is called: were they kept, what is dropped here would not end at once."""
        return partial(self._do, name)

    def _do(self, name: str, *given: Any) -> Any:
        does, others = getattr(self._window, name), given  # some know it once their span is known, and not before
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
        """The same, later: none leaves its 32 bits, or comes before one that was earlier."""
        if self._later is None:
            self._later = _LATER if given[0] % 2 == 1 else 0
        if not (by := self._later):
            return given
        return (*[min(time + by, _FAR) if time < _FAR else time for time in given[:times]], *given[times:])

    def _follow(self, turn: int) -> None:
        """Let the second do what it owes, but for what it leaves for later."""
        if turn >= _STANDS and turn >> turn.bit_length() - 2 == 3:
            return
        owed, behind = self._owed, _BEHIND[turn % len(_BEHIND)]
        while len(owed) > behind:
            self._act(self._second, *owed.popleft())

    def _act(self, window: Any, name: str, given: tuple[Any, ...]) -> None:
        self.within = name
        getattr(window, name)(*given)
        self.within = ""


_DECLARES: Final = ("span", "register")

_DROPS: Final = 22
"""Turns from one end of a window beside the first to the next; another is built in its place."""

_LATER: Final = 3
"""The shift of the second window's times: small, so that those of one window are between those of the other."""

_FAR: Final = 2**30
"""Times from there on are moved no more."""

_HOLD: Final = 3
"""Elements that a window that stands still has at most."""

_STANDS: Final = 32
"""Turns before the second window ever stands still."""
