"""The symbolic runs of FlatFIT: a circular buffer of any capacity, over segments, and the positions of a look-up."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from swagproof.proofs.engine.arrays import NUMBERS, SEGMENTS, SymbolicRow, symbolic_range
from swagproof.proofs.engine.heap import SymbolicWindow
from swagproof.proofs.engine.paths import Path
from swagproof.proofs.engine.run import Run
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicInt
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_WITH_LOOKUPS, FifoOperation, WindowRun
from swagproof.proofs.ledger.variants import Variant

METHODS_OF: Final[dict[str, frozenset[str]]] = {
    "start": frozenset({"__init__"}),
    "insert": frozenset({"insert", "resize", "slot"}),
    "evict": frozenset({"evict", "resize", "slot"}),
    "query": frozenset({"query", "lookup", "slot"}),
    "lookup": frozenset({"lookup", "slot"}),
}
"""The methods that each operation runs."""


def make_row(*parts: list[Any]) -> SymbolicRow:
    """[x]: a list of one partial aggregate or of one number; []: one for numbers."""
    items = [item for part in parts for item in part]
    return SymbolicRow.of("a list", SEGMENTS if items and isinstance(items[0], Segment) else NUMBERS, *items)


class FlatFitRun(WindowRun):
    """A FlatFIT of any capacity, elements and pointers that meet the contracts."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        "len": lambda row: row.size,
        "range": symbolic_range,
        "__list__": make_row,
    }
    OPERATIONS = OPERATIONS_WITH_LOOKUPS
    QUERIES_WRITE = True

    def __init__(self, path: Path, algorithm: type, contract: Any, shape: None) -> None:
        self.window = SymbolicWindow(path)
        Run.__init__(self, path, SegmentMonoid(), contract.LOOPS, model=self.window)
        self.newest = SymbolicInt(path.fresh("newest"))
        self.make(
            algorithm,
            partials=SymbolicRow("partials", SEGMENTS, path),
            pointers=SymbolicRow("pointers", NUMBERS, path),
            front=SymbolicInt(path.fresh("front")),
            size=SymbolicInt(path.fresh("size")),
        )
        self.know(contract.INVARIANT, {})
        self.start = self.state()

    @classmethod
    def is_affected(cls, operation: FifoOperation, variant: Variant) -> bool:
        changed = {edit.method.rpartition(".")[2] for edit in variant.edits}
        return not changed or bool(changed & METHODS_OF[operation.split()[0]])

    def stored(self) -> SymbolicInt:
        """A partial aggregate each slot."""
        return self.object.partials.size  # type: ignore[no-any-return]  # of the object

    def keeps(self, kept: dict[str, Any]) -> bool:
        now = self.attributes
        rows = [now.get(name) for name in ("partials", "pointers")]
        numbers = [type(now.get(name)) in (int, SymbolicInt) for name in ("front", "size")]
        return (
            now.keys() == kept.keys()
            and now["monoid"] is kept["monoid"]
            and all(isinstance(row, SymbolicRow) for row in rows)
            and rows[0] is not rows[1]
            and all(numbers)
        )

    def besides(self) -> Sequence[Truth]:
        """The capacity is a power of two, of which the proofs know what they need."""
        return [z3.Or(*(self.start.pointers.length == 2**k for k in range(7)))]

    def example(self, model: Model) -> str:
        """n, the capacity, where the oldest element is, and of how many elements is asked."""

        def value(what: Integer) -> int:
            return int(model.eval(what, model_completion=True).as_long())

        start = self.start
        found = (
            f"n = {value(start.model.length)}, c = {value(start.pointers.length)}, front = {value(start.front.term)}"
        )
        return f"{found}, newest = {value(self.newest.term)}"
