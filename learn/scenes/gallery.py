"""The choice of an algorithm's scene: by its class, or by default its fields."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from swagproof.learn.scenes.fields import draw_fields
from swagproof.learn.scenes.flat_trees import draw_flat_tree
from swagproof.learn.scenes.in_order import draw_deque, draw_stacks
from swagproof.learn.scenes.scene import Scene
from swagproof.learn.scenes.sharing import draw_ordered, draw_timegram
from swagproof.learn.scenes.slices import draw_late, draw_slices, draw_store
from swagproof.learn.scenes.trees import draw_tree

Drawing = Callable[[Any, Mapping[str, Any]], Scene]
"""A function from a live state and the local variables of the running method to a picture."""

DRAWN: Final[dict[str, Drawing]] = {
    "TwoStacks": draw_stacks,
    "TwoStacksLite": draw_deque,
    "Daba": draw_deque,
    "DabaLite": draw_deque,
    "AugmentedTree": draw_tree,
    "FlatFat": draw_flat_tree,
    "Sliced": draw_slices,
    "Cutty": draw_store,
    "StreamSlicing": draw_late,
    "TimeGram": draw_timegram,
    "OrderedSharing": draw_ordered,
    "ReactiveAggregator": draw_flat_tree,
    "ReactiveAggregatorFifo": draw_flat_tree,
}
"""The drawing function, by the name of the reference class."""


def drawing_of(algorithm: type[Any]) -> Drawing:
    """Return the drawing function of a class, by its base classes."""
    return next((DRAWN[cls.__name__] for cls in algorithm.__mro__ if cls.__name__ in DRAWN), draw_fields)


def draw(drawing: Drawing, s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw a state that may be broken; if its drawing function fails, draw its fields."""
    try:
        return drawing(s, local)
    except Exception as error:  # a mutant's pointers lead anywhere
        plain = draw_fields(s, local)
        return Scene(plain.width, plain.height, plain.shapes, f"not as it should be ({error}): {plain.says}")
