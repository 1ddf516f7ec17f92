"""Generation of mutants, and the decision about the fate of each.

A mutant is killed when a run refutes it (the explorer, with a shortest history) or a proof does (with a start state).
A surviving mutant must be shown to be equivalent: a proof shows that it meets every contract, or it is on a list with
an argument.  A mutant that only changes things that no contract states is on a list of its own, and does not count as
killed.

A proof must never accept a mutant that a run refutes: the two share the contracts, and nothing else.  Nor may a run
refute a mutant on a list.
"""

import ast
import difflib
import inspect
import itertools
import pickle
import random
import re
import signal
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal

from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.variants import Edit, Variant

SEED: Final = 2021

IDENTITY: Final = ast.parse("self.monoid.identity", mode="eval").body
OTHER: Final[dict[type[ast.AST], type[Any]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
"""Operators, and what each is mistaken for."""

Change = Callable[[Any], Any]


def _changes(node: ast.AST, groups: Sequence[Sequence[str]], identity: bool) -> Iterator[Change]:
    """Yield what can be done to a node: functions from it to what takes its place."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        yield lambda call: call.args[0]
    elif isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        yield lambda call: ast.Call(call.func, call.args[::-1], [])
        yield lambda call: call.args[0]
        yield lambda call: call.args[1]
        if identity:
            yield lambda call: ast.Call(call.func, [call.args[0], IDENTITY], [])
            yield lambda call: ast.Call(call.func, [IDENTITY, call.args[1]], [])
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield lambda step: ast.BinOp(step.left, OTHER[type(step.op)](), step.right)
        yield lambda step: step.left
    elif isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            if type(operator) in OTHER:
                yield partial(_compared, number)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda constant: ast.Constant(not constant.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda constant: ast.Constant(constant.value + 1)
        if node.value:
            yield lambda constant: ast.Constant(constant.value - 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield lambda changed: changed.operand
    elif isinstance(node, ast.If | ast.While):
        yield lambda chosen: type(chosen)(ast.UnaryOp(ast.Not(), chosen.test), chosen.body, chosen.orelse)
        if isinstance(node, ast.If):
            yield lambda chosen: chosen.body
            yield lambda chosen: chosen.orelse or ast.Pass()
        else:
            yield lambda loop: ast.If(loop.test, loop.body, [])
    elif isinstance(node, ast.For):
        yield lambda _: ast.Pass()
        yield _backwards
    elif isinstance(node, ast.IfExp):
        yield lambda chosen: ast.IfExp(chosen.test, chosen.orelse, chosen.body)
        yield lambda chosen: chosen.body
        yield lambda chosen: chosen.orelse
    elif isinstance(node, ast.BoolOp):
        yield lambda both: ast.BoolOp(OTHER[type(both.op)](), both.values)
        for value in range(len(node.values)):
            yield partial(_without, value)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Raise | ast.Delete):
        yield lambda _: ast.Pass()
        if _matters_twice(node):
            yield lambda statement: [statement, statement]
        if isinstance(node, ast.AugAssign) and type(node.op) in OTHER:
            yield lambda step: ast.AugAssign(step.target, OTHER[type(step.op)](), step.value)
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    for other in dict.fromkeys(other for group in groups if name in group for other in group if other != name):
        yield partial(_renamed, other)


def _compared(number: int, test: ast.Compare) -> ast.Compare:
    ops = [OTHER[type(op)]() if at == number else op for at, op in enumerate(test.ops)]
    return ast.Compare(test.left, ops, test.comparators)


def _backwards(loop: ast.For) -> ast.For:
    items = ast.parse("reversed(list(items))", mode="eval").body
    changed: Any = ast.fix_missing_locations(_Renamed("items", loop.iter).visit(items))
    return ast.For(loop.target, changed, loop.body, loop.orelse)


class _Renamed(ast.NodeTransformer):
    """A name replaced by an expression."""

    def __init__(self, name: str, by: ast.expr) -> None:
        self.name = name
        self.by = by

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.by if node.id == self.name else node


def _without(number: int, both: ast.BoolOp) -> ast.expr:
    left = [value for at, value in enumerate(both.values) if at != number]
    return ast.BoolOp(both.op, left) if len(left) > 1 else left[0]


def _matters_twice(statement: ast.stmt) -> bool:
    """Return whether a statement may do more when it is done twice: it reads what it writes, or calls, or combines."""
    if isinstance(statement, ast.Assign):
        parts = list(ast.walk(statement.value))
        read = {ast.unparse(part) for part in parts if isinstance(part, ast.expr)}
        written = [part.elts if isinstance(part, ast.Tuple) else [part] for part in statement.targets]
        combines = any(isinstance(part, ast.Call) and "combine" in ast.unparse(part.func) for part in parts)
        return combines or any(ast.unparse(target) in read for targets in written for target in targets)
    return isinstance(statement, ast.AugAssign | ast.Expr | ast.Delete)


def _renamed(name: str, node: ast.Attribute | ast.Name) -> ast.expr:
    return ast.Name(name, node.ctx) if isinstance(node, ast.Name) else ast.Attribute(node.value, name, node.ctx)


class _Replaced(ast.NodeTransformer):
    """One node changed."""

    def __init__(self, target: ast.AST, change: Change) -> None:
        self.target = target
        self.change = change

    def visit(self, node: ast.AST) -> Any:
        if node is not self.target:
            return self.generic_visit(node)
        changed = self.change(node)
        return ast.copy_location(changed, node) if isinstance(changed, ast.AST) else changed


def changed_trees(
    tree: ast.Module, groups: Sequence[Sequence[str]], identity: bool
) -> Iterator[tuple[int, ast.Module]]:
    """Every change of one node of code: the line that it is on, and the tree with the change at that line."""
    passed_over, copied = set(_not_code(tree)), pickle.dumps(tree)
    for number, node in enumerate(ast.walk(tree)):
        if node in passed_over:
            continue
        for change in _changes(node, groups, identity):
            mutant = pickle.loads(copied)  # a tenth of the time of `deepcopy`
            target = next(itertools.islice(ast.walk(mutant), number, None))
            yield getattr(node, "lineno", 0), ast.fix_missing_locations(_Replaced(target, change).visit(mutant))


def mutants(
    algorithm: type, *groups: Sequence[str], inherited: bool = True, constructors: bool = False
) -> list[Variant]:
    """Every change of one node in one method, each text once; of `__init__` where `constructors` are asked for.

    Operators, operands, constants, statements dropped and doubled, branches swapped and taken for granted, loops run
    backwards or once, and a name in the place of another of its group in `groups`.  Without `inherited`, methods of the
    class's own alone.
    """
    methods = [
        name
        for name, function in inspect.getmembers(algorithm, inspect.isfunction)
        if inspect.unwrap(function) is function and (inherited or name in vars(algorithm))
    ]
    chosen = [name for name in methods if constructors or name != "__init__"]
    return [mutant for name in chosen for mutant in _mutants_of(algorithm, name, groups)]


def _mutants_of(algorithm: type, method: str, groups: Sequence[Sequence[str]] = ()) -> list[Variant]:
    """Every change of one node of a method."""
    made: dict[str, Variant] = {}
    names = Counter[str]()
    identity = "monoid" in inspect.signature(algorithm).parameters
    source = textwrap.dedent(inspect.getsource(getattr(algorithm, method)))
    tree = ast.parse(source)
    original = ast.unparse(tree)
    for _, changed in changed_trees(tree, groups, identity):
        text = ast.unparse(changed)
        if text + "\n" not in made and text != original:
            name = f"{method}: {_difference(original, text)}"
            names[name] += 1
            name += f" (x{names[name]})" if names[name] > 1 else ""
            made[text + "\n"] = Variant(name, (Edit(method, source, text + "\n"),))
    return list(made.values())


def constructors(algorithm: type) -> list[Variant]:
    """Every change of one node of `__init__`."""
    return _mutants_of(algorithm, "__init__")


def _not_code(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, annotations, messages of errors, and tests that only a type checker needs: they change no answer."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            parts: list[ast.AST | None] = [node.returns, *(argument.annotation for argument in node.args.args)]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts = [node]
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            parts = [node.exc]
        elif isinstance(node, ast.Assert):
            parts = [node]
        else:
            continue
        for part in parts:
            if part is not None:
                yield from ast.walk(part)


def _difference(before: str, after: str) -> str:
    """The changed lines: what was there, and what is now."""
    earlier, later = before.splitlines(), after.splitlines()
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(earlier, later, strict=False)))
    lines = [line for line in difflib.ndiff(earlier[same:], later[same:]) if line[0] in "-+"]
    old, new = ("; ".join(line[2:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return f"{old or 'nothing'} -> {new or 'nothing'}"


# Runs


class _OutOfTime(BaseException):
    """Past `except Exception`: an explorer takes any Exception for the mutant's own."""


STOPPED: Final = "it is stopped"


def within(seconds: float, run: Callable[[], str | None]) -> str | None:
    """Return what a run finds, or that it was stopped after so much of a processor's time.  For the main thread
    only."""

    def stop(*_: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return run()
    except _OutOfTime:
        return STOPPED
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


Run = Callable[[Variant], str | None]

MARGIN: Final = 10
"""The least time limit of a mutant, as a multiple of the reference's own time."""


class InTurn:
    """The first finding of several runs, each with a processor's time that it may take: some ten times what it needs.

    How fast a machine is must decide nothing.  So what does not end in its time is given ten times the time that the
    reference takes here and now, before it counts as stopped.
    """

    def __init__(self, *stages: tuple[float, Run]) -> None:
        self.stages = stages
        self.needed: dict[Run, float] = {}
        self.found: dict[Variant, str | None] = {}
        """The results of mutants that were run: a row's controls check some of them again."""

    def __call__(self, mutant: Variant) -> str | None:
        """Return what the first run finds that finds anything."""
        if mutant not in self.found:
            self.found[mutant] = self._find(mutant)
        return self.found[mutant]

    def _find(self, mutant: Variant) -> str | None:
        for seconds, stage in self.stages:
            found = within(seconds, partial(stage, mutant))
            if found == STOPPED and (longer := MARGIN * self._need(stage, unchanged(mutant))) > seconds:
                found = within(longer, partial(stage, mutant))
            if found:
                return found
        return None

    def _need(self, stage: Run, reference: Variant) -> float:
        if stage not in self.needed:
            began = time.process_time()
            stage(reference)
            self.needed[stage] = time.process_time() - began
        return self.needed[stage]


def unchanged(mutant: Variant) -> Variant:
    """The reference, in the place of a mutant."""
    return replace(mutant, edits=tuple(replace(edit, new=edit.old) for edit in mutant.edits))


# Fates

Proof = Literal["proved", "refuted", "unknown"]

ENDLESS: Final = "takes ten times as long as the reference"
WRONG: Final = ("survives", "proved though a run refutes it", "listed though a run refutes it")
"""Fates that must not be."""


def no_proof(mutant: Variant) -> Proof:
    """Return `unknown`, for an algorithm that no proof is about."""
    return "unknown"


def nothing_more(mutant: Variant) -> str | None:
    """Return None, for an algorithm whose quick run is its only run."""
    return None


Listed = Mapping[str, Sequence[str]]
"""Reason -> mutants, each as its name with ` … ` for what may be left out.  Of all mutants it must fit one alone."""


def by_name(listed: Listed, every: Sequence[Variant]) -> dict[str, str]:
    """Mutant -> reason.  ValueError where a shortened name fits no mutant or several."""
    reasons: dict[str, str] = {}
    for reason, shortened in listed.items():
        for short in shortened:
            pattern = re.compile(".*".join(map(re.escape, short.split(" … "))) + ".*", re.DOTALL)
            names = [mutant.name for mutant in every if pattern.match(mutant.name)]
            names = [short] if short in names else names
            if len(names) != 1:
                raise ValueError(f"listed {short!r} fits {len(names)} mutants, not one: {'; '.join(names[:3])}")
            reasons[names[0]] = reason
    return reasons


@dataclass(frozen=True)
class Subject:
    """An algorithm whose mutants are judged."""

    id: str
    mutants: Callable[[], list[Variant]]
    run: Run
    """A run that returns a mutant's failure, by the contracts that proofs are about, too.  It ends."""
    number: int
    """The number of mutants: a generator that yields none must fail."""
    made: Callable[[], list[Variant]] = list[Variant]
    """Those of constructors, where they are not among the others: all of them are judged, by `made_run` alone."""
    made_run: Run = nothing_more
    """A run that returns the failure of one of them: bad input that it accepts, too."""
    hunt: Run = nothing_more
    """A longer run, for mutants that would survive; it may look at more than the proofs are about, such as the time."""
    prove: Callable[[Variant], Proof] = no_proof
    """The function that tries to prove that a mutant meets every contract."""
    argued: Listed = field(default_factory=dict[str, tuple[str, ...]])
    """Why some mutants are equivalent, and which."""
    known: Listed = field(default_factory=dict[str, tuple[str, ...]])
    """The mutants with a change that no contract states, by a description of that change."""

    def every(self) -> list[Variant]:
        """All of them, those of constructors first."""
        return [*self.made(), *self.mutants()]

    def fates(self, some: Sequence[Variant], thorough: bool = True) -> dict[str, tuple[str, str]]:
        """Mutant -> (what became of it, by what).  Unless `thorough`, what is listed is not hunted for long."""
        every = self.every()
        argued, known = by_name(self.argued, every), by_name(self.known, every)
        constructed = replace(self, run=self.made_run, hunt=nothing_more)
        names = {mutant.name for mutant in self.made()}
        return {
            mutant.name: (constructed if mutant.name in names else self)._fate(mutant, argued, known, thorough)
            for mutant in some
        }

    def _fate(
        self, mutant: Variant, argued: Mapping[str, str], known: Mapping[str, str], thorough: bool
    ) -> tuple[str, str]:
        name = mutant.name
        listed = name in argued or name in known
        refuted, proof = self.run(mutant), self.prove(mutant)
        if refuted and proof == "proved":
            return "proved though a run refutes it", refuted
        if not refuted and proof != "refuted" and (thorough or not listed):
            refuted = self.hunt(mutant)
        if refuted and listed:
            return "listed though a run refutes it", refuted
        if refuted and refuted != STOPPED:
            return "killed by a run", refuted
        if proof == "refuted":
            return "killed by a proof alone", "an obligation has a counterexample"
        if refuted:
            return ENDLESS, refuted
        if proof == "proved":
            return "proved equivalent", "it meets every contract"
        if name in argued:
            return "argued equivalent", argued[name]
        if name in known:
            return "changed only in what no contract states", known[name]
        return "survives", "neither killed nor shown to be equivalent"

    def check(self, size: int | None, thorough: bool = False) -> Outcome:
        """Judge a sample of this size, or all; what is listed is hunted for long when `thorough`."""
        made, every = self.made(), self.mutants()
        if len(made) + len(every) != self.number:
            return Outcome("unknown", f"{len(made) + len(every)} mutants, not {self.number}")
        some = [*made, *(every if size is None else random.Random(SEED).sample(every, min(size, len(every))))]
        fates = self.fates(some, thorough or size is None)
        counts = Counter(fate for fate, _ in fates.values())
        killed = sum(count for fate, count in counts.items() if fate.startswith("killed"))
        equivalent = counts["proved equivalent"] + counts["argued equivalent"]
        statistics = {
            "mutants": len(made) + len(every),
            "judged": len(some),
            "killed": killed,
            "score": round(killed / max(1, len(some) - equivalent - counts[ENDLESS]), 4),
            "fates": {name: f"{fate}: {how}" for name, (fate, how) in fates.items()},
        }
        parts = [f"{n} {fate}" for fate, n in sorted(counts.items()) if not fate.startswith("killed")]
        said = f"of {len(made) + len(every)} mutants {len(some)} judged: {'; '.join([f'{killed} killed', *parts])}"
        wrong = [name for name, (fate, _) in fates.items() if fate in WRONG]
        if wrong:
            return Outcome("fails", f"{said}; {fates[wrong[0]][0]}: {wrong[0]}", statistics)
        return Outcome("holds" if killed else "unknown", said, statistics)
