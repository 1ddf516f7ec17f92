"""Observations of an algorithm over a history: its answers, its combine calls, the lines that it runs, its memory.

An edit is wrong where one of these differs from the unedited algorithm, which the ledger checks against its definition,
over the same history: another answer, more combine calls, half as many lines more, a quarter more memory. Each
algorithm has several histories, each with a name, so that one of them can be stored with an edit that it exposes.
"""

import gc
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from tempfile import gettempdir
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final

from support.places import TESTS

ROOT: Final = str(TESTS.parent)
"""A checkout may lie in the folder for temporary files, where an edited file lies."""

Step = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True)
class History:
    """A history with a name: what is made, and what is asked of it."""

    name: str
    make: Callable[[Callable[[Any], Any]], Any]
    """Makes the subject; it is given what counts the combine calls of an operation."""
    steps: Callable[[], Iterable[Step]]
    traced: bool = False
    """True if lines are counted, which takes time."""
    second: bool = False
    """True if another subject is made, and given the beginning of the history, before: what they share shows."""


@dataclass
class Seen:
    """The observations over one history."""

    name: str
    answers: list[str] = field(default_factory=list[str])
    calls: int = 0
    most_calls: int = 0
    lines: int = 0
    most_lines: int = 0
    kept: int = 0


def find_difference(right: Seen, edited: Seen) -> str:
    """Return what shows a mistake, in words; empty where nothing does."""
    for i, (x, y) in enumerate(zip(right.answers, edited.answers, strict=False)):
        if x != y:
            return f"{right.name}, step {i}: {y[:60]}, not {x[:60]}"
    if len(right.answers) != len(edited.answers):
        return f"{right.name}: {len(edited.answers)} answers, not {len(right.answers)}"
    if edited.calls > right.calls or edited.most_calls > right.most_calls:
        told = f"{edited.calls} combine calls, at most {edited.most_calls}"
        return f"{right.name}: {told}, not {right.calls} and {right.most_calls}"
    if edited.lines > 1.5 * right.lines + 50 or edited.most_lines > 1.5 * right.most_lines + 20:
        return (
            f"{right.name}: {edited.lines} lines, at most {edited.most_lines}, not {right.lines} and {right.most_lines}"
        )
    if edited.kept > 1.25 * right.kept + 30:
        return f"{right.name}: {edited.kept} objects kept, not {right.kept}"
    return ""


class Lines:
    """Counts the lines of the project that are run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        edited = name.startswith(gettempdir()) and not name.startswith(ROOT)
        return self.line if edited or "/reference/" in name or "/models/" in name else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """One more."""
        if event == "line":
            self.count += 1
        return self.line


def count_kept(subject: Any) -> int:
    """Return how many objects and references are reached from an object, but for code, types and what is done
    elsewhere."""
    seen: dict[int, Any] = {}
    waiting = [subject]
    total = 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | str):
            continue
        seen[id(one)] = one
        more = gc.get_referents(one)
        total += len(more)
        waiting += more
    return total


def show(history: History) -> Seen:
    """Play a history, on what is in this process."""
    monoids: list[Any] = []

    def count_calls(operation: Any) -> Any:
        monoids.append(find("models.monoid:Counting")(operation))
        return monoids[-1]

    seen, lines = Seen(history.name), Lines()
    try:
        if history.second:
            first = history.make(count_calls)
            for method, arguments in islice(history.steps(), 40):
                with suppress(Exception):
                    getattr(first, method)(*arguments)
        subject = history.make(count_calls)
    except Exception as error:
        seen.answers.append(type(error).__name__)
        return seen
    monoid = monoids[-1] if monoids else None
    sys.settrace(lines if history.traced else None)
    try:
        for method, arguments in history.steps():
            calls, before = getattr(monoid, "calls", 0), lines.count
            try:
                answer = getattr(subject, method)(*arguments)
                answer = list(answer) if isinstance(answer, Iterator) else answer
            except Exception as error:
                answer = type(error).__name__
            seen.answers.append(repr(answer))
            seen.most_calls = max(seen.most_calls, getattr(monoid, "calls", 0) - calls)
            seen.most_lines = max(seen.most_lines, lines.count - before)
    finally:
        sys.settrace(None)
    seen.calls, seen.lines = getattr(monoid, "calls", 0), lines.count
    with suppress(Exception):
        seen.kept = count_kept(subject)
    return seen


def find(path: str) -> Any:
    """Return what `module:name` names now."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(f"swagproof.{module}"), name)


def operation_of(name: str) -> Any:
    """An operation by its name: "letters" is the free monoid with the left subtraction; "shifted" is a sum in which 0
    counts, and -1 is the identity."""
    if name == "letters":
        return replace(find("models.operations:CONCATENATION"), remove=take_away)
    if name == "shifted":
        of_sum = find("models.operations:SUM")
        return replace(of_sum, combine=lambda a, b: a + b + 1, identity=-1, remove=lambda a, ab: ab - a - 1)
    return find("models.operations:OPERATIONS")[name]


def take_away(a: str, ab: str) -> str:
    """b.  Raises ValueError where a does not come first."""
    if not ab.startswith(a):
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return ab.removeprefix(a)


def again(history: History) -> History:
    """The same history of a second subject."""
    return replace(history, name="a second one", second=True, traced=False)


def refused(path: str, *bad: tuple[Any, ...], monoid: bool = True) -> list[History]:
    """Constructors that must refuse their arguments."""

    def make(arguments: tuple[Any, ...], count_calls: Any) -> Any:
        return find(path)(*([count_calls(operation_of("letters"))] if monoid else []), *arguments)

    return [History(f"made of {arguments}", partial(make, arguments), list[Step]) for arguments in bad]


def window(path: str, operator: str, *arguments: Any) -> Callable[[Any], Any]:
    """Return how a class over a monoid is made."""
    return lambda count_calls: find(path)(count_calls(operation_of(operator)), *arguments)


LETTERS = "abcdefghijklmnopqrstuvwxyz"

ANY_VALUES = (
    ("letters", LETTERS),
    ("product", (0, 1, 2, -3)),
    ("max", (0, -1, 5, 3, -7, 5)),
    ("shifted", (0, 4, -2, 5000)),
)
