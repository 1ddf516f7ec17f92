"""The alphabet of the explorations, and the window by definition over it.

Values are letters, all of them different: over the free monoid nothing is hidden by two histories that happen to agree.
They come in one order, so that a history need not be told with its letters, and a product of neighbours is a part of
the alphabet, which can be compared and counted without looking at it letter by letter.
"""

from dataclasses import dataclass
from typing import Final

FIRST_AFTER_Z: Final = 0x3B1
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz" + "".join(map(chr, range(FIRST_AFTER_Z, 0xD800)))
"""The alphabet of every exploration: the k-th element of a history is the k-th of these, α after z."""


def letter_number(letter: str) -> int:
    """Which letter it is, from 0.

    >>> letter_number("c"), letter_number("α"), LETTERS[26]
    (2, 26, 'α')
    """
    code = ord(letter)
    return code - ord("a") if code < FIRST_AFTER_Z else code - FIRST_AFTER_Z + 26


@dataclass
class LetterWindow:
    """A FIFO window by definition, over letters as they arrive: a product is a part of the word that they make."""

    inserted: int = 0
    word: str = ""

    @property
    def size(self) -> int:
        """n, the number of elements."""
        return len(self.word)

    @property
    def evicted(self) -> int:
        """How many have left."""
        return self.inserted - len(self.word)

    def insert(self, letter: str) -> None:
        """Add the next letter."""
        self.inserted += 1
        self.word += letter

    def evict(self) -> None:
        """Remove the oldest."""
        self.word = self.word[1:]

    def __getitem__(self, i: int) -> str:
        return self.product(i, i + 1)

    def product(self, i: int, j: int) -> str:
        """v_i ... v_{j-1}.  Raises IndexError."""
        if not 0 <= i <= j <= len(self.word):
            raise IndexError(f"product({i}, {j}) of a window of {self.size}")
        return self.word[i:j]

    def query(self) -> str:
        """v_0 ... v_{n-1}."""
        return self.word
