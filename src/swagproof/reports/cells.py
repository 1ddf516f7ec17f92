"""Text drawings of a window: a line of cells, and marks below them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 12
"""The greatest number of cells drawn."""


@dataclass(frozen=True)
class Cells:
    """Cells side by side with marks below.  If there are too many, those in the middle are omitted."""

    cells: Sequence[str]
    most: int = MOST

    @property
    def cut(self) -> range:
        """Return the positions of the omitted cells."""
        if len(self.cells) <= self.most:
            return range(0)
        return range(self.most // 2, len(self.cells) - self.most // 2)

    def _columns(self) -> Iterator[tuple[int, str]]:
        """Yield the text and the position of each column; the position of the note for omitted cells is -1."""
        for at, cell in enumerate(self.cells):
            if at not in self.cut:
                yield at, cell
            elif at == self.cut.start:
                yield -1, f"({len(self.cut):,} more)"

    def text(self) -> str:
        """Return the line of cells."""
        return " ".join(cell for _, cell in self._columns())

    def marks(self, marks: Mapping[str, int]) -> str:
        """Return the names of pointers, each below the cell that it points to, or behind the last one.

        >>> row = Cells(["'a'", "'b'"])
        >>> print(row.text(), row.marks({"F": 0, "A": 1, "B": 1, "E": 2}), sep=chr(10))
        'a' 'b'
        F   AB  E
        """
        drawn = ""
        place = 0
        for at, cell in [*self._columns(), (len(self.cells), "")]:
            names = [name for name, to in marks.items() if to == at or (at == -1 and to in self.cut)]
            said_here = "".join(names) if at != -1 else " ".join(f"{name}@{marks[name]}" for name in names)
            if said_here:
                drawn = f"{drawn:<{place}}{' ' if drawn and len(drawn) >= place else ''}{said_here}"
            place += len(cell) + 1
        return drawn


def label_lines(*rows: tuple[str, str]) -> str:
    """Return the lines, each after its label."""
    width = max(len(label) for label, _ in rows) + 2
    return "\n".join(f"{label:<{width}}{text}".rstrip() for label, text in rows)
