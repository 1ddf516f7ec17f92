"""Loops cut at an invariant, in an algorithm with one loop: obligations, forgotten values, and refused code."""

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.contracts.clause import Loop
from swagproof.contracts.in_order import recalculate
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.loops import quiet_methods
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.engine.source.methods import count_loops
from swagproof.proofs.engine.source.watched_loops import watch
from swagproof.proofs.in_order.fifo_runs import explore_operation
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.reference.catalogue import RECALCULATE, TWO_STACKS, TWO_STACKS_LITE

(QUERY,) = recalculate.LOOPS["query"]


def query(*edits: tuple[str, str], loop: Loop = QUERY) -> Exploration:
    """Run recalculate-from-scratch's query symbolically, with these edits, under this invariant of its loop."""
    contract = SimpleNamespace(**{**vars(recalculate), "LOOPS": {"query": (loop,)}})
    algorithm = RECALCULATE.algorithm
    if edits:
        algorithm = wrong(f"changed: {edits}", *(("query", old, new) for old, new in edits)).of(algorithm)
    return explore_operation(algorithm, contract, "query")


def failures(report: Exploration) -> set[str]:
    return {failure.obligation for failure in report.failures}


def test_a_loop_is_two_paths() -> None:
    report = query()
    assert (report.paths, report.failures, report.sound) == (2, [], True)
    assert {"loop entered: scanned", "loop kept: scanned", "loop variant falls", "answer"} <= set(report.shown)
    assert "the loop changes only what was forgotten" in report.shown


@pytest.mark.parametrize(
    ("edit", "refuted"),
    [
        (("p = self.F\n", "p = self.E\n"), "loop entered: scanned"),
        (("combine(product, self.deque[p])", "combine(product, product)"), "loop kept: scanned"),
        (("p = p + 1", "p = p"), "loop variant falls"),
    ],
)
def test_entry_each_turn_and_the_variant_are_shown(edit: tuple[str, str], refuted: str) -> None:
    assert refuted in failures(query(edit))


def test_the_variant_must_stay_above_nothing() -> None:
    loop = Loop(*QUERY.clauses, variant=lambda s, p: s.F - p)
    assert failures(query(loop=loop)) == {"loop variant falls"}


def test_a_variant_that_branches_is_refused() -> None:
    loop = Loop(*QUERY.clauses, variant=lambda s, p: s.E - p if s.F == p else s.E - p + 1)
    assert any(f.unknown and "must not branch" in f.example for f in query(loop=loop).failures)


def test_behind_the_loop_the_invariant_is_all_that_is_known() -> None:
    def order(s: Any, p: Any) -> bool:
        return bool(s.F <= p <= s.E and recalculate.ends(s))

    loop = Loop(order, recalculate.values, variant=lambda s, p: s.E - p)
    assert "answer" in failures(query(loop=loop))


def test_a_contradictory_invariant_proves_nothing() -> None:
    def never(s: Any, p: Any) -> bool:
        return bool(p < s.F and p > s.E)

    loop = Loop(never, variant=lambda s, p: s.E - p)
    report = query(loop=loop)
    assert "loop entered: never" in failures(report)
    assert not report.sound


def test_a_clause_about_an_unknown_variable_fails() -> None:
    def about_q(s: Any, q: Any) -> bool:
        return bool(q == s.F)

    assert any("KeyError" in failure for failure in failures(query(loop=Loop(about_q, variant=lambda s, p: s.E - p))))


FORGETS = ("combine(self.deque[I], self.deque[I + 1])", "combine(self.deque[I], self.monoid.identity)")
INSERTS = ("I = I - 1", "I = I - 1; self.insert(self.aggB)")
SPOILS = ("I = I - 1", "I = I - 1; self.aggB = self.monoid.identity")
LEAVES = ("self.aggB = self.monoid.identity  # [Two-Stacks Lite evict l.15]", "pass")


@pytest.mark.parametrize(
    ("edits", "refuted"),
    [
        # Before a turn the invariant is not read with the variables after it; otherwise it would hold here
        ([FORGETS], "loop kept: flipped_contents"),
        ([INSERTS], "the loop changes only what was forgotten"),
        ([SPOILS, LEAVES], "aggB"),
    ],
)
def test_what_a_turn_of_the_flip_does_is_seen(edits: list[tuple[str, str]], refuted: str) -> None:
    variant = wrong(f"flip: {refuted}", *(("evict", old, new) for old, new in edits))
    report = explore_operation(variant.of(TWO_STACKS_LITE.algorithm), TWO_STACKS_LITE.contract, "evict")
    assert refuted in failures(report)


KIND = "what the loop assigns stays of its kind"
REMEMBERS = "the loop changes only what was forgotten"


def test_what_is_forgotten_stays_of_its_kind() -> None:
    """Check that a havocked pointer stays a pointer: a value that may be false would make the product empty."""
    found = failures(
        query(
            ("p = self.F\n", "p = q = self.F\n"),
            ("p = p + 1", "p = p + 1; product = product if q else self.monoid.identity; q = 0"),
        )
    )
    assert found == {KIND}


def test_a_method_called_in_the_loop_gives_the_object_no_attributes() -> None:
    class Keeping(TWO_STACKS_LITE.algorithm):  # type: ignore[name-defined,misc]  # a class all the same
        def keep(self, v: Any) -> None:
            self.kept = v

    keeps = wrong("flip keeps an aggregate", ("evict", "I = I - 1", "I = I - 1; self.keep(self.deque[I])"))
    found = failures(explore_operation(keeps.of(Keeping), TWO_STACKS_LITE.contract, "evict"))
    assert found == {"the loop gives the object no attributes"}, (
        "space is shown past the loop, where nothing has been kept"
    )


@pytest.mark.parametrize(("made", "named"), [("{}", "e"), ("(0, ({},))", "e[1][0]")])
def test_a_struct_is_stored_in_one_turn_only(made: str, named: str) -> None:
    struct = made.format("Element(self.monoid.identity, self.monoid.identity)")
    twice = wrong(
        f"flip stores one struct in each turn: {named}",
        ("evict", "while ", f"e = {struct}\n        while "),
        ("evict", "self.F.push(", f"self.B.push({named}); self.B.pop(); self.F.push("),
    )
    found = failures(explore_operation(twice.of(TWO_STACKS.algorithm), TWO_STACKS.contract, "evict"))
    assert found == {REMEMBERS}


@pytest.mark.parametrize("also", ["e.val = v", "e.agg = v", "del e", "self.swap()"])
def test_a_turn_leaves_what_it_does_not_assign(also: str) -> None:
    class Swapping(TWO_STACKS.algorithm):  # type: ignore[name-defined,misc]  # a class all the same
        def swap(self: Any) -> None:
            self.F, self.B = self.B, self.F

    changes = wrong(
        f"flip changes a struct: {also}",
        ("evict", "while ", "e = Element(self.B.top().val, self.B.top().agg)\n        while "),
        ("evict", "self.B.pop()", f"self.B.pop(); v = self.monoid.identity; {also}"),
    )
    found = failures(explore_operation(changes.of(Swapping), TWO_STACKS.contract, "evict"))
    assert REMEMBERS in found


def test_a_loop_ends_before_it_is_begun_again() -> None:
    found = query(("p = p + 1", "p = p + 1; self.query()")).failures
    assert any(f.unknown and "a loop of query is begun again before it has ended" in f.example for f in found)


class Cut:
    """Nested loops, and a loop after them."""

    def two(self, n: int) -> int:
        for i in range(n):
            for _ in (i, i):
                n = n + 1
        while n > 0:
            n = n - 1
        return n

    def none(self, n: int) -> int:
        return n


def test_loops_are_counted() -> None:
    assert [count_loops(method) for method in (Cut.two, Cut.none)] == [3, 0]


def test_several_loops_are_watched_as_they_run() -> None:
    seen: list[tuple[str, int, Any]] = []
    looks = [lambda local, done, items, name=name: seen.append((name, done, items)) for name in ("i", "_", "n")]
    assert watch(Cut.two, *looks)(Cut(), 1) == 0  # type: ignore[arg-type]  # a name besides
    assert [entry for entry in seen if entry[0] == "i"] == [("i", 0, [0]), ("i", 1, [0])]
    assert [done for name, done, _ in seen if name == "_"] == [0, 1, 2]
    assert [done for name, done, _ in seen if name == "n"] == [0, 1, 2, 3]


class Written(SimpleNamespace):
    """Methods that write, and methods that do not."""

    def reads(self, W: Any) -> Any:
        return self.asks(W)[0]

    def asks(self, W: Any) -> Any:
        return W

    def stores(self, W: Any) -> None:
        W[0] = 1

    def drops(self, W: Any) -> None:
        del W[0]

    def calls(self, W: Any) -> None:
        self.stores(W)


def test_methods_that_write_nothing_are_quiet() -> None:
    own = type("Own", (), {name: value for name, value in vars(Written).items() if inspect.isfunction(value)})
    assert quiet_methods(own) == {"reads", "asks"}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("while p != self.E:\n", "while p != p:\n        p = p\n    while p != self.E:\n",
         "query has 2 loops; the contracts give invariants for 1"),
        ("while ", "if ", ""),
    ],
    ids=["two", "none"],
)  # fmt: skip
def test_each_loop_has_an_invariant(old: str, new: str, why: str) -> None:
    found = query((old, new)).failures
    assert found
    assert all(why in f.example for f in found)


def test_what_cannot_be_cut_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the engine does not know the else of a loop"):
        query(("    return product", "    else:\n        p = p\n    return product"))
    assert query(("p = p + 1", "break")).failures


def test_a_watched_loop_runs_as_it_is() -> None:
    turns: list[str] = []
    watched = watch(RECALCULATE.algorithm.query, lambda local, done, items: turns.append(local["product"]))
    window = RECALCULATE.algorithm(CONCATENATION)
    for letter in "abc":
        window.insert(letter)
    assert watched(window) == "abc"
    assert turns == ["", "a", "ab", "abc"]


def test_variants_of_one_name_and_different_text_are_kept_apart() -> None:
    """Check that the loop is cut in the source of this mutant, not in that of another with the same name."""
    right = wrong("twins", ("query", "p = p + 1", "p = (p + 1)"))
    endless = wrong("twins", ("query", "p = p + 1", "p = p"))
    made = [variant.of(RECALCULATE.algorithm) for variant in (right, endless)]
    assert [bool(explore_operation(each, recalculate, "query").failures) for each in made] == [False, True]
    assert isinstance(right, Mutant)
