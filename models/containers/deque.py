"""The resizable double-ended queue and the pointers of Definition 1, over chunked arrays.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 4, Definition 1.

A deque is a doubly linked list of chunks of CHUNK slots.  A pointer is a chunk and an offset in it.  Every operation
touches at most two chunks and nothing is copied to grow, so each takes constant time in the worst case, not only on
average (the allocation of a chunk has constant size).  The next chunk is allocated when the last slot of one is filled,
because the end pointer needs a slot.

At the ends:

- reading or writing through the end pointer, or through a pointer to an element that was popped: IndexError;
- p + 1 from the end, or from an element that was popped: IndexError;
- p - 1 at the first element: IndexError;
- pop_front of an empty deque: IndexError, and nothing changes.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

CHUNK: Final = 64
"""The number of slots in a chunk."""


class _Vacant:
    __slots__ = ()

    def __repr__(self) -> str:
        return "VACANT"


VACANT: Final[Any] = _Vacant()
"""The content of a slot before its element is pushed and after it is popped."""


class Chunk:
    """CHUNK slots, linked to two neighbours.  A popped chunk has none."""

    __slots__ = ("first", "following", "preceding", "slots")

    def __init__(self, first: int, preceding: "Chunk | None") -> None:
        self.first = first  # how many elements were pushed before slot 0
        self.slots: list[Any] = [VACANT] * CHUNK
        self.preceding = preceding
        self.following: Chunk | None = None


def place(offset: int, steps: int) -> tuple[int, int]:
    """Move by `steps` from `offset`: return the number of chunks moved (negative is back) and the new offset.

    Contract (run by the proofs of the deque): chunks * CHUNK + offset' = offset + steps and 0 <= offset' < CHUNK.

    >>> place(63, 1), place(0, -1), place(5, 0)
    ((1, 0), (-1, 63), (0, 5))
    """
    return divmod(offset + steps, CHUNK)


class Pointer:
    """An iterator into a deque: `p == q`, `p + 1`, `p - 1`; the deque reads and writes through it.

    These operations and assignment are all that the algorithms use; they take constant time.  For stating invariants
    there are also `p + i` and `p - i` (one step a chunk), and `p - q`, `p < q`, `p <= q`.  Pointers are immutable: p +
    1 is a new one.
    """

    __slots__ = ("chunk", "offset")

    def __init__(self, chunk: Chunk, offset: int) -> None:
        self.chunk = chunk
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pointer) and self.offset == other.offset and self.chunk is other.chunk

    def __hash__(self) -> int:
        return hash((id(self.chunk), self.offset))

    def __add__(self, steps: int) -> "Pointer":
        chunk, offset = self.chunk, self.offset
        if steps == 1 and chunk.slots[offset] is VACANT:
            raise IndexError("p + 1: p is the end of the deque, or what it pointed to was popped")
        offset += steps
        if 0 <= offset < CHUNK:
            return Pointer(chunk, offset)
        return _walk(chunk, offset - steps, steps)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Pointer):
            return self.chunk.first + self.offset - other.chunk.first - other.offset
        chunk, offset = self.chunk, self.offset - other
        before = Pointer(chunk, offset) if 0 <= offset < CHUNK else _walk(chunk, self.offset, -other)
        if other == 1 and before.chunk.slots[before.offset] is VACANT:
            raise IndexError("p - 1: p is the first element of the deque")
        return before

    def __lt__(self, other: "Pointer") -> bool:
        return bool(self - other < 0)

    def __le__(self, other: "Pointer") -> bool:
        return bool(self - other <= 0)

    def __repr__(self) -> str:
        return f"@{self.chunk.first + self.offset}"


def _walk(chunk: Chunk, offset: int, steps: int) -> Pointer:
    chunks, offset = place(offset, steps)
    at: Chunk | None = chunk
    for _ in range(abs(chunks)):
        at = None if at is None else at.following if chunks > 0 else at.preceding
    if at is None:
        raise IndexError("the pointer leaves the deque")
    return Pointer(at, offset)


class ChunkedDeque(Generic[T]):
    """A double-ended queue whose pointers stay valid until their element is popped.

    >>> deque = ChunkedDeque[str]()
    >>> F = E = deque.begin()
    >>> for letter in "abc":
    ...     deque.push_back(letter); E = E + 1
    >>> deque[F + 1] = "B"
    >>> deque[E - 1], deque[F + 1], E == deque.end(), len(deque)
    ('c', 'B', True, 3)
    """

    __slots__ = ("_back", "_front", "_last", "_start")

    def __init__(self) -> None:
        self._front = self._back = Chunk(0, None)
        self._start = 0  # offset of the first element in the front chunk
        self._last = 0  # offset of the end in the back chunk

    def __len__(self) -> int:
        return self._back.first + self._last - self._front.first - self._start

    def begin(self) -> Pointer:
        """The pointer to the first element; equal to `end()` when the deque is empty."""
        return Pointer(self._front, self._start)

    def end(self) -> Pointer:
        """The pointer behind the last element, where the next one will be pushed."""
        return Pointer(self._back, self._last)

    def pointers(self) -> Iterator[Pointer]:
        """The pointers to the elements, from the first to the last.  For stating invariants."""
        return (Pointer(chunk, offset) for chunk, offsets in self._spans() for offset in offsets)

    def __iter__(self) -> Iterator[T]:
        for chunk, offsets in self._spans():
            yield from chunk.slots[offsets.start : offsets.stop]

    def _spans(self) -> Iterator[tuple[Chunk, range]]:
        chunk: Chunk | None = self._front
        start = self._start
        while chunk is not None:
            yield chunk, range(start, self._last if chunk is self._back else CHUNK)
            chunk, start = chunk.following, 0

    def push_back(self, item: T) -> None:
        """Add an item behind the last."""
        back = self._back
        back.slots[self._last] = item
        self._last += 1
        if self._last == CHUNK:
            self._back = back.following = Chunk(back.first + CHUNK, back)
            self._last = 0

    def pop_front(self) -> None:
        """Remove the first item.  Raises IndexError when there is none."""
        front = self._front
        if front is self._back and self._start == self._last:
            raise IndexError("pop_front: the deque is empty")
        front.slots[self._start] = VACANT
        self._start += 1
        if self._start == CHUNK:
            assert front.following is not None
            self._front = front.following
            self._front.preceding = front.following = None  # a stale pointer keeps one chunk alive, not the rest
            self._start = 0

    def __getitem__(self, p: Pointer) -> T:
        item: T = p.chunk.slots[p.offset]
        if item is VACANT:
            raise IndexError("read through a pointer to no element: the end of the deque, or popped")
        return item

    def __setitem__(self, p: Pointer, item: T) -> None:
        slots = p.chunk.slots
        if slots[p.offset] is VACANT:
            raise IndexError("write through a pointer to no element: the end of the deque, or popped")
        slots[p.offset] = item


class NumberedDeque(Generic[T]):
    """The deque by definition: elements are numbered as they are pushed, and a pointer is a number.

    It keeps no watch over pointer arithmetic; a number that is no element's cannot be read or written through.
    `pop_front` takes linear time.

    >>> deque = NumberedDeque[str]()
    >>> deque.push_back("a"); deque.push_back("b"); deque.pop_front()
    >>> deque.begin(), deque.end(), deque[deque.begin()]
    (1, 2, 'b')
    """

    __slots__ = ("first", "items")

    def __init__(self) -> None:
        self.items: list[T] = []
        self.first = 0

    def begin(self) -> int:
        return self.first

    def end(self) -> int:
        return self.first + len(self.items)

    def pointers(self) -> Iterable[int]:
        return range(self.first, self.end())

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def push_back(self, item: T) -> None:
        self.items.append(item)

    def pop_front(self) -> None:
        """Remove the first item.  Raises IndexError when there is none."""
        if not self.items:
            raise IndexError("pop_front: the deque is empty")
        del self.items[0]
        self.first += 1

    def _at(self, p: int) -> int:
        if p < self.first:
            raise IndexError(f"element {p} was popped")
        return p - self.first

    def __getitem__(self, p: int) -> T:
        return self.items[self._at(p)]

    def __setitem__(self, p: int, item: T) -> None:
        self.items[self._at(p)] = item
