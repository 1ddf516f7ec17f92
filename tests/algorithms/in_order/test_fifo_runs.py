"""Induction over operations: wrong classes are refuted, and code that the engine does not support is refused."""

from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.monoid import Monoid
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.engine.run import Run, make_runnable
from swagproof.proofs.engine.source.coverage import Outcomes, find_unreached
from swagproof.proofs.in_order import daba, fifo_runs, two_stacks
from swagproof.proofs.in_order.fifo import BLIND_EVICT, explore_mutant, theorem
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_OF_FIFO, FifoRun, explore_operation, shape_of
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of, wrong
from swagproof.reference.catalogue import (
    DABA,
    DABA_LITE,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)


def run(column: Column, mutant: Mutant | None = None) -> Exploration:
    """Run all operations of an algorithm, or of a mutant of it."""
    report = Exploration()
    for operation in OPERATIONS_OF_FIFO:
        report.merge(explore_mutant(column, mutant, operation))
    return report


def failures(column: Column, mutant: Mutant) -> set[str]:
    return {failure.obligation for failure in run(column, mutant).failures if not failure.unknown}


TURN = "self.B.push(Element(v, self.monoid.combine(self.pi_B(), v)))"
POP = "    self.F.pop()"
PUSH_BACK = "    self.deque.push_back"
EMPTY_STRUCT = "self.B.push(Element(self.monoid.identity, self.monoid.identity))"
FLIP = "Element(self.B.top().val, self.monoid.combine(self.B.top().val, self.pi_F()))"

VALUE = "control flow looks at no value"
KINDS = "the object keeps attributes of the same kinds"

REFUTED: list[tuple[str, Column, tuple[str, str, str], str]] = [
    ("query of an empty window is refused", SUBTRACT_ON_EVICT,
     ("query", "    return", "    if self.F == self.E:\n        raise EmptyWindowError\n    return"),
     "EmptyWindowError only on evict of an empty window"),
    ("control flow looks at values", TWO_STACKS_LITE,
     ("query", "    return", "    if self.deque[self.F] == self.aggB:\n        pass\n    return"), VALUE),
    ("control flow looks at structs", DABA,
     ("query", "    return", "    if self.F != self.E:\n        if self.deque[self.F] == self.deque[self.F]:\n"
      "            return self.monoid.identity\n    return"), VALUE),
    ("control flow asks for the truth of a value", TWO_STACKS_LITE,
     ("query", "    return", "    if self.aggB:\n        pass\n    return"),
     "raises TypeError: the truth of a value differs from monoid to monoid"),
    ("control flow asks for the truth of a deque", RECALCULATE,
     ("insert", "    self.deque.push_back(v)", "    if self.deque:\n        self.deque.push_back(v)"),
     "raises TypeError: the truth of deque is not defined; ask for its size or its ends"),
    ("a truth value is compared with a constant", TWO_STACKS,
     ("insert", TURN, f"{EMPTY_STRUCT} if self.B.is_empty() == True else {TURN}"), "back_values"),
    ("the truth of a size", TWO_STACKS, ("insert", TURN, f"{TURN} if self.B.size else {EMPTY_STRUCT}"), "back_values"),
    ("a size is compared with a fraction", TWO_STACKS,
     ("insert", TURN, f"{EMPTY_STRUCT} if self.B.size < 0.5 else {TURN}"), "raises TypeError: 0.5 is no integer"),
    ("evict keeps the oldest element", SUBTRACT_ON_EVICT,
     ("evict", "    self.F =", "    self.oldest = self.agg\n    self.F ="), "space"),
    ("insert keeps a pointer that nothing made before", TWO_STACKS_LITE,
     ("insert", PUSH_BACK, "    self.last = self.E\n" + PUSH_BACK), KINDS),
    ("a partial aggregate becomes a number", DABA_LITE,
     ("fixup", "self.aggRA = self.monoid.identity", "self.aggRA = 0"), KINDS),
    ("evict makes two stacks one", TWO_STACKS,
     ("evict", POP, f"{POP}\n    self.F = self.B if self.B.is_empty() and self.F.is_empty() else self.F"), KINDS),
    ("query reads below the stack", TWO_STACKS, ("query", "    return", "    self.F[self.F.size]\n    return"),
     "the depth is one of the stack"),
    ("evict of an empty stack", TWO_STACKS, ("query", "    return", "    self.F.top()\n    return"),
     "the stack is not empty"),
    ("a struct is used after its slot was written anew", TWO_STACKS,
     ("insert", TURN, "self.B.push(Element(v, v)); top = self.B.top(); self.B.push(Element(v, v)); top.val; "
      f"self.B.pop(); self.B.pop(); {TURN}"), "a struct is used before its container changes"),
    ("a struct is stored in both stacks", TWO_STACKS, ("evict", FLIP, "self.B.top()"),
     "a struct is stored in one place"),
    ("a new struct is stored twice", TWO_STACKS,
     ("insert", TURN, "e = Element(v, self.monoid.combine(self.pi_B(), v)); self.B.push(e); self.F.push(e)"),
     "raises AttributeError"),
    ("pointers jump", DABA, ("insert", "self.E + 1", "self.E + 1 + 0"),
     "only the pointer operations of Definition 1"),
    ("pointers are subtracted", DABA, ("evict", "self.F == self.E", "self.E - self.F == 0"),
     "only the pointer operations of Definition 1"),
    ("pointers are ordered", DABA, ("evict", "self.F == self.E", "self.E <= self.F"),
     "only the pointer operations of Definition 1"),
    ("a pointer leaves at the end", DABA, ("query", "    return", "    self.E + 1\n    return"),
     "p + 1 stays in the deque"),
    ("a pointer leaves at the front", DABA, ("query", "    return", "    self.F - 1\n    return"),
     "p - 1 stays in the deque"),
    ("the end is read", DABA, ("query", "    return", "    self.deque[self.E]\n    return"), "*p finds an element"),
    ("a popped element is read", DABA, ("evict", "    self.fixup()", "    self.deque[self.F - 1]; self.fixup()"),
     "p - 1 stays in the deque"),
    ("query changes a pointer", DABA, ("query", "    return", "    self.L = self.R\n    return"),
     "query changes nothing"),
    ("evict raises what it likes", DABA, ("evict", "    self.fixup()", "    raise EmptyWindowError"),
     "EmptyWindowError only on evict of an empty window"),
    ("evict of an empty window changes something", RECALCULATE,
     ("evict", "raise Empty", "self.deque.push_back(self.monoid.identity); raise Empty"), "nothing has changed"),
    ("the operands are not neighbours", SUBTRACT_ON_EVICT,
     ("insert", "combine(self.agg, v)", "combine(self.monoid.identity, self.monoid.combine(v, v))"),
     "combine joins neighbours, older on the left"),
    ("the newest is subtracted", SUBTRACT_ON_EVICT, ("evict", "self.deque[self.F], ", "self.deque[self.E - 1], "),
     "remove takes away the oldest"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "column", "edit", "obligation"), REFUTED, ids=[case[0] for case in REFUTED])
def test_a_wrong_class_is_refuted(name: str, column: Column, edit: tuple[str, str, str], obligation: str) -> None:
    assert any(failed.startswith(obligation) for failed in failures(column, wrong(name, edit)))


GOES = "\n        return self.monoid.identity\n    return"
REFUSED: list[tuple[str, tuple[str, str, str], str]] = [
    ("identity tests", ("query", "    return", f"    if self.F is self.E:{GOES}"), "the run does not define is"),
    ("membership", ("query", "    return", f"    if self.F in self.deque:{GOES}"), "is iterated or searched"),
    ("deletion", ("query", "    return", "    del self.F\n    return"), "AttributeError"),
    ("other people's functions", ("query", "    return", "    getattr(self, 'F')\n    return"), "the name getattr"),
    ("functions given self", ("query", "    return", "    self.deque.size(self)\n    return"), "AttributeError"),
    ("super", ("query", "    return", "    super().query()\n    return"), "the name super"),
    ("another self", ("query", "    return", "    this = self\n    this.L = this.R\n    return"),
     "query changes nothing"),
    ("another self that evicts", ("query", "    return", "    this = self\n    this.deque.pop_front()\n    return"),
     "query changes nothing"),
    ("a struct that is changed by another name", ("insert", "    self.fixup()", "    e = self.deque[self.F]\n"
     "    e.agg = v\n    self.fixup()"), "aggregates"),
    ("what the monoid need not have", ("query", "self.monoid.combine", "self.monoid.remove"), "AttributeError"),
    ("the engine's own", ("query", "    return", f"    if self.deque.first == self.deque.last:{GOES}"),
     "the attribute first"),
    ("dunders", ("query", "    return", "    self.__dict__\n    return"), "the attribute __dict__"),
    ("self by a name of its own", ("query", "(self)", "(this)"), "how this is defined"),
    ("what the monoid is", ("insert", "    self.fixup()", "    self.fixup()\n    self.monoid.identity = v"),
     "the place that self.monoid.identity changes"),
    ("what a method answers", ("insert", "    self.fixup()", "    self.fixup()\n    self.query().identity = v"),
     "the place that self.query().identity changes"),
    ("an attribute of the class", ("insert", "    self.fixup()", "    Daba.kept = v\n    self.fixup()"),
     "the place that Daba.kept changes"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit", "why"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_the_engine_does_not_see_is_refused_or_fails(name: str, edit: tuple[str, str, str], why: str) -> None:
    try:
        found = [f"{each.obligation}: {each.example}" for each in run(DABA, wrong(name, edit)).failures]
    except ValueError as refused:
        found = [str(refused)]
    assert any(why in each for each in found), found


def wrapped(self: Any) -> Any:
    return self.monoid.identity


wrapped.__wrapped__ = DABA.algorithm.query  # type: ignore[attr-defined]  # as functools.wraps does


def test_what_is_wrapped_is_refused() -> None:
    with pytest.raises(ValueError, match="does not see what is around it"):
        make_runnable(Run, type("More", (DABA.algorithm,), {"query": wrapped}))


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("__init__", "self.B: Stack[Element[A]] = Stack()", "self.B = self.F"), "keeps a container twice"),
        (("__init__", "self.monoid = monoid", "self.monoid = monoid; self.flag = False"), "flag is a bool"),
        (("__init__", "self.monoid = monoid", "self.monoid = monoid; self.count = 0"), "count is a int"),
        (("__init__", "self.monoid = monoid", "self.monoid = monoid; self.kept = []"), "kept is a list"),
        (("__init__", "self.monoid = monoid", "self.monoid = Stack()"), None),
    ],
)
def test_what_is_made_must_be_known(edit: tuple[str, str, str], why: str | None) -> None:
    made = wrong("made otherwise", edit).of(TWO_STACKS.algorithm)
    if why is None:
        assert "monoid" in shape_of(made).stacks, "another monoid is no monoid"
        return
    with pytest.raises((TypeError, ValueError), match=why):
        explore_operation(made, TWO_STACKS.contract, "insert")


def test_two_deques_are_refused() -> None:
    class Two(RECALCULATE.algorithm):  # type: ignore[name-defined,misc]  # a class all the same
        def __init__(self, monoid: Monoid[Any]) -> None:
            super().__init__(monoid)
            self.other: ChunkedDeque[Any] = ChunkedDeque()

    with pytest.raises(TypeError, match="keeps 2 deques"):
        shape_of(Two)


def test_the_identity_at_the_start_is_the_monoids() -> None:
    zero = wrong("aggB starts at 0", ("__init__", "self.aggB = monoid.identity", "self.aggB = 0"))
    with pytest.raises(TypeError, match="aggB is a int"):
        run(TWO_STACKS_LITE, zero)
    other = wrong(
        "aggB starts at a product",
        ("__init__", "self.aggB = monoid.identity", "self.aggB = monoid.combine(monoid.identity, monoid.identity)"),
    )
    assert "aggB" in failures(TWO_STACKS_LITE, other), "equal in every monoid, but that is not looked into"


def test_the_start_is_looked_at() -> None:
    assert {"pointer_order", "ends", "sizes", "space"} <= set(explore_mutant(DABA, None, "start").shown)
    late = wrong("F starts behind", ("__init__", "self.F = self.L", "self.F = self.deque.end(); self.L"))
    assert not explore_mutant(DABA, late, "start").failures, "begin and end of an empty deque are one"
    full = wrong("the stack starts full", ("__init__", "self.F: Stack", "self.B = self.F = Stack(); self.F: Stack"))
    assert not explore_mutant(TWO_STACKS, full, "start").failures
    pushed = wrong(
        "a stack starts with an element",
        ("__init__", "self.B: Stack[Element[A]] = Stack()",
         "self.B = Stack(); self.B.push(Element(monoid.identity, monoid.identity))"),
    )  # fmt: skip
    assert {"length", "space", "account opens at 0"} <= {
        failure.obligation for failure in explore_mutant(TWO_STACKS, pushed, "start").failures
    }


def test_a_counterexample_names_the_state() -> None:
    failure = next(f for f in run(DABA, daba.SKIPS_SHRINK).failures if f.obligation == "sizes")
    assert failure.example.startswith("n = ")
    assert all(f"{name} = " in failure.example for name in "FLRABE")
    failure = next(iter(run(TWO_STACKS, two_stacks.INSERT_SWAPPED).failures))
    assert "|F| = " in failure.example


def test_a_theorem_rests_on_all_operations() -> None:
    """A swapped insert refutes a claim about evict alone, whose start it spoils, but not as a control of it."""
    ends = theorem(TWO_STACKS, "termination", operations=("evict",))
    assert ends.check().verdict == "holds"
    assert ends.check(two_stacks.INSERT_SWAPPED).verdict == "fails"
    assert ends.reject(two_stacks.INSERT_SWAPPED).verdict == "holds"
    assert ends.reject(two_stacks.FLIP_NEVER_ENDS).verdict == "fails"


def test_a_theorem_without_an_obligation_of_its_own_is_unknown() -> None:
    assert theorem(DABA, "termination").check().verdict == "unknown"


def reached(column: Column, mutant: Mutant | None = None) -> list[str]:
    conditions = make_runnable(FifoRun, algorithm_of(column, mutant)).conditions
    return find_unreached(conditions, run(column, mutant).outcomes)


def test_outcomes_that_no_path_saw_are_named() -> None:
    assert reached(TWO_STACKS_LITE) == ["evict: self.B != self.E never False"]
    assert reached(DABA_LITE, daba.QUERY_LEFT) == [
        "pi_F: self.F == self.B never True",
        "pi_F: self.F == self.B never False",
    ]


def test_outcomes_of_a_denial_are_those_of_the_denial() -> None:
    assert reached(TWO_STACKS) == []
    denied = wrong("denied", ("pi_L", "self.L == self.R", "not self.L != self.R"))
    assert "pi_L: not self.L != self.R never True" in reached(DABA, denied)


def test_a_condition_that_is_never_asked_is_named() -> None:
    assert "evict: False never True" in reached(DABA, BLIND_EVICT)
    conditions = make_runnable(FifoRun, DABA.algorithm).conditions
    assert len(find_unreached(conditions, Outcomes())) == 2 * 9, "five of Pi, one of evict, three of fixup"


def test_conditions_within_conditions_are_told_apart() -> None:
    condition = "self.F == self.E or (self.F == self.E and self.L != self.E)"
    nested = wrong("nested", ("evict", "self.F == self.E", condition))
    conditions = make_runnable(FifoRun, algorithm_of(DABA, nested)).conditions
    texts = [condition.text for condition in conditions if condition.method == "evict"]
    assert texts == ["self.F == self.E", "self.F == self.E", "self.L != self.E"]
    missing = [outcome for outcome in reached(DABA, nested) if outcome.startswith("evict")]
    assert missing == [
        "evict: self.F == self.E never True",
        "evict: self.L != self.E never True",
        "evict: self.L != self.E never False",
    ]


def test_a_constructor_meets_each_clause_with_containers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a clause that raises for the empty window, and one stack by two names, whatever its shape is read as."""
    two = TWO_STACKS.algorithm
    one = wrong("one stack", ("__init__", "self.B: Stack[Element[A]] = Stack()", "self.B = self.F")).of(two)
    cases: Any = {"no container by two names": (one, ()), "<lambda>": (two, (lambda s: s.F.top(),))}
    monkeypatch.setattr(fifo_runs, "shape_of", lambda _: None)
    for refuted, (made, clauses) in cases.items():
        found = explore_operation(made, SimpleNamespace(INVARIANT=clauses, LOOPS={}), "start").failures
        assert {failure.obligation for failure in found} == {refuted}
