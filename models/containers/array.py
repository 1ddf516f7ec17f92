"""An array of slots counted from 1, as flat trees use, that rejects accesses outside and reads of unwritten slots."""

from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

UNWRITTEN: Final[Any] = object()
"""The content of an unwritten slot."""


class Array(Generic[T]):
    """A fixed number of slots 1 .. size.  Every operation takes constant time.

    A list would accept 0 and -1 as indices, and so hide a pointer that left the array.

    >>> array = Array[str](3)
    >>> array[1] = "a"; array[3] = "c"; array[1] + array[3], array.size
    ('ac', 3)
    """

    __slots__ = ("_slots",)

    def __init__(self, size: int) -> None:
        self._slots: list[T] = [UNWRITTEN] * size

    @property
    def size(self) -> int:
        """Return the number of slots."""
        return len(self._slots)

    def __getitem__(self, index: int) -> T:
        """Return the value of a slot.  Raises IndexError outside 1 .. size and for an unwritten slot."""
        if not 1 <= index <= len(self._slots):
            raise IndexError(f"slot {index} of an array 1 .. {len(self._slots)}")
        value = self._slots[index - 1]
        if value is UNWRITTEN:
            raise IndexError(f"slot {index} is read before it is written")
        return value

    def __setitem__(self, index: int, value: T) -> None:
        """Write a slot.  Raises IndexError outside 1 .. size."""
        if not 1 <= index <= len(self._slots):
            raise IndexError(f"slot {index} of an array 1 .. {len(self._slots)}")
        self._slots[index - 1] = value

    def copy(self) -> "Array[T]":
        """Return an independent copy."""
        made = Array[T](0)
        made._slots = self._slots.copy()
        return made
