"""The symbolic runs of SlickDeque: every associative operation, every window, every history.

SlickDeque looks at values: it asks which of two an operation chooses.  So segments cannot stand for them.  A `Chosen`
is a member of an uninterpreted sort, of which nothing can be asked but whether it equals another; the operation is an
uninterpreted function; and a window knows the products of its elements, P(i, j), by what associativity says of them:
P(i, j) = P(i, k) ⊗ P(k, j), for k at one place, `cut`, and where an element is inserted.

Of two places nothing is assumed that does not hold of every place: of `cut`, and of the place `q` for which the
clauses about all places are known and shown.  So each may be said to be a certain one as late as it is of use.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.models.fifo import EmptyWindowError
from swagproof.proofs.engine.arrays import ItemKind, SymbolicRow
from swagproof.proofs.engine.heap import SymbolicWindow
from swagproof.proofs.engine.paths import Path, decide, remember
from swagproof.proofs.engine.run import Run
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import COMBINE, VALUES, SymbolicBool, SymbolicInt, Value, term
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_WITH_LOOKUPS, FifoOperation, WindowRun
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.related_work.slick_deque import Candidate

_INT: Final = z3.IntSort()
_LO, _HI = z3.Ints("lo hi")


class Chosen(Value):
    """A value that may be compared: what is equal is the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, Chosen)
        return SymbolicBool(self.term == other.term)

    def __ne__(self, other: object) -> Any:
        assert isinstance(other, Chosen)
        return SymbolicBool(self.term != other.term)


class Choosing:
    """Every associative operation: whether it chooses is for the code to find out.  Its `combine` counts itself."""

    def __init__(self) -> None:
        self.identity = Chosen(z3.Const("identity", VALUES))
        self.calls: Any = 0

    def combine(self, x: Chosen, y: Chosen) -> Chosen:
        self.calls = self.calls + 1
        return combine_uncounted(x, y)


def combine_uncounted(x: Chosen, y: Chosen) -> Chosen:
    """x ⊗ y, not counted."""
    return Chosen(COMBINE(x.term, y.term))


class NotSelectiveRefusal(Exception):
    """The reference's NotSelectiveError, with what it is told."""

    def __init__(self, x: Chosen, y: Chosen, result: Chosen) -> None:
        super().__init__()
        self.told = x, y, result


CANDIDATES: Final = ItemKind(
    (_INT, VALUES),
    lambda position, value: Candidate(SymbolicInt(position), Chosen(value)),  # type: ignore[arg-type]  # symbolic
    lambda candidate: (term(candidate.position), candidate.value.term),
)


class ValueWindow(SymbolicWindow):
    """The definition of right over values that may be compared."""

    monoid: ClassVar[Any] = SimpleNamespace(combine=combine_uncounted)

    def __init__(self, path: Path, identity: Chosen) -> None:
        super().__init__(path)
        self.values = z3.Array("v", _INT, VALUES)
        self.products = z3.Function("product", _INT, _INT, VALUES)
        self.back = self.front + self.length
        """The place of the next element."""
        self.cut, self.q = path.fresh("cut"), path.fresh("q")
        self.identity = identity
        self.known = self.facts

    def __getitem__(self, i: Any) -> Chosen:  # type: ignore[override]  # another kind of value
        return Chosen(self.values[self.front + term(i)])

    def next(self) -> Chosen:  # type: ignore[override]  # another kind of value
        return Chosen(self.values[self.back])

    def places(self, i: Any, j: Any) -> list[SymbolicInt]:
        """Return the place at which clauses are known and shown, if it is one of i .. j - 1."""
        place = self.q - self.front
        return [SymbolicInt(place)] if decide(z3.simplify(z3.And(term(i) <= place, place < term(j)))) else []

    def product(self, i: Any, j: Any) -> Chosen:  # type: ignore[override]  # another kind of value
        lo, hi = self.front + term(i), self.front + term(j)
        for place in (lo, self.cut):
            remember(z3.substitute(self.known, (_LO, place), (_HI, hi)))
        return Chosen(self.products(lo, hi))

    @property
    def facts(self) -> Truth:
        """Return what is known of the product from lo to hi - 1: of none, of one, of one more at the back, of two
        parts."""
        lo, hi, product, back, cut = _LO, _HI, self.products, self.back, self.cut
        return z3.And(
            z3.Implies(lo == hi, product(lo, hi) == self.identity.term),
            z3.Implies(lo + 1 == hi, product(lo, hi) == self.values[lo]),
            z3.Implies(
                z3.And(lo < back, hi == back + 1), product(lo, hi) == COMBINE(product(lo, back), self.values[back])
            ),
            z3.Implies(z3.And(lo < cut, cut < hi), product(lo, hi) == COMBINE(product(lo, cut), product(cut, hi))),
        )


class SlickDequeRun(WindowRun):
    """A SlickDeque of any candidates that meet the contracts."""

    NAMES: ClassVar[Mapping[str, Any]] = {"len": lambda row: row.size, "NotSelectiveError": NotSelectiveRefusal}
    OPERATIONS = OPERATIONS_WITH_LOOKUPS
    REFUSALS = (EmptyWindowError, NotSelectiveRefusal)

    def __init__(self, path: Path, algorithm: type, contract: Any, shape: None) -> None:
        monoid = Choosing()
        self.window = ValueWindow(path, monoid.identity)
        Run.__init__(self, path, monoid, contract.LOOPS, model=self.window)
        self.candidates = SymbolicRow("candidates", CANDIDATES, path)
        self.newest = SymbolicInt(path.fresh("newest"))
        self.make(
            algorithm,
            candidates=self.candidates,
            oldest=SymbolicInt(path.fresh("oldest")),
            size=SymbolicInt(path.fresh("size")),
        )
        self.know(contract.INVARIANT, {})
        self.start = self.state()

    @classmethod
    def is_affected(cls, operation: FifoOperation, variant: Variant) -> bool:
        """No operation calls another."""
        return not variant.edits or operation.split()[0] in {edit.method.rpartition(".")[2] for edit in variant.edits}

    def stored(self) -> SymbolicInt:
        """A value each candidate; what is known of the oldest says how many there are."""
        candidates = self.object.candidates
        self.path.mention(candidates.first, candidates.name)
        return candidates.size  # type: ignore[no-any-return]  # of the object

    def keeps(self, kept: dict[str, Any]) -> bool:
        now = self.attributes
        numbers = all(isinstance(now.get(name), SymbolicInt) for name in ("oldest", "size"))
        return (
            now.keys() == kept.keys() and numbers and all(now[name] is kept[name] for name in ("monoid", "candidates"))
        )

    def inserted(self) -> None:
        """Products are cut at the last of the candidates that were kept, if any."""
        super().inserted()
        candidates, cut = self.object.candidates, self.window.cut
        place = candidates.arrays[0][candidates.last - 2] - self.object.oldest.term + self.window.front
        self.path.assume(z3.Implies(candidates.length >= 2, cut == place))

    def answer(self, newest: SymbolicInt) -> Any:
        """The clauses are of use at the first place of what is looked up."""
        window = self.window
        self.path.assume(window.q == window.front + window.length - newest.term)
        return super().answer(newest)

    def refused(self, error: Exception) -> None:
        assert isinstance(error, NotSelectiveRefusal)
        x, y, result = (value.term for value in error.told)
        self.path.show("x ⊗ y is neither", z3.And(result == COMBINE(x, y), result != x, result != y))

    def example(self, model: Model) -> str:
        """n, and how many candidates there are."""
        start = self.start

        def value(what: Integer) -> int:
            return int(model.eval(what, model_completion=True).as_long())

        return f"n = {value(start.model.length)}, {value(start.candidates.length)} candidates"
