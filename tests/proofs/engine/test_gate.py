"""The gate of symbolic runs: constructs that it refuses, each with an edit that would exploit them."""

import ast
import linecache
from typing import Any

import pytest

from swagproof.models import composition
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.engine.language import DOORS, STRUCTS, Reader, Unseen, keeps_what_it_is_given
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.run import Run, make_runnable
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.source.definitions import module_of
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.in_order.fifo_runs import explore_operation
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.operations.composition import composes
from swagproof.proofs.sharing.timegram import CLAIMS as TIMEGRAM_CLAIMS
from swagproof.proofs.slicing.slices import CLAIMS as SLICING_CLAIMS
from swagproof.proofs.trees.step_runs import explore_step
from swagproof.proofs.windows.window_claims import CLAIMS as WINDOW_CLAIMS
from swagproof.reference.catalogue import DABA, DABA_LITE, SUBTRACT_ON_EVICT, TWO_STACKS
from swagproof.reference.related_work import slick_deque
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

# FiBA's steps

SPLIT = "node.split_off(self.min_arity + 1)"
OF_NODES: list[tuple[str, tuple[str, str, str], str]] = [
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + (1 if isinstance(self.min_arity, int) else 1))"),
     "the name isinstance"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + (type(node) == self.Node))"),
     "the name type"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + getattr(node, 'more', 1))"), "the name getattr"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + (2 if hasattr(node, 'x') else 1))"),
     "the name hasattr"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + callable(node) + 1)"), "the name callable"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + min(1, id(node)))"), "the name id"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + min(1, hash(node)))"), "the name hash"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + len(repr(node)))"), "the name repr"),
    ("split", ("split", SPLIT, "node.split_off(int(self.min_arity + 1))"), "the name int"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + (node.__class__ == 1))"), "the attribute __class__"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + len(f'{self.min_arity}'))"), "JoinedStr"),
    ("split", ("split", SPLIT, "node.split_off((lambda more=1: self.min_arity + more)())"),
     "a call of what has no name"),
    ("split", ("split", SPLIT, "node.split_off(sum(1 for _ in self.path) + self.min_arity)"),
     "AttributeError"),
    ("split", ("split", "sibling = ", "import sys\n    sibling = "), "Import"),
    ("split", ("split", "sibling = ", "global seen\n    sibling = "), "Global"),
    ("split", ("split", "sibling = ", "try:\n        pass\n    finally:\n        pass\n    sibling = "), "Try"),
    ("split", ("split", "sibling = ", "yield node\n    sibling = "), "define yield"),
    ("split", ("split", "sibling = ", "AugmentedTree.seen = node\n    sibling = "),
     "the place that AugmentedTree.seen changes"),
    ("split", ("split_off", "def split_off(self, arity: int)", "def split_off(self, arity: int, more=[])"),
     "a constant that may change"),
    ("split", ("split_off", "def split_off", "@staticmethod\ndef split_off"), "how this is defined"),
    ("split", ("split", SPLIT, "node.split_off(self.min_arity + min(1, node.agg.lo))"), "the attribute lo"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "edit", "why"), OF_NODES, ids=[why.replace(" ", "-") for *_, why in OF_NODES])
def test_what_a_step_may_not_ask(step: str, edit: tuple[str, str, str], why: str) -> None:
    try:
        found = [f"{each.obligation} {each.example}" for each in explore_step(step, wrong(why, edit)).failures]
    except Unseen as refused:
        found = [str(refused)]
    assert any(why in each for each in found), found


@pytest.mark.parametrize("name", ["hi", "lo", "empty", "there", "term", "terms", "freeze", "forget", "another"])
def test_a_clause_asks_for_nothing_that_stand_ins_alone_have(name: str) -> None:
    """Check that such a clause, which would be true in a proof and an error when live, is refused."""
    clause = ast.parse(f"lambda s: s.front.{name}", mode="eval").body
    with pytest.raises(Unseen, match=f"the attribute {name}"):
        Reader(module_of(__name__, __file__), "a clause", clause).read(clause, clause)


class Null:
    """Sums over numbers and None, where None absorbs; None is a value, but not the identity."""

    identity = 0

    def combine(self, a: Any, b: Any) -> Any:
        return None if a is None or b is None else a + b


@pytest.mark.parametrize("tree", [Fiba, BTree])
def test_none_is_a_value_as_any_other(tree: Any) -> None:
    window, model = tree(Null()), OutOfOrderWindow[Any](Null())
    for t, v in ((3, 1), (1, None), (2, 5), (4, 7), (5, 1)):
        window.insert(t, v)
        model.insert(t, v)
        assert window.query() == model.query()


@pytest.mark.parametrize(
    "edit",
    [
        ("product_of_parts", "if combined > 0", "if product is not None"),
        ("local_repair_agg_if_up", "if self.has_agg_up()", "if self.has_agg_up() and self.values[0] is not None"),
    ],
)
def test_what_could_be_none_is_not_asked_whether_it_is(edit: tuple[str, str, str]) -> None:
    for step in ("repair", "split"):
        report = explore_step(step, wrong("asks for None", edit))  # type: ignore[arg-type]  # a step
        if any(failure.unknown and "`is` between what is no node" in failure.example for failure in report.failures):
            return
    pytest.fail("it was run")


# Constructors

MADE: list[tuple[Any, tuple[str, str, str], str]] = [
    (TWO_STACKS, ("__init__", "monoid: Monoid[A]", "monoid: Monoid[A], B: Stack = Stack()"),
     "a constant that may change"),
    (DABA, ("__init__", "self.deque.begin()", "self.deque.begin() if type(monoid) else self.deque.end()"),
     "the name type"),
    (DABA, ("__init__", "self.monoid = monoid", "self.monoid = monoid; monoid.identity = 0"),
     "the place that monoid.identity changes"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "edit", "why"), MADE, ids=[why.replace(" ", "-") for *_, why in MADE])
def test_what_a_constructor_may_not_do(column: Any, edit: tuple[str, str, str], why: str) -> None:
    with pytest.raises(Unseen, match=rf"__init__, line \d+: the engine does not know {why}$"):
        make_runnable(Run, wrong("made otherwise", edit).of(column.algorithm))


def test_a_deque_of_a_run_has_no_bound() -> None:
    made = wrong("bounded", ("SlickDeque.__init__", "= deque()", "= deque((), 900)")).rewrite(slick_deque).SlickDeque
    with pytest.raises(Unseen, match=r"the engine does not know a deque with a bound$"):
        make_runnable(Run, made)


NOT_KEPT = [
    "class Halved(NamedTuple):\n    position: int\n    value: Any\n    def __eq__(self, other):\n        return True",
    "class Rounded:\n    def __init__(self, position, value):\n        self.position = min(position, 9)\n"
    "        self.value = value",
    "class Dropped:\n    position: int\n    value: Any\n    def __post_init__(self):\n        self.value = None",
    "class More(Candidate):\n    position: int\n    value: Any",
    "class Fewer(NamedTuple):\n    position: int",
    "class Turned(NamedTuple):\n    value: Any\n    position: int",
    "class Given(NamedTuple):\n    position: int\n    value: Any = None",
]


def test_a_struct_keeps_what_it_is_given() -> None:
    for name, fields in STRUCTS.items():
        module, _, struct = name.rpartition(".")
        found = module_of(module).define(struct)
        assert found is not None
        assert keeps_what_it_is_given(found.statement, fields)
        assert not keeps_what_it_is_given(found.statement, fields[::-1])
    assert not any(keeps_what_it_is_given(ast.parse(text).body[0], ("position", "value")) for text in NOT_KEPT)


def test_what_a_constructor_leaves_is_what_the_operations_find() -> None:
    """Check an operator that is not stored, and one without remove that is not refused."""
    forgets = wrong("forgets the operator", ("__init__", "self.monoid = monoid", "pass")).of(DABA_LITE.algorithm)
    assert "the operator is kept" in failures(explore_operation(forgets, DABA_LITE.contract, "start"))
    found = failures(explore_operation(forgets, DABA_LITE.contract, "query"))
    assert any("no attribute 'monoid'" in name for name in found)
    takes = wrong("takes any", ("__init__", 'raise TypeError("subtract', 'pass; ("subtract')).of(
        SUBTRACT_ON_EVICT.algorithm
    )
    found = failures(explore_operation(takes, SUBTRACT_ON_EVICT.contract, "start"))
    assert found == {"an operation without remove is refused"}


@pytest.mark.parametrize(
    "asks",
    [
        ("self.aggRA = self.aggB = monoid.identity", "self.aggRA = self.aggB = monoid.identity or monoid.identity"),
        ("self.monoid = monoid", "self.monoid = monoid; monoid.identity == 0"),
        ("self.monoid = monoid", "self.monoid = monoid; {monoid.identity}"),
    ],
)
def test_a_constructor_looks_at_no_value(asks: tuple[str, str]) -> None:
    made = wrong("asks", ("__init__", *asks)).of(DABA_LITE.algorithm)
    try:
        report = explore_operation(made, DABA_LITE.contract, "start")
    except (TypeError, Unseen):
        return
    assert "control flow looks at no value" in failures(report)


def failures(report: Exploration) -> set[str]:
    return {failure.obligation for failure in report.failures}


# Values and times


def test_a_step_looks_at_no_time_and_no_value() -> None:
    times = wrong("compares times", ("split_off", "t, v = ", "self.times[0] == self.times[0]; t, v = "), part="Node")
    assert "control flow looks at no time" in failures(explore_step("split", times))
    values = wrong("compares values", ("split_off", "t, v = ", "self.values[0] == self.agg; t, v = "), part="Node")
    assert "control flow looks at no value" in failures(explore_step("split", values))
    truth = wrong("asks for a truth", ("split_off", "t, v = ", "self.times[0] and 0; t, v = "), part="Node")
    assert any(f.unknown and "truth of a time" in f.example for f in explore_step("split", truth).failures)


def test_a_composition_looks_at_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def compose_with(part: str) -> str:
        edit = "which(part)(x, y) for", f"{part} for"
        made = wrong("looks", ("compose", *edit)).rewrite(composition).compose
        monkeypatch.setattr("swagproof.proofs.operations.composition.compose", made)
        return composes().detail

    assert "control flow looks at no value" in compose_with("(x if x == y else which(part)(x, y))")
    with pytest.raises(TypeError, match="the truth of a value"):
        compose_with("(x or which(part)(x, y))")
    with pytest.raises(Unseen, match="the name isinstance"):
        compose_with("(x if isinstance(x, int) else which(part)(x, y))")


# Functions that run unchanged


def outcome(claims: Any, name: str, *edits: tuple[str, str, str]) -> str:
    """Return the outcome of a claim's check on its code with these edits."""
    (claim,) = [claim for claim in claims if claim.id == name]
    return str(claim.check(wrong(f"changed: {edits}", *edits)).detail)


AS_THEY_STAND: list[tuple[Any, str, tuple[str, str, str], str]] = [
    (SLICING_CLAIMS, "slicing/starts", ("start_edge", "slide)\n", "slide) + (isinstance(t, int) and t > 1000)\n"),
     "the name isinstance"),
    (SLICING_CLAIMS, "slicing/starts", ("last_begun", "t // slide", "int(t // slide)"), "the name int"),
    (SLICING_CLAIMS, "slicing/starts", ("last_begun", "slide: int", "slide: int, seen: list = []"),
     "a constant that may change"),
    (SLICING_CLAIMS, "slicing/starts", ("last_begun", "return ", "global seen\n    return "), "Global"),
    (SLICING_CLAIMS, "slicing/starts", ("last_begun", "return ", "import sys\n    return "), "Import"),
    (TIMEGRAM_CLAIMS, "timegram/placed", ("boundaries", "return self.low +", "return (type(index) and self.low) +"),
     "the name type"),
    (TIMEGRAM_CLAIMS, "timegram/placed", ("bucket_of", "value == self.high", "value == self.high and value.term"),
     "the attribute term"),
    (TIMEGRAM_CLAIMS, "timegram/bounds", ("insert", "self.now = self.now + 1", "self.now = self.now + 1; "
     "TimeGram.now = 0"), "the place that TimeGram.now changes"),
    (TIMEGRAM_CLAIMS, "timegram/placed", ("boundaries", "return ", "try:\n        pass\n    finally:\n        pass\n"
     "    return "), "Try"),
    (WINDOW_CLAIMS, "windows/ends", ("next_end", "origin, slide =", "callable(time)\n    origin, slide ="),
     "the name callable"),
    (WINDOW_CLAIMS, "windows/ends", ("next_end", "origin, slide =", "repr(time)\n    origin, slide ="),
     "the name repr"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claims", "name", "edit", "why"), AS_THEY_STAND,
    ids=[f"{case[1]}-{case[3]}".replace(" ", "-") for case in AS_THEY_STAND],
)  # fmt: skip
def test_what_a_function_may_not_do(claims: Any, name: str, edit: tuple[str, str, str], why: str) -> None:
    with pytest.raises(Unseen, match=rf"the engine does not know {why}$"):
        outcome(claims, name, edit)


def made(text: str, name: str = "swagproof.reference.made") -> Any:
    """Return the function f of a text, as if it were in a module of this name."""
    names: dict[str, Any] = {"__name__": name}
    file = f"<made, {hash(text):x}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), names)
    return names["f"]


def run(function: Any) -> Any:
    """Explore a function that the rewriter has not seen."""

    def of(path: Path) -> None:
        t = SymbolicInt(path.fresh("t"))
        path.show("f", z3.BoolVal(bool(function(t) == t)))

    return explore(of)


HELPER = "def big(t):\n    return isinstance(t, int) and t > 1000\n\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HELPER + "def f(t):\n    return t + 1 if big(t) else t + 0\n", "the name isinstance"),
        ("def deco(g):\n    return lambda t: g(t) + 0\n\n@deco\ndef f(t):\n    return t\n", "how this is defined"),
        ("seen = []\n\ndef f(t):\n    seen.append(t)\n    return t + 0\n",
         "a constant that may change"),
        ("def around():\n    seen = []\n    def f(t):\n        seen.append(t)\n        return t + 0\n    return f\n"
         "\nf = around()\n", "a constant that may change"),
        ("class C:\n    seen = []\n    def f(self, t):\n        self.seen.append(t)\n        return t + 0\n"
         "\nf = C().f\n", "a constant that may change"),
        ("class C:\n    def __getattribute__(self, name):\n        return object.__getattribute__(self, name)\n"
         "    def f(self, t):\n        return t + 0\n\nf = C().f\n", "the hook __getattribute__"),
        ("def f(t):\n    return [x for x in (t,) if repr(x)][0] + 0\n", "the name repr"),
        ("def f(t):\n    match t:\n        case 5:\n            return t\n    return t + 0\n", "MatchValue"),
    ],
)  # fmt: skip
def test_code_that_nobody_admitted_is_held_to_the_language_where_it_touches_a_stand_in(text: str, why: str) -> None:
    with pytest.raises(Unseen, match=rf"the engine does not know {why}$"):
        run(made(text))


def test_what_is_in_the_language_is_run() -> None:
    assert not run(made("def g(t):\n    return t - 1\n\ndef f(t):\n    return g(t) + 1\n")).failures


def test_doors_are_there_and_are_few() -> None:
    """Check that functions that may test types are listed by name; no other function of their modules may."""
    assert len(DOORS) == 8
    for door in DOORS:
        module, _, name = door.rpartition(".")
        text = f"def {name}(t):\n    return t + (1 if isinstance(t, int) else 0)\n\nf = {name}\n"
        assert not run(made(text, module)).failures
        with pytest.raises(Unseen, match="the name isinstance"):
            run(made(text.replace(name, "another"), module))
