"""Symbolic runs of `edge` for any queries, assuming the claims about the edges of one query.

Other claims state for each technique where the slices of one query are cut, for every range, slide and time
(`slicing/panes`, `slicing/pairs`, `slicing/starts`).  The runs here combine the edges of all queries.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, ClassVar, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.proofs.engine.arrays import Selection, greatest, least
from swagproof.proofs.engine.paths import Path, formula
from swagproof.proofs.engine.run import Run, run_of_path
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SegmentMonoid, SymbolicInt, term
from swagproof.proofs.slicing.slice_runs import METHODS
from swagproof.proofs.slicing.slice_values import Edges, Queries, Query

Techniques = Mapping[str, Any]
"""The class of each technique, by name."""
ASKED: Final = {"starts": "start_edge", "panes": "pane_edge", "pairs": "pair_edge"}
"""The function that each technique asks for the edges of one query."""


class EdgeRun(Run):
    """Any queries, and one window of one of them."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        "max": greatest,
        "min": least,
        "__select__": Selection,
        **{name: lambda t, *of, name=name: run_of_path().edge_of(name, t, *of) for name in ASKED.values()},
    }

    def __init__(self, path: Path, algorithm: type, technique: str) -> None:
        super().__init__(path, SegmentMonoid(), {})
        self.edges: dict[str, Edges] = {}
        self.queries = Queries(path)
        length, number = SymbolicInt(path.fresh("length")), path.fresh("query")
        self.window = SymbolicInt(path.fresh("begin")), SymbolicInt(path.fresh("end"))
        path.assume(z3.And(0 <= number, number < self.queries.length))
        query: Query = self.queries.item(number)
        of: Mapping[str, tuple[SymbolicInt, ...]] = {"starts": (query.slide,), "panes": (length,), "pairs": query}
        for at in self.window[: 1 if technique == "starts" else 2]:
            path.assume(term(self.edge_of(ASKED[technique], at, *of[technique])) == at.term)
        self.make(algorithm, queries=self.queries, length=length)

    def edge_of(self, name: str, t: SymbolicInt, *of: SymbolicInt) -> SymbolicInt:
        """Return the latest edge at or before t of a query with these lengths."""
        lengths = tuple(map(term, of))
        function = z3.Function(name, *[z3.IntSort()] * (len(of) + 2))
        key = f"{name}, {', '.join(length.sexpr() for length in lengths)}"
        if key not in self.edges:
            self.edges[key] = Edges(lambda t: function(t, *lengths))
        return SymbolicInt(self.edges[key].edge(t.term))


@lru_cache(maxsize=32)
def runnable(base: Any, algorithm: Any) -> type:
    """Return the class with the methods that compute the edges of all queries and of one."""
    return type("Edges", (), {"edge": base.edge, "edge_of": algorithm.edge_of})


def _run(technique: str, made: Techniques, path: Path) -> None:
    """Run `edge` of a technique, for any queries, times t and u, and a window of any query.

    Methods with their own runs are run on `Sliced`, so a technique may not redefine them.
    """
    base, algorithm = made["starts"], made[technique]
    own = {name for kind in algorithm.__mro__ if kind.__name__ != base.__name__ for name in vars(kind)}
    this = EdgeRun(path, runnable(base, algorithm), technique)
    t, u = SymbolicInt(path.fresh("t")), SymbolicInt(path.fresh("u"))
    with this.guard():
        edge = this.object.edge
        at_t = edge(t)
        of_edge, at_u, (begin, end) = edge(at_t), edge(u), map(edge, this.window)
    path.show("all else is that of all techniques", z3.BoolVal(not own & {*METHODS, "edge"}))
    path.show("edge before", formula(lambda: contract.edge_before(t, at_t)))
    path.show("edge of edge", formula(lambda: contract.edge_of_edge(at_t, of_edge)))
    path.show("monotone", formula(lambda: contract.monotone(t, u, at_t, at_u)))
    path.show("a window begins at an edge", begin.term == this.window[0].term)
    if technique != "starts":
        path.show("a window ends at an edge", end.term == this.window[1].term)


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {name: partial(_run, name) for name in ASKED}
