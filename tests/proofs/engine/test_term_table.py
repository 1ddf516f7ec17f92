"""The term table builds each term once, and equal to the term that Z3 builds."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.terms import term_table

PLAIN: Any = import_module("z3")

MADE: list[Callable[[Any], Any]] = [
    lambda z: z.Int("x") + 1 - 2 * z.Int("x"),
    lambda z: 1 - z.Int("x") % 3,
    lambda z: z.IntVal(-1) < z.Int("x"),
    lambda z: z.ToReal(z.Int("x")) > z.RealVal("1/2"),
    lambda z: z.And(z.Bool("p"), True, z.Not(z.Int("x") == 1)),
    lambda z: z.Or([z.Bool("p"), z.Int("x") != z.Int("y")]),
    lambda z: z.If(z.Bool("p"), 1, z.Int("x")),
    lambda z: z.Function("f", z.IntSort(), z.BoolSort(), z.IntSort())(z.Int("x"), True),
    lambda z: z.Store(z.Array("a", z.IntSort(), z.IntSort()), 1, 2)[z.Int("x")],
    lambda z: z.simplify(z.Int("x") + z.Int("x")),
    lambda z: z.substitute(z.Int("x") + 1, (z.Int("x"), z.IntVal(3))),
    lambda z: z.Sum([z.Int("x"), z.Int("y")]) == z.Ints("x y")[0],
]


@pytest.mark.parametrize("make", MADE)
def test_a_term_is_that_of_z3_and_made_once(make: Callable[[Any], Any]) -> None:
    made = make(z3)
    assert made.sexpr() == make(PLAIN).sexpr()
    assert str(made) == str(make(PLAIN))
    assert make(z3).eq(made)
    assert isinstance(made, type(make(PLAIN)))


def test_what_only_looks_alike_is_another() -> None:
    x, y, p = z3.Int("x"), z3.Int("y"), z3.Bool("p")
    assert x + 1 is x + 1
    assert not (x + 1).eq(x + y)
    assert not (1 + x).eq(x + 1)
    assert not z3.And(p).eq(p)
    assert z3.If(p, 1, 0).sort() == z3.IntSort()
    assert z3.If(p, True, False).sort() == z3.BoolSort()
    assert not z3.Int("1").eq(z3.IntVal(1))


def test_the_table_can_be_emptied_while_terms_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    x = z3.Int("x")
    kept = x + 1
    monkeypatch.setattr(term_table, "MOST", 0)
    z3.forget()
    for n in range(1000):  # none of these replaces one in use
        assert z3.Int(f"other {n}") + 1 is not kept
    again = z3.Int("x") + 1
    assert again is not kept
    assert again.eq(kept)
    assert (kept == again).sexpr() == "(= (+ x 1) (+ x 1))"
