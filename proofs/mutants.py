"""Mutants: every small change of an algorithm's source, and what becomes of each.

A mutant is killed when a run refutes it (the explorer, with a shortest history) or a proof does (with a start state).
One that is not killed must be shown to be equivalent: the symbolic engine proves that it meets every contract, or it is
on a list with an argument.  That a proof accepts what a run refutes is the one thing that must never be: the two share
the contracts, and nothing else.
"""

import ast
import copy
import difflib
import inspect
import itertools
import random
import signal
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from swagproof.models.deque import Pointer
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.exploration import explore
from swagproof.proofs.fifo import PAPER, slug
from swagproof.proofs.induction import OPERATIONS_OF_FIFO, induction
from swagproof.proofs.ledger import Claim, Control, Deep, Outcome
from swagproof.proofs.variants import Edit, Variant
from swagproof.proofs.walk import Violation
from swagproof.reference.catalogue import (
    DABA,
    DABA_LITE,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)

SEED: Final = 2021
SECONDS: Final = 2
"""Of a processor's time for one run: a mutant that takes longer does not end."""

IDENTITY: Final = ast.parse("self.monoid.identity", mode="eval").body
OTHER: Final[dict[type[ast.AST], type[Any]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
"""Operators, and what each is mistaken for."""

Change = Callable[[Any], Any]


def _changes(node: ast.AST, names: Sequence[str]) -> Iterator[Change]:
    """What can be done to a node: functions from it to what takes its place."""
    if isinstance(node, ast.Call) and len(node.args) == 2:
        yield lambda call: ast.Call(call.func, call.args[::-1], [])
        yield lambda call: call.args[0]
        yield lambda call: call.args[1]
        yield lambda call: ast.Call(call.func, [call.args[0], IDENTITY], [])
        yield lambda call: ast.Call(call.func, [IDENTITY, call.args[1]], [])
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield lambda step: ast.BinOp(step.left, OTHER[type(step.op)](), step.right)
        yield lambda step: step.left
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER:
        yield lambda test: ast.Compare(test.left, [OTHER[type(test.ops[0])]()], test.comparators)
    elif isinstance(node, ast.Attribute) and node.attr in names:
        for other in names:
            if other != node.attr:
                yield partial(_renamed, other)
    elif isinstance(node, ast.Attribute) and node.attr in ("val", "agg"):
        yield lambda field: ast.Attribute(field.value, "agg" if field.attr == "val" else "val", field.ctx)
    elif isinstance(node, ast.If | ast.While):
        yield lambda chosen: type(chosen)(ast.UnaryOp(ast.Not(), chosen.test), chosen.body, chosen.orelse)
        if isinstance(node, ast.If):
            yield lambda chosen: chosen.body
            yield lambda chosen: chosen.orelse or ast.Pass()
    elif isinstance(node, ast.IfExp):
        yield lambda chosen: ast.IfExp(chosen.test, chosen.orelse, chosen.body)
        yield lambda chosen: chosen.body
        yield lambda chosen: chosen.orelse
    elif isinstance(node, ast.BoolOp):
        yield lambda both: ast.BoolOp(OTHER[type(both.op)](), both.values)
        yield lambda both: both.values[0]
        yield lambda both: both.values[1]
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Raise):
        yield lambda _: ast.Pass()
        yield lambda statement: [statement, statement]


def _renamed(name: str, attribute: ast.Attribute) -> ast.Attribute:
    return ast.Attribute(attribute.value, name, attribute.ctx)


class _Replaced(ast.NodeTransformer):
    """One node changed."""

    def __init__(self, target: ast.AST, change: Change) -> None:
        self.target = target
        self.change = change

    def visit(self, node: ast.AST) -> Any:
        return self.change(node) if node is self.target else self.generic_visit(node)


def mutants(algorithm: type, names: Sequence[str]) -> list[Variant]:
    """Every change of one node in one method but `__init__`, each text once.

    Operators and operands, statements dropped and doubled, branches swapped and taken for granted, and one of `names`
    (attributes) in another's place.
    """
    made: dict[str, Variant] = {}
    for method, function in inspect.getmembers(algorithm, inspect.isfunction):
        if method == "__init__" or inspect.unwrap(function) is not function:
            continue
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
        original = ast.unparse(tree)
        for number, node in enumerate(ast.walk(tree)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue  # a docstring
            for change in _changes(node, names):
                mutant = copy.deepcopy(tree)
                target = next(itertools.islice(ast.walk(mutant), number, None))
                text = ast.unparse(ast.fix_missing_locations(_Replaced(target, change).visit(mutant)))
                if text + "\n" not in made and text != original:
                    name = f"{method}: {_difference(original, text)}"
                    again = sum(mutant.name.partition(" (")[0] == name for mutant in made.values())
                    name += f" ({again + 1})" if again else ""
                    made[text + "\n"] = Variant(name, (Edit(method, source, text + "\n"),))
    return list(made.values())


def _difference(before: str, after: str) -> str:
    """The changed lines: what was there, and what is now."""
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "-+"]
    old, new = ("; ".join(line[2:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return f"{old or 'nothing'} -> {new or 'nothing'}"


Proof = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True)
class Subject:
    """An algorithm whose mutants are judged."""

    id: str
    algorithm: str
    code: str
    mutants: Callable[[], list[Variant]]
    run: Callable[[Variant], str | None]
    """What a run finds wrong with a mutant; it may not end."""
    prove: Callable[[Variant], Proof]
    """Whether a proof shows that a mutant meets every contract."""
    argued: Mapping[str, str]
    """Names of mutants that are equivalent, and why."""
    number: int
    """How many mutants there are: one that generates none must fail."""

    def fates(self, some: Sequence[Variant]) -> dict[str, tuple[str, str]]:
        """Mutant -> (what became of it, by what)."""
        return {mutant.name: self._fate(mutant) for mutant in some}

    def _fate(self, mutant: Variant) -> tuple[str, str]:
        refuted, proof = within(SECONDS, partial(self.run, mutant)), self.prove(mutant)
        if refuted and proof == "proved":
            return "proved though a run refutes it", refuted
        if refuted:
            return "killed by a run", refuted
        if proof == "refuted":
            return "killed by a proof alone", "an obligation has a counterexample"
        if proof == "proved":
            return "proved equivalent", "it meets every contract"
        if mutant.name in self.argued:
            return "argued equivalent", self.argued[mutant.name]
        return "survives", "neither killed nor shown to be equivalent"

    def check(self, size: int | None) -> Outcome:
        """Judge a sample of this size, or all."""
        every = self.mutants()
        if len(every) != self.number:
            return Outcome("unknown", f"{len(every)} mutants, not {self.number}")
        some = every if size is None else random.Random(SEED).sample(every, min(size, len(every)))
        fates = self.fates(some)
        counts = Counter(fate for fate, _ in fates.values())
        killed = sum(count for fate, count in counts.items() if fate.startswith("killed"))
        equivalent = counts["proved equivalent"] + counts["argued equivalent"]
        statistics = {
            "mutants": len(every),
            "judged": len(some),
            "score": round(killed / max(1, len(some) - equivalent), 4),
            "fates": {name: f"{fate}: {how}" for name, (fate, how) in fates.items()},
        }
        said = f"{len(some)} of {len(every)}: " + ", ".join(f"{n} {fate}" for fate, n in sorted(counts.items()))
        wrong = [name for name, (fate, _) in fates.items() if fate in ("survives", "proved though a run refutes it")]
        if wrong:
            return Outcome("fails", f"{said}; {wrong[0]}", statistics)
        return Outcome("holds" if killed else "unknown", said, statistics)

    def claim(self, source: str, sample: int | None) -> Claim:
        """That every mutant is killed or equivalent: of a sample, and of all where that takes too long."""
        credulous = replace(self, prove=lambda mutant: "proved")
        blind = replace(self, run=lambda mutant: None, prove=lambda mutant: "unknown", argued={})
        number = self.number
        few = 6
        return Claim(
            f"{self.id}/mutants",
            "Every mutant is killed by a run or a proof, or is equivalent; no proof accepts what a run refutes.",
            source,
            self.algorithm,
            "exhaustive" if sample is None else "sampled",
            "explorer, symbolic execution",
            f"all {number} mutants" if sample is None else f"{sample} of {number} mutants, seed {SEED}",
            self.code,
            partial(self.check, sample),
            (
                Control("a proof that accepts everything", partial(credulous.check, few)),
                Control("a run that finds nothing, and no proof", partial(blind.check, few)),
            ),
            "changes of more than one place",
            None if sample is None else Deep(f"all {number} mutants", partial(self.check, None)),
        )


def within(seconds: float, run: Callable[[], str | None]) -> str | None:
    """What a run finds, or that it does not end.  To be called from the main thread."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return run()
    except TimeoutError:
        return "it does not end"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


LIMIT: Final = 8
"""Elements in the largest window that a run of a FIFO mutant explores."""


def of_fifo(column: Column, number: int) -> Subject:
    """The mutants of a FIFO algorithm: run by the explorer, proved by induction over its operations."""

    def generate() -> list[Variant]:
        kept = vars(column.algorithm(CONCATENATION))
        return mutants(column.algorithm, [name for name, value in kept.items() if isinstance(value, Pointer)])

    def run(mutant: Variant) -> str | None:
        try:
            explore(column, LIMIT, mutant)
        except (Violation, AttributeError, TypeError) as found:
            return str(found)
        return None

    def prove(mutant: Variant) -> Proof:
        algorithm = mutant.of(column.algorithm)
        proved = True
        for operation in OPERATIONS_OF_FIFO:
            try:
                report = induction(algorithm, column.contract, operation)
            except (ValueError, TypeError, AttributeError, KeyError):
                return "unknown"  # beyond what the engine sees
            if any(not failure.unknown for failure in report.failures):
                return "refuted"
            proved = proved and not report.failures and report.sound
        return "proved" if proved else "unknown"

    module = column.algorithm.__module__.rpartition(".")[2]
    code = f"reference.{module}.{column.algorithm.__name__}, every method but __init__"
    return Subject(slug(column), column.name, code, generate, run, prove, {}, number)


SUBJECTS: Final = (
    (of_fifo(TWO_STACKS, 55), None),
    (of_fifo(TWO_STACKS_LITE, 99), None),
    (of_fifo(DABA, 396), 20),
    (of_fifo(DABA_LITE, 346), 20),
    (of_fifo(RECALCULATE, 43), None),
    (of_fifo(SUBTRACT_ON_EVICT, 44), None),
)
"""What is judged, and how many mutants of it where there is no time for all."""

CLAIMS: Final[tuple[Claim, ...]] = tuple(
    subject.claim(f"{PAPER}, listings of {subject.algorithm}", sample) for subject, sample in SUBJECTS
)
