"""The coverage of a search: how many traces and answers it tried, and how much of the references' structure.

A transition of a reference (see `swagproof.oracle.search.structure`) is covered once a passing trace has taken it. Only
traces over the first domain count; it is the free monoid unless the user chooses another.  A transition that is right
over the free monoid is right for every monoid.  So the numbers are lower bounds, and following a trace costs next to
nothing.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.search.structure import Reference
from swagproof.oracle.search.walks import Walked
from swagproof.oracle.trace import Step

FOLLOWED: Final = 20_000
"""Operations of a trace that are followed, at most."""


@dataclass(frozen=True)
class Covered:
    """The covered part of a reference."""

    reference: str
    states: int
    of_states: int
    transitions: int
    of_transitions: int
    branches: int
    """Lines of the reference that were followed by one line here and by another there: those ways taken."""
    of_branches: int
    """As many are taken at all, by any history within the bound."""
    bound: int
    """Entries in the largest window that counts."""

    def __str__(self) -> str:
        return (
            f"{self.reference:<26}{self.states:,} of {self.of_states:,} states, "
            f"{self.transitions:,} of {self.of_transitions:,} transitions, "
            f"{self.branches} of {self.of_branches} branches, windows of up to {self.bound}"
        )


class Structure:
    """The part of the references' structure that a search has covered."""

    def __init__(self, walked: Walked, over: str) -> None:
        """The first level is walked at once: some hundredths of a second, once in a process."""
        self.over = over
        """The domain whose traces count."""
        self._walked = walked
        for _ in walked.walks.tours(0):
            pass
        self._covered: list[set[int]] = [set() for _ in walked.walks.references]

    def passed(self, domain: Domain, steps: Sequence[Step]) -> None:
        """This trace passed."""
        if domain.name != self.over or self._all():
            return
        moves = list(islice(self._walked.moves(steps), FOLLOWED))
        for reference, covered in zip(self._walked.walks.references, self._covered, strict=True):
            after, at = reference.after, 0
            for move in moves:
                taken = after[at].get(move)
                if taken is None:
                    break
                at, transition = taken
                covered.add(transition)

    def _all(self) -> bool:
        walks = self._walked.walks
        return len(walks.extents) == len(walks.levels) and all(
            len(covered) == transitions
            for covered, (_, transitions) in zip(self._covered, walks.extents[-1], strict=True)
        )

    def rows(self) -> list[Covered]:
        """Each reference, up to the bound of the last level that any trace reached and that is known to its end."""
        walks = self._walked.walks
        if not walks.extents or not any(self._covered):
            return []
        level = max(level for level in range(len(walks.extents)) if not level or self._reached(level))
        return [
            _row(reference, covered, reference.bounds[level], *extent)
            for reference, covered, extent in zip(walks.references, self._covered, walks.extents[level], strict=True)
        ]

    def _reached(self, level: int) -> bool:
        before, known = (self._walked.walks.extents[at] for at in (level - 1, level))
        return any(
            least <= transition < most
            for covered, (_, least), (_, most) in zip(self._covered, before, known, strict=True)
            for transition in covered
        )

    def to_json(self) -> list[dict[str, Any]]:
        """The rows as JSON."""
        return [asdict(row) for row in self.rows()]


def _row(reference: Reference, covered: set[int], bound: int, of_states: int, of_transitions: int) -> Covered:
    inside = [transition for transition in covered if transition < of_transitions]
    branches = reference.branches(of_transitions)
    lines = frozenset[Any]().union(*(reference.steps[transition] for transition in inside))
    return Covered(
        reference=reference.name,
        states=len({0, *(reference.ends[transition] for transition in inside)}),
        of_states=of_states,
        transitions=len(inside),
        of_transitions=of_transitions,
        branches=len(branches & lines),
        of_branches=len(branches),
        bound=bound,
    )


RECENT: Final = 256
"""Traces that are remembered."""


@dataclass
class Coverage:
    """The coverage and the effort of a search."""

    monoids: dict[str, Tried] = field(default_factory=dict[str, Tried])
    phases: dict[str, Tried] = field(default_factory=dict[str, Tried])
    cells: dict[tuple[str, str], Tried] = field(default_factory=dict[tuple[str, str], Tried])
    """The same for each phase over each monoid."""
    first: tuple[Domain, Sequence[Step]] | None = None
    """The first trace that passed: should it fail later, then windows share state."""
    recent: deque[Sequence[Step]] = field(default_factory=lambda: deque[Sequence[Step]](maxlen=RECENT))
    """Those that passed last: what they left behind may be what another fails by."""
    every_word: int = 0
    """All words of up to so many operations were tried, over every domain."""
    structure: Structure | None = None
    """The covered part of the references' structure; None if the search walks none for this kind of window."""
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
