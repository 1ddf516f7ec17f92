"""The formats of states of out-of-order windows: the B-tree and FiBA.

A node is an object with `times`, `values`, `agg` and, unless it is a leaf, `children`; in FiBA `left_spine` and
`right_spine` may say whether it is on one.  A finger is the way to its node: the number of a child at each level,
counted from 0.  So is a node's `parent`, where that pointer is written down too; it is null for the root.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final, cast

from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.states.format import Content, Fields, Format, Monoid, write_pairs
from swagproof.oracle.trace import encode
from swagproof.oracle.window import is_time
from swagproof.reference import catalogue
from swagproof.reference.trees.augmented_tree import Node
from swagproof.reference.trees.fiba import FingerNode

_NODE: Final = ("times", "values", "agg", "children", "left_spine", "right_spine", "parent")

Way = tuple[int, ...]
"""The number of a child at each level."""


class _Tree:
    """A tree as it is read: its nodes, by the way to each."""

    def __init__(self, fields: Fields, fingers: bool) -> None:
        self.fields = fields
        self.fingers = fingers
        self.nodes: dict[Way, Any] = {}
        self.given: dict[Way, Fields] = {}
        waiting: list[tuple[Way, str, Any]] = [((), "root", fields.raw("root"))]
        while waiting:
            way, name, data = waiting.pop()
            waiting += self.read(way, name, data)
        for way, node in self.nodes.items():
            self.link(way, node)

    def read(self, way: Way, name: str, data: Any) -> list[tuple[Way, str, Any]]:
        """Read one node; its children are still to be read."""
        if not isinstance(data, dict):
            raise self.fields.fail(name, 'a node {"times": ..., "values": ..., "agg": ...}', data)
        at = _At(cast("dict[str, Any]", data), self.fields, name)
        for other in at.data:
            if other not in _NODE:
                raise at.fail(other, f"one of {', '.join(_NODE)} as the name of a field", other)
        node: Any = (FingerNode if self.fingers else Node)(self.fields.operation)
        node.times = at.times()
        node.values = at.values("values")
        node.agg = at.aggregate("agg")
        self.nodes[way], self.given[way] = node, at
        children = at.items("children") if "children" in at else []
        return [((*way, number), f"{name}.children[{number}]", child) for number, child in enumerate(children)]

    def link(self, way: Way, node: Any) -> None:
        """Set the pointers of a node, and its flags."""
        at, number = self.given[way], len(self.given[way].items("children")) if "children" in self.given[way] else 0
        node.children = [self.nodes[(*way, child)] for child in range(number)]
        node.parent = self.nodes[way[:-1]] if way else None
        if "parent" in at:
            node.parent = None if at.raw("parent") is None else self.at(at, "parent")
        if self.fingers:
            lefts, rights = not any(way), all(self.is_last(way[:depth]) for depth in range(1, len(way) + 1))
            for name, is_so in (("left_spine", lefts), ("right_spine", rights)):
                flag = at.raw(name) if name in at else bool(way) and is_so
                if type(flag) is not bool:
                    raise at.fail(name, "true or false", flag)
                setattr(node, name, flag)

    def is_last(self, way: Way) -> bool:
        """Return whether this node is its parent's last child."""
        return (*way[:-1], way[-1] + 1) not in self.nodes

    def at(self, fields: Fields, name: str) -> Any:
        """The node that a field leads to."""
        way = tuple(fields.wholes(name))
        if way not in self.nodes:
            raise fields.fail(name, "the numbers of the children on the way to a node", list(way))
        return self.nodes[way]


class _At(Fields):
    """The fields of one node."""

    def __init__(self, data: dict[str, Any], fields: Fields, name: str) -> None:
        super().__init__(data, fields.where, fields.operation)
        self.name = name

    def fail(self, name: str, expected: str, found: Any) -> Any:
        """The error about a field of this node."""
        return super().fail(f"{self.name}.{name}", expected, found)

    def raw(self, name: str) -> Any:
        """Return the value of a field of this node, of any type."""
        if name not in self.data:
            raise self.fail(name, "a field of a node", None)
        return self.data[name]

    def times(self) -> list[Any]:
        """The times of this node."""
        return [_time(self, f"times[{at}]", data) for at, data in enumerate(self.items("times"))]


def _time(fields: Fields, name: str, data: Any) -> Any:
    if not is_time(data):
        raise fields.fail(name, "a time, a number other than NaN", data)
    return data


def _reader(fingers: bool) -> Any:
    def read(fields: Fields) -> SimpleNamespace:
        tree = _Tree(fields, fingers)
        state = SimpleNamespace(root=tree.nodes[()], min_arity=fields.whole("min_arity"))
        if state.min_arity < 2:
            raise fields.fail("min_arity", "2 or more", state.min_arity)
        if fingers:
            state.left_finger = tree.at(fields, "left_finger")
            state.right_finger = tree.at(fields, "right_finger")
        return state

    return read


def _write(s: Any) -> dict[str, Any]:
    ways: dict[Any, list[int]] = {s.root: []}

    def node_json(node: Any) -> dict[str, Any]:
        made = {"times": node.times, "values": list(map(encode, node.values)), "agg": encode(node.agg)}
        if isinstance(node, FingerNode):
            made |= {"left_spine": node.left_spine, "right_spine": node.right_spine}
        for number, child in enumerate(node.children):
            ways[child] = [*ways[node], number]
        return made | ({"children": list(map(node_json, node.children))} if node.children else {})

    made = {"min_arity": s.min_arity, "root": node_json(s.root)}
    if hasattr(s, "left_finger"):
        made |= {"left_finger": ways[s.left_finger], "right_finger": ways[s.right_finger]}
    return made


def _entries(node: Any) -> list[tuple[Any, Any]]:
    """The entries below a node in their order, as far as they are there."""
    made: list[tuple[Any, Any]] = []
    for number in range(max(len(node.times), len(node.children))):
        if number < len(node.children):
            made += _entries(node.children[number])
        made += zip(node.times[number : number + 1], node.values[number : number + 1], strict=False)
    return made


def _read_window(fields: Fields) -> list[tuple[Any, Any]]:
    made: list[tuple[Any, Any]] = []
    for at, data in enumerate(fields.items("window")):
        time, value = fields.pair(f"window[{at}]", "[time, value]", data)
        made.append((_time(fields, f"window[{at}]", time), fields.value(f"window[{at}]", value)))
    return made


def _model(operation: Monoid, content: Sequence[tuple[Any, Any]]) -> OutOfOrderWindow[Any]:
    """The entries as they are given: whether they are in order is for the clauses to say."""
    model = OutOfOrderWindow[Any](operation)
    model.times, model.values = [time for time, _ in content], [value for _, value in content]
    return model


def _node(time: int, value: str, agg: str, *children: Any) -> dict[str, Any]:
    return {"times": [time], "values": [value], "agg": agg, **({"children": [*children]} if children else {})}


_WINDOW: Final = {"window": [[1, "a"], [2, "b"], [3, "c"]]}
_FIELDS: Final = {
    "min_arity": "mu: nodes have mu to 2 mu children",
    "root": 'the root node: {"times": [...], "values": [...], "agg": ..., "children": [nodes, unless it is a leaf]}',
}


def _format(algorithm: str, column: catalogue.Column, fields: dict[str, str], example: dict[str, Any]) -> Format:
    return Format(
        algorithm,
        column,
        fields={**_FIELDS, **fields},
        example={"min_arity": 2, **example, **_WINDOW},
        read=_reader("left_finger" in fields),
        write=_write,
        content=Content(
            "the entries that are in the window, in the order of time: [time, value]",
            _read_window,
            _model,
            lambda model: write_pairs(model.times, model.values),
            defined=OutOfOrderWindow,
        ),
        extract=lambda s: _entries(s.root),
        shown=("min_arity",),
    )


_FINGER: Final = "the number of a child on each level, from 0, on the way to"

TREES: Final = (
    _format("b-tree", catalogue.B_TREE, {}, {"root": _node(2, "b", "abc", _node(1, "a", "a"), _node(3, "c", "c"))}),
    _format(
        "fiba",
        catalogue.FIBA,
        {"left_finger": f"{_FINGER} the first leaf", "right_finger": f"{_FINGER} the last"},
        {
            "root": _node(2, "b", "b", _node(1, "a", "a"), _node(3, "c", "c")),
            "left_finger": [0],
            "right_finger": [1],
        },
    ),
)
