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
    """The same for each phase over each monoid."""
    first: tuple[Domain, Sequence[Step]] | None = None
    """The first trace that passed: should it fail later, then windows share state."""
    every_word: int = 0
    """All words of up to so many operations were tried, over every domain."""
    work: int = 0
    """The cost of the traces that were tried, in operations: the part of the effort that is done."""
    skipped: int = 0
    """The part of it that the subject does not offer, and was not judged on."""
    beside: Tried | None = None
    """The traces that were tried with other windows of the class alive; None if not requested, or if refused."""
    refused: str = ""
    """The subject's error when other windows could not be built."""
    finished: bool = False
    """True if all of the effort was done, or all that there is was tried."""

    def complete(self, length: int) -> None:
        """All words of up to so many operations were tried, over every domain; not where some are not offered."""
        if not self.skipped:
            self.every_word = max(self.every_word, length)

    @property
    def total(self) -> Tried:
        """Over all domains."""
        total = Tried()
        for tried in self.monoids.values():
            total.add(tried)
        return total
