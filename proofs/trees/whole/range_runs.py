"""The recursion of range queries, by induction on height: calls for children return their contract's result.

A range ends at the time of an entry, or between two.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from swagproof.contracts.trees import ranges as contract
from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY, Infinity
from swagproof.proofs.engine.nodes import NodeRun, same
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Segment, term
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.step_runs import LISTS, StandIn, make_runnable
from swagproof.proofs.trees.whole.entries import Moment, in_range
from swagproof.reference.trees.fiba import Fiba


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is y."""
    return x is y if isinstance(x, Infinity) or isinstance(y, Infinity) else same(x, y)


class RangeRun(NodeRun):
    """A node, the numbers of the entries below it, and a range."""

    NAMES: ClassVar[dict[str, Any]] = {**NodeRun.NAMES, "__is__": is_same}

    def state(self) -> Any:
        state = super().state()
        state.in_range = self.in_range
        return state

    def in_range(self, i: Any, j: Any, t_from: Any, t_to: Any) -> Segment:
        """Return the product of the entries i .. j-1 that are in the range."""
        return in_range(term(i), term(j), t_from, t_to)


RANGES: Final = StandIn(
    (*LISTS.methods, "query_rec"),
    RangeRun.NAMES,
    {**LISTS.loops, **contract.LOOPS},
    LISTS.node,
)


def recursion(run: RangeRun) -> None:
    """Run a call for a node of any kind and any range."""
    path = run.path
    spines = ("left spine", "right spine") if run.spines else ()
    where = run.either("place", "the root", *spines, "neither")
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    arity = run.some("arity", least=1 if leaf and where == "the root" else 2)
    node = run.node("node", arity, path.fresh("first") if leaf else None, None if where == "the root" else run.outside,
                    where == "left spine", where == "right spine")  # fmt: skip
    begin, end = node.family.bound(z3.IntVal(0)), node.family.bound(arity) - 1
    if where == "neither" or not run.spines:
        path.assume(z3.And(node.agg.lo == begin, node.agg.hi == end))
    infinite = {"before all": MINUS_INFINITY, "behind all": PLUS_INFINITY}
    ends = [
        infinite.get(run.either(name, *infinite, "a time"), Moment(path.fresh(name))) for name in ("t_from", "t_to")
    ]
    held = run.heap()
    answer = run.tree.begin_query(node, *ends)
    local = {"node": node, "t_from": ends[0], "t_to": ends[1], "answer": answer}
    run.show((contract.range_product,), local)
    now = run.heap()
    path.show("a range query changes nothing", z3.BoolVal(len(now) == len(held) and all(map(_is, now, held))))


def _is(x: Any, y: Any) -> bool:
    return x is y or (z3.is_ast(x) and bool(x.eq(y)))


class ByInduction:
    """The recursion, with calls for children replaced by their contract."""

    run: RangeRun

    def query_rec(self, child: Any, t_from: Any, t_to: Any) -> Segment:
        """Return the product of the entries in the range below a child."""
        run = self.run
        inside = z3.And(0 <= child.place, child.place < child.family.arity)
        run.path.show("the child is one of the node's", inside)
        return run.in_range(run.begin(child), run.end(child), t_from, t_to)


def explore_recursion(
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
) -> Exploration:
    """Explore the recursion, along every path.  Raises ValueError if the mutant's old text is missing."""
    made = make_runnable(algorithm, mutant, RANGES).algorithm  # type: ignore[arg-type]  # a class is hashable
    tree = type(made.__name__, (ByInduction, made), {"begin_query": made.query_rec})

    def run(path: Path) -> None:
        this = RangeRun(path, tree, {**LISTS.loops, **contract.LOOPS})
        this.tree.run, this.spines = this, algorithm is Fiba
        with this.guard():
            recursion(this)

    return explore(run, enough)
