"""Engine against explorer: no mutant that a run refutes may be proved.

Mutants of the algorithms are generated from their source; a sample of them, always the same, is run by the explorer,
and what it refutes must be refuted by the engine too.  The two share the contracts, and nothing else.
"""

import ast
import copy
import inspect
import itertools
import random
import signal
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import pytest

from swagproof.models.deque import Pointer
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.exploration import explore
from swagproof.proofs.induction import OPERATIONS_OF_FIFO, induction
from swagproof.proofs.variants import Edit, Variant
from swagproof.proofs.walk import Violation
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE, Column

SEED: Final = 2021
SAMPLE: Final = 25
"""Mutants of each algorithm."""
LIMIT: Final = 8
"""Elements in the largest window explored."""
IDENTITY: Final = ast.parse("self.monoid.identity", mode="eval").body


def changes(node: ast.AST, pointers: list[str]) -> Iterator[Callable[[Any], Any]]:
    """What can be done to a node: functions from it to what takes its place."""
    if isinstance(node, ast.Call) and len(node.args) == 2:
        yield lambda call: ast.Call(call.func, call.args[::-1], [])
        yield lambda call: call.args[0]
        yield lambda call: call.args[1]
        yield lambda call: ast.Call(call.func, [call.args[0], IDENTITY], [])
        yield lambda call: ast.Call(call.func, [IDENTITY, call.args[1]], [])
    elif isinstance(node, ast.BinOp):
        yield lambda step: ast.BinOp(step.left, ast.Sub() if isinstance(step.op, ast.Add) else ast.Add(), step.right)
        yield lambda step: step.left
    elif isinstance(node, ast.Attribute) and node.attr in pointers:
        for other in pointers:
            if other != node.attr:
                yield partial(renamed, other)
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
        yield lambda both: both.values[0]
        yield lambda both: both.values[1]
    elif isinstance(node, ast.Assign | ast.Expr | ast.Raise):
        yield lambda _: ast.Pass()
        yield lambda statement: [statement, statement]


def renamed(name: str, attribute: ast.Attribute) -> ast.Attribute:
    return ast.Attribute(attribute.value, name, attribute.ctx)


class Replaced(ast.NodeTransformer):
    """One node changed."""

    def __init__(self, target: ast.AST, change: Callable[[Any], Any]) -> None:
        self.target = target
        self.change = change

    def visit(self, node: ast.AST) -> Any:
        return self.change(node) if node is self.target else self.generic_visit(node)


def mutants(column: Column) -> list[Variant]:
    """Every change of one node in one method, each text once."""
    pointers = [name for name, value in vars(column.algorithm(CONCATENATION)).items() if isinstance(value, Pointer)]
    made: dict[str, Variant] = {}
    for method, function in inspect.getmembers(column.algorithm, inspect.isfunction):
        source = textwrap.dedent(inspect.getsource(function))
        if method == "__init__":
            continue
        tree = ast.parse(source)
        for number, node in enumerate(ast.walk(tree)):
            for change in changes(node, pointers):
                mutant = copy.deepcopy(tree)
                target = next(itertools.islice(ast.walk(mutant), number, None))
                text = ast.unparse(ast.fix_missing_locations(Replaced(target, change).visit(mutant))) + "\n"
                if text not in made and text != ast.unparse(tree) + "\n":
                    made[text] = Variant(f"mutant {len(made)} of {method}", (Edit(method, source, text),))
    return list(made.values())


def refuted_by_a_run(column: Column, mutant: Variant) -> bool:
    """Whether the explorer finds a violation; a run that does not end is one."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 5)
    try:
        explore(column, LIMIT, mutant)
    except (Violation, AttributeError, TimeoutError):
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False


def proved(column: Column, mutant: Variant) -> bool:
    """Whether every obligation of every operation is met, on paths that mean something."""
    algorithm = mutant.of(column.algorithm)
    for operation in OPERATIONS_OF_FIFO:
        try:
            report = induction(algorithm, column.contract, operation)
        except (ValueError, TypeError, AttributeError):
            return False
        if report.failures or not report.sound:
            return False
    return True


@pytest.mark.parametrize("column", [TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE], ids=lambda column: column.name)
def test_no_mutant_that_a_run_refutes_is_proved(column: Column) -> None:
    every = mutants(column)
    sample = random.Random(SEED).sample(every, SAMPLE)
    verdicts = {mutant: (proved(column, mutant), refuted_by_a_run(column, mutant)) for mutant in sample}
    assert [mutant.edits[0].new for mutant, verdict in verdicts.items() if verdict == (True, True)] == []
    counted = Counter(verdicts.values())
    assert counted[False, True] >= SAMPLE // 2, "most mutants are wrong, and both say so"
