"""A history of an algorithm, line by line.

The reference itself runs under `sys.settrace`; nothing is simulated. A step is a line that has ended, with the state
after it. If a line calls another function of the text, that function's lines come first, one level deeper; a function
that is a single expression, such as Π_F, is part of its line.

Drawing the state and checking every clause after every line of a long history would take minutes. So a first run
records the lines and their cost, and checks the clauses at the end of each operation. The pictures of an operation are
made when one of its lines is opened, by running the same operations on a second window, which continues from its last
state if possible. If the second run differs, the step says so.

An operation of more than `MOST_LINES` lines is stopped. In a changed text instructions are counted too, because Python
reports no new line for a loop on one line.
"""

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any, Final

from icontract import ViolationError

from swagproof.contracts.visible import CONTRACTS
from swagproof.learn.narration.narrate import Narration
from swagproof.learn.plays.play import RefusedError, WrongAnswerError
from swagproof.learn.products import Combined, Tracked
from swagproof.learn.scenes.fields import describe
from swagproof.learn.scenes.gallery import Drawing, draw
from swagproof.learn.scenes.scene import Scene
from swagproof.learn.texts import Text, bodies, statements
from swagproof.learn.watching import Clause, Look, name_violation
from swagproof.models.any_order import NotInWindowError
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import SUM
from swagproof.models.out_of_order import TimeError
from swagproof.models.shared import LateRegistrationError, UnknownWindowError
from swagproof.models.windows.window import WindowError

MOST_LINES: Final = 20_000
"""The greatest number of lines of one operation."""
MOST_INSTRUCTIONS: Final = 1_000_000
"""The greatest number of instructions of one operation of a changed text."""
AT_ONCE: Final = 100
"""The number of lines of an operation that are drawn when one of them is opened."""
MOST_DRAWN: Final = 60
"""The number of such parts kept in memory."""

REFUSALS: Final = (
    *(EmptyWindowError, TimeError, NotInWindowError, LateRegistrationError, UnknownWindowError, WindowError),
    RefusedError,
)
"""The exceptions that an operation may raise by its contract."""


@dataclass(frozen=True)
class Step:
    """A line that has ended, the start of the history, or the end of an operation; the latter two have no line."""

    operation: int
    """The number of the operation, from 0; -1 before the first."""
    function: str
    line: int
    depth: int
    calls: int
    """The combine calls of this operation so far."""
    total: int
    """The combine calls of the history so far."""
    combined: tuple[Combined, ...]
    """The combine calls of this line."""
    ends: bool = False
    """True at the end of the operation."""
    answer: str = ""
    is_shown: bool = True
    """True if the step is shown by default, because it is no check of arguments and not inside a helper."""
    says: str = ""
    """A sentence about the step; for a line, only if the step is drawn."""
    fails: str = ""
    """The broken condition of the operation, or the exception that it raised."""
    looks: tuple[Look, ...] = ()
    """The clauses, in the contract's order, at the end of an operation and in drawn steps."""
    scene: Scene | None = None
    """The state, if the step is drawn."""
    local: tuple[tuple[str, str], ...] = ()
    """The local variables as text, if the step is drawn."""

    @property
    def breaks_invariant(self) -> bool:
        """Return whether an operation has ended and a clause of the invariant does not hold."""
        return self.ends and any(look.holds is not True for look in self.looks)

    @property
    def is_broken(self) -> bool:
        """Return whether an operation has ended and some condition is broken."""
        return self.breaks_invariant or (self.ends and bool(self.fails))


class EndlessError(Exception):
    """An operation ran too many lines."""


@dataclass(frozen=True)
class Setup:
    """The functions that a history needs: to build a window, perform an operation, and show the state."""

    build: Callable[[], tuple[Any, Tracked]]
    """Build a new window, and its monoid."""
    ask: Callable[[Any, Tracked, Any], Any]
    """Perform an operation on the window."""
    text: Text
    drawing: Drawing
    clauses: Sequence[Clause]
    hold: Callable[[Any, Any, Any], Any] = lambda _window, _operation, answer: answer
    """Compare the answer of an operation with the definition, if a condition failed before that comparison."""

    @cached_property
    def narration(self) -> Narration:
        """The sentences of the text's lines."""
        return Narration(self.text)


def _is_refusal(error: BaseException) -> bool:
    """Return whether the algorithm refused its arguments, by a `require_` function or a precondition."""
    if isinstance(error, REFUSALS):
        return True
    *_, (frame, _) = walk_tb(error.__traceback__)
    return frame.f_code.co_name.startswith("require_") or frame.f_globals.get("__name__", "").startswith("icontract")


def _attempt(ask: Callable[[], Any], trace: Callable[..., Any] | None) -> tuple[Any, Exception | None]:
    """Call a function on a window that may be broken; return its answer, or the exception that it raised."""
    outer = sys.gettrace()
    try:
        sys.settrace(trace or outer)
        return ask(), None
    except Exception as error:
        return None, error
    finally:
        sys.settrace(outer)


def _name_error(error: BaseException) -> str:
    """Describe an exception and its reason; for a precondition of the contracts, its description."""
    words = str(error).split("\n")
    reason = words[1].partition(":")[0] if words[0].startswith("File ") and words[1:] else str(error)
    return f"{type(error).__name__}{f': {reason}' if reason else ''}"


@dataclass
class Done:
    """The facts about an operation that determine its bound."""

    refused: bool = False
    """True if it was refused or raised."""
    entered: Counter[str] = field(default_factory=Counter[str])
    """The number of calls of each function of the text."""


@dataclass
class _Running:
    """A running function: its frame, and its current line."""

    frame: FrameType
    line: int = 0
    combined: list[Combined] = field(default_factory=list[Combined])
    """The combine calls of the current line, by called functions."""


class Player:
    """A window of a setup, and the recorded effects of its operations, line by line."""

    def __init__(self, setup: Setup, *, draws: bool) -> None:
        self.setup = setup
        self.draws = draws
        self.drawn_lines = range(0)
        """The drawn lines of an operation, in addition to its end."""
        self.performed = 0
        self.failed = False
        """True if an operation raised, after which the state and its definition are unrelated."""
        self.steps: list[Step] = []
        """The steps of the last operation."""
        text = setup.text
        self._heads = {text.files[name]: statements(source) for name, source in text.sources.items()}
        self._bodies = {text.files[name]: bodies(source) for name, source in text.sources.items()}
        self._functions = {function.key: function for function in text.functions}
        self.window: Any = None
        self.monoid = Tracked(SUM)
        self._begin("")
        fails = self._build()
        self._end(-1, says="The window is empty. In what follows ⊗ is combine, and 𝟏 its identity.", fails=fails)

    def _build(self) -> str:
        """Build the window; return the broken condition of its constructor, or the exception."""
        made, error = _attempt(self.setup.build, self._watch if self.setup.text.is_foreign else None)
        if error is None:
            self.window, self.monoid = made
            return ""
        self.failed = True
        if isinstance(error, EndlessError):
            return f"its constructor never returns, or nearly: {error}"
        return name_violation(error) if isinstance(error, ViolationError) else f"{type(error).__name__}: {error}"

    def _begin(self, operation: str) -> None:
        """Forget the last operation and its trace."""
        self.done = Done()
        self.steps = []
        self._before = self._heard = self.calls
        self._stack: list[_Running] = []
        self._lines = self._instructions = 0
        self._returned: Any = None
        self._has_returned = False
        self._asked = self._find(operation)
        self.monoid.heard.clear()

    @property
    def calls(self) -> int:
        """The algorithm's combine calls, without the definition's."""
        counting = getattr(self.window, "counting", None)
        return 0 if counting is None else counting.calls

    def perform(self, operation: Any, *, traced: bool = True) -> None:
        """Perform one operation and record its lines; check the clauses at its end."""
        self._begin(operation[0])
        self.monoid.listening = traced
        answer, error = _attempt(
            lambda: self.setup.ask(self.window, self.monoid, operation), self._trace if traced else None
        )
        self.monoid.listening = False
        fails = ends = ""
        match error:
            case None:
                pass
            case WrongAnswerError():
                fails, answer = str(error), self._returned
            case ViolationError():  # a wrong answer is reported before any other broken condition
                answer = self._returned
                wrong = _attempt(lambda: self.setup.hold(self.window, operation, answer), None)[1]
                is_wrong = self._has_returned and isinstance(wrong, WrongAnswerError)
                fails = str(wrong) if is_wrong else name_violation(error)
            case EndlessError():
                fails = ends = str(error)
                self.failed = True
            case _:
                ends = _name_error((error.__cause__ or error) if isinstance(error, RefusedError) else error)
                self.done.refused = True
                if _is_refusal(error):
                    ends = f"refused: {ends}"
                else:
                    fails, self.failed = ends, True
        if traced:
            shown = "" if answer is None else describe(answer)
            calls = self.calls - self._before
            after = f"after {calls} combine call{'s' * (calls > 1)}" if calls else "without a combine call"
            done = f"the answer is {shown}, {after}" if shown else f"done, {after}"
            self._end(self.performed, answer=shown, says=ends or done, fails=fails)
        self.performed += 1

    # Trace events of Python

    def _find(self, name: str) -> CodeType | None:
        """Return the function of the text with the operation's name, if there is one.

        The contracts also call functions of the text, before and after; their lines do not count.
        """
        for cls in type(getattr(self.window, "own", self.window)).__mro__:
            code = getattr(inspect.unwrap(vars(cls).get(name, name)), "__code__", None)
            if code is not None and (code.co_filename, code.co_firstlineno) in self._functions:
                return code  # type: ignore[no-any-return]  # a function's
        return None

    def _is_read(self, frame: FrameType) -> bool:
        """Return whether a condition of an inner method, or the definition, calls this function of the text."""
        traced = [running.frame for running in self._stack]
        caller = frame.f_back
        while caller is not None and caller not in traced:
            name = caller.f_code.co_name
            if caller.f_globals.get("__name__", "").startswith(CONTRACTS):
                return name not in ("_ask", frame.f_code.co_name)
            if name == "<lambda>" and caller.f_code.co_filename in self._heads:
                return True
            caller = caller.f_back
        return False

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._heads:
            return None
        frame.f_trace_opcodes = self.setup.text.is_foreign
        function = self._functions.get((code.co_filename, code.co_firstlineno))
        if self._stack:
            is_step = not (function and function.is_expression) and not self._is_read(frame)
        else:
            is_step = not self._has_returned and self._asked in (None, code)
        if function is None or not is_step or code.co_name.startswith("<"):
            return self._watch if self.setup.text.is_foreign else None
        self.done.entered[function.name] += 1
        self.monoid.listening = True
        self._stack.append(_Running(frame))
        return self._trace_lines

    def _watch(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Count the instructions of the constructor and of functions whose lines are not recorded."""
        if frame.f_code.co_filename not in self._heads:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self._instructions += 1
            if self._instructions > MOST_INSTRUCTIONS:
                raise EndlessError(f"it ran {MOST_INSTRUCTIONS:,} instructions and was stopped: it may never end")
        return self._watch

    def _trace_lines(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self._stack or self._stack[-1].frame is not frame:
            return self._trace_lines
        running = self._stack[-1]
        if event == "opcode":
            self._watch(frame, event, argument)
        elif event == "line":
            line = self._heads[frame.f_code.co_filename].get(frame.f_lineno, frame.f_lineno)
            self._lines += 1
            if self._lines > MOST_LINES:
                raise EndlessError(f"it ran {MOST_LINES:,} lines and was stopped: it may never end")
            if line != running.line:
                self._finish(running, line)
                running.line = line
        elif event == "return":
            self._finish(running, 0)
            if len(self._stack) == 1:
                self._returned = argument
                self._has_returned = self._asked is not None or not hasattr(self.window, "own")
                self.monoid.listening = False
            self._stack.pop()
        return self._trace_lines

    def _finish(self, running: _Running, following: int) -> None:
        """Record the step of a line that has ended; `following` is the next line in its function, or 0."""
        if not running.line:
            return
        code, combined = running.frame.f_code, running.combined
        name = self._functions[code.co_filename, code.co_firstlineno].name
        taken = self._bodies[code.co_filename].get(running.line) == following
        step = self._step(self.performed, name, running.line, len(self._stack) - 1, taken)
        combined += step.combined
        if len(self._stack) > 1:
            self._stack[-2].combined += combined
        if self.draws and len(self.steps) in self.drawn_lines:
            held = {name: value for each in self._stack for name, value in each.frame.f_locals.items()}
            says = self.setup.narration.tell(name, running.line, taken, self.window, held, combined)
            step = self._picture(replace(step, says=says), running.frame.f_locals, held)
        self.steps.append(step)
        running.combined = []

    def _step(self, operation: int, function: str, line: int, depth: int, taken: bool = False) -> Step:
        own = self.calls - self._heard if hasattr(self.window, "counting") else None  # the definition's come after
        heard, self._heard = tuple(self.monoid.heard[:own]), self.calls
        self.monoid.heard.clear()
        shown = not line or self.setup.narration.is_step(function, line, taken)
        return Step(operation, function, line, depth, self.calls - self._before, self.calls, heard, is_shown=shown)

    def _end(self, operation: int, *, answer: str = "", says: str = "", fails: str = "") -> None:
        step = self._step(operation, "", 0, 0)
        step = replace(step, ends=True, answer=answer, says=says, fails=fails, looks=self._look())
        self.steps.append(self._picture(step, {}, {}) if self.draws else step)

    def _look(self) -> tuple[Look, ...]:
        """Check the clauses.  Some combine with the counting monoid; those calls are not the algorithm's."""
        calls = self.calls
        looks = tuple(clause.look(self.window) for clause in self.setup.clauses)
        if hasattr(self.window, "counting"):
            self.window.counting.calls = calls
        return looks

    def _picture(self, step: Step, local: Mapping[str, Any], held: Mapping[str, Any]) -> Step:
        """Return the step with its scene and clauses; reuse those of the operation's last step if nothing changed.

        `held` are the variables of all running functions, callers included.
        """
        listened, self.monoid.listening = self.monoid.listening, False
        scene = draw(self.setup.drawing, self.window, {**local, "callers": held})
        looks = step.looks or next((last.looks for last in self.steps[-1:] if last.scene == scene), ())
        looks = looks or self._look()
        self.monoid.listening = listened
        shown = tuple((name, describe(value)) for name, value in local.items() if name not in ("self", "combine"))
        return replace(step, scene=scene, looks=looks, local=shown)


class Recorder:
    """A history and its steps."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.history: list[Any] = []
        self.done: list[Done] = []
        self._player = Player(setup, draws=False)
        self._second = Player(setup, draws=True)
        self._start = self._second.steps
        self._drawn: dict[tuple[int, int], list[Step]] = {}
        """The drawn steps, by operation and part of its lines."""
        self.steps: list[Step] = [*self._player.steps]

    @property
    def window(self) -> Any:
        """The window after the history."""
        return self._player.window

    @property
    def failed(self) -> bool:
        """Return whether the last operation raised, so that no other can follow."""
        return self._player.failed

    def perform(self, operation: Any) -> None:
        """Perform one more operation."""
        self._player.perform(operation)
        self.history.append(operation)
        self.done.append(self._player.done)
        self.steps += self._player.steps

    def look(self, at: int) -> Step:
        """Return a step with its picture."""
        step = self.steps[at]
        first = at
        while first > 0 and self.steps[first - 1].operation == step.operation:
            first -= 1
        steps = self._draw(step.operation, (at - first) // AT_ONCE)
        drawn = steps[-1 if step.ends else min(at - first, len(steps) - 1)]
        if (drawn.function, drawn.line) != (step.function, step.line) or drawn.scene is None:
            return replace(steps[-1], says="the second run did something else; the picture shows its end")
        return drawn

    def _draw(self, operation: int, part: int) -> list[Step]:
        """Return the steps of an operation, with pictures of a part of its lines and of its end."""
        if operation < 0:
            return self._start
        if (operation, part) not in self._drawn:
            if self._second.performed > operation:
                self._second = Player(self.setup, draws=True)
            while self._second.performed < operation:
                self._second.perform(self.history[self._second.performed], traced=False)
            self._second.drawn_lines = range(part * AT_ONCE, (part + 1) * AT_ONCE)
            self._second.perform(self.history[operation])
            if len(self._drawn) >= MOST_DRAWN:
                self._drawn.clear()
            self._drawn[operation, part] = self._second.steps
        return self._drawn[operation, part]
