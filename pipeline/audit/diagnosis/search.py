"""The search: single edits first, then pairs, then regions; repeated until all findings are explained.

A diagnosis is accepted if

- it contradicts no right result, outside of the region it names,
- its evidence, in bits, exceeds its price by `MARGIN`: that of the findings it explains, less the ones it misses, and
- no rival of another name explains the same at about the same price; up to `NAMES` rivals are named together.

The evidence of a finding measures how unlikely a prediction fits it by chance: how few windows are wrong, and how many
values a wrong number may have.  Work is counted in aggregated values, not in seconds, so that a verdict does not depend
on the machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import comb, log2
from typing import Final

from swagproof.pipeline.audit.diagnosis.answers import ANSWERS
from swagproof.pipeline.audit.diagnosis.events import EVENTS
from swagproof.pipeline.audit.diagnosis.hypothesis import SECOND, Edit, Hypothesis, Outcome, Row
from swagproof.pipeline.audit.diagnosis.readings import errors, exact, key_words
from swagproof.pipeline.audit.diagnosis.rows import ROWS
from swagproof.pipeline.audit.diagnosis.sample import Name, Sample, get_place
from swagproof.pipeline.audit.diagnosis.windows import WINDOWS
from swagproof.pipeline.audit.diagnosis.zones import CLOCKS
from swagproof.pipeline.audit.wording import format_time

TABLES: Final[tuple[Row, ...]] = (*EVENTS, *CLOCKS, *WINDOWS, *ANSWERS, *ROWS)
"""All rows of the tables."""
MARGIN: Final = 8.0
"""The bits by which evidence must exceed the price: by chance once in 256 times."""
_RIVAL: Final = 4.0
"""The greatest difference in bits between a named rival and the best candidate."""
NAMES: Final = 3
"""The number of diagnoses that are named together if the results do not distinguish them."""
_CLOSE: Final = 1.0
"""A difference in bits: if too many rivals are this close to the best, none is named."""
_ROUNDS: Final = 4
"""The greatest number of diagnoses of one job."""
_MISSED: Final = 3
"""The least number of explained findings per missed one."""
_MINOR: Final = 3
"""A diagnosis of a region, or of less than one in this many findings that leaves others, must be worth three times the
margin."""
_FEW: Final = 5
"""The least number of findings that such a diagnosis explains."""
_ALMOST: Final = 0.9
"""The share of the findings explained by a single edit from which no pairs are tried."""
_NEAR: Final = 8
"""The number of single edits that are tried in pairs."""
_CANCELS: Final = 10
"""An edit in a pair may contradict one in this many of the windows it changes."""
_TOGETHER: Final = 2
"""The least number of findings that two edits explain together, but neither alone."""
_PATIENCE: Final = 8
"""A pair may be wrong about this many results more than it explains."""
WORK: Final = 16_000_000
"""The limit of aggregated values, weighted: about three seconds."""
_SURPRISE: Final = 12.0
"""The most bits that one result is worth."""


@dataclass(frozen=True)
class Diagnosis:
    """A mistake that explains findings; `clause` completes the sentence "the job ..."."""

    name: str
    clause: str
    explains: frozenset[Name]
    where: str = ""
    """The region; empty for all of the data."""
    also: tuple[str, ...] = ()
    """Other diagnoses that predict the same results here."""
    option: str = ""
    """The options of the audit with which all results are right; empty if there are none."""


@dataclass
class Found:
    """The result of a search."""

    diagnoses: list[Diagnosis]
    hints: list[str] = field(default_factory=list[str])
    """Other values of the options with which the job is right, and single events without which a result is right."""
    facts: list[str] = field(default_factory=list[str])
    """Facts that the unexplained findings share."""
    meant: bool = False
    """True if a hint concerns the intended definition, so that no diagnosis was searched."""
    untried: int = 0
    """The number of hypotheses that were not compared because of the work limit."""


@dataclass(frozen=True)
class Candidate:
    """A hypothesis, and the unexplained findings that it explains and misses."""

    edit: Edit
    outcome: Outcome
    gains: frozenset[Name]
    misses: frozenset[Name]
    price: float
    worth: float
    where: str = ""

    @property
    def pair(self) -> bool:
        """Return whether it has two edits."""
        return len(self.outcome.hypothesis.edits) > 1


@dataclass
class Work:
    """The remaining work, in weighted values."""

    left: int
    untried: int = 0

    def compare(self, one: Hypothesis, sample: Sample, patience: int | None = None) -> Outcome | None:
        """Compare a hypothesis with the sample; return None if no work is left."""
        if self.left <= 0:
            self.untried += 1
            return None
        self.left -= sample.size
        return one.compare(sample, patience)


@dataclass
class Search:
    """The search over one sample."""

    sample: Sample
    work: Work = field(default_factory=lambda: Work(WORK))

    def __post_init__(self) -> None:
        self.left: set[Name] = set(self.sample.open)
        self.found: list[Diagnosis] = []
        self.base: Hypothesis | None = None
        self.based: frozenset[Name] = frozenset()
        listed = [one for row in TABLES for one in row.list_edits(self.sample)]
        self.edits: list[Edit] = sorted(listed, key=lambda one: one.price)
        self.outcomes: list[tuple[Edit, Outcome]] = list(self.compare_all(self.edits))

    @cached_property
    def where(self) -> float:
        """The evidence of a finding by the share of wrong windows."""
        n = len({*self.sample.expected, *self.sample.results} - self.sample.aside)
        return log2(n / len(self.sample.open))

    @cached_property
    def bits(self) -> dict[Name, float]:
        """The evidence of each finding."""
        sample = self.sample
        where = self.where
        missing = sum(name not in sample.results for name in sample.open)
        found = dict.fromkeys(sample.open, where + _SURPRISE / 2)
        for name in sample.open:
            if name not in sample.results:
                found[name] = where + log2(len(sample.open) / missing)
            elif len(sample.results[name]) == 1 and sample.results[name][0] == (None, None):
                found[name] = where + 1.0
        whole = sample.kind == "int" or sample.aggregate in ("count", "distinct-count")
        for name, number, right in errors(sample):
            off = abs(exact(number) - exact(right))
            integral = whole or (off.denominator == 1 and exact(number).denominator == 1)
            found[name] = where + (min(_SURPRISE, log2(2 * float(off) + 1)) if integral else _SURPRISE)
        return found

    def compare_all(self, edits: Iterable[Edit], base: Hypothesis | None = None) -> Iterator[tuple[Edit, Outcome]]:
        """Compare edits, combined with the base if there is one; skip those that change nothing."""
        for one in edits:
            if base is not None and not base.combines_with(one):
                continue
            hypothesis = Hypothesis((one,) if base is None else (*base.edits, one))
            outcome = self.work.compare(hypothesis, self.sample)
            if outcome is not None and (outcome.explained or outcome.missed or outcome.contradicted):
                yield one, outcome

    def run(self) -> list[Diagnosis]:
        """Return all diagnoses, in the order in which they were found."""
        for turn in range(_ROUNDS):
            if len(self.left) < 1 or not self.take(pairs=turn < 2):
                break
        return self.found

    def take(self, *, pairs: bool) -> bool:
        """Accept the best diagnosis of the remaining findings; return False if there is none."""
        outcomes = self.outcomes
        candidates = [it for edit, one in outcomes if (it := self.weigh(edit, one, edit.price)) is not None]
        if self.base is not None:
            beside = [edit for edit, one in outcomes if one.explained or one.missed]
            more = self.compare_all([*beside, *self.read_again(self.base)], self.base)
            candidates += [it for edit, one in more if self.keeps_base(one)
                           and (it := self.weigh(edit, one, edit.price + SECOND)) is not None]  # fmt: skip
        best = max((len(one.gains) for one in candidates), default=0)
        if best < _ALMOST * len(self.left):
            candidates += self.weigh_regions()
            best = max((len(one.gains) for one in candidates), default=0)
            if pairs and self.base is None and best < _ALMOST * len(self.left):
                candidates += self.weigh_pairs()
        return self.accept(candidates)

    def read_again(self, base: Hypothesis) -> list[Edit]:
        """Return the edits whose parameters are inferred from the findings that the base does not explain."""
        rest = replace(self.sample, findings=frozenset(self.left))
        try:
            rest.__dict__["expected"] = base.predict(self.sample)  # a cached property
            listed = [one for row in TABLES for one in row.list_edits(rest)]
        except (ArithmeticError, ValueError, TypeError):
            return []
        known = {one.clause for one in self.edits}
        return [one for one in listed if one.clause not in known]

    def keeps_base(self, one: Outcome) -> bool:
        """Return whether an outcome still explains the findings of the base."""
        return len(self.based - one.explained) * 20 <= len(self.based)

    def weigh(self, edit: Edit, one: Outcome, price: float, where: str = "") -> Candidate | None:
        """Return the candidate, if it is worth its price and contradicts nothing."""
        gains = one.explained & self.left
        misses = one.missed & self.left
        if one.contradicted or len(gains) < edit.needs or _MISSED * len(misses) > len(gains):
            return None
        share = min(1.0, one.touched / max(1, len(one.explained)))
        most = {name: self.where + n for name, n in one.subsets}
        evidence = share * sum(min(self.bits[name], most.get(name, self.bits[name])) for name in gains)
        worth = evidence - sum(self.bits[name] for name in misses) / 2 - price
        minor = _MINOR * len(gains) < len(self.sample.open) and len(gains) < len(self.left)
        if worth < (MARGIN if not (minor or where) else 3 * MARGIN) or ((minor or where) and len(gains) < _FEW):
            return None
        return Candidate(edit, one, gains, misses, price, worth, where)

    def weigh_regions(self) -> Iterator[Candidate]:
        """Yield single edits that hold only in a region."""
        for edit, one in self.outcomes:
            if edit.whole or not one.contradicted or len(one.explained & self.left) < _FEW:
                continue
            for region in list_regions(self.sample, one):
                explained, missed, contradicted = (
                    frozenset(filter(region.holds, names)) for names in (one.explained, one.missed, one.contradicted)
                )
                inside = replace(one, explained=explained, missed=missed, contradicted=contradicted)
                it = self.weigh(edit, inside, edit.price + region.bits, region.where)
                if it is not None:
                    yield it

    def weigh_pairs(self) -> Iterator[Candidate]:
        """Yield pairs of edits: the ones that explain most, each with all others.

        One edit of a job with two contradicts no right result by itself, except in windows where the two cancel out.
        """
        plain = [(edit, one) for edit, one in self.outcomes
                 if _CANCELS * len(one.contradicted) <= len(one.missed) + len(one.explained)]  # fmt: skip
        near = sorted(plain, key=lambda it: len(it[1].explained) - 0.4 * len(it[1].missed), reverse=True)
        seconds = [edit for edit, _ in plain]
        alone = {id(edit): one.explained for edit, one in plain}
        tried: set[frozenset[int]] = set()
        for first, _ in self.first_of_each_name(near):
            base = Hypothesis((first,))
            for other in seconds:
                pair = frozenset((id(first), id(other)))
                if pair in tried or not base.combines_with(other) or (first.near and other.near):
                    continue
                tried.add(pair)
                ordered = (first, other) if (first.rows is None, first.change is None) >= (
                    other.rows is None, other.change is None) else (other, first)  # fmt: skip
                both = Hypothesis(ordered)
                outcome = self.work.compare(both, self.sample, _PATIENCE)
                if outcome is None or outcome.contradicted or 2 * len(outcome.explained) < len(self.left):
                    continue
                if len(outcome.explained - alone[id(first)] - alone[id(other)]) < _TOGETHER:
                    continue  # applied one after the other, they explain as much
                joined = replace(
                    first,
                    name=first.name if first.name == other.name else f"{first.name} and {other.name}",
                    clause=f"{first.clause}, and {other.clause}",
                    option=f"{first.option}, {other.option}" if first.option and other.option else "",
                    needs=max(4, first.needs, other.needs),
                )
                it = self.weigh(joined, outcome, both.price)
                if it is not None:
                    yield it

    @staticmethod
    def first_of_each_name(near: Sequence[tuple[Edit, Outcome]]) -> list[tuple[Edit, Outcome]]:
        """Return the best edits, at most two of each name."""
        chosen: list[tuple[Edit, Outcome]] = []
        for edit, one in near:
            if sum(edit.name == it.name for it, _ in chosen) < 2 and one.explained:
                chosen.append((edit, one))
            if len(chosen) == _NEAR:
                break
        return chosen

    def accept(self, candidates: Sequence[Candidate]) -> bool:
        """Accept the candidate worth most, with its rivals; return False if it has too many."""
        believed = sorted(candidates, key=lambda one: -one.worth)
        while believed:
            best = believed[0]
            wider = [it for it in believed if it.gains > best.gains and it.misses <= best.misses and not it.pair]
            best = max((best, *wider), key=lambda one: (len(one.gains), one.worth))
            like = [it for it in believed if it.gains == best.gains and it.misses == best.misses]
            best = min(like, key=lambda one: one.price)
            rivals = {
                name: it
                for it in sorted(like, key=lambda one: one.price)[::-1]
                if it.price <= best.price + _RIVAL and (name := it.edit.name) != best.edit.name
            }
            close = best.price + (_RIVAL if best.pair else _CLOSE)
            if sum(it.price <= close for it in rivals.values()) < NAMES:
                named = sorted(rivals, key=lambda name: rivals[name].price)
                self.name(best, tuple(named[: NAMES - 1]))
                return True
            believed = [it for it in believed if not it.gains & best.gains]
        return False

    def name(self, best: Candidate, also: tuple[str, ...]) -> None:
        """Add the candidate as a diagnosis, and make it the base if it is the first for all data."""
        whole = not best.where and best.gains == self.sample.open and not best.misses
        option = best.edit.option if whole else ""
        self.found.append(Diagnosis(best.edit.name, best.edit.clause, best.gains, best.where, also, option))
        self.left -= best.gains
        if not best.where and self.base is None:
            self.base, self.based = best.outcome.hypothesis, best.outcome.explained


_KINDS: Final = 1.6
"""Bits for the kind of region: keys or time."""


@dataclass(frozen=True)
class Region:
    """A part of the data; `where` continues the sentence about the job."""

    where: str
    holds: Callable[[Name], bool]
    bits: float


def list_regions(sample: Sample, outcome: Outcome) -> Iterator[Region]:
    """Yield the regions that hold explained windows and no contradicted ones."""
    bad = {name[0] for name in outcome.contradicted}
    keys = sorted({name[0] for name in outcome.explained} - bad)
    if keys and 4 * len(keys) <= 3 * max(len(sample.events), len(keys) + 1):
        shown = ", ".join(map(key_words, keys[:3])) + (", ..." if len(keys) > 3 else "")
        bits = log2(comb(max(len(sample.events), len(keys)), len(keys)))
        yield Region(f"for key{'s' * (len(keys) > 1)} {shown}", partial(_is_of_keys, frozenset(keys)), _KINDS + bits)
    inside = sorted(map(get_place, outcome.explained))
    against = sorted(map(get_place, outcome.contradicted))
    if not inside or not against:
        return
    bits = log2(max(2, len({*map(get_place, sample.expected)})))
    after, before = [at for at in inside if at > against[-1]], [at for at in inside if at < against[0]]
    if not any(inside[0] <= at <= inside[-1] for at in against) and not after and not before:
        where = f"from {format_time(inside[0], sample.tick)} to {format_time(inside[-1], sample.tick)}"
        yield Region(where, partial(_is_in, inside[0], inside[-1]), _KINDS + 2 * bits)
    if 2 * len(after) > len(inside):
        yield Region(f"from {format_time(after[0], sample.tick)} on", partial(_is_in, after[0], None), _KINDS + bits)
    if 2 * len(before) > len(inside):
        yield Region(f"up to {format_time(before[-1], sample.tick)}", partial(_is_in, None, before[-1]), _KINDS + bits)


def _is_of_keys(keys: frozenset[str], name: Name) -> bool:
    return name[0] in keys


def _is_in(low: int | None, high: int | None, name: Name) -> bool:
    at = get_place(name)
    return (low is None or at >= low) and (high is None or at <= high)
