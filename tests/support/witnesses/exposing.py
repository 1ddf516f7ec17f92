"""The histories of each algorithm, each with a name, so that one of them can be stored with an edit that it exposes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from support.witnesses.observing import ANY_VALUES, History, Seen, find, refused, show, window
from support.witnesses.streams import cutty, operator, shared, sliced, stream_slicing, time_gram, windowing
from support.witnesses.windows import array_of, array_steps, deque, fifo, places, stack_steps, tickets, trees, waves

CHOOSERS = (("max", (0, -1, 5, 3, -7, 5)), ("min", (0, -1, 5, 3, -7, 5)), ("last", (0, 1, 2)), ("first", (0, 1, 2)))
FALLING: Final = range(0, -1000, -1)
HISTORIES: Final[dict[str, Callable[[], list[History]]]] = {
    **{
        name: (lambda path=path: fifo(f"reference.{path}", ANY_VALUES))
        for name, path in (
            ("Two-Stacks", "in_order.two_stacks:TwoStacks"),
            ("Two-Stacks Lite", "in_order.two_stacks_lite:TwoStacksLite"),
            ("DABA", "in_order.daba:Daba"),
            ("DABA Lite", "in_order.daba_lite:DabaLite"),
            ("Recalculate-from-scratch", "in_order.recalculate:Recalculate"),
            ("Base intervals", "flat_trees.base_intervals:BaseIntervals"),
        )
    },
    "Reactive Aggregator, FIFO": lambda: [
        *fifo("reference.flat_trees.reactive_aggregator_fifo:ReactiveAggregatorFifo", ANY_VALUES),
        *refused("reference.flat_trees.reactive_aggregator_fifo:ReactiveAggregatorFifo", (0,), (3,), (True,), (2.0,)),
    ],
    "Subtract-on-evict": lambda: fifo(
        "reference.in_order.subtract_on_evict:SubtractOnEvict",
        (ANY_VALUES[0], ANY_VALUES[3], ("mean", ((1, 0), (1, 3), (1, -3))), ("max", (0, 1))),
    ),
    "FlatFIT": lambda: fifo("reference.related_work.flat_fit:FlatFit", ANY_VALUES, lookups=True),
    "SlickDeque": lambda: [
        *fifo("reference.related_work.slick_deque:SlickDeque", (*CHOOSERS, ("sum", (0, 1, 2))), lookups=True),
        History(
            "falling",
            window("reference.related_work.slick_deque:SlickDeque", "max"),
            partial(waves, 60, 2, FALLING),
            True,
        ),
    ],
    "Reactive Aggregator": tickets,
    "FlatFAT": places,
    "B-tree": lambda: trees("reference.trees.b_tree:BTree"),
    "FiBA": lambda: trees("reference.trees.fiba:Fiba"),
    "FiBA, bulk": lambda: trees("reference.trees.fiba_bulk:BulkFiba", bulk=True),
    "Slicing: panes": lambda: sliced("reference.slicing.panes:Panes"),
    "Slicing: pairs": lambda: sliced("reference.slicing.pairs:Pairs"),
    "Slicing: starts": lambda: sliced("reference.slicing.slices:Sliced"),
    "Stream slicing": stream_slicing,
    "Cutty": cutty,
    "STREAM": lambda: shared("reference.sharing.stream_sharing:NaiveStream", "concatenation"),
    "TimeGram": time_gram,
    "OrderedSharing": lambda: [
        *shared("reference.sharing.ordered_sharing:OrderedSharing"),
        *(replace(h, name=f"min, {h.name}") for h in shared("reference.sharing.ordered_sharing:OrderedSharingMin")),
    ],
    "Windowing library": windowing,
    "Aggregate operator": operator,
    "Deque": deque,
    "Stack": lambda: [
        History(
            "pushed and popped", lambda count_calls: find("models.containers.stack:Stack")(), stack_steps, True, two
        )
        for two in (False, True)
    ],
    "Array": lambda: [History(f"array of {n}", partial(array_of, n), array_steps, True) for n in (6, 2000)],
}
"""For each algorithm its histories."""


def observe(algorithm: str, name: str) -> Seen:
    """Return what one history of an algorithm shows of it, as it is in this process."""
    return show(next(history for history in HISTORIES[algorithm]() if history.name == name))
