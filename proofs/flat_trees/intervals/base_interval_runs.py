"""The symbolic runs of base intervals: any number of levels, over segments, and numbers divided by powers of 2.

Where an interval begins is a multiple of its length, and which number it has a quotient by it.  Z3 decides neither for
unknown lengths.  So products and quotients are functions of which it is told theorems, each true of all integers: of
neighbouring and negative multiples; that x // d is the last k with k d <= x, for the ends of the window; what it is for
-x and for x - 1; and of two powers of 2, that the greater is a multiple of the less.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, cast

from swagproof.models.containers.deque import ChunkedDeque
from swagproof.proofs.engine.heap import SymbolicWindow
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Path, current_path, formula, mention, remember, show
from swagproof.proofs.engine.records import New, take
from swagproof.proofs.engine.run import KnownOfAll, Run
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import (
    Container,
    Scalar,
    Segment,
    SegmentMonoid,
    SymbolicBool,
    SymbolicInt,
    power_of_two,
    term,
)
from swagproof.proofs.in_order.fifo_runs import COINS_BELOW, KEPT_BELOW, FifoOperation, WindowRun
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.lemmas import interval_levels as contract

_INT: Final = z3.IntSort()
TIMES: Final = z3.Function("k times d", _INT, _INT, _INT)
QUOTIENT: Final = z3.Function("x by d", _INT, _INT, _INT)
_D, _K, _X = z3.Ints("d k x")
_EXPONENTS: Final[tuple[Integer, Integer]] = (z3.Int("exponent"), z3.Int("greater exponent"))
_OF_EXPONENTS: Final = ("exponent", "exponent")


def facts_of_products(k: Integer, d: Integer, fronts: Sequence[Integer], backs: Sequence[Integer]) -> Truth:
    """Return what is known of k d, for d > 0: the next multiple, the negative one, k by it, and which ends of windows
    these reach."""
    from_front = ((TIMES(j, d) >= x) == (-j <= QUOTIENT(-x, d)) for x in fronts for j in (k, k + 1))
    to_back = ((TIMES(j, d) <= x) == (j <= QUOTIENT(x, d)) for x in backs for j in (k, k + 1))
    multiples = TIMES(k + 1, d) == TIMES(k, d) + d, TIMES(-k, d) == -TIMES(k, d), QUOTIENT(TIMES(k, d), d) == k
    return z3.Implies(d > 0, z3.And(*multiples, *from_front, *to_back))


def facts_of_quotients(x: Integer, d: Integer) -> Truth:
    """Return what is known of x // d, for d > 0: the multiple of d there is within x, and the quotients of -x and x -
    1; by 1 it is x."""
    q = QUOTIENT(x, d)
    within = TIMES(q, d) <= x, x < TIMES(q, d) + d
    negative = QUOTIENT(-x, d) == z3.If(divides(d, x), -q, -q - 1)
    before = QUOTIENT(x - 1, d) == z3.If(divides(d, x), q - 1, q)
    return z3.Implies(d > 0, z3.And(*within, negative, before, z3.Implies(d == 1, q == x)))


def facts_of_halves(x: Integer, d: Integer) -> Truth:
    """Return what is known of d = 2h: x // h is at least twice x // d; where h divides x, it divides x + h, too, and d
    one of the two."""
    h = d / 2
    known = z3.And(divides(h, x + h), divides(d, x) != divides(d, x + h))
    halves = 2 * QUOTIENT(x, d) <= QUOTIENT(x, h)
    return z3.Implies(z3.And(d > 0, d % 2 == 0), z3.And(halves, z3.Implies(divides(h, x), known)))


def divides(d: Integer, x: Integer) -> Truth:
    """d divides x."""
    return TIMES(QUOTIENT(x, d), d) == x


def whole(d: Integer, front: Integer, back: Integer) -> Truth:
    """An interval of this length lies in front .. back - 1."""
    return QUOTIENT(back, d) + QUOTIENT(-front, d) > 0


def facts_of_powers(
    a: Integer, b: Integer, divided: Sequence[Integer], windows: Sequence[tuple[Integer, Integer]]
) -> Truth:
    """Return what is known of 2^a and 2^b, for 0 <= a <= b: the second is a multiple of the first, and an
    interval too."""
    less, more = power_of_two(a), power_of_two(b)
    return z3.Implies(
        z3.And(0 <= a, a <= b),
        z3.And(
            less <= more,
            *(z3.Implies(divides(more, x), divides(less, x)) for x in divided),
            *(z3.Implies(whole(more, *ends), whole(less, *ends)) for ends in windows),
        ),
    )


class Ends:
    """The numbers that a window begins and ends with, before and after an operation, and what is known of them."""

    def __init__(self, front: Integer, back: Integer) -> None:
        self.products = facts_of_products(_K, _D, (front, front + 1), (back, back + 1))
        self.quotients = z3.And(facts_of_quotients(_X, _D), z3.substitute(self.products, (_K, QUOTIENT(_X, _D))))


class Divided(SymbolicInt):
    """An unknown number that may be multiplied by unknown ones, and divided by those above 0."""

    __slots__ = ("ends",)

    def __init__(self, term: Integer, ends: Ends) -> None:
        super().__init__(term)
        self.ends = ends

    def like(self, term: Integer) -> "Divided":
        return Divided(term, self.ends)

    def another(self, path: Path, name: str) -> "Divided":
        return self.like(path.fresh(name))

    def __mul__(self, other: "int | SymbolicInt") -> "Divided":
        k, d = z3.simplify(self.term), term(other)
        remember(z3.substitute(self.ends.products, (_K, k), (_D, d)))
        return self.like(TIMES(k, d))

    def __floordiv__(self, divisor: "int | SymbolicInt") -> "Divided":
        x, d = z3.simplify(self.term), term(divisor)
        show("the divisor is positive", d > 0)
        remember(z3.substitute(self.ends.quotients, (_X, x), (_D, d)))
        return self.like(QUOTIENT(x, d))

    def __mod__(self, divisor: "int | SymbolicInt") -> "Divided":
        x, d, path = z3.simplify(self.term), term(divisor), current_path()
        if path is not None:
            path.run.divide(x, d)
        return self.like(self.term - ((self // divisor) * divisor).term)


class LevelPointer(Scalar):
    """A pointer into the deque of a level: no number, though it is known by one."""

    __slots__ = ("level", "term")

    def __init__(self, level: Integer, term: Integer) -> None:
        self.level = level
        self.term = term

    def another(self, path: Path, name: str) -> "LevelPointer":
        return LevelPointer(self.level, path.fresh(name))

    def __add__(self, steps: "int | SymbolicInt") -> "LevelPointer":
        return LevelPointer(self.level, self.term + term(steps))

    def __sub__(self, other: "int | SymbolicInt | LevelPointer") -> Any:
        if isinstance(other, LevelPointer):
            return SymbolicInt(self.term - self._beside(other))
        return LevelPointer(self.level, self.term - term(other))

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, LevelPointer)
        return SymbolicBool(self.term == self._beside(other))

    def _beside(self, other: "LevelPointer") -> Integer:
        show("pointers are compared within one deque", self.level == other.level)
        return other.term


class SymbolicLevel:
    """A deque in a list of them, by its number."""

    __slots__ = ("levels", "number")

    def __init__(self, levels: "SymbolicLevels", number: Integer) -> None:
        self.levels = levels
        self.number = number

    def begin(self) -> LevelPointer:
        return LevelPointer(self.number, self.levels.begins[self.number])

    def end(self) -> LevelPointer:
        return LevelPointer(self.number, self.levels.ends[self.number])

    def push_back(self, item: Segment) -> None:
        levels, n = self.levels, self.number
        place = levels.ends[n]
        levels.lows = z3.Store(levels.lows, n, z3.Store(levels.lows[n], place, item.lo))
        levels.highs = z3.Store(levels.highs, n, z3.Store(levels.highs[n], place, item.hi))
        levels.ends = z3.Store(levels.ends, n, place + 1)

    def pop_front(self) -> None:
        levels, n = self.levels, self.number
        show("pop_front finds an element", levels.begins[n] < levels.ends[n])
        levels.begins = z3.Store(levels.begins, n, levels.begins[n] + 1)

    def __getitem__(self, p: LevelPointer) -> Segment:
        levels, n, place = self.levels, self.number, z3.simplify(p.term)
        show("*p is of the deque that p leads into", p.level == n)
        show("*p finds an element", z3.And(levels.begins[n] <= place, place < levels.ends[n]))
        levels.within.speak_of(n, place)
        return Segment(levels.lows[n][place], levels.highs[n][place])


class Within:
    """All items of all levels, as places by one number: for clauses about each of them."""

    name = "items of levels"
    LEVEL: Final = z3.Function("level of", _INT, _INT)
    PLACE: Final = z3.Function("place of", _INT, _INT)
    NUMBER: Final = z3.Function("number of", _INT, _INT, _INT)

    def __init__(self, levels: "SymbolicLevels") -> None:
        self.levels = levels

    def speak_of(self, level: Integer, place: Integer) -> None:
        """Use what is known of all items at this one."""
        v = self.NUMBER(z3.simplify(level), place)
        remember(z3.And(self.LEVEL(v) == level, self.PLACE(v) == place))
        mention(v, self.name)

    def slot(self, v: Integer) -> tuple[SymbolicInt, LevelPointer]:
        """The level, and the place in it."""
        return SymbolicInt(self.LEVEL(v)), LevelPointer(self.LEVEL(v), self.PLACE(v))

    def holds(self, v: Integer) -> Truth:
        """Return whether there is an item at a place."""
        levels, level, place = self.levels, self.LEVEL(v), self.PLACE(v)
        return z3.And(levels.holds(level), levels.begins[level] <= place, place < levels.ends[level])


class SymbolicLevels(Container):
    """A list of deques of segments; of how many is not known, nor how many are in each."""

    name = "levels"

    def __init__(self, path: Path) -> None:
        self.forget(path)

    def forget(self, path: Path) -> None:
        rows = z3.ArraySort(_INT, _INT)
        self.count = path.fresh("levels")
        self.begins, self.ends = (z3.Array(str(path.fresh(name)), _INT, _INT) for name in ("begins", "ends"))
        self.lows, self.highs = (z3.Array(str(path.fresh(name)), _INT, rows) for name in ("lows", "highs"))
        path.assume(self.count >= 0)

    def terms(self) -> list[Any]:
        return [self.count, self.begins, self.ends, self.lows, self.highs]

    @property
    def size(self) -> SymbolicInt:
        return SymbolicInt(self.count)

    @property
    def within(self) -> Within:
        """All items."""
        return Within(self)

    def slot(self, level: Integer) -> SymbolicInt:
        """Return how clauses speak of a level."""
        return SymbolicInt(level)

    def holds(self, level: Integer) -> Truth:
        """Return whether there is this level."""
        return z3.And(0 <= level, level < self.count)

    def __bool__(self) -> bool:
        raise TypeError("the truth of a list of levels is not asked for")

    def __getitem__(self, index: "int | SymbolicInt") -> SymbolicLevel:
        level = self.count + index if isinstance(index, int) and index < 0 else term(index)
        show("the list has this level", self.holds(level))
        mention(level, self.name)
        return SymbolicLevel(self, z3.simplify(level))

    def append(self, item: "EmptyLevel") -> None:
        take(item, EmptyLevel)
        self.begins = z3.Store(self.begins, self.count, 0)
        self.ends = z3.Store(self.ends, self.count, 0)
        self.count = self.count + 1

    def pop(self) -> None:
        show("the list is not empty", self.count > 0)
        self.count = self.count - 1


class EmptyLevel(New):
    """A new deque, to be appended to the levels."""


METHODS_OF: Final[dict[str, frozenset[str]]] = {
    "start": frozenset({"__init__"}),
    "insert": frozenset({"insert"}),
    "evict": frozenset({"evict"}),
    "query": frozenset({"query", "longest", "interval"}),
}
"""The methods that each operation runs."""


class BaseIntervalsRun(WindowRun):
    """Base intervals of any window that meet the contracts."""

    NAMES: ClassVar[Mapping[str, Any]] = {"len": lambda levels: levels.size, ChunkedDeque.__name__: EmptyLevel}
    CONTRACT: ClassVar[Any] = contract

    def __init__(self, path: Path, algorithm: type, contract: Any, shape: None) -> None:
        self.window = SymbolicWindow(path)
        Run.__init__(self, path, SegmentMonoid(), contract.LOOPS, model=self.window)
        path.solver.set("smt.arith.solver", 2)  # its older one: as sure of these questions, and faster
        front, back = path.fresh("front"), path.fresh("back")
        self.divided = [front, z3.simplify(back + 1)]
        theorem = facts_of_powers(*_EXPONENTS, self.divided, ((front, back), (front + 1, back)))
        self.facts = [KnownOfAll(_EXPONENTS, theorem, _OF_EXPONENTS)]
        ends = Ends(front, back)
        self.make(algorithm, front=Divided(front, ends), back=Divided(back, ends), levels=SymbolicLevels(path))
        self.know(contract.INVARIANT, {})
        self.start = self.state()

    def divide(self, x: Integer, d: Integer) -> None:
        """Use what is known of what divides a number, and divides what comes next."""
        self.remember(facts_of_halves(x, d))
        if not any(x.eq(each) for each in self.divided):
            self.divided.append(x)
            known = KnownOfAll(_EXPONENTS, facts_of_powers(*_EXPONENTS, (x,), ()), _OF_EXPONENTS)
            self.facts.append(known)
            for place in list(self.further.get("exponent", {}).values()):
                for instance in known.at(place, "exponent", self.further):
                    self.remember(instance)

    @classmethod
    def is_affected(cls, operation: FifoOperation, variant: Variant) -> bool:
        changed = {edit.method.rpartition(".")[2] for edit in variant.edits}
        return not changed or bool(changed & METHODS_OF[operation.split()[0]])

    def keeps(self, kept: dict[str, Any]) -> bool:
        now = self.attributes
        numbers = all(isinstance(now.get(name), Divided) for name in ("front", "back"))
        return now.keys() == kept.keys() and numbers and all(now[name] is kept[name] for name in ("monoid", "levels"))

    def sum_up(self, name: str) -> Any:
        """A sum over the levels below one: by recursion, of which `induct` tells a step; 0 below level 0."""
        below = z3.Function(str(self.path.fresh(name)), _INT, _INT)
        self.path.assume(below(0) == 0)
        return below

    def stored(self) -> SymbolicInt:
        """Return what the levels keep: with each level half as many at most, so that all keep no more than 2n."""
        state, kept = self.state(), self.sum_up("kept")
        levels, few = state.levels, cast(Any, contract.space_below)

        def held(level: Integer) -> Integer:
            self.mention(level, levels.name)
            right = formula(lambda: contract.lengths.at(state, SymbolicInt(level)))
            self.path.show(Obligation("lengths", KEPT_BELOW), z3.Implies(levels.holds(level), right))
            return levels.ends[level] - levels.begins[level]

        def tell(level: Integer) -> None:
            for x in (state.back, -state.front):
                self.remember(facts_of_halves(x.term, power_of_two(level)))
            self.remember(kept(level + 1) == kept(level) + held(level))

        def bounded(level: Integer) -> Truth:
            n, below, highest = (self.window.size, *map(SymbolicInt, (kept(level), held(level - 1))))
            return z3.If(level <= 0, kept(level) == 0, formula(lambda: few(n, below, highest)))

        self.path.describe(Obligation("one more", KEPT_BELOW), contract.space_below)
        self.induct(KEPT_BELOW, bounded, levels.count, tell)
        return SymbolicInt(kept(levels.count))

    def saved(self, contract: Any, operation: FifoOperation) -> Callable[[], tuple[Any, Any]]:
        """Coins of the levels that there are, before and after: by how many less, level by level."""
        states = self.start, self.state()
        sums = [self.sum_up(f"coins {when}") for when in ("before", "after")]
        counts = [state.levels.count for state in states]
        most = z3.If(counts[0] < counts[1], counts[1], counts[0])
        bound = getattr(contract, f"{operation}_paid_below")

        def tell(x: Integer) -> None:
            level = SymbolicInt(x)
            for state, total, count in zip(states, sums, counts, strict=True):
                last = (state.back // 2**level - 1) * 2**level
                self.remember(facts_of_halves(last.term, power_of_two(x + 1)))
                coin = z3.And(x < count, formula(partial(contract.waits, state, level)))
                self.remember(total(x + 1) == total(x) + z3.If(coin, 1, 0))

        def bounded(x: Integer) -> Truth:
            saved = SymbolicInt(sums[1](x) - sums[0](x))
            return formula(lambda: bound(self.monoid.calls, SymbolicInt(x), saved))

        self.path.describe(Obligation("one more", COINS_BELOW[operation]), bound)
        self.induct(COINS_BELOW[operation], bounded, most, tell)
        before, after = (SymbolicInt(total(most)) for total in sums)
        return lambda: (before, after)

    def besides(self) -> Sequence[Truth]:
        """There are as many levels as the window's length admits: the last one holds an interval."""
        n, levels = self.start.back.term - self.start.front.term, self.start.levels.count
        return [z3.Or(levels <= 1, *(z3.And(levels == k + 1, 2**k <= n) for k in range(1, 7)))]

    def example(self, model: Model) -> str:
        """Return the ends of the window, and the number of levels."""

        def value(what: Integer) -> int:
            return int(model.eval(what, model_completion=True).as_long())

        start = self.start
        ends = value(start.front.term), value(start.back.term)
        return f"front = {ends[0]}, back = {ends[1]}, {value(start.levels.count)} levels"
