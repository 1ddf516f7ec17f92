"""A failing trace as a movie: the reference's state after each operation, drawn in the explorer's scenes.

The oracle may not import what draws, so the command line passes `film` to the judging command. The movie shows the
reference over our own monoids, so it runs no code of the subject. Over a custom monoid, a product is drawn as its
elements.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from swagproof.learn.products import Product, Tracked
from swagproof.learn.scenes.gallery import draw, drawing_of
from swagproof.learn.scenes.judged import Clocked
from swagproof.learn.scenes.svg import render_scene, scene_style
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.bulk import Bulked
from swagproof.oracle.kinds.frame import Frames
from swagproof.oracle.kinds.shared import Sharing
from swagproof.oracle.reports.trace_rows import tell_steps
from swagproof.oracle.trace import Step, asks, singly, spell
from swagproof.oracle.verdict import Witness
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reports.movie import Frame, Movie

MOST: Final = 30
"""Operations that are drawn, the last ones."""
LARGEST: Final = 400_000
"""Characters of all pictures: of a long window fewer operations are drawn, the last one always."""
LONGEST: Final = 2_000
"""Operations of the longest trace of which a movie is made."""
WIDE: Final = 16
"""Characters of the widest value."""

_FILMED: Final[Mapping[str, Mapping[str, Callable[[Any], Any]]]] = {
    "fifo": {"Two-Stacks": TwoStacks[Any], "DABA": Daba[Any]},
    "out-of-order": {"FiBA, min-arity 2": lambda monoid: Bulked[Any](monoid, 2)},
    "shared": {"Each window over the stream": Sharing[Any]},
    "time": {"The entries, and Two-Stacks, which keeps them": Clocked[Any]},
    "frame": {"The rows": Frames[Any]},
}
"""The windows that are drawn for each kind: algorithms, or the oracle's definition."""

_SPELLED: Final[Operation[Any, str, str]] = Operation(
    "spelled",
    lift=spell,
    combine=lambda a, b: f"{a}·{b}" if a and b else a or b,
    lower=lambda value: value,
    identity="",
    commutative=False,
    samples=(),
)
"""The free monoid over the written elements, in place of a custom monoid."""


class _Brief(Product):
    """A product that fits into a cell, however long its value is."""

    @property
    def text(self) -> str:
        """The value, or how it begins and ends."""
        return _cut(super().text)


def _cut(text: str) -> str:
    """A text, or how it begins and ends: which is also how texts begin and end that are put together of such ones."""
    return text if len(text) <= WIDE else f"{text[: WIDE // 2]}…{text[1 - WIDE // 2 :]}"


class _Products(Tracked):
    """An operation over such products."""

    def lift(self, element: Any, name: Any) -> Product:
        """A stream element, under its name.  Of a long text only what is shown: its products would fill the memory."""
        made = super().lift(element, name)
        free = self.operation in (CONCATENATION, _SPELLED)
        return _Brief(_cut(made.value) if free else made.value, made.of)

    def combine(self, a: Product, b: Product) -> Product:
        """The older on the left."""
        made = super().combine(a, b)
        return _Brief(made.value, made.of)


def film(witness: Witness) -> Movie | None:
    """The movie of a failing trace.  None where there is nothing to draw, and of one that is very long.

    >>> from swagproof.oracle.trace import QUERY, Trace, insert
    >>> trace = Trace((insert("a"), insert("b"), QUERY), "concatenation", "fifo")
    >>> movie = film(Witness(trace, "ab", "ba", None, None, "operands swapped", minimal=True, found_by="replay"))
    >>> [(frame.operation, frame.expected, frame.got) for frame in movie.frames]
    [('insert "a"', '', ''), ('insert "b"', '', ''), ('query', '"ab"', '"ba"')]
    """
    trace = witness.trace
    if trace.window not in _FILMED or not 0 < len(trace.steps) <= LONGEST:
        return None
    try:
        return _film(witness)
    except Exception:  # it is shown beside the verdict, which does not depend on it
        return None


def _film(witness: Witness) -> Movie:
    trace = witness.trace
    spelled = trace.window == "frame" or ":" in trace.monoid  # elements of SQL; and what is not ours
    operation = _SPELLED if spelled else domain(trace.monoid).operation
    monoid = _Products(operation)
    windows = {name: make(monoid) for name, make in _FILMED[trace.window].items()}
    frames: list[Frame] = []
    for at, (step, told) in enumerate(zip(trace.steps, tell_steps(witness), strict=True)):
        for single in singly([step]) if trace.window == "fifo" else [step]:
            _perform([*windows.values()], monoid, single)
        if at >= len(trace.steps) - MOST:
            frames += _shoot(windows, at + 1, told, {})
    if trace.window == "frame":
        frames[-1:] = _slide(witness, windows, frames[-1])
    while len(frames) > 1 and sum(len(svg) for frame in frames for _, svg in frame.pictures) > LARGEST:
        del frames[0]
    return Movie(tuple(frames), scene_style(), frames[0].number - 1)


def _shoot(
    windows: Mapping[str, Any], number: int, told: tuple[str, str, str], local: Mapping[str, Any]
) -> list[Frame]:
    return [Frame(number, *told, tuple((name, _draw(window, local)) for name, window in windows.items()))]


def _slide(witness: Witness, windows: Mapping[str, Any], last: Frame) -> list[Frame]:
    """The results row by row, up to the first that is wrong; all at once where they are no list, or too many."""
    right, got = witness.expected, witness.got
    if witness.error is not None or not isinstance(right, list) or not isinstance(got, list) or len(right) != len(got):
        return [last]
    wrong = next(
        (row for row, pair in enumerate(zip(right, got, strict=True)) if _differ(*pair, witness.allowed)), None
    )
    if wrong is None:
        return [last]
    return [
        frame
        for row in range(max(0, wrong + 1 - MOST), wrong + 1)
        for told in [(f"{last.operation}, row {row + 1}", json.dumps(right[row]), json.dumps(got[row]))]
        for frame in _shoot(windows, last.number, told, {"row": row})
    ]


def _differ(right: Any, got: Any, allowed: float | None) -> bool:
    """Return whether two answers, as JSON, differ by more than they may."""
    if right == got and type(right) is type(got):
        return False
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (right, got))
    return not (numbers and allowed is not None and abs(right - got) <= allowed)


def _draw(window: Any, local: Mapping[str, Any]) -> str:
    """Its state, without the places and fields that only the explorer's page can point at."""
    scene = draw(drawing_of(type(window)), window, local)
    return render_scene(replace(scene, shapes=tuple(replace(shape, links="", place="") for shape in scene.shapes)))


def _perform(windows: Sequence[Any], monoid: Tracked, step: Step) -> None:
    """Do what changes them; an element's name is its time in a tree, and its number elsewhere."""
    arguments = step.arguments
    if step.name == "insert":
        *time, element = arguments
        name = time[0] if isinstance(windows[0], Bulked) else monoid.lifted
        arguments = (*time, monoid.lift(element, name))
    if not asks(step):
        for window in windows:
            getattr(window, step.name)(*arguments)
