"""Two-Stacks (placeholder while the column is written)."""

from typing import Generic

from swagproof.models.element import Element
from swagproof.models.monoid import A, Monoid
from swagproof.models.stack import Stack
from swagproof.models.window import EmptyWindowError


class TwoStacks(Generic[A]):
    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.F: Stack[Element[A]] = Stack()
        self.B: Stack[Element[A]] = Stack()

    def pi_F(self) -> A:
        return self.monoid.identity if self.F.is_empty() else self.F.top().agg

    def pi_B(self) -> A:
        return self.monoid.identity if self.B.is_empty() else self.B.top().agg

    def query(self) -> A:
        return self.monoid.combine(self.pi_F(), self.pi_B())

    def insert(self, v: A) -> None:
        self.B.push(Element(v, self.monoid.combine(self.pi_B(), v)))

    def evict(self) -> None:
        if self.F.is_empty() and self.B.is_empty():
            raise EmptyWindowError
        if self.F.is_empty():
            while not self.B.is_empty():
                self.F.push(Element(self.B.top().val, self.monoid.combine(self.B.top().val, self.pi_F())))
                self.B.pop()
        self.F.pop()
