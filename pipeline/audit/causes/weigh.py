"""How much a hypothesis is worth, in bits: what its findings would cost without it, less what it costs itself.

A rule such as "three findings are enough" names a cause for three counts that are one too many, and none for two sums
that are wrong by eleven digits.  So what is explained is weighed by how unlikely it is to be explained by chance:

- *where*: what touches findings alone, among many results that are right, says more than where all are wrong;
- *what*: a wrong result is one of those that some mistake or other would have had, of which a count has few; a number
  that is off by little is one of few, too.  That a result is missing says no more than how many are.

From that goes what it foretold of other findings, and is not there, and what it costs to say which of all that were
tried it is.  What is left has to be worth `MARGIN` at least; and where another cause comes as near as that, the data do
not tell the two apart.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lgamma, log, log2
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome
from swagproof.pipeline.audit.causes.sample import Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import got_number, number_of
from swagproof.pipeline.audit.causes.tried.cuts import count_alone

MARGIN: Final = 8.0
"""How many bits a cause must be worth, and be ahead of another: by chance it is so once in 256 times."""

LEAST: Final = 2
"""How many findings are a pattern."""

_LIKELY: Final = 3.0
"""How many bits what may be is worth at least, and ahead of another cause."""
_MISSES: Final = 3
"""How many findings are explained for one that is missed."""


@dataclass(frozen=True)
class Candidate:
    """A hypothesis, and what it says of the findings that are left."""

    named: Hypothesis
    """What is said of the job; what was believed before goes with it in `outcome`."""
    outcome: Outcome
    gains: frozenset[Name]
    misses: frozenset[Name]
    where: str = ""
    inside: Callable[[Sample], Callable[[Name], bool]] | None = None
    """Which windows of a sample are of the part of the data that it is said of; None for all."""
    cost: float = 0.0
    """Of saying which part that is."""


@dataclass
class Scale:
    """Weighs hypotheses over one sample."""

    sample: Sample
    tried: Sequence[Outcome]
    _bits: dict[Name, float] = field(default_factory=dict[Name, float])
    _values: dict[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def cost(self) -> float:
        """Of saying which hypothesis it is: of those that would have changed a result."""
        return log2(max(2, sum(bool(one.explained or one.missed or one.contradicted) for one in self.tried)))

    @cached_property
    def _where(self) -> float:
        names = {*self.sample.due, *self.sample.results} - self.sample.aside
        return log2(len(names) / len(self.sample.open))

    @cached_property
    def _missing(self) -> float:
        missing = sum(name not in self.sample.results for name in self.sample.open)
        return log2(len(self.sample.open) / missing) if missing else 0.0

    @cached_property
    def _foretold(self) -> dict[Name, int]:
        """How many different results of a window were foretold."""
        found: dict[Name, set[tuple[str | None, ...]]] = {}
        for one in self.tried:
            for name, answers in one.answered.items():
                found.setdefault(name, set()).add(tuple(answer.text for answer in answers))
        return {name: len(answers) for name, answers in found.items()}

    def count_changes(self, one: Candidate) -> tuple[int, float]:
        """How many findings speak for it by themselves: an event that is lost from four windows says it once.  And at
        most how many bits they say: that a result is of some events of a window, not all, says but which ones."""
        foretold = one.outcome.hypothesis.foretell(self.sample)
        alone, events, bits = set[frozenset[tuple[int, str]]](), set[int](), 0.0
        for name in one.gains:
            made, due = (
                {(e.arrival, repr(e.lifted)) for p in of.get(name, ()) for e in p.events}
                for of in (foretold, self.sample.due)
            )
            events.update(arrival for arrival, _ in made ^ due)
            if made == due:  # windows of the same events speak once, too
                alone.add(frozenset(due) or frozenset([(0, str(name))]))
            chosen = self._where + log2((1 << len(due)) - 2) if made and made < due else float("inf")
            bits += min(self.measure(name), chosen)
        return min(len(one.gains), len(alone) + len(events)), bits

    def measure(self, name: Name) -> float:
        """How many bits a finding is worth."""
        if name not in self._bits:
            self._bits[name] = self._where + self._measure_result(name)
        return self._bits[name]

    def _measure_result(self, name: Name) -> float:
        if name not in self.sample.results:
            return self._missing
        due = self.sample.due.get(name, ())
        alone = 2 * len({repr(e.lifted) for e in due[0].events}) if len(due) == 1 else 0
        if not due:  # a result of no window may be that of any events of its key
            alone = self._count_values(name[0])
        return min(log2(1 + self._foretold.get(name, 0) + alone), self.measure_error(name))

    def _count_values(self, key: str) -> int:
        """How many different values a key has."""
        if key not in self._values:
            self._values[key] = len({repr(e.lifted) for e in self.sample.events.get(key, ())})
        return self._values[key]

    def measure_error(self, name: Name) -> float:
        """How many bits say how far a whole number is off; no end of them for anything else."""
        got, due = got_number(self.sample, name), self.sample.answers.get(name, [])
        right = number_of(due[0]) if len(due) == 1 else None
        if got is None or right is None or Fraction(got).denominator != 1:
            return float("inf")
        off = 2 * abs(Fraction(got) - Fraction(right)) + 1
        return log2(off.numerator) - log2(off.denominator)  # it may be larger than any float

    def add(self, names: Iterable[Name], *, chosen: bool = False) -> float:
        """How many bits some findings are worth together; where one of several answers was chosen of each, no more than
        which one it is of all that its window's events have by themselves, where the right one, too, is one of these:
        then no right result can speak against it."""
        if not chosen:
            return sum(map(self.measure, names))
        return sum(min(self.measure(name), log2(max(1, count_alone(self.sample, name)))) for name in names)

    def weigh(self, one: Candidate) -> float:
        """What a candidate is worth; those findings that it was read off say nothing for it."""
        n = len(one.gains)
        if not n:
            return 0.0
        chosen = one.outcome.hypothesis.chooses
        gained = self.add(one.gains, chosen=chosen) * max(0, n - one.named.needs + 1) / n
        worth = gained - self.add(one.misses) - self.cost - one.cost - one.named.bits
        if one.inside is None or worth < MARGIN:  # what is so everywhere, all right results speak for, too
            return worth
        changes, most = self.count_changes(one)
        return worth - gained + min(gained * changes / n, most)

    def is_believed(self, one: Candidate) -> bool:
        """Whether it is worth enough, and nothing that is right speaks against it."""
        if (one.outcome.contradicted and one.inside is None) or not self.tells_how(one):
            return False
        if one.named.seen:
            return bool(one.gains)
        enough = len(one.gains) >= max(LEAST, one.named.needs, _MISSES * len(one.misses))
        return enough and self.weigh(one) >= MARGIN

    def tells_how(self, one: Candidate) -> bool:
        """Whether a factor, a limit or a constant that findings say is told from any other: one number that becomes one
        result, however often, does not tell it."""
        if not one.named.scales:
            return True
        of_due = "answer" not in one.named.steps  # else it is of a number of the values, which is not what is due
        answered, due = one.outcome.answered, self.sample.answers
        pairs = ((due.get(n, ()) if of_due else (), answered[n]) for n in one.gains if n in answered)
        return len({tuple(tuple(answer.text for answer in some) for some in pair) for pair in pairs}) > 1

    def tell_likeliest(self, those: Iterable[Candidate]) -> str:
        """What may be, of what explains all that is left: where it is worth something, if less than a cause has to be,
        and as much more than any other cause; empty where nothing is."""
        fits = [one for one in those if not (one.named.seen or one.misses or one.outcome.contradicted)]
        best = max(filter(self.tells_how, fits), key=self.weigh, default=None)
        if best is None:
            return ""
        bits = self.weigh(best)
        others = (self.weigh(one) for one in fits if one.named.cause != best.named.cause)
        if bits < _LIKELY or bits - max(others, default=0.0) < _LIKELY:
            return ""
        chance = f"chance does as much for one of those that were tried once in {2**bits:,.0f} times"
        return f"it may be that the job {best.named.why}, which would explain all {len(best.gains):,}; {chance}"

    def is_rival(self, other: Candidate, best: Candidate) -> bool:
        """Whether the data do not tell another cause from the best."""
        if other.named.cause == best.named.cause or other.named.seen:
            return False
        more = max(0.0, other.cost - other.named.plainness - best.cost + best.named.plainness)
        return self.add(best.gains - other.gains) + self.add(other.misses - best.misses) + more < MARGIN

    def list_rivals(self, best: Candidate, believed: Collection[Candidate]) -> list[str]:
        """The names of those that the data do not tell from it."""
        return list(Counter(one.named.cause for one in believed if self.is_rival(one, best)))


def count_choices(n: int, k: int) -> float:
    """The bits of choosing k of n, nearly: of many windows the number itself has thousands of digits."""
    return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / log(2)


def measure_parting(inside: int, all_: int, against: int) -> float:
    """How many bits it says that some windows, of all that are explained, are apart from all that contradict it: few
    where just one does, for wherever it is, most others are on one side of it."""
    return count_choices(all_ + against, against) - count_choices(all_ - inside + against, against)
