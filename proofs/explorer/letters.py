"""The values that explorations insert, and a window over them: opaque words, and values that can only be compared.

One exploration covers every monoid only if the algorithm does not inspect values.  This is checked: a value is a `Word`
over an infinite alphabet, and while an algorithm runs (`SEALED`) using a word's truth, equality, hash or type raises an
error that names the operation.  All letters are different, so in the free monoid different histories have different
products.  A word is stored as intervals of letters, so that joining, comparing and renaming take one step for any
length.

Values that the algorithm may only compare are `Ordered`: the times of a tree, the values for maxima.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import TracebackType
from typing import Any, Final, NoReturn, TypeAlias

from swagproof.models.operations import Operation

FIRST_AFTER_Z: Final = 0x3B1
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz" + "".join(map(chr, range(FIRST_AFTER_Z, 0xD800)))
"""The letters in print: the k-th element of a history is the k-th of these, with α after z."""

Parts: TypeAlias = tuple[int, ...]
"""A word as half-open intervals of letter numbers, flattened; adjacent intervals are merged."""


class LookedAtError(Exception):
    """An exception for an algorithm that inspects a value or a time in a forbidden way."""


# Seals, which hold only while an algorithm runs

_sealed = False


class Seal:
    """A context in which words are sealed or open; algorithms may not compare them, contracts may."""

    def __init__(self, closed: bool) -> None:
        self.closed = closed
        self.before: list[bool] = []

    def __enter__(self) -> None:
        global _sealed
        self.before.append(_sealed)
        _sealed = self.closed

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        global _sealed
        _sealed = self.before.pop()


SEALED: Final = Seal(True)
OPEN: Final = Seal(False)


def _refuse(what: str) -> Callable[..., Any]:
    def ask(self: Any, *given: Any) -> NoReturn:
        raise LookedAtError(f"asks for the {what} of a {type(self).kind}")

    return ask


class Word:
    """A value: a product of letters, which `WORDS` combines.  It can be compared and printed only while not sealed."""

    __slots__ = ("parts",)
    kind = "value"

    def __init__(self, parts: Parts = ()) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        if _sealed:
            raise LookedAtError("asks for the equality of a value")
        return type(other) is Word and self.parts == other.parts

    @property  # type: ignore[misc]  # that of an object can be set
    def __class__(self) -> Any:
        if _sealed:
            raise LookedAtError("asks for the kind of a value")
        return Word

    def __repr__(self) -> str:
        """Return the word's letters; while it is sealed, only the text "value"."""
        return "value" if _sealed else "".join(LETTERS[k] for k in self.letters)

    def __reduce__(self) -> tuple[Any, ...]:
        return Word, (self.parts,)

    @property
    def letters(self) -> list[int]:
        """The numbers of the word's letters."""
        parts = self.parts
        return [k for i in range(0, len(parts), 2) for k in range(parts[i], parts[i + 1])]

    __bool__ = _refuse("truth")
    __hash__ = _refuse("hash")
    __lt__ = __le__ = __gt__ = __ge__ = _refuse("order")
    __len__ = __iter__ = __contains__ = __getitem__ = _refuse("contents")
    __add__ = __radd__ = __mul__ = __sub__ = _refuse("sum")
    __int__ = __index__ = __float__ = _refuse("number")


class Selected(Word):
    """A value for an operator that selects one operand; the algorithm may test which operand it was."""

    __slots__ = ()
    __hash__ = Word.__hash__

    def __eq__(self, other: object) -> bool:
        return type(other) is Selected and self.parts == other.parts

    def __reduce__(self) -> tuple[Any, ...]:
        return Selected, (self.parts,)


@cache
def word(parts: Parts) -> Word:
    """Return the word of these intervals, one object per word, so that states do not depend on object identity."""
    return Word(parts)


def join(a: Word, b: Word) -> Word:
    """Return the concatenation of two words."""
    left, right = a.parts, b.parts
    if not right:
        return a
    if not left:
        return b
    return word(left[:-1] + right[1:] if left[-1] == right[0] else left + right)


def _without(a: Word, ab: Word) -> Word:
    """Return b from a and ab.  Raises ValueError if the second word does not begin with the first."""
    a_letters, ab_letters = a.letters, ab.letters
    if ab_letters[: len(a_letters)] != a_letters:
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return spell(ab_letters[len(a_letters) :])


def spell(letters: Sequence[int]) -> Word:
    """Return the word of these letters."""
    parts: list[int] = []
    for k in letters:
        if parts and parts[-1] == k:
            parts[-1] = k + 1
        else:
            parts += (k, k + 1)
    return word(tuple(parts))


def letter(k: int) -> Word:
    """Return the k-th letter of the alphabet, counted from 0."""
    return word((k, k + 1))


WORDS: Final[Operation[Word, Word, Word]] = Operation(
    "words",
    lift=lambda v: v,
    combine=join,
    lower=lambda v: v,
    identity=word(()),
    commutative=False,
    remove=_without,
    samples=(letter(0), letter(1), letter(2)),
)
"""The free monoid over the alphabet, with the left subtraction that subtract-on-evict needs."""


class Ordered:
    """A value of a total order that supports comparison only: no truth, hash, conversion or difference."""

    __slots__ = ("at",)
    kind = "time"

    def __init__(self, at: Any) -> None:
        self.at = at

    def __eq__(self, other: object) -> bool:
        return self.at == other.at if type(other) is Ordered else NotImplemented

    def __lt__(self, other: "Ordered") -> bool:
        return self.at < other.at if type(other) is Ordered else NotImplemented

    def __le__(self, other: "Ordered") -> bool:
        return self.at <= other.at if type(other) is Ordered else NotImplemented

    def __gt__(self, other: "Ordered") -> bool:
        return self.at > other.at if type(other) is Ordered else NotImplemented

    def __ge__(self, other: "Ordered") -> bool:
        return self.at >= other.at if type(other) is Ordered else NotImplemented

    @property  # type: ignore[misc]  # that of an object can be set
    def __class__(self) -> Any:
        if _sealed:
            raise LookedAtError("asks for the kind of a time")
        return Ordered

    def __repr__(self) -> str:
        return "time" if _sealed else f"{self.at}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Ordered, (self.at,)

    __bool__ = _refuse("truth")
    __hash__ = _refuse("hash")
    __len__ = __iter__ = __contains__ = __getitem__ = _refuse("contents")
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __mod__ = __floordiv__ = _refuse("sum")
    __int__ = __index__ = __float__ = _refuse("number")


@cache
def ordered(at: Any) -> Ordered:
    """Return the value at a place of the order, one object per place."""
    return Ordered(at)


class LetterWindow:
    """A FIFO window by definition, over letters in order of arrival: a product is an interval of letters."""

    __slots__ = ("evicted", "inserted")

    def __init__(self, evicted: int = 0, inserted: int = 0) -> None:
        self.evicted = evicted
        """The number of evicted elements."""
        self.inserted = inserted

    @property
    def size(self) -> int:
        """The number n of elements."""
        return self.inserted - self.evicted

    @property
    def next(self) -> Word:
        """The next letter to insert."""
        return letter(self.inserted)

    def insert(self, v: Word) -> None:
        """Add the next letter."""
        assert v == self.next
        self.inserted += 1

    def evict(self) -> None:
        """Remove the oldest element."""
        self.evicted += 1

    def __getitem__(self, i: int) -> Word:
        return self.product(i, i + 1)

    def product(self, i: int, j: int) -> Word:
        """Return v_i ... v_{j-1}.  Raises IndexError for invalid places."""
        if not 0 <= i <= j <= self.size:
            raise IndexError(f"product({i}, {j}) of a window of {self.size}")
        return Word((self.evicted + i, self.evicted + j) if i < j else ())

    def query(self) -> Word:
        """Return v_0 ... v_{n-1}."""
        return self.product(0, self.size)
