"""Run one method of a class that keeps arrays, with its loops cut, from a state that a specification gives.

The method and whatever methods of the same object it calls are run as they are written, each loop cut at the invariant
that the contracts give for it (swagproof.proofs.engine.loops).  Clauses about every number (`Everywhere`) are shown at
an arbitrary number, and what was assumed for every number is used at those that the code, or what is to be shown,
mentions.  More of them could be used, none of them is needed: leaving some out can only make a proof fail.

Obligations of its own: where a loop begins or turns, no container goes by two names, and none is within a tuple.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

from swagproof.contracts.clause import Loop
from swagproof.contracts.flat_trees.loops import Counted, Everywhere
from swagproof.models.containers.array import Array
from swagproof.proofs.engine.arrays import (
    VALUES,
    FixedArray,
    SymbolicArray,
    SymbolicSequence,
    SymbolicSet,
    Value,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.heap import Segment
from swagproof.proofs.engine.loops import cut, quiet_methods, refuse_uncuttable
from swagproof.proofs.engine.paths import (
    Branch,
    Failure,
    Finished,
    Path,
    SymbolicBool,
    SymbolicInt,
    Unsupported,
    current_path,
    formula,
    term,
)
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3

Container = SymbolicArray | FixedArray | SymbolicSet
REPLACED: Final[dict[str, Any]] = {"set": symbolic_set, "range": symbolic_range, Array.__name__: SymbolicArray}
"""What these names mean in a method under proof."""


class _WithoutAnnotations(ast.NodeTransformer):
    """Annotations speak of the kinds that the stand-ins stand for."""

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        for argument in node.args:
            argument.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def clause_names(clause: Any) -> list[str]:
    """What a clause asks for besides the state and the number."""
    if isinstance(clause, Counted):
        return [clause.members, *list(inspect.signature(clause.within).parameters)[1:]]
    at, taken = (clause.at, 2) if isinstance(clause, Everywhere) else (clause, 1)
    return list(inspect.signature(at).parameters)[taken:]


class Known:
    """A clause for every number, known of one state: as a formula with a hole, and what it mentions of numbers."""

    def __init__(self, hole: Integer, truth: Truth, mentions: list[Integer]) -> None:
        self.hole = hole
        self.truth = truth
        self.mentions = mentions
        self.seen: set[str] = set()

    def at(self, v: Integer) -> Truth | None:
        """The clause at v; None when it has been asked for before."""
        key = v.sexpr()
        if key in self.seen:
            return None
        self.seen.add(key)
        return z3.substitute(self.truth, (self.hole, v))


class Run:
    """One symbolic object, what is known of it, and what the contracts may speak of besides (`ghosts`)."""

    def __init__(self, path: Path, monoid: Any, ghosts: Mapping[str, Any]) -> None:
        self.path = path
        self.monoid = monoid
        self.ghosts = dict(ghosts)
        self.object: Any = None
        self.known: list[Known] = []
        self.before: list[Known] = []
        """Clauses for every number, of the latest loop's head and of those before: older ones are of no use."""
        self.depth = 0
        """How many loops are being run."""
        self.base: list[Truth] = []
        self.turns: dict[str, SymbolicInt] = {}
        self.pending: list[Integer] = []
        self.facts: list[Known] = []
        """Theorems about every number."""
        path.mentioned, path.remember = self.mentioned, self.remember
        path.example = example
        self.template: list[Truth] | None = None

    def make(self, algorithm: type, loops: Mapping[str, tuple[Loop, ...]], **attributes: Any) -> Any:
        """An object of the class with these attributes, its methods' loops cut."""
        runnable = type(algorithm.__name__, (algorithm,), {})
        self.object = object.__new__(runnable)
        quiet = quiet_methods(algorithm)
        for name, function in inspect.getmembers(algorithm, inspect.isfunction):
            if name.startswith("__"):
                continue
            count, given = refuse_uncuttable(function), loops.get(name, ())
            if count in (0, len(given)):
                cutters = [Cutter(self, loop, name) for loop in given[:count]]
                method = cut(function, *cutters, quiet=quiet, change=_WithoutAnnotations().visit, **REPLACED)
            else:
                method = partial(_no_invariant, function.__qualname__, count, len(given))
            setattr(runnable, name, method)
        for name, value in {"monoid": self.monoid, **attributes}.items():
            setattr(self.object, name, value)
        return self.object

    def call(self, method: str, *arguments: Any, refusal: tuple[type[Exception], ...] = ()) -> Any:
        """Run a method, which is to raise a `refusal` where there are some.  Another exception of the code's own is an
        obligation that fails; what the engine cannot run is unknown."""
        try:
            return getattr(self.object, method)(*arguments)
        except (Finished, z3.Z3Exception, *refusal):
            raise
        except (IndexError, ValueError) as error:
            self.path.show(f"raises {type(error).__name__}", z3.BoolVal(False))
            raise Finished from error
        except Exception as error:
            self.path.shown += 1
            self.path.report.failures.append(Failure("the engine can run it", True, f"{type(error).__name__}: {error}"))
            raise Finished from error

    def remember(self, fact: Truth) -> None:
        if self.template is None:
            self.path.assume(fact)
        else:
            self.template.append(fact)

    def mentioned(self, v: Integer) -> None:
        """Use what is known for every number at this one: now, or when the clause that speaks of it has been read."""
        v = z3.simplify(v)
        if current_path() is None:
            self.pending.append(v)
        else:
            self.instantiate([v])

    def instantiate(self, numbers: list[Integer]) -> None:
        """Assume every clause at these numbers, and the theorems also at those that the clauses mention."""
        further: list[Integer] = []
        for v in numbers:
            for known in [*self.before, *self.known]:
                instance = known.at(v)
                if instance is not None:
                    self.path.assume(instance)
                    further += [z3.simplify(z3.substitute(m, (known.hole, v))) for m in known.mentions]
        for v in [*numbers, *further]:
            for fact in self.facts:
                instance = fact.at(v)
                if instance is not None:
                    self.path.assume(instance)

    def read(self, clause: Callable[[], Any]) -> Truth:
        """A clause as a formula; what it mentions is instantiated."""
        self.pending = []
        truth = formula(clause)
        pending, self.pending = self.pending, []
        self.instantiate(pending)
        return truth

    def state(self) -> SimpleNamespace:
        """The state as the contracts see it, frozen."""
        return SimpleNamespace(**_frozen(vars(self.object)), **self.ghosts, calls=self.monoid.calls)

    def know(self, clauses: tuple[Any, ...], local: Mapping[str, Any], *, further: bool = False) -> None:
        """Assume the clauses of the state as it is; with `further`, what was known of it before stays of use."""
        state, local = self.state(), _frozen(local)
        self.before, self.known = [*(self.before if further else []), *self.known], []
        for clause in clauses:
            names = {name: local[name] for name in clause_names(clause)}
            if isinstance(clause, Everywhere):
                self.known.append(self.with_hole(partial(_at, clause, state, names)))
        for clause in clauses:
            names = {name: local[name] for name in clause_names(clause)}
            if isinstance(clause, Counted):
                self.path.assume(self.counted(clause, state, names)[1])
            elif not isinstance(clause, Everywhere):
                self.path.assume(self.read(partial(clause, state, **names)))

    def with_hole(self, clause: Callable[[Integer], Any]) -> Known:
        """The clause as a template for any number."""
        hole = self.path.fresh("any")
        self.template, self.pending = [], []
        truth = formula(lambda: clause(hole))
        known = Known(hole, z3.And(truth, *self.template), self.pending)
        self.template, self.pending = None, []
        return known

    def show(self, clauses: tuple[Any, ...], local: Mapping[str, Any], prefix: str = "") -> None:
        """Show the clauses of the state as it is now: the ones about every number at an arbitrary one."""
        if self.path.replaying:  # shown on an earlier path, and of no further use
            self.path.shown += 1
            return
        state, local = self.state(), _frozen(local)
        v = self.path.fresh("v")
        for clause in clauses:
            names = {name: local[name] for name in clause_names(clause)}
            what = prefix + clause.__name__
            if isinstance(clause, Everywhere):
                self.instantiate([v])
                self.path.show(what, self.read(partial(clause.at, state, SymbolicInt(v), **names)))
            elif isinstance(clause, Counted):
                members = names[clause.members]
                inside, count = self.counted(clause, state, names)
                self.instantiate([v])
                self.path.show(what, inside(members.has(v), v))
                self.path.assume(count)  # by the lemma `pigeonhole` in swagproof.proofs.flat_trees.complete_trees
            else:
                self.path.show(what, self.read(partial(clause, state, **names)))

    def counted(self, clause: Counted, state: Any, names: dict[str, Any]) -> tuple[Callable[..., Truth], Truth]:
        """That a member is in [lo, hi), and conversely where that is said; how many there are then."""
        local = dict(names)
        members = local.pop(clause.members)
        lo, hi = self.path.fresh("lo"), self.path.fresh("hi")

        def case() -> bool:
            found = clause.within(state, **local)
            return bool(SymbolicBool(z3.And(lo == term(found[0]), hi == term(found[1]))))

        self.path.assume(self.read(case))
        between: Callable[[Integer], Truth] = lambda v: z3.And(lo <= v, v < hi)  # noqa: E731  # for the type
        if clause.full:
            return lambda has, v: has == between(v), members.count == z3.If(lo <= hi, hi - lo, 0)
        return lambda has, v: z3.Implies(has, between(v)), members.count <= z3.If(lo <= hi, hi - lo, 0)


def _at(clause: Everywhere, state: Any, names: dict[str, Any], v: Integer) -> bool:
    return clause.at(state, SymbolicInt(v), **names)


def _no_invariant(name: str, loops: int, given: int, *_: Any) -> None:
    raise Unsupported(f"{name} has {loops} loops; the contracts give invariants for {given}")


def _frozen(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.frozen() if isinstance(value, Container) else value for name, value in values.items()}


class Cutter:
    """What a cut loop calls: see swagproof.proofs.engine.loops."""

    def __init__(self, run: Run, loop: Loop, method: str) -> None:
        self.run = run
        self.loop = loop
        self.method = method
        self.items: SymbolicSequence | SymbolicSet | None = None
        self.rest: SymbolicSet | None = None
        self.changing: set[str] = set()
        self.carried: set[str] = set()
        self.kinds: dict[str, Any] = {}
        """Of the variables that the loop assigns, at its head."""
        self.turns: SymbolicInt = SymbolicInt(z3.IntVal(0))
        self.around: SymbolicInt | None = None
        """`done` of the loop that this one stands in, in the same method."""
        self.running = False

    @property
    def done(self) -> SymbolicInt:
        """How many turns the loop has made."""
        return self.turns

    @done.setter
    def done(self, turns: SymbolicInt) -> None:
        self.turns = self.run.turns[f"{self.method}_done"] = turns

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        """What a clause may speak of: local variables, and what the engine keeps of loops."""
        return {**local, **self.run.turns, "done": self.done, "rest": self.rest, "before": self.before}

    def over(self, items: Any) -> None:
        if not isinstance(items, SymbolicSequence | SymbolicSet):
            raise Unsupported(f"a loop over a {type(items).__name__}: sets, ranges and sequences are iterated")
        self.items = items

    def enter(self, local: dict[str, Any]) -> None:
        if self.running:
            raise Unsupported(f"a loop of {self.method} is begun again before it has ended")
        self.running, self.around = True, self.run.turns.get(f"{self.method}_done")
        self.before = self.run.monoid.calls
        self.done = SymbolicInt(z3.IntVal(0))
        self.rest = self.items.frozen() if isinstance(self.items, SymbolicSet) else None
        self.changing, self.carried = set(), set(local)
        self.no_aliases(local)
        self.run.show(self.loop.clauses, self.names(local), "loop entered: ")

    def no_aliases(self, local: Mapping[str, Any]) -> None:
        """Containers go by one name each, which is that of a variable or an attribute."""
        held = {f"self.{name}": value for name, value in vars(self.run.object).items()}
        held |= {name: value for name, value in local.items() if name in self.carried}
        containers = [id(value) for value in held.values() if isinstance(value, Container)]
        self.run.path.show("no container by two names at a loop", z3.BoolVal(len(set(containers)) == len(containers)))
        self.run.path.show("no container within a tuple at a loop", z3.BoolVal(not any(map(_hides, held.values()))))

    def forget(self, attributes: list[str], kept: list[str] | None) -> None:
        run, self.kept = self.run, kept
        run.path.show("the loop gives the object no other containers", z3.BoolVal(not attributes))
        for name, value in vars(run.object).items():
            if isinstance(value, Container) and kept is not None and name not in kept:
                value.forget(run.path)
                self.changing.add(f"self.{name}")
        if run.depth == 0 and kept is not None:
            run.path.start_again_from(run.base)
        run.monoid.calls = SymbolicInt(run.path.fresh("calls"))
        if isinstance(self.items, SymbolicSet):
            self.iterated = self.items.terms()
            self.rest = SymbolicSet.unknown(run.path, self.items)
            self.done = self.items.size - self.rest.size
        else:
            self.done = SymbolicInt(run.path.fresh("done"))
            run.path.assume(self.done.term >= 0)
            if self.items is not None:
                run.path.assume(self.done.term <= self.items.length)

    def forgotten(self, name: str, value: Any) -> Any:
        path = self.run.path
        self.changing.add(name)
        if isinstance(value, SymbolicSet):
            self.run.path.show("what is iterated keeps its name", z3.BoolVal(value is not self.items))
            value.forget(path)  # whoever else has it
            return SymbolicSet.unknown(path)
        if isinstance(value, SymbolicInt) or type(value) is int:
            return SymbolicInt(path.fresh(name))
        if isinstance(value, Segment):
            return Segment(path.fresh(f"{name}.lo"), path.fresh(f"{name}.hi"))
        if isinstance(value, Value):
            return Value(z3.Const(str(path.fresh(name)), VALUES))
        raise Unsupported(f"{name} is a {type(value).__name__}: it cannot be forgotten")

    def changed(self, name: str, local: dict[str, Any]) -> None:
        """A container that the loop may change where it stands."""
        value = local.get(name)
        if isinstance(value, Container):
            value.forget(self.run.path)
            self.changing.add(name)

    def assume(self, local: dict[str, Any]) -> None:
        self.carried &= set(local)
        self.kinds = {name: _kind(value) for name, value in local.items() if name in self.changing}
        self.run.depth += 1
        self.run.know(self.loop.clauses, self.names(local), further=self.kept is None)
        if self.items is None:
            self.left = self.variant(local)
        self.held, self.attributes = self.seen(local), set(vars(self.run.object))

    def seen(self, local: Mapping[str, Any]) -> dict[str, Any]:
        """What the loop must leave as it is: what has not been forgotten, and what containers held."""
        held = {f"self.{name}": value for name, value in vars(self.run.object).items()} | dict(local)
        identities = {f"identity of {name}": value for name, value in held.items() if name.startswith("self.")}
        held = {name: value for name, value in held.items() if name not in self.changing} | identities
        return {
            name: value.terms() if isinstance(value, Container) and not name.startswith("identity") else value
            for name, value in held.items()
        }

    def variant(self, local: Mapping[str, Any]) -> Integer:
        names = self.names(local)
        wanted = list(inspect.signature(self.loop.variant).parameters)[1:]
        state, found = self.run.state(), list[Integer]()

        def evaluate() -> bool:
            found.append(term(self.loop.variant(state, **{name: names[name] for name in wanted})))
            return True

        self.run.read(evaluate)
        if len(found) > 1:
            raise Unsupported("a variant is one term: it must not branch")
        return found[0]

    def more(self) -> SymbolicBool:
        """Whether the `for` has another turn to make."""
        if isinstance(self.items, SymbolicSet):
            assert self.rest is not None
            return SymbolicBool(self.rest.count != 0)
        assert self.items is not None
        return SymbolicBool(self.done.term < self.items.length)

    def next(self) -> Any:
        """The item of this turn: of a set any that is still to come."""
        if isinstance(self.items, SymbolicSet):
            assert self.rest is not None
            v = self.rest.some("v")
            self.rest.take(v)
            return SymbolicInt(v)
        assert self.items is not None
        return self.items.at(self.done.term)

    def leave(self) -> None:
        self.run.depth -= 1
        self.running = False
        if self.around is not None:
            self.run.turns[f"{self.method}_done"] = self.around

    def again(self, local: dict[str, Any]) -> None:
        path, left = self.run.path, self.seen(local)
        kept = all(name in left and _same(value, left[name]) for name, value in self.held.items())
        path.show("the loop changes only what was forgotten", z3.BoolVal(kept))
        path.show("the loop gives the object no attributes", z3.BoolVal(self.attributes == set(vars(self.run.object))))
        same = all(_kind(local[name]) == kind for name, kind in self.kinds.items())
        path.show("what the loop assigns stays of its kind", z3.BoolVal(same))
        if isinstance(self.items, SymbolicSet):
            path.show("what is iterated does not change", z3.BoolVal(_same(self.iterated, self.items.terms())))
        self.no_aliases(local)
        self.done = self.done + 1
        self.run.show(self.loop.clauses, self.names(local), "loop kept: ")
        if self.items is None:
            after = self.variant(local)
            path.show("loop variant falls", z3.And(after >= 0, after < self.left))
        raise Finished


def _kind(value: Any) -> Any:
    """Numbers are of one kind, known or not."""
    return int if type(value) is int or isinstance(value, SymbolicInt) else type(value)


def _hides(value: Any) -> bool:
    """Whether there is a container within a tuple."""
    return isinstance(value, tuple) and any(isinstance(part, Container) or _hides(part) for part in value)


def _same(x: Any, y: Any) -> bool:
    """The same object, or lists of the same terms."""
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(a.eq(b) for a, b in zip(x, y, strict=True))
    return x is y


def example(model: Model) -> str:
    """A counterexample's numbers: those that the operation was given."""
    given = {str(d).partition("!")[0]: model[d] for d in sorted(model.decls(), key=str) if d.arity() == 0}
    return ", ".join(f"{name} = {given[name]}" for name in ("k", "m", "split", "i", "j") if name in given)


def unseen_outcomes(algorithm: type, branches: set[Branch]) -> list[str]:
    """Conditions of which no path saw one outcome, as `method: condition never outcome`; those of a line are one."""
    missing: list[str] = []
    for name, function in inspect.getmembers(algorithm, inspect.isfunction):
        if name == "__init__":
            continue
        lines, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function)
        for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
            if isinstance(node, ast.If | ast.While | ast.IfExp | ast.For):
                seen = {b.outcome for b in branches if (b.file, b.line) == (file, node.lineno + first - 1)}
                asked = node.iter if isinstance(node, ast.For) else node.test
                missing += [f"{name}: {ast.unparse(asked)} never {o}" for o in (True, False) if o not in seen]
    return missing
