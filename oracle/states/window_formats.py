"""The formats of states of FIFO windows: in stacks, in a deque, in a flat tree, and in a circular buffer.

Sequences are oldest first; pointers count from the first element of the deque; slots of trees and buffers from 1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

from swagproof.models.any_order import AnyOrderWindow, Places
from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.containers.deque import NumberedDeque
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import FifoWindow
from swagproof.oracle.states.format import NOTHING, Content, Fields, Format, Monoid, write_pairs, write_value
from swagproof.oracle.trace import encode
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column


def _model_fifo(operation: Monoid, content: Sequence[Any]) -> FifoWindow[Any]:
    model = FifoWindow[Any](operation)
    for value in content:
        model.insert(value)
    return model


IN_ORDER: Final = Content(
    "the elements that are in the window, oldest first",
    lambda fields: fields.values("window"),
    _model_fifo,
    lambda model: list(map(encode, model.values)),
    defined=FifoWindow,
)


# Two-Stacks


def _stack(items: Sequence[Any]) -> Stack[Any]:
    stack = Stack[Any]()
    for item in items:
        stack.push(item)
    return stack


def _read_stacks(fields: Fields) -> SimpleNamespace:
    return SimpleNamespace(F=_stack(fields.elements("F")[::-1]), B=_stack(fields.elements("B")))


def _in_stacks(s: Any) -> tuple[list[Any], list[Any]]:
    """Return what the front stack holds, and the back stack, oldest first."""
    return [s.F[depth] for depth in range(s.F.size)], [s.B[depth] for depth in range(s.B.size)][::-1]


def _write_stacks(s: Any) -> dict[str, Any]:
    front, back = _in_stacks(s)
    return {"F": list(map(write_value, front)), "B": list(map(write_value, back))}


def _extract_stacks(s: Any) -> list[Any]:
    front, back = _in_stacks(s)
    return [element.val for element in (*front, *back)]


def _pair(val: str, agg: str) -> dict[str, str]:
    return {"val": val, "agg": agg}


_PAIR: Final = '{"val": the element, "agg": its aggregate}'

TWO_STACKS: Final = Format(
    "two-stacks",
    catalogue.TWO_STACKS,
    fields={"F": f"the front stack, its top first: {_PAIR}", "B": "the back stack, its bottom first: the same"},
    example={
        "F": [_pair("a", "ab"), _pair("b", "b")],
        "B": [_pair("c", "c"), _pair("d", "cd")],
        "window": ["a", "b", "c", "d"],
    },
    read=_read_stacks,
    write=_write_stacks,
    content=IN_ORDER,
    extract=_extract_stacks,
)


# Deques


def _deque_reader(pointers: str, pairs: bool, aggregates: Sequence[str]) -> Callable[[Fields], SimpleNamespace]:
    def read(fields: Fields) -> SimpleNamespace:
        deque = NumberedDeque[Any]()
        for item in fields.elements("deque") if pairs else fields.values("deque"):
            deque.push_back(item)
        return SimpleNamespace(
            deque=deque,
            F=fields.whole("F", 0),
            E=fields.whole("E", deque.end()),
            **{name: fields.whole(name) for name in pointers},
            **{name: fields.aggregate(name) for name in aggregates},
        )

    return read


def _deque_writer(pointers: str, aggregates: Sequence[str]) -> Callable[[Any], dict[str, Any]]:
    def write(s: Any) -> dict[str, Any]:
        return {
            "deque": list(map(write_value, s.deque)),
            **{name: getattr(s, name) - s.deque.begin() for name in f"F{pointers}E"},
            **{name: encode(getattr(s, name)) for name in aggregates},
        }

    return write


def _in_deque(
    algorithm: str, column: Column, pointers: str, aggregates: Mapping[str, str], example: Mapping[str, Any]
) -> Format:
    """The format of an algorithm that keeps all in one deque."""
    pairs, overwritten = isinstance(example["deque"][0], dict), algorithm.endswith("-lite")
    return Format(
        algorithm,
        column,
        fields={
            "deque": f"its elements: {_PAIR}" if pairs else "its values",
            **{name: f"the pointer {name}" for name in pointers},
            **aggregates,
            "F": "the pointer to the oldest element [0]",
            "E": "the pointer behind the newest [the length of the deque]",
        },
        example=example,
        read=_deque_reader(pointers, pairs, tuple(aggregates)),
        write=_deque_writer(pointers, tuple(aggregates)),
        content=IN_ORDER,
        extract=lambda s: None if overwritten else [item.val if pairs else item for item in s.deque],
        shown=(*f"F{pointers}E", *aggregates),
    )


_LETTERS: Final = {"window": ["a", "b", "c", "d"]}

IN_DEQUES: Final = (
    _in_deque(
        "two-stacks-lite",
        catalogue.TWO_STACKS_LITE,
        "B",
        {"aggB": "the product of l_B"},
        {"deque": ["ab", "b", "c", "d"], "B": 2, "aggB": "cd", **_LETTERS},
    ),
    _in_deque(
        "daba",
        catalogue.DABA,
        "LRAB",
        {},
        {
            "deque": [_pair("a", "abc"), _pair("b", "bc"), _pair("c", "c"), _pair("d", "d")],
            **{"L": 2, "R": 2, "A": 2, "B": 3},
            **_LETTERS,
        },
    ),
    _in_deque(
        "daba-lite",
        catalogue.DABA_LITE,
        "LRAB",
        {"aggRA": "the product of l_R and l_A", "aggB": "the product of l_B"},
        {
            "deque": ["abc", "bc", "c", "d"],
            **{"L": 2, "R": 2, "A": 2, "B": 3, "aggRA": "bc", "aggB": "d"},
            **_LETTERS,
        },
    ),
    _in_deque("recalculate", catalogue.RECALCULATE, "", {}, {"deque": ["a", "b"], "window": ["a", "b"]}),
    _in_deque(
        "subtract-on-evict",
        catalogue.SUBTRACT_ON_EVICT,
        "",
        {"agg": "the running product"},
        {"deque": [1, 2, 4], "agg": 7, "window": [1, 2, 4], "monoid": "sum"},
    ),
)


# FlatFAT


def _read_flat(fields: Fields) -> SimpleNamespace:
    T = fields.slots("T")
    return SimpleNamespace(T=T, n=fields.whole("n", (T.size + 1) // 2))


def _slots_of(array: Array[Any]) -> Iterator[Any]:
    """Yield what is in each slot; in one that was never written, nothing."""
    for slot in range(1, array.size + 1):
        try:
            yield array[slot]
        except IndexError:
            yield BOTTOM


FLAT_FAT: Final = Format(
    "flatfat",
    catalogue.FLAT_FAT,
    fields={
        "T": "its nodes, level by level from the root",
        "n": "how many leaves it has [half of the nodes, rounded up]",
    },
    example={"T": ["abcd", "ab", "cd", "a", "b", "c", "d"], "window": ["a", "b", "c", "d"]},
    read=_read_flat,
    write=lambda s: {"T": list(map(write_value, _slots_of(s.T))), "n": s.n},
    content=replace(IN_ORDER, says="what was last written to each place", model=Places[Any], defined=None),
    extract=lambda s: [s.T[slot] for slot in range(s.n, min(2 * s.n, s.T.size + 1)) if slot > 0],
    shown=("n",),
    counts_from=1,
)


# Reactive Aggregator


class _Buffer(SimpleNamespace):
    """The circular buffer, as its invariants look at it."""

    capacity: int
    pending: dict[int, Any]
    fat: Any
    F: int

    def value(self, slot: int) -> Any:
        """a[slot], after the changes that are pending."""
        return self.pending[slot] if slot in self.pending else self.fat.T[self.capacity + slot - 1]

    def after(self, slot: int) -> int:
        """The next slot of the circular buffer."""
        return 1 if slot == self.capacity else slot + 1

    def round(self, slots: int) -> list[int]:
        """So many slots from the front on, no slot twice."""
        slot, found = self.F, list[int]()
        for _ in range(min(slots, self.capacity)):
            found.append(slot)
            slot = self.after(slot)
        return found


def _read_buffer(fields: Fields) -> _Buffer:
    T = fields.slots("T")
    capacity = fields.whole("capacity", (T.size + 1) // 2)
    if not 1 <= capacity <= 8 * (T.size + 1):  # the clauses look at every slot
        raise fields.fail("capacity", "a number of slots, 1 or more, not far from that of the nodes", capacity)
    optional = {name: fields.whole(name) for name in ("start", "events") if name in fields}
    pending: dict[int, Any] = {}
    for at, data in enumerate(fields.items("pending")):
        slot, value = fields.pair(f"pending[{at}]", "[slot, value]", data)
        if type(slot) is not int or not 1 <= slot <= capacity:
            raise fields.fail(f"pending[{at}]", f"[slot, value], a slot from 1 to {capacity}", data)
        pending[slot] = fields.slot(f"pending[{at}]", value)
    pointers = {name: fields.whole(name) for name in ("F", "B", "n_tuples")}
    return _Buffer(capacity=capacity, fat=SimpleNamespace(T=T), pending=pending, **pointers, **optional)


def _read_fifo_buffer(fields: Fields) -> _Buffer:
    buffer = _read_buffer(fields)
    buffer.freed = set(fields.wholes("freed"))
    for at, slot in enumerate(fields.wholes("freed")):
        if not 1 <= slot <= buffer.capacity:
            raise fields.fail(f"freed[{at}]", f"a slot from 1 to {buffer.capacity}", slot)
    return buffer


def _read_any_buffer(fields: Fields) -> _Buffer:
    buffer, given = _read_buffer(fields), fields.items("tickets")
    buffer.tickets = Array[Any](len(given))
    for at, ticket in enumerate(given):
        if ticket is not None and type(ticket) is not int:
            raise fields.fail(f"tickets[{at}]", "a whole number, or null", ticket)
        buffer.tickets[at + 1] = ticket
    buffer.slot_of = {ticket: at for at, ticket in enumerate(given, 1) if ticket is not None}
    if "slot_of" in fields:
        buffer.slot_of = {}
        for at, data in enumerate(fields.items("slot_of")):
            ticket, slot = fields.pair(f"slot_of[{at}]", "[ticket, slot]", data)
            if type(ticket) is not int or type(slot) is not int or ticket in buffer.slot_of:
                raise fields.fail(f"slot_of[{at}]", "[ticket, slot], whole numbers, each ticket once", data)
            buffer.slot_of[ticket] = slot
    return buffer


def _write_buffer(s: Any) -> dict[str, Any]:
    made = {
        **{name: getattr(s, name) for name in ("capacity", "F", "B", "n_tuples")},
        "T": list(map(write_value, _slots_of(s.fat.T))),
        "pending": [[slot, write_value(value)] for slot, value in s.pending.items()],
        **{name: getattr(s, name) for name in ("start", "events") if hasattr(s, name)},
    }
    if hasattr(s, "freed"):
        return {**made, "freed": sorted(s.freed)}
    return {**made, "tickets": list(_slots_of(s.tickets)), "slot_of": [[*pair] for pair in s.slot_of.items()]}


def _extract_fifo_buffer(s: Any) -> list[Any]:
    return [s.value(slot) for slot in s.round(s.n_tuples) if 1 <= slot <= s.fat.T.size - s.capacity + 1]


def _extract_any_buffer(s: Any) -> list[tuple[int, Any]]:
    slots = (slot for slot in s.round(s.capacity) if 1 <= slot <= min(s.tickets.size, s.fat.T.size - s.capacity + 1))
    return [(s.tickets[slot], s.value(slot)) for slot in slots if s.tickets[slot] is not None]


def _read_tickets(fields: Fields) -> list[tuple[int, Any]]:
    made: list[tuple[int, Any]] = []
    for at, data in enumerate(fields.items("window")):
        ticket, value = fields.pair(f"window[{at}]", "[ticket, value]", data)
        if type(ticket) is not int:
            raise fields.fail(f"window[{at}]", "[ticket, value], the ticket a whole number", data)
        made.append((ticket, fields.value(f"window[{at}]", value)))
    return made


def _model_any_order(operation: Monoid, content: Sequence[tuple[int, Any]]) -> AnyOrderWindow[Any]:
    model = AnyOrderWindow[Any](operation)
    model.tickets, model.values = [ticket for ticket, _ in content], [value for _, value in content]
    return model


_BUFFER: Final = {
    "F": "the slot of the oldest element; in an empty window 1",
    "B": "the slot of the newest element; in an empty window the last slot",
    "n_tuples": "how many elements there are",
    "T": 'the nodes of its FlatFAT, level by level from the root; {"bottom": true} where there is no value',
    "pending": "the changes that FlatFAT has not seen yet: [slot, value]",
    "capacity": "how many slots there are [half of the nodes, rounded up]",
    "start": "how many slots it began with [not judged]",
    "events": "how many inserts and evicts came since the window fired [not judged]",
}
_SHOWN: Final = ("F", "B", "n_tuples", "capacity", "start", "events", "pending")

BUFFERS: Final = (
    Format(
        "reactive-aggregator",
        catalogue.REACTIVE_AGGREGATOR,
        fields={
            **_BUFFER,
            "tickets": "for each slot the number of its element by arrival, or null",
            "slot_of": "for each of these numbers its slot: [ticket, slot] [as the tickets have it]",
        },
        example={
            **{"capacity": 4, "F": 1, "B": 3, "n_tuples": 2, "start": 1, "events": 1},
            "T": ["abc", "ab", "c", "a", "b", "c", NOTHING],
            "pending": [[2, NOTHING]],
            "tickets": [0, None, 2, None],
            "slot_of": [[0, 1], [2, 3]],
            "window": [[0, "a"], [2, "c"]],
        },
        read=_read_any_buffer,
        write=_write_buffer,
        content=Content(
            "the elements that are in the window, oldest first: [ticket, value]",
            _read_tickets,
            _model_any_order,
            lambda model: write_pairs(model.tickets, model.values),
        ),
        extract=_extract_any_buffer,
        shown=(*_SHOWN, "slot_of"),
    ),
    Format(
        "reactive-aggregator-fifo",
        catalogue.REACTIVE_AGGREGATOR_FIFO,
        fields={**_BUFFER, "freed": "the slots that were freed, which FlatFAT has not seen yet"},
        example={
            **{"capacity": 4, "F": 2, "B": 3, "n_tuples": 2, "start": 1, "events": 1},
            "T": ["abc", "ab", "c", "a", "b", "c", NOTHING],
            "pending": [],
            "freed": [1],
            "window": ["b", "c"],
        },
        read=_read_fifo_buffer,
        write=_write_buffer,
        content=IN_ORDER,
        extract=_extract_fifo_buffer,
        shown=(*_SHOWN, "freed"),
    ),
)
