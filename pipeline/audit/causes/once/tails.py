"""Batches of which the rest was lost from some event on, several times, where nothing that is seen of it says why.

A right result shows events to be counted, and so all that came before them in their batches; a finding has lost events
of what is left.  In which batch from where on is read off the findings: from one batch to the next it is where most of
them have the result that is there.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.once.stretches import list_counted
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Sample
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.tried.lost.poisoned import list_batches
from swagproof.pipeline.audit.causes.weigh import count_choices
from swagproof.pipeline.audit.rules import Answer

_LOOKED: Final = 200
_WIDEST: Final = 200
"""How many findings are looked into, and how many events each has at most."""
_SHARE: Final = 0.9
"""How many of the findings have to have events that may be lost."""
_TRIED: Final = 5
"""How many sizes of batches are tried, the largest first."""
_TURNS: Final = 3
_LEAST: Final = 2
"""How often it happened, and how many findings tell of each time."""
_LEAST_OF_SIZE: Final = 3
"""How often, where no column says what a batch is: two stretches are two stretches."""
_SIZED: Final = "batch of "
_SHOWN: Final = 4
_WORK: Final = 400_000
"""How many events are aggregated at most for one size."""


def find_tails(sample: Sample, left: Collection[Name], given: Hypothesis | None) -> Iterator[Hypothesis]:
    """The largest batches of which a rest may be lost, so that most findings are explained."""
    if not sample.whole or not isinstance(sample.window, Sliding | Calendar):
        return
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    those = [name for name in sorted(left, key=str) if len(base.get(name, ())) == 1]
    names = [name for name in those if len(base[name][0].events) <= _WIDEST][:_LOOKED]
    if len(names) < _LEAST * _LEAST:
        return
    counted = {e.arrival for e in list_counted(sample, base, answer, again=False)}
    numbered, sized = list[tuple[str, list[Sequence[Event]]]](), list[tuple[str, list[Sequence[Event]]]]()
    for said, divide in list_batches(sample, len(sample.came)):
        batches = divide(sample.came)
        open_ = {e.arrival for batch in batches for e in batch[_find_room(batch, counted) :]}
        n = sum(any(e.arrival in open_ for e in base[name][0].events) for name in names)
        if n >= _SHARE * len(names):
            (sized if said.startswith(_SIZED) else numbered).append((said, batches))
    largest = sorted(sized, key=lambda it: -len(it[1][0]))
    for said, batches in islice((*numbered, *largest), _TRIED):
        rest = _Rest(sample, base, answer, names, batches, [_find_room(batch, counted) for batch in batches])
        lost = rest.find()
        if len(lost) >= (_LEAST_OF_SIZE if said.startswith(_SIZED) else _LEAST):
            yield _name(said, lost, sum(map(len, batches)) - sum(rest.room))


def _find_room(batch: Sequence[Event], counted: Collection[int]) -> int:
    """After how many events of a batch none is shown to be counted."""
    return next((i + 1 for i in reversed(range(len(batch))) if batch[i].arrival in counted), 0)


def _name(said: str, lost: Sequence[Sequence[Event]], places: int) -> Hypothesis:
    """The hypothesis, of so many places from which on a rest may be lost."""
    gone = {e.arrival for rest in lost for e in rest}
    shown = ", ".join(f"{rest[0].arrival:,}" for rest in lost[:_SHOWN]) + (", ..." if len(lost) > _SHOWN else "")
    return Hypothesis(
        "batch lost",
        f"leaves out the rest of a {said} from some event on, {len(lost):,} times: from {shown}",
        events=without(lambda e: e.arrival in gone, again=False),
        filters=True,
        needs=1 + len(lost),
        bits=count_choices(places, len(lost)),
    )


@dataclass
class _Rest:
    """From where on each batch is lost: beyond its end at first."""

    sample: Sample
    base: Foretold
    answer: Callable[[Sequence[Event]], Answer]
    names: Sequence[Name]
    batches: Sequence[Sequence[Event]]
    room: Sequence[int]
    """From where on the events of a batch may be lost."""
    work: int = _WORK
    cuts: list[int] = field(default_factory=list[int])
    places: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """In which batch each event is, and where."""

    def find(self) -> list[Sequence[Event]]:
        """What is lost of each batch, where findings are explained by it; nothing where these are too few."""
        self.cuts = [len(batch) for batch in self.batches]
        self.places = {e.arrival: (b, i) for b, batch in enumerate(self.batches) for i, e in enumerate(batch)}
        held: dict[int, dict[Name, list[int]]] = {}
        for name in self.names:
            for b, i in (self.places[e.arrival] for e in self.base[name][0].events):
                if i >= self.room[b]:
                    held.setdefault(b, {}).setdefault(name, []).append(i)
        for _ in range(_TURNS):
            before = list(self.cuts)
            for b, of in sorted(held.items()):
                self.cuts[b] = self.choose(b, of)
            if self.cuts == before or self.work < 0:
                break
        told = [b for b in sorted(held) if self.cuts[b] < len(self.batches[b])]
        fits = {name for b in told for name in held[b] if self.fits(name)}
        lost = [b for b in told if fits.intersection(held[b])]
        if len(fits) < _LEAST * len(lost):
            return []
        return [self.batches[b][self.cuts[b] :] for b in lost]

    def choose(self, b: int, of: dict[Name, list[int]]) -> int:
        """From where on a batch is lost, so that most findings have their results: as it was, where it is as good."""
        now = self.cuts[b]
        places = {len(self.batches[b]), *(i for mine in of.values() for i in mine)}
        found = {cut: self.count(b, cut, of) for cut in sorted(places | {now}, reverse=True)}
        best = max(found, key=lambda cut: (found[cut], cut == now, cut))
        self.cuts[b] = now
        return best

    def count(self, b: int, cut: int, of: Collection[Name]) -> int:
        """How many findings have their results, were a batch lost from there on."""
        self.cuts[b] = cut
        return sum(self.fits(name) for name in of)

    def fits(self, name: Name) -> bool:
        """Whether a window has the result of what is not lost."""
        events = self.base[name][0].events
        self.work -= len(events)
        if self.work < 0:
            return False
        kept = [e for e in events if self.keeps(e)]
        return has_result(self.sample, kept, self.sample.results.get(name, ()), self.answer)

    def keeps(self, e: Event) -> bool:
        """Whether an event is not lost."""
        b, i = self.places[e.arrival]
        return i < self.cuts[b]
