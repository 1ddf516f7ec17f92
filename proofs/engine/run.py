"""A runner that runs a method of the reference from an arbitrary symbolic state that meets its contracts.

Every proof about an algorithm has three steps.  The runner assumes clauses of the contracts for a symbolic state
(`Run.know`), runs the reference's method along every path, and shows clauses of the resulting state (`Run.show`).  A
subclass of `Run` for deques, arrays or trees defines the symbolic state and its values.  `Run` itself assumes and shows
clauses, including clauses about all places; `Cutter` cuts a loop at its invariant and checks that nothing else changes.

Formulas have no quantifiers.  A clause that ranges over all places (swagproof.contracts.clause) is shown at one
arbitrary place.  An assumed clause is instantiated at the places that the code or the obligation mentions.  Omitting an
instance can only make a proof fail, never succeed.

A cut loop forgets what its source may change (swagproof.proofs.engine.loops).  Obligations at its back edge make a
wrong guess fail: no other attribute, variable, container, struct or node has changed; assigned variables keep their
kind; the iterated object is unchanged; the object has no new attributes.  At the loop's head and back edge no container
has two names, and no tuple contains one.  Re-entering a loop before it has ended is `Unsupported`.
"""

import inspect
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import product
from types import NoneType, SimpleNamespace
from typing import Any, ClassVar, NamedTuple

from swagproof.contracts.clause import (
    Clause,
    Counted,
    Everywhere,
    ForAll,
    ForEach,
    ForEachPair,
    Loop,
    Loops,
    Ranging,
    local_names,
)
from swagproof.models.containers.element import Element
from swagproof.proofs.engine.arrays import SymbolicRow, SymbolicSequence, SymbolicSet
from swagproof.proofs.engine.language import Unseen
from swagproof.proofs.engine.loops import Changes, quiet_methods, rewrite
from swagproof.proofs.engine.obligation import RAISES, Obligation
from swagproof.proofs.engine.paths import Failure, Finished, Path, Unsupported, enclosing_path, formula
from swagproof.proofs.engine.records import Queue, Records
from swagproof.proofs.engine.sequences import SymbolicList
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.source.coverage import Condition
from swagproof.proofs.engine.source.methods import definition_of
from swagproof.proofs.engine.source.unfold import is_generator, unfold
from swagproof.proofs.engine.values import Container, Scalar, Segment, SymbolicBool, SymbolicInt, term

Iterated = SymbolicSet | SymbolicSequence | SymbolicList | SymbolicRow | Queue


class Runnable(NamedTuple):
    """A class with rewritten methods, and the conditions that these record."""

    algorithm: type[Any]
    conditions: tuple[Condition, ...]


@lru_cache(maxsize=64)
def make_runnable(kind: Any, algorithm: Any) -> Runnable:
    """Return the class with its methods rewritten for this kind of `Run`.  Raises Unseen outside of the language."""
    functions = dict(inspect.getmembers(algorithm, inspect.isfunction))
    sources = dict[str, str | None]()
    if kind.UNFOLDS:
        generators = [name for name in functions if is_generator(functions[name])]
        written_out = {name: definition_of(functions.pop(name)) for name in generators}
        sources = {name: unfold(definition_of(each), written_out) for name, each in functions.items()}
    quiet = quiet_methods(algorithm, kind.LOOKS)
    made = {
        name: rewrite(function, kind.NAMES, source=sources.get(name), quiet=quiet)
        for name, function in functions.items()
        if name == "__init__" or not name.startswith("__")
    }
    getters = inspect.getmembers(algorithm, lambda member: isinstance(member, property))
    asked = {name: rewrite(getter.fget, kind.NAMES, quiet=quiet) for name, getter in getters}
    members = {name: each.method for name, each in made.items()}
    members |= {name: property(each.method) for name, each in asked.items()}
    return Runnable(
        type(algorithm.__name__, (algorithm,), members),
        tuple(condition for each in (*made.values(), *asked.values()) for condition in each.conditions),
    )


@lru_cache(maxsize=128)
def only(algorithm: Any, methods: tuple[str, ...]) -> type:
    """Return the class with only these methods."""
    return type(algorithm.__name__, (), {name: getattr(algorithm, name) for name in methods})


class ClausePlace(NamedTuple):
    """An arbitrary combination of places in the range of a clause: one place of each container."""

    of: Sequence[str]
    """The names of the containers; "" for a number."""
    spoken: Sequence[Any]
    """The values that stand for the places in the clause."""
    inside: Truth
    """The condition for lying in the range."""


class Known:
    """A clause for every combination of places, assumed for one state: a formula with a parameter for each place."""

    def __init__(
        self,
        holes: Sequence[Integer],
        truth: Truth,
        of: Sequence[str] = ("",),
        mentions: Sequence[tuple[Integer, str]] = (),
    ) -> None:
        self.holes = holes
        self.truth = truth
        self.of = of
        self.mentions = mentions
        """The places that a clause about one place mentions."""
        self.begin_again()

    def begin_again(self) -> None:
        """Mark every combination as unused."""
        self.seen: set[tuple[int, ...]] = set()
        self.ends: dict[tuple[int, int], Sequence[int]] = {}
        """The number of places of each container combined so far, by container and place."""

    def at(self, place: Integer, of: str, mentioned: Mapping[str, Mapping[int, Integer]]) -> Iterator[Truth]:
        """Yield the clause at the combinations of a place with all mentioned places of other containers, once each."""
        for which in (n for n, each in enumerate(self.of) if each == of):
            places = [[place] if n == which else [*mentioned.get(each, {}).values()] for n, each in enumerate(self.of)]
            key, ends = (which, place.get_id()), [*map(len, places)]
            begun, self.ends[key] = self.ends.get(key, [0] * len(ends)), ends
            for chosen in _combine_new(places, begun) if begun != ends else ():
                ids = tuple([v.get_id() for v in chosen])
                if ids not in self.seen:
                    self.seen.add(ids)
                    yield z3.substitute(self.truth, *zip(self.holes, chosen, strict=True))


def _combine_new(places: Sequence[Sequence[Integer]], begun: Sequence[int]) -> Iterator[tuple[Integer, ...]]:
    """Yield the combinations of one place of each, except combinations of only the first `begun` places.

    A proof calls it at every mention, so at most one place is new.
    """
    for n, new in enumerate(begun):
        before = [each[:end] for each, end in zip(places[:n], begun, strict=False)]
        yield from product(*before, places[n][new:], *places[n + 1 :])


class Run:
    """One path of a method: a symbolic object, the clauses assumed about it, and the ghost variables of contracts."""

    UNFOLDS: ClassVar[bool] = False
    """True if generators and comprehensions are unfolded (swagproof.proofs.engine.source.unfold)."""
    NAMES: ClassVar[Mapping[str, Any]] = {}
    """The meanings of names in a method under proof."""
    LOOKS: ClassVar[tuple[str, ...]] = ()
    """Methods of the object's containers that change nothing."""
    ERRORS: ClassVar[tuple[type[Exception], ...]] = ()
    """Exceptions that refute the code when it raises them.  After any other exception the claim is unknown."""

    def __init__(self, path: Path, monoid: Any, loops: Loops, **ghosts: Any) -> None:
        self.path = path
        self.monoid = monoid
        self.loops = loops
        self.ghosts = ghosts
        self.object: Any = None
        self.known: list[Known] = []
        """Assumed clauses about every place, for all states so far: each stays true of its own state."""
        self.latest = 0
        """The index in `known` of the first clause about the latest state."""
        self.facts: list[Known] = []
        """Other facts about every place: theorems, and the unchanged part of a field that a loop assigns."""
        self.base: list[Truth] | None = None
        """If set, the only assumptions that survive at an outermost loop that writes, besides its invariant."""
        self.mentioned: dict[str, dict[int, Integer]] = {}
        """The mentioned places, by container: a clause about several is used at all combinations of them."""
        self.further: dict[str, dict[int, Integer]] = {}
        """The mentioned places and those that clauses mention at them, where theorems about several are used."""
        self.cutters: dict[tuple[str, int], Cutter] = {}
        self.entered: list[Cutter] = []
        """The cutters of the loops that are being run, the outermost first."""
        self.depth = 0
        """The number of loops that are being run."""
        self.turns: dict[str, SymbolicInt] = {}
        """The number of turns that the loop of a method has made, as `<method>_done`."""
        self.collected: list[Truth] | None = None
        """The facts that the clause being read has remembered; None outside of `learn`."""
        self.pending: list[tuple[Integer, str]] | None = None
        """The places that the clause being read mentions, if it is about an unknown place; otherwise None."""
        self.looked_at: ClausePlace | None = None
        """The arbitrary places at which a clause is being shown, if any."""
        path.run, path.mention, path.remember = self, self.mention, self.remember
        path.example, path.draw, path.size, path.besides = self.example, self.draw, self.size, self.besides

    # The object

    def make(self, algorithm: type, *by_contract: type, **attributes: Any) -> Any:
        """Make an object of the class with rewritten methods and these attributes.

        The classes in `by_contract` have methods that replace rewritten ones.
        """
        rewritten = make_runnable(type(self), algorithm).algorithm  # type: ignore[arg-type]  # a class is hashable
        self.object = object.__new__(type(algorithm.__name__, (*by_contract, rewritten), {}))
        for name, value in {"monoid": self.monoid, **attributes}.items():
            setattr(self.object, name, value)
        return self.object

    @property
    def attributes(self) -> dict[str, Any]:
        """The object's attributes."""
        return {} if self.object is None else vars(self.object)

    def state(self) -> SimpleNamespace:
        """Return a frozen copy of the state, as the contracts see it."""
        return SimpleNamespace(**_freeze(self.attributes), **_freeze(self.ghosts), calls=self.monoid.calls)

    def example(self, model: Model) -> str:
        """Return a counterexample as text: by default the numbers of its state, without intermediate ones."""
        given = {str(d).partition("!")[0]: model[d] for d in sorted(model.decls(), key=str)}
        return ", ".join(f"{name} = {value}" for name, value in given.items() if z3.is_int_value(value))

    def draw(self, model: Model) -> str:
        """Return a picture of the model's state, of several lines, if a subclass draws one."""
        return self.example(model)

    def size(self) -> Integer | None:
        """Return the term that a small picture minimises, if any."""
        return None

    def besides(self) -> Sequence[Truth]:
        """Return the conditions for pictures, not for proofs."""
        return ()

    @contextmanager
    def guard(self, *refusals: type[Exception]) -> Generator[None]:
        """Run code under proof, which may raise one of `refusals`.

        Any other exception in `ERRORS` is an obligation that fails; one outside of both makes the claim unknown.
        """
        try:
            yield
        except (Finished, z3.Z3Exception, *refusals):
            raise
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            if isinstance(error, self.ERRORS) and not isinstance(error, Unsupported | Unseen):
                self.path.show(Obligation(RAISES, text=f"{RAISES} {told}"), z3.BoolVal(False))
            else:
                runs = self.path.recall("the engine can run it")
                self.path.report.failures.append(Failure(runs, True, told))
            raise Finished from error

    # Known facts

    def remember(self, fact: Truth) -> None:
        """Assume a fact that is true on every path, or collect it with the clause being read."""
        if self.collected is None:
            self.path.assume(fact)
        else:
            self.collected.append(fact)

    def mention(self, place: Integer, of: str) -> None:
        """Instantiate the known clauses at this place: now, or later if the place depends on an unknown place."""
        place = z3.simplify(place)
        if self.pending is None:
            self.instantiate([(place, of)])
        else:
            self.pending.append((place, of))

    def instantiate(self, places: Sequence[tuple[Integer, str]]) -> None:
        """Assume every known clause at these places, and the theorems also at the places that the clauses mention."""
        further: list[tuple[Integer, str]] = []
        for v, of in places:
            self.mentioned.setdefault(of, {}).setdefault(v.get_id(), v)
            for known in self.known:
                for instance in known.at(v, of, self.mentioned):
                    self.remember(instance)
                    if self.facts:
                        at = (known.holes[0], v)
                        further += [(z3.simplify(z3.substitute(m, at)), what) for m, what in known.mentions]
        for v, of in [*places, *further]:
            self.further.setdefault(of, {}).setdefault(v.get_id(), v)
            for fact in self.facts:
                for instance in fact.at(v, of, self.further):
                    self.remember(instance)

    def place(self, clause: Ranging, state: Any, local: Mapping[str, Any], vs: Sequence[Integer]) -> ClausePlace:
        """Return a combination in a clause's range: the v-th place of each container."""
        if isinstance(clause, Everywhere):
            return ClausePlace([""], [SymbolicInt(vs[0])], z3.BoolVal(True))
        if not isinstance(clause, ForEach | ForAll):
            raise Unsupported(f"{clause.__name__} ranges over what this run does not know")
        containers = (
            clause.containers_in(state, local) if isinstance(clause, ForAll) else [clause.container_in(state, local)]
        )
        slots = [container.slot(v) for container, v in zip(containers, vs, strict=True)]
        inside = [container.holds(v) for container, v in zip(containers, vs, strict=True)]
        if isinstance(clause, ForEachPair):
            inside.append(formula(lambda: slots[0] < slots[1]))
        return ClausePlace(
            [container.name for container in containers], slots, z3.And(*inside) if inside[1:] else inside[0]
        )

    def know(self, clauses: Sequence[Clause], local: Mapping[str, Any]) -> None:
        """Assume the clauses about the current state."""
        state, local, self.latest = self.state(), _freeze(local), len(self.known)
        for clause in clauses:
            if isinstance(clause, Ranging):
                holes = [self.path.fresh("any") for _ in range(clause.arity)]
                place = self.place(clause, state, local, holes)
                if not z3.is_false(place.inside):
                    read = partial(clause.read, state, place.spoken, **{name: local[name] for name in clause.names})
                    truth, mentions = self.learn(read)
                    mentions = mentions if clause.arity == 1 else []
                    self.known.append(Known(holes, z3.Implies(place.inside, truth), place.of, mentions))
        for clause in clauses:
            if not isinstance(clause, Ranging):
                names = {name: local[name] for name in local_names(clause)}
                if isinstance(clause, Counted):
                    self.path.assume(self.bound_members(clause, state, names)[1])
                else:
                    self.path.assume(formula(partial(clause, state, **names)))

    def learn(self, read: Callable[[], Any]) -> tuple[Truth, list[tuple[Integer, str]]]:
        """Return a clause about unknown places with the facts that it remembers, and the places that it mentions."""
        self.collected, self.pending = [], []
        try:
            truth = formula(read)
            facts = {fact.get_id(): fact for fact in self.collected}
            mentioned = {(place.get_id(), of): (place, of) for place, of in self.pending}
            return z3.And(*facts.values(), truth), list(mentioned.values())
        finally:
            self.collected = self.pending = None

    # Obligations

    def show(self, clauses: Sequence[Clause], local: Mapping[str, Any], place: str = "") -> None:
        """Show the clauses about the current state at a place of the run; clauses about all places at any place."""
        state, local, v = self.state(), _freeze(local), self.path.fresh("v")
        for clause in clauses:
            names = {name: local[name] for name in local_names(clause)}
            what = Obligation(clause.__name__, place)
            self.path.describe(what, clause)
            vs = [v, *(self.path.fresh("v") for _ in range(1, clause.arity))] if isinstance(clause, Ranging) else []
            if self.path.replaying:  # shown on an earlier path, and not needed again
                self.path.recall(what)
            elif isinstance(clause, Ranging):
                at = self.place(clause, state, local, vs)
                if not z3.is_false(at.inside):
                    self.instantiate(list(zip(vs, at.of, strict=True)))
                    read = partial(clause.read, state, at.spoken, **{name: names[name] for name in clause.names})
                    self.looked_at = at
                    self.path.show(what, z3.Implies(at.inside, formula(read, at.inside)))
                    self.looked_at = None
            elif isinstance(clause, Counted):
                members = names[clause.members]
                inside, count = self.bound_members(clause, state, names)
                self.instantiate([(v, "")])
                self.path.show(what, inside(members.has(v), v))
                self.path.assume(count)  # by the lemma `pigeonhole` in swagproof.proofs.flat_trees.complete_trees
            else:
                self.path.show(what, formula(partial(clause, state, **names)))

    def bound_members(self, clause: Counted, state: Any, names: dict[str, Any]) -> tuple[Callable[..., Truth], Truth]:
        """Return two claims: a member is in [lo, hi) (and conversely, if `full`); the bound on their number."""
        local = dict(names)
        members = local.pop(clause.members)
        lo, hi = self.path.fresh("lo"), self.path.fresh("hi")

        def case() -> bool:
            found = clause.within(state, **local)
            return bool(SymbolicBool(z3.And(lo == term(found[0]), hi == term(found[1]))))

        self.path.assume(formula(case))
        between: Callable[[Integer], Truth] = lambda v: z3.And(lo <= v, v < hi)  # noqa: E731  # for the type
        if clause.full:
            return lambda has, v: has == between(v), members.length == z3.If(lo <= hi, hi - lo, 0)
        return lambda has, v: z3.Implies(has, between(v)), members.length <= z3.If(lo <= hi, hi - lo, 0)

    # Loops

    def cutter(self, method: str, loops: Sequence[Changes | None], number: int) -> "Cutter":
        """Return the cutter of this loop of the method."""
        given = self.loops.get(method, ())
        if len(given) != len(loops):
            raise Unsupported(f"{method} has {len(loops)} loops; the contracts give invariants for {len(given)}")
        loop, changes = given[number], loops[number]
        assert loop is not None
        assert changes is not None
        if (method, number) not in self.cutters:
            self.cutters[method, number] = Cutter(self, loop, changes, method)
        return self.cutters[method, number]

    def forget_fields(self, cutter: "Cutter") -> None:
        """Forget the fields of iterated items that a loop assigns; for items in containers there is nothing to do."""

    def heap(self) -> list[Any]:
        """Return the values outside of the object that a loop must not change."""
        return []

    def keeps_heap(self, cutter: "Cutter") -> bool:
        """Return whether a loop has left the `heap` unchanged, except for forgotten values."""
        return True


def _freeze(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.freeze() if isinstance(value, Container) else value for name, value in values.items()}


class Cutter:
    """The object that a cut loop calls: `enter`, `forget`, `assume`; then `next` and `again` in a turn, or `leave`."""

    def __init__(self, run: Run, loop: Loop, changes: Changes, method: str) -> None:
        self.run = run
        self.loop = loop
        self.changes = changes
        self.method = method
        self.items: Iterated | None = None
        self.rest: SymbolicSet | None = None
        """The members not yet visited, if a set is iterated."""
        self.turn: Any = None
        """The item of this turn."""
        self.changing: set[str] = set()
        self.kinds: dict[str, set[Any]] = {}
        """The kinds, at the loop's head, of the variables that the loop assigns."""
        self.old: Any = None
        """The state in which the loop was entered."""
        self.turns: SymbolicInt = SymbolicInt(z3.IntVal(0))
        self.around: SymbolicInt | None = None
        """`done` of the enclosing loop, in this method or in one that calls it."""
        self.previous: SymbolicInt | None = None
        """`done` of the method's loop that was entered before."""
        self.running = False

    @property
    def done(self) -> SymbolicInt:
        """The number of turns that the loop has made."""
        return self.turns

    @done.setter
    def done(self, turns: SymbolicInt) -> None:
        self.turns = self.run.turns[f"{self.method}_done"] = turns

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        """Return the names that a clause may use: local variables, and the loop's ghost variables."""
        kept = {"done": self.done, "rest": self.rest, "before": self.before, "turns": self.label, "old": self.old}
        return {**local, **self.run.turns, **kept, "around": self.around}

    @property
    def label(self) -> str:
        """The name for the loop's turns as places of a clause; "" if the turns cannot be numbered."""
        return "" if self.items is None or not self.items.terms() else f"turns of {self.method}"

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        """Show that the invariant holds before the first turn."""
        self.around = self.run.entered[-1].done if self.run.entered else None
        self.begin()
        items = items.sequence() if isinstance(items, Records) else items
        if not (items is None or isinstance(items, Iterated)):
            raise Unsupported(
                f"a loop over a {type(items).__name__}: sets, ranges, lists, queues and sequences are iterated"
            )
        self.items, self.previous = items, self.run.turns.get(f"{self.method}_done")
        self.before, self.old = self.run.monoid.calls, self.run.state()
        self.done = SymbolicInt(z3.IntVal(0))
        self.rest = items.freeze() if isinstance(items, SymbolicSet) else None
        self.changing, self.kinds, self.carried = set(), {}, set(local)
        self.show_apart(local)
        self.run.show(self.loop.clauses, self.names(local), "loop entered")

    def begin(self) -> None:
        """Note that the loop is run, until it is left."""
        if self.running:
            raise Unsupported(f"a loop of {self.method} is begun again before it has ended")
        self.running = True
        self.run.entered.append(self)

    def show_apart(self, local: Mapping[str, Any]) -> None:
        """Show that each container has one name: a variable or an attribute."""
        held = {f"self.{name}": value for name, value in self.run.attributes.items()}
        held |= {name: value for name, value in local.items() if name in self.carried}
        containers = [id(value) for value in held.values() if isinstance(value, Container)]
        hidden = any(map(_hides, held.values()))
        if containers or hidden:
            path = self.run.path
            path.show("no container by two names at a loop", z3.BoolVal(len(set(containers)) == len(containers)))
            path.show("no container within a tuple at a loop", z3.BoolVal(not hidden))

    def forget(self) -> None:
        """Forget the object's values that the loop may change, and the number of turns made."""
        run, path = self.run, self.run.path
        for name in self.changes.attributes:
            path.show("the loop gives the object no attributes", z3.BoolVal(name in run.attributes))
            setattr(run.object, name, self.forget_value(f"self.{name}", run.attributes.get(name)))
        for name, value in run.attributes.items():
            if isinstance(value, Container) and self.changes.writes:
                value.forget(path)
                self.changing.add(f"self.{name}")
        if run.base is not None and run.depth == 0 and self.changes.writes:
            path.start_again_from(run.base)
        if self.changes.writes:
            run.known = run.known[run.latest :]  # true of older states, and no longer needed
        run.monoid.calls = SymbolicInt(path.fresh("calls"))
        if isinstance(self.items, SymbolicSet):
            self.rest = SymbolicSet.unknown(path, self.items)
            self.done = self.items.size - self.rest.size
        else:
            self.done = SymbolicInt(path.fresh("done"))
            path.assume(self.done.term >= 0)
            if self.items is not None:
                path.assume(self.done.term <= self.items.length)
        self.iterated = [] if self.items is None else self.items.terms()
        run.forget_fields(self)

    def forget_value(self, name: str, value: Any) -> Any:
        """Return an unknown value of the same kind; for None, either None or an unknown segment."""
        path = self.run.path
        self.changing.add(name)
        if value is None:
            self.kinds[name] = {NoneType, Segment}
            return Segment.unknown(path, name) if SymbolicBool(z3.Bool(str(path.fresh(f"{name} is there")))) else None
        self.kinds[name] = {_kind(value)}
        if isinstance(value, SymbolicSet):
            path.show("what is iterated keeps its name", z3.BoolVal(value is not self.items))
            value.forget(path)  # also under its other names
            return SymbolicSet.unknown(path)
        if type(value) is int:
            return SymbolicInt(path.fresh(name))
        if isinstance(value, Scalar):
            return value.another(path, name)
        raise Unsupported(f"{name} is a {type(value).__name__}: it cannot be forgotten")

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        """Forget the contents of a container that the loop may change in place."""
        value = local.get(name)
        if isinstance(value, Container):
            value.forget(self.run.path)
            self.changing.add(name)

    def assume(self, local: dict[str, Any]) -> None:
        """Assume the invariant at the loop's head."""
        self.carried &= set(local)
        self.run.depth += 1
        self.run.know(self.loop.clauses, self.names(local))
        if self.items is None:
            self.left = self.variant(local)
        self.held, self.heap, self.attributes = self.collect(local), self.run.heap(), set(self.run.attributes)

    def collect(self, local: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that the loop must not change: all values not forgotten, and the identity of containers."""
        this = {f"self.{name}": value for name, value in self.run.attributes.items()}
        containers = {name: value for name, value in this.items() if isinstance(value, Container)}
        held: dict[str, Any] = {f"identity of {name}": value for name, value in containers.items()}
        for name, value in {**this, **local}.items():
            for number, struct in enumerate(_structs(value)):
                fields = [getattr(struct, field, None) for field in ("val", "agg")]  # None once it is stored
                held[f"fields of {name}, {number}"] = [
                    part for each in fields if isinstance(each, Segment) for part in (each.lo, each.hi)
                ]
            if name not in self.changing:
                held[name] = value.terms() if isinstance(value, Container) else value
        return held

    def variant(self, local: Mapping[str, Any]) -> Integer:
        """Return the loop's variant, as a term."""
        names = self.names(local)
        wanted = local_names(self.loop.variant)
        state, found = self.run.state(), list[Integer]()

        def evaluate() -> bool:
            found.append(term(self.loop.variant(state, **{name: names[name] for name in wanted})))
            return True

        formula(evaluate)
        if len(found) > 1:
            raise Unsupported("a variant is one term: it must not branch")
        return found[0]

    def more(self) -> SymbolicBool:
        """Return whether the `for` loop has another turn."""
        assert self.items is not None
        if self.rest is not None:
            return SymbolicBool(self.rest.length != 0)
        assert not isinstance(self.items, SymbolicSet)
        return SymbolicBool(self.done.term < self.items.length)

    def next(self) -> Any:
        """Return the item of this turn; for a set, an arbitrary member not yet visited."""
        if self.rest is not None:
            v = self.rest.some("v")
            self.rest.take(v)
            self.turn = SymbolicInt(v)
        elif self.items is not None and not isinstance(self.items, SymbolicSet):
            self.turn = self.items.item(self.done.term)
        return self.turn

    def again(self, local: dict[str, Any]) -> None:
        """Show that the turn keeps the invariant and changes nothing else, and end the path."""
        run, path, left = self.run, self.run.path, self.collect(local)
        kept = all(name in left and _same(value, left[name]) for name, value in self.held.items())
        path.show("the loop changes only what was forgotten", z3.BoolVal(kept and run.keeps_heap(self)))
        path.show("the loop gives the object no attributes", z3.BoolVal(self.attributes == set(run.attributes)))
        now = {**{f"self.{name}": value for name, value in run.attributes.items()}, **local}
        same = all(name in now and _kind(now[name]) in kinds for name, kinds in self.kinds.items())
        path.show("what the loop assigns stays of its kind", z3.BoolVal(same))
        if self.items is not None:
            path.show("what is iterated does not change", z3.BoolVal(_same(self.iterated, self.items.terms())))
        self.show_apart(local)
        self.done = self.done + 1
        run.show(self.loop.clauses, self.names(local), "loop kept")
        if self.items is None:
            after = self.variant(local)
            path.show("loop variant falls", z3.And(after >= 0, after < self.left))
        raise Finished

    def leave(self) -> None:
        """Continue after the loop."""
        self.run.depth -= 1
        self.running = False
        self.run.entered.pop()
        if self.previous is not None:
            self.run.turns[f"{self.method}_done"] = self.previous


def _kind(value: Any) -> Any:
    """Return the kind of a value; plain and symbolic integers are of one kind."""
    return int if type(value) is int or isinstance(value, SymbolicInt) else type(value)


def _hides(value: Any) -> bool:
    """Return whether a tuple contains a container."""
    return isinstance(value, tuple) and any(isinstance(part, Container) or _hides(part) for part in value)


def _structs(value: Any) -> list[Element[Any]]:
    """Return the structs outside of containers: a variable's value or the parts of a tuple."""
    if isinstance(value, tuple):
        return [struct for part in value for struct in _structs(part)]  # pyright: ignore[reportUnknownVariableType]  # of any kind
    return [value] if isinstance(value, Element) else []


def _same(x: Any, y: Any) -> bool:
    """Return whether two values are the same object, or lists of the same terms."""
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(a is b or (z3.is_ast(a) and a.eq(b)) for a, b in zip(x, y, strict=True))
    return x is y


def show_kept(run: Run, before: Mapping[str, Any], *replaced: str) -> None:
    """Show that the object has the same attributes, each unchanged except for those in `replaced`."""
    now = run.attributes
    same = now.keys() == before.keys() and all(now[name] is before[name] for name in before if name not in replaced)
    run.path.show("the object keeps its attributes", z3.BoolVal(same))


def show_unchanged(run: Run, what: str, before: SimpleNamespace) -> None:
    """Show that every term of the state, except the number of calls, is the same term as before."""
    after = run.state()
    same = vars(before).keys() == vars(after).keys() and all(
        name == "calls" or _same(_terms(value), _terms(vars(after)[name])) for name, value in vars(before).items()
    )
    run.path.show(what, z3.BoolVal(same))


def show_refusal(run: Run, what: str, refusals: tuple[type[Exception], ...], act: Callable[[], object]) -> None:
    """Show that calling `act` raises one of the refusals."""
    try:
        with run.guard(*refusals):
            act()
        run.path.show(what, z3.BoolVal(False))
    except refusals:
        run.path.show(what, z3.BoolVal(True))


def _terms(value: Any) -> Any:
    return value.terms() if isinstance(value, Container) else value


def run_of_path() -> Any:
    """Return the run of the current path, for the meanings of names in the code."""
    path = enclosing_path()
    assert path is not None
    return path.run
