"""Common parts of the runs of all algorithms that share a stream: any set of windows, and refused operations.

The registry is replaced by its contract.  It either refuses, and then nothing has changed, or it knows the added sizes,
each at least 1, in ascending order.  The claim `shared-windows/registry` is about the class itself and its list.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from swagproof.contracts.clause import Loops
from swagproof.proofs.engine.arrays import Selection, SymbolicSequence
from swagproof.proofs.engine.paths import Finished, Path, is_told, remember, settle, show
from swagproof.proofs.engine.run import Known, Run, show_unchanged
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SymbolicBool, SymbolicInt, term

_INT: Final = z3.IntSort()
WINDOWS: Final = "windows"
"""The container name for the windows, under which their sizes are mentioned."""


class RefusedError(Exception):
    """Any exception of the registry: LateRegistrationError, UnknownWindowError, ValueError, TypeError."""


class SymbolicRegistry:
    """Any set of windows.

    The i-th size in ascending order is an increasing function of i; a size's index is its inverse.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = path.fresh("windows")
        self.sorted, self.rank = (z3.Function(str(path.fresh(name)), _INT, _INT) for name in ("size", "rank"))
        self.members = z3.Array(str(path.fresh("registered")), _INT, z3.BoolSort())
        self.asked: dict[int, Integer] = {}
        self.added: list[Integer] = []
        self.begun = 0
        """The number of calls of `begin`."""
        path.assume(self.count >= 0)
        self.begin_again()

    def begin_again(self) -> None:
        """Forget all mentioned sizes and indices except the largest."""
        self.asked.clear()
        self.at(self.count - 1)

    def has(self, size: Integer) -> Truth:
        """Return whether a size is registered."""
        rank = self.rank(size)
        ranked = z3.And(0 <= rank, rank < self.count, self.sorted(rank) == size, size >= 1)
        remember(z3.Implies(self.members[size], ranked))
        self._order(rank)
        return self.members[size]

    def at(self, i: Integer) -> Integer:
        """Return the i-th size."""
        size = self.sorted(i)
        known = z3.And(self.members[size], self.rank(size) == i, size >= 1)
        remember(z3.Implies(z3.And(0 <= i, i < self.count), known))
        self._order(i)
        return size

    def _order(self, i: Integer) -> None:
        i = z3.simplify(i)
        if i.get_id() in self.asked:
            return
        for j in self.asked.values():
            both = z3.And(0 <= i, i < self.count, 0 <= j, j < self.count)
            remember(z3.Implies(both, (i < j) == (self.sorted(i) < self.sorted(j))))
        if is_told():
            self.asked[i.get_id()] = i

    @property
    def sizes(self) -> SymbolicSequence:
        """The sizes in ascending order."""
        return SymbolicSequence(self.count, lambda i: SymbolicInt(self.at(i)))

    @property
    def largest(self) -> SymbolicInt:
        """The largest size."""
        show("there is a largest window", self.count > 0)
        return SymbolicInt(self.at(self.count - 1))

    def add(self, size: Any) -> None:
        """Register a window."""
        if settle(z3.Bool(str(self.path.fresh("refused")))):
            raise RefusedError
        show("the size that was given is registered", term(size) >= 1)
        self.added.append(term(size))

    def register(self, size: Integer) -> None:
        """Make a size a member for the clauses, after `add`."""
        self.members = z3.Store(self.members, size, z3.BoolVal(True))
        self.sorted, self.rank = (z3.Function(str(self.path.fresh(name)), _INT, _INT) for name in ("size", "rank"))
        self.count = self.path.fresh("windows")
        self.path.assume(self.count >= 1)
        self.begin_again()

    def begin(self) -> None:
        """Begin the stream, or continue it."""
        if not SymbolicBool(self.count > 0):
            raise RefusedError
        self.begun += 1

    def known(self, size: Any) -> Any:
        """Return the size if it is registered."""
        if not SymbolicBool(self.has(term(size))):
            raise RefusedError
        return size


class SharedRun(Run):
    """A run over any registered windows."""

    NAMES: ClassVar[Mapping[str, Any]] = {"len": lambda items: items.size, "__select__": Selection}

    def __init__(self, path: Path, monoid: Any, loops: Loops) -> None:
        super().__init__(path, monoid, loops)
        self.registry = SymbolicRegistry(path)

    def learn_of(self, of: str, hole: Integer, truth: Truth) -> None:
        """Assume a fact about every place, for the mentioned places and for those mentioned later."""
        fact = Known([hole], truth, [of])
        self.facts.append(fact)
        for place in list(self.mentioned.get(of, {}).values()):
            for instance in fact.at(place, of, {}):
                self.remember(instance)

    def attempt(self, act: Callable[[], Any]) -> Any:
        """Return an operation's result; if the registry refuses it, show that nothing has changed."""
        before = self.state()
        try:
            with self.guard(RefusedError):
                return act()
        except RefusedError:
            show_unchanged(self, "what is refused changes nothing", before)
            raise Finished from None

    def register(self, tuples: Integer) -> Integer:
        """Register a window of any size before the first tuple, or have it refused; return its size."""
        size = SymbolicInt(self.path.fresh("size"))
        self.path.assume(z3.And(size.term >= 1, tuples == 0))
        self.mention(size.term, WINDOWS)
        self.attempt(lambda: self.object.register(size))
        added = self.registry.added
        once = z3.And(len(added) == 1, *(each == size.term for each in added))
        self.path.show("each window is registered once", once)
        return size.term
