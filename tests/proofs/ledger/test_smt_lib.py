"""Queries are written in standard SMT-LIB and keep their meaning: Z3 reads them and gives the same answers."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from swagproof.contracts.trees.coins import coins
from swagproof.models.operations import MAX
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.settings import using
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.flat_trees.array_runs import explore_operation as explore_flat_fat
from swagproof.proofs.flat_trees.complete_trees import LEMMAS, lemma
from swagproof.proofs.in_order import fifo_runs
from swagproof.proofs.ledger.smt_lib import CannotBeWritten, Writer, quoted
from swagproof.proofs.operations.unknowns import LawRow, associative, proved
from swagproof.proofs.sharing.timegram import any_value
from swagproof.proofs.trees.coins import LEMMA, put
from swagproof.proofs.trees.step_runs import explore_step
from swagproof.proofs.windows.window_arithmetic import cql_bounds
from swagproof.reference.catalogue import DABA_LITE, FLAT_FAT, TIMEGRAM, TWO_STACKS


def table(domain: Any) -> Any:
    return proved(associative, 3, [LawRow("max", MAX, (None, "T"), False, True)], [domain])


KINDS: Final[dict[str, Callable[[], Any]]] = {
    "pointers, arrays": lambda: fifo_runs.explore_operation(DABA_LITE.algorithm, DABA_LITE.contract, "evict"),
    "stacks": lambda: fifo_runs.explore_operation(TWO_STACKS.algorithm, TWO_STACKS.contract, "query"),
    "functions, constant arrays": lambda: explore_step("height decrease"),
    "sets, uninterpreted sorts": lambda: explore_flat_fat(FLAT_FAT.algorithm, "new"),
    "powers, counting": lambda: lemma(*LEMMAS),
    "arithmetic that is not linear": cql_bounds,
    "reals": lambda: explore(partial(any_value, TIMEGRAM.algorithm)),
    "truth values": lambda: explore(partial(put, LEMMA[0], LEMMA[0].roots[0], coins)),
    "doubles": lambda: table("doubles"),
    "half floats": lambda: table("half floats"),
    "integers": lambda: table("integers"),
}
"""A query for every kind of term that occurs."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.drawn(5)
def test_what_is_written_is_what_was_asked(kind: str) -> None:
    with using(questions=True):
        found = KINDS[kind]()
    inquiry = (found if isinstance(found, Exploration) else found.exploration).inquiry
    assert len(inquiry.kept) == inquiry.questions > 0
    writer = Writer()
    answers: set[str] = set()
    for question in inquiry.kept[:: 1 + len(inquiry.kept) // 40]:
        text = writer.write(question.facts)
        reread = z3.Solver()
        reread.set("rlimit", 50_000_000)
        reread.from_string(text)
        assert str(reread.check()) == question.answer, text
        answers.add(question.answer)
        for symbol in ("as const", "lambda", "seq."):
            assert symbol not in text
    assert answers == {"sat", "unsat"}


def test_a_text_is_that_of_the_standard() -> None:
    x, y, p = z3.Int("x"), z3.Int("place!1"), z3.Bool("it is there")
    squared = (x + y) * (x + y)
    facts = [z3.And(p), z3.Or(squared > 0, squared + 1 == x), z3.IntVal(-1) < x, z3.ToReal(x) > z3.RealVal("1/2")]
    assert Writer().write(facts).splitlines() == [
        "(set-logic ALL)",
        "(declare-fun |it is there| () Bool)",
        "(declare-fun x () Int)",
        "(declare-fun place!1 () Int)",
        "(assert |it is there|)",
        "(assert (let ((?0 (+ x place!1))) (let ((?1 (* ?0 ?0))) (or (> ?1 0) (= (+ ?1 1) x)))))",
        "(assert (< (- 1) x))",
        "(assert (< (/ 1.0 2.0) (to_real x)))",
        "(check-sat)",
    ]


def test_a_constant_array_is_read_not_written() -> None:
    i, j = z3.Ints("i j")
    none = z3.K(z3.IntSort(), z3.BoolVal(False))
    one = z3.If(i < j, z3.Store(none, i, z3.BoolVal(True)), none)
    (line,) = [line for line in Writer().write([z3.Select(one, j)]).splitlines() if "assert" in line]
    assert line == "(assert (ite (< i j) (ite (= i j) true false) false))"
    with pytest.raises(CannotBeWritten, match="const"):
        Writer().write([one == none])


def test_what_has_no_name_in_the_standard_is_refused() -> None:
    x, words = z3.Int("x"), z3.Const("words", z3.SeqSort(z3.IntSort()))
    refused = [
        words == z3.Concat(words, words),
        z3.ForAll([x], x > 0),
        z3.Int("a|b") > 0,
        z3.Int("a\\b") > 0,
        z3.Int("div") > 0,
        z3.Int("?0") > 0,
        z3.And(z3.Int("twice") > 0, z3.Bool("twice")),
        z3.Int2BV(x, 8) == z3.BitVecVal(3, 8),
    ]
    for fact in refused:
        with pytest.raises(CannotBeWritten):
            Writer().write([fact])
    with pytest.raises(CannotBeWritten, match="one name for two things"):
        Writer().write([z3.Int("twice") > 0, z3.Bool("twice")])


@pytest.mark.parametrize(
    ("name", "written"), [("lo!1", "lo!1"), ("2^", "|2^|"), ("m *", "|m *|"), ("π", "|π|"), ("F.lo", "F.lo")]
)
def test_names_are_quoted_where_they_must_be(name: str, written: str) -> None:
    assert quoted(name) == written


def test_a_question_asked_twice_is_one_text() -> None:
    def ask() -> list[str]:
        def run(path: Path) -> None:
            x = path.fresh("x")
            path.assume(z3.And(x > 0, x < 9))
            path.show("small", x * x < 81)

        with using(questions=True):
            kept = explore(run).inquiry.kept
        return [Writer().write(question.facts) for question in kept]

    first = ask()
    [z3.Int(f"other{i}") + i for i in range(100)]
    assert ask() == first
