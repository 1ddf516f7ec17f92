"""What is told of findings: a cause, which it explains, of which part of the data, and what was not tried."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.parts import Holds
from swagproof.pipeline.audit.causes.sample import Name, Sample

UNEXPLAINED: Final = "unexplained"
"""The cause of what nothing explains."""


@dataclass(frozen=True)
class Cause:
    """A cause, and what it explains."""

    name: str
    why: str
    """What the job did: `the job` and a clause."""
    explains: frozenset[Name]
    where: str = ""
    """Of which part of the data it is believed; empty for all."""
    also: tuple[str, ...] = ()
    """Other causes that would have had the same results here."""
    hypothesis: Hypothesis | None = None
    """What is believed, with what was believed before; None for what is seen of a finding by itself."""
    missed: frozenset[Name] = frozenset()
    inside: Callable[[Sample], Holds] | None = None
    """Which windows of a sample are of the part of the data; None for all."""
    contents: Mapping[Name, tuple[int, ...]] | None = None
    """The arrival numbers of the events that each finding is the result of, where that is all that is said."""
    say: str = ""
    """The options with which all results would be right, where there are such."""


@dataclass(frozen=True)
class Searched:
    """The causes, and what was not tried to find them."""

    causes: list[Cause]
    likeliest: str = ""
    """What would explain all findings that are left, and is ahead of all else that would, where these are too few to
    tell it from chance."""
    untried: int = 0
    """How many hypotheses, and pairs of them, were left out when there was no work left."""
    keys: int | None = None
    """On how many keys hypotheses were tried first, and no further where they explain nothing there; None: on all."""
    failed: str | None = None
    """The error in which the search ended, which is a mistake of this project."""
