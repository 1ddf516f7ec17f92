"""The kinds of window that can be judged: what each can be asked to do.

`fifo` is the window of `swagproof.models.window.Fifo`: elements leave in the order in which they came.  An evict of an
empty window is never asked of a subject.

`out-of-order` is the window of `swagproof.models.out_of_order.OutOfOrder`: every entry has a time, and the answer is
the product in the order of times, whatever the order of arrival.  Every history is legal: an insert at a time that is
present combines the old value with the new, an evict of an absent time does nothing, and a range holds both its ends;
one that is empty, reversed or outside the window answers the identity.  Times are numbers; the search uses integers
that fit 32 bits, zero and negative ones among them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

VALUE: Final = "VALUE"
"""What an insert takes last: a stream element.  Whatever else an operation takes is a time."""

QUERIES: Final = ("query", "range_query")
"""The operations that answer; they change nothing."""


@dataclass(frozen=True)
class Window:
    """A kind of window."""

    name: str
    """As `--window` takes it."""
    operations: Mapping[str, tuple[str, ...]]
    """What it can be asked to do, and what each operation takes."""
    optional: frozenset[str] = frozenset()
    """Operations that a subject may lack: they are judged where it has them."""
    never_evicts_from_empty: bool = False
    """Whether an evict of an empty window is no legal operation."""

    @property
    def forms(self) -> tuple[str, ...]:
        """How each operation is written.

        >>> FIFO.forms, OUT_OF_ORDER.forms[0]
        (('insert VALUE', 'evict', 'query'), 'insert TIME VALUE')
        """
        return tuple(" ".join((name, *takes)) for name, takes in self.operations.items())


FIFO: Final = Window(
    "fifo", MappingProxyType({"insert": (VALUE,), "evict": (), "query": ()}), never_evicts_from_empty=True
)
OUT_OF_ORDER: Final = Window(
    "out-of-order",
    MappingProxyType({"insert": ("TIME", VALUE), "evict": ("TIME",), "query": (), "range_query": ("FROM", "TO")}),
    optional=frozenset({"range_query"}),
)

WINDOWS: Final[Mapping[str, Window]] = MappingProxyType({window.name: window for window in (FIFO, OUT_OF_ORDER)})
"""Every kind, by name."""


def is_time(value: Any) -> bool:
    """Whether a value can be a time in a trace: a number, but neither NaN nor a truth value.

    >>> is_time(3), is_time(-0.5), is_time(float("nan")), is_time("3"), is_time(True)
    (True, True, False, False, False)
    """
    return type(value) in (int, float) and value == value
