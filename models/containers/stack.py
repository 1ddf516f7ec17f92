"""The stack of Two-Stacks, with the paper's operations."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Stack(Generic[T]):
    """Push, pop, top and isEmpty over a list; `stack[depth]` reads below the top, for stating invariants.

    Push and pop take amortised constant time (the list grows by copying), the rest constant time.

    >>> stack = Stack[str]()
    >>> stack.push("a"); stack.push("b"); stack.top(), stack[0], stack[1], stack.size
    ('b', 'b', 'a', 2)
    """

    __slots__ = ("_items",)

    def __init__(self) -> None:
        self._items: list[T] = []

    def push(self, item: T) -> None:
        self._items.append(item)

    def pop(self) -> T:
        """Remove and return the newest item.  Raises IndexError when there is none."""
        return self._items.pop()

    def top(self) -> T:
        """The newest item.  Raises IndexError when there is none."""
        return self._items[-1]

    def is_empty(self) -> bool:
        return not self._items

    @property
    def size(self) -> int:
        return len(self._items)

    def __getitem__(self, depth: int) -> T:
        """The item `depth` places below the top.  Raises IndexError outside 0 .. len - 1."""
        if not 0 <= depth < len(self._items):
            raise IndexError(f"depth {depth} in a stack of {len(self._items)}")
        return self._items[-1 - depth]
