"""The coverage of a search: how many traces and answers it tried, by monoid and by phase."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.trace import Step


@dataclass
class Coverage:
    """The coverage and the effort of a search."""

    monoids: dict[str, Tried] = field(default_factory=dict[str, Tried])
    phases: dict[str, Tried] = field(default_factory=dict[str, Tried])
    cells: dict[tuple[str, str], Tried] = field(default_factory=dict[tuple[str, str], Tried])
    """The counts for each phase over each monoid."""
    first: tuple[Domain, Sequence[Step]] | None = None
    """The first trace that passed: if it fails later, windows share state."""
    every_word: int = 0
    """All words of up to this length were tried, over every domain."""
    work: int = 0
    """The cost of the traces that were tried, in operations: the part of the effort already spent."""
    skipped: int = 0
    """The part of the work that the subject does not offer, and was not judged on."""
    beside: Tried | None = None
    """The counts of traces tried with other live windows of the class; None if not requested, or if refused."""
    refused: str = ""
    """The subject's error when other windows could not be built."""
    finished: bool = False
    """True if the whole effort was spent, or all traces were tried."""

    def complete(self, length: int) -> None:
        """Record that all words of up to this length were tried over every domain, unless some were skipped."""
        if not self.skipped:
            self.every_word = max(self.every_word, length)

    @property
    def total(self) -> Tried:
        """The counts over all domains."""
        total = Tried()
        for tried in self.monoids.values():
            total.add(tried)
        return total
