"""Every number in the contracts, and a check that the references themselves rule out a smaller or a greater one.

A bound that was enlarged still holds, and no mutant need be between the two.  So histories run under full contracts,
and each condition is evaluated again with each number that it reads made smaller and greater by one: some condition
must then fail.  The numbers are integers, constants, and right sides of comparisons.  A comparison by `<=` must fail
when it is read as an equation: otherwise the contract could state more.
"""

import ast
import inspect
import itertools
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from functools import partial
from random import Random
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from support.clauses import list_contracts
from support.running.long_histories import shapes

from swagproof.contracts import space
from swagproof.contracts.clause import Ranging
from swagproof.contracts.flat_trees import reactive_aggregator
from swagproof.models.discretisation import Marks
from swagproof.models.operations import CONCATENATION, MAX
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.slicing.deterministic import functions
from swagproof.reference import catalogue as c
from swagproof.reference.catalogue import COLUMNS, Column

TRIES: Final = 600
"""The number of evaluations without a failure after which a change is given up."""


class Changes:
    """The changes of numbers that conditions have met, as (place, difference), and the places that matter."""

    def __init__(self) -> None:
        self.made = ("", 0)
        self.tried = Counter[tuple[str, int]]()
        self.met: set[tuple[str, int]] = set()
        self.refuted: set[str] = set()

    def number(self, place: str, value: Any) -> Any:
        """Return a number, changed if it is this one's turn."""
        if type(value) is not int:
            return value
        self.met |= {(place, -1), (place, 1)}
        return value + self.made[1] if self.made[0] == place else value

    def at_most(self, place: str, x: Any, y: Any) -> Any:
        """Return whether x <= y, or x == y if it is this comparison's turn."""
        self.met.add((place, 0))
        return x == y if self.made[0] == place else x <= y

    def evaluate(self, function: Callable[..., Any], /, **given: Any) -> Any:
        """Evaluate a condition, and try the changes of all numbers that it reads, also in the values kept in OLD."""
        if self.made[0]:  # a condition of a method that a changed condition calls
            return True
        kept = vars(given["OLD"]) if "OLD" in given else {}
        before, self.met = self.met, {change for each in kept.values() for change in each if change[0]}

        def evaluate() -> Any:
            old = SimpleNamespace(**{name: each.get(self.made, each["", 0]) for name, each in kept.items()})
            return function(**given | ({"OLD": old} if kept else {}))

        value = evaluate()
        for change in self.undecided() if value else ():
            with self.making(change):
                assert evaluate()
        self.met = before
        return value

    def capture(self, function: Callable[..., Any], /, **given: Any) -> dict[tuple[str, int], Any]:
        """Return a value to keep in OLD, and its values after all changes."""
        before, self.met = self.met, set()
        values = {("", 0): function(**given)}
        for change in () if self.made[0] else self.undecided():
            with self.making(change):
                values[change] = function(**given)
        self.met = before
        return values

    def undecided(self) -> list[tuple[str, int]]:
        """Return the changes met that are still to be tried, in order."""
        found = sorted(each for each in self.met if each[0] not in self.refuted and self.tried[each] < TRIES)
        self.tried.update(found)
        return found

    @contextmanager
    def making(self, change: tuple[str, int]) -> Generator[None]:
        """Make a change in the context; an error that it raises shows that the place matters."""
        self.made = change
        try:
            yield
        except Exception:
            self.refuted.add(change[0])
        finally:
            self.made = ("", 0)


class _Marking(ast.NodeTransformer):
    """Pass the numbers and comparisons of functions through `_changes`; loops might not end, and stay."""

    def __init__(self, module: ModuleType) -> None:
        self.names, self.function, self.judges = vars(module), "", False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.function = f"{self.names['__name__'].removeprefix('swagproof.contracts.')}.{node.name}"
        self.judges = ast.unparse(node.returns or node) == "bool"
        node.body = [self.visit(each) for each in node.body]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return node

    def visit_While(self, node: ast.While) -> Any:
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        text = ast.unparse(node)
        node.left, node.right = self._number(node.left, text), self._number(node.right, text)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        pairs: list[ast.expr] = []
        for sides, op in zip(itertools.pairwise([node.left, *node.comparators]), node.ops, strict=True):
            text = ast.unparse(ast.Compare(sides[0], [op], [sides[1]]))
            x, y = (self._number(deepcopy(side), text, right=side is sides[1]) for side in sides)
            if isinstance(op, ast.LtE | ast.GtE) and self.judges:
                pairs.append(self._marked("at_most", f"= in {text}", *((x, y) if isinstance(op, ast.LtE) else (y, x))))
            else:
                pairs.append(ast.Compare(x, [op], [y]))
        return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), pairs)

    def _number(self, node: ast.expr, text: str, *, right: bool = False) -> Any:
        if self._is_number(node) or (right and not any(map(self._is_number, ast.walk(node)))):
            return self._marked("number", f"{ast.unparse(node)} in {text}", node)
        return self.visit(node)

    def _is_number(self, node: ast.AST) -> bool:
        return type(node.value if isinstance(node, ast.Constant) else self.names.get(getattr(node, "id", ""))) is int

    def _marked(self, how: str, text: str, *sides: Any) -> ast.expr:
        function = ast.Attribute(ast.Name("_changes", ast.Load()), how, ast.Load())
        return ast.Call(function, [ast.Constant(f"{self.function}: {text}"), *sides], [])


@contextmanager
def watched(changes: Changes) -> Generator[None]:
    """Mark the numbers of all contracts, and pass all conditions and snapshots through `changes`."""
    with ExitStack() as stack:
        for module in (*list_contracts(), space):
            marked = ast.fix_missing_locations(_Marking(module).visit(ast.parse(inspect.getsource(module))))
            found = compile(marked, str(module.__file__), "exec").co_consts
            codes = {(each.co_name, each.co_firstlineno): each for each in found if isinstance(each, CodeType)}
            stack.enter_context(patch.dict(vars(module), _changes=changes))
            for value in vars(module).values():
                function = value.at if isinstance(value, Ranging) else value
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    stack.callback(setattr, function, "__code__", function.__code__)
                    function.__code__ = codes[function.__code__.co_name, function.__code__.co_firstlineno]
        for stated, attribute, how in list_conditions():
            stack.callback(setattr, stated, attribute, getattr(stated, attribute))
            setattr(stated, attribute, partial(how, changes, getattr(stated, attribute)))
        yield


def list_conditions() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """Yield icontract's records of conditions and snapshots, the attribute that is the function, and what to do."""
    found: dict[int, tuple[Any, str, Callable[..., Any]]] = {}
    for checked in {each for column in COLUMNS for name, each in vars(column.module).items() if "Checked" in name}:
        conditions, kept = [*getattr(checked, "__invariants__", ())], list[Any]()
        for method in vars(checked).values():
            conditions += getattr(method, "__postconditions__", ())
            conditions += itertools.chain(*getattr(method, "__preconditions__", ()))
            kept += getattr(method, "__postcondition_snapshots__", ())
        found |= {id(each): (each, "condition", Changes.evaluate) for each in conditions}
        found |= {id(each): (each, "capture", Changes.capture) for each in kept}
    yield from found.values()


def play_window(column: Column) -> None:
    """Run windows that fill, slide, oscillate, drain and refill."""
    selects, buffered = column is c.SLICK_DEQUE, column.contract is reactive_aggregator
    for most, often in ((1, 0.9), (3, 0.9), (9, 0.5), (16, 0.15), (33, 0.3)):
        start = [8] * (buffered and most == 33)
        chance, window = Random(most), column.checked(MAX if selects else CONCATENATION, *start)
        for number, step in enumerate(shapes(most, chance)):
            if step == "insert":
                window.insert(chance.randrange(9) if selects else LETTERS[number])
            else:
                window.evict(*([chance.choice(window.model.tickets)] if buffered and number % 4 else []))
            if chance.random() < often:
                window.query()


def play_tree(column: Column) -> None:
    """Run trees that fill, drain, and fill again, at their ends and between."""
    for min_arity, steps in ((2, 250), (3, 100)):
        chance, window = Random(min_arity), column.checked(CONCATENATION, min_arity)
        for number in range(steps):
            times = window.model.times
            if chance.random() < (0.3 if number % 100 > 60 else 0.7) or not times:
                window.insert(chance.choice((0, chance.randrange(60), number)), LETTERS[number])
            else:
                window.evict(chance.choice((times[0], times[-1], chance.choice(times))))
            window.query()
            if number % 2 == 0:
                window.range_query(*sorted(chance.sample(range(70), 2)))


def play_cutty(column: Column) -> None:
    """Run streams of windows that begin and end anywhere."""
    for seed in range(80):
        chance, window, begun = Random(seed), column.checked(CONCATENATION, *functions(1, 0)), 0
        for letter in LETTERS[:14]:
            over, begin = chance.randrange(begun + 1) if chance.random() < 0.3 else 0, chance.random() < 0.7
            end = begun - over + begin if chance.random() < 0.1 else 0
            window.insert(((Marks(begin, end, over),), ()), letter)
            begun += begin - over - end


def list_slack() -> list[str]:
    """Return the numbers in contracts that histories read, but none needs: `contract.function: number in text`."""
    changes = Changes()
    with watched(changes):
        for column in COLUMNS:
            kinds = {"fifo": play_window, "any order": play_window}
            play = {c.B_TREE: play_tree, c.FIBA: play_tree, c.CUTTY: play_cutty}.get(column, kinds.get(column.kind))
            if play is not None:
                play(column)
    return sorted({place for place, _ in changes.tried} - changes.refuted)
