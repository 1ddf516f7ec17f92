"""A failing trace as a movie: the reference's state after each of its operations, in the scenes of the explorer.

The oracle may not import what draws, so the command line hands `film` to the command that judges.  What is drawn is the
reference, never the subject, over a monoid of ours: no code of anybody else's runs for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from swagproof.learn.products import Product, Tracked
from swagproof.learn.scenes.gallery import draw, drawing_of
from swagproof.learn.scenes.svg import render_scene, scene_style
from swagproof.oracle.domain import Domain, domain
from swagproof.oracle.kinds.bulk import Bulked
from swagproof.oracle.reports.trace_rows import tell_steps
from swagproof.oracle.trace import Step
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
}
"""For each kind of window the algorithms that are drawn."""


class _Brief(Product):
    """A product that fits into a cell, however long its value is."""

    @property
    def text(self) -> str:
        """The value, or how it begins and ends."""
        text = super().text
        return text if len(text) <= WIDE else f"{text[: WIDE // 2]}…{text[1 - WIDE // 2 :]}"


class _Products(Tracked):
    """An operation over such products."""

    def combine(self, a: Product, b: Product) -> Product:
        """The older on the left."""
        made = super().combine(a, b)
        return _Brief(made.value, made.of)


def film(witness: Witness) -> Movie | None:
    """The movie of a failing trace.  None where nothing is drawn: another kind of window, a monoid of the user's own.

    >>> from swagproof.oracle.trace import QUERY, Trace, insert
    >>> trace = Trace((insert("a"), insert("b"), QUERY), "concatenation", "fifo")
    >>> movie = film(Witness(trace, "ab", "ba", None, None, "operands swapped", minimal=True, found_by="replay"))
    >>> [(frame.operation, frame.expected, frame.got) for frame in movie.frames]
    [('insert "a"', '', ''), ('insert "b"', '', ''), ('query', '"ab"', '"ba"')]
    """
    trace = witness.trace
    if trace.window not in _FILMED or ":" in trace.monoid or not 0 < len(trace.steps) <= LONGEST:
        return None
    try:
        return _film(witness, domain(trace.monoid))
    except Exception:  # it is shown beside the verdict, which does not depend on it
        return None


def _film(witness: Witness, over: Domain) -> Movie:
    steps = witness.trace.steps
    windows = {name: make(_Products(over.operation)) for name, make in _FILMED[witness.trace.window].items()}
    frames: list[Frame] = []
    inserted = 0
    for at, (step, told) in enumerate(zip(steps, tell_steps(witness), strict=True)):
        for window in windows.values():
            _perform(window, step, over, inserted)
        inserted += step.name == "insert"
        if at >= len(steps) - MOST:
            frames.append(Frame(at + 1, *told, tuple((name, _draw(window)) for name, window in windows.items())))
    while len(frames) > 1 and sum(len(svg) for frame in frames for _, svg in frame.pictures) > LARGEST:
        del frames[0]
    return Movie(tuple(frames), scene_style(), len(steps) - len(frames))


def _draw(window: Any) -> str:
    """Its state, without the places and fields that only the explorer's page can point at."""
    scene = draw(drawing_of(type(window)), window, {})
    return render_scene(replace(scene, shapes=tuple(replace(shape, links="", place="") for shape in scene.shapes)))


def _perform(window: Any, step: Step, over: Domain, inserted: int) -> None:
    """Do what changes the window; an element's name is its time, or its number."""
    if step.name == "insert":
        *time, element = step.arguments
        window.insert(*time, _Brief(over.lifted(element), (time[0] if time else inserted,)))
    elif step.name in ("evict", "bulk_evict"):
        getattr(window, step.name)(*step.arguments)
