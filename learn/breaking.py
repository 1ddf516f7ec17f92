"""The search for a history that shows an error in a changed algorithm, or in a user's class.

The oracle judges first, as in `swagproof conform`, and minimises its trace. Some errors change no answer: one combine
call too many, or a stale aggregate that nobody reads. If the oracle finds nothing, histories are tried until a clause
of the contract breaks: first histories recorded for the algorithm's registered mutants, then every short one, the
scenarios, and random ones. The open setting may be unable to show the error (a sum hides the order), so other monoids
and options are tried too. A search that finds nothing proves nothing, and the page says only that.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain, islice, product
from random import Random
from time import monotonic
from typing import Any, Final

from swagproof.learn.plays.monoids import check_elements
from swagproof.learn.plays.play import ELEMENT, ENTRIES, TIME, Asked, Play, with_elements
from swagproof.learn.recorder import Player, Setup
from swagproof.learn.settings import Setting
from swagproof.learn.texts import Text
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import InputError, Step, inline
from swagproof.oracle.verdict import Witness

EFFORT: Final = 60_000
"""Operations that the oracle tries."""
BUDGET: Final = 12.0
"""Seconds after which it gives up, and says so."""
SEARCHING: Final = 8.0
"""Seconds that the search for a clause that breaks may take, after the oracle's."""
JUDGING: Final = 50.0
"""Seconds in which the oracle says its verdict: its processes are watched, and ended, by itself."""
SILENCE: Final = 6.0
"""Seconds that one history may take."""
WORDS: Final = 500
"""Histories of a few operations that are tried for a clause that breaks."""
SHORTENED: Final = 300
"""Histories that are tried to make one shorter."""
DRAWN: Final = 60
"""Histories that are drawn, where neither these nor the scenarios break one."""

SIZES: Final = (20, 40)
"""The sizes of the scenarios that are tried."""

DOMAINS: Final = {"letters": "concatenation", "sum": "sum", "max": "max"}
"""The oracle's names of the page's monoids."""


Pulse = Callable[[float], None]
"""A report of how many seconds may pass until the next one: see `learn/serving`."""


def judge_class(cls: Any, name: str, window: str, monoids: Sequence[str], pulse: Pulse) -> Judgement:
    """The oracle's judgement of a class: over all that `swagproof conform` judges over, or over these alone.

    Over one alone much is not seen: a sum forgets the order, and of texts `+` is the combine.
    """
    pulse(JUDGING)
    if sys.platform == "emscripten":  # a browser, where no sandbox stops an endless loop
        cls = _pulsing(cls, pulse)
    over = dict.fromkeys(DOMAINS[monoid] for monoid in monoids)
    if DOMAINS.keys() <= {*monoids}:
        over |= dict.fromkeys(KINDS[window].domains)
    return judge(
        subject_of(cls, name, window), [domain(each) for each in over], effort=EFFORT, budget=BUDGET, timeout=3.0
    )


def _pulsing(cls: Any, pulse: Pulse) -> type[Any]:
    """The same class; it says that the search goes on when one is made, which is once a trace."""

    def make(_cls: type[Any], *arguments: Any) -> Any:
        pulse(SILENCE)
        return cls(*arguments)

    return type(cls.__name__, (cls,), {"__new__": make, "__module__": cls.__module__})


def build_with(setting: Setting, cls: type[Any]) -> type[Any]:
    """The class as this setting builds it."""
    return type(cls.__name__, (cls,), {"__new__": lambda _cls, monoid: setting.build(cls, monoid)})


def show_judgement(judgement: Judgement, play: Play) -> dict[str, Any]:
    """Its verdict, and the history that shows it; where the page cannot play that one, as text."""
    verdict = judgement.verdict
    shown: dict[str, Any] = {"outcome": verdict.outcome, "sentence": verdict.sentence, "history": None}
    if verdict.witness is None:
        return {**shown, "diagnosis": None}
    trace = verdict.witness.trace
    shown["diagnosis"] = verdict.witness.diagnosis
    monoid = next((name for name, its in DOMAINS.items() if its == trace.monoid), None)
    history = gather_bulks(trace.steps)
    with_bulks = play_of(play, None, history)
    try:
        if monoid is not None:
            check_elements(with_bulks.elements(history), monoid)
    except InputError:
        monoid = None
    try:
        if monoid is None:
            monoid, history = "letters", _refill(history, with_bulks, "letters")
            shown["sentence"] += f": {inline(trace.steps)}, over {trace.monoid}; it is played over letters"
        for operation in history:
            with_bulks.check(operation)
    except InputError as error:
        return {**shown, "sentence": f"{shown['sentence']} (not played here: {error})"}
    witnessed = [len(history) - 1, tell_unseen(verdict.witness)]
    return {**shown, "monoid": monoid, "history": history, "witnessed": witnessed}


def gather_bulks(steps: Sequence[Step]) -> list[list[Any]]:
    """A trace as a history: what is between the marks of a bulk is one operation, at which it ends, or breaks off.

    >>> from swagproof.oracle.trace import QUERY, bulk_evict, bulk_insert, insert
    >>> gather_bulks([insert("a"), *bulk_insert([insert("b"), insert("c")]), bulk_evict(2), QUERY])
    [['insert', 'a'], ['bulk_insert', [['b'], ['c']]], ['bulk_evict', 2], ['query']]
    """
    history: list[list[Any]] = []
    within: list[list[Any]] | None = None
    for name, arguments in steps:
        if name == "begin_bulk":
            within = []
            history.append(["bulk_insert", within])
        elif name == "end_bulk":
            within = None
        elif within is not None:
            within.append([*arguments])
        else:
            history.append([name, *arguments])
    return history


def tell_unseen(witness: Witness) -> str:
    """Return what went wrong when the oracle ran it: to be said where a movie of the same trace shows nothing wrong."""
    if witness.error is not None:
        saw = f"raised {witness.error}"
    elif witness.expected == witness.got:
        saw = witness.diagnosis
    else:
        saw = f"expected {json.dumps(witness.expected)}, got {json.dumps(witness.got)}"
    return (
        f"the oracle: {saw}; this movie combines objects that record what they are products of, not bare values, and "
        "shows no error"
    )


def play_of(play: Play, cls: Any, history: Sequence[Asked]) -> Play:
    """Return the play of a user's class, with the bulk operations of the class or of a history.

    A class without bulk operations gets their single operations.
    """
    bounds = {"bulk_insert": ENTRIES, "bulk_evict": TIME if TIME in play.operations["insert"] else "count"}
    asked = {name for name, *_ in history}
    more = {name: (what,) for name, what in bounds.items() if name in asked or hasattr(cls, name)}
    return replace(play, operations={**play.operations, **more})


@dataclass(frozen=True)
class Searched:
    """The result of a search for a clause that breaks."""

    setting: Setting
    """The setting in which it was found, or the open one."""
    history: list[list[Any]] | None
    """A history that breaks something, if one was found."""
    tried: str
    """The work done so far, in words."""


def find_broken(setting: Setting, text: Text, pulse: Pulse, seconds: float = SEARCHING) -> Searched:
    """Search for a history that breaks a clause or a cost bound, in the open setting first, and shorten it."""
    deadline = monotonic() + seconds
    histories = operations = settings = 0
    for each, tried in _attempts(setting):
        setup = each.set_up(text)
        settings += 1
        for words in tried:
            if monotonic() > deadline:
                more = f", and then {seconds:g} seconds were over"
                return Searched(setting, None, _tell_tried(histories, operations, settings) + more)
            pulse(SILENCE)
            broken = break_off(setup, words)
            if broken is not None:
                return Searched(each, _shorten(setup, broken, pulse), "")
            histories, operations = histories + 1, operations + len(words)
    return Searched(setting, None, _tell_tried(histories, operations, settings))


def _tell_tried(histories: int, operations: int, settings: int) -> str:
    """Return how much was tried."""
    over = f"in {settings} settings of monoid and options" if settings > 1 else "in the open setting"
    return f"every clause and promise held in {histories:,} histories, {operations:,} operations in all, {over}"


@cache
def known_histories() -> Mapping[str, list[dict[str, Any]]]:
    """Return small histories that together show every registered mutant of an algorithm, each with its setting.

    They are recorded, shortest first, as finding all takes minutes. Add the history of a new mutant if the search takes
    seconds to find it.
    """
    found: dict[str, list[dict[str, Any]]] = json.loads(
        (files("swagproof.learn.plays") / "histories.json").read_text(encoding="utf-8")
    )
    return found


def _attempts(setting: Setting) -> Iterator[tuple[Setting, Iterator[list[list[Any]]]]]:
    """Yield what is tried, over what."""
    play, known = setting.play, known_histories().get(setting.column.slug, [])
    here = [
        each["history"]
        if each["monoid"] == setting.monoid
        else _refill(each["history"], play, setting.monoid, setting.samples)
        for each in known
        if each["options"] == setting.options
    ]
    drawn = (with_elements(_draw(play, Random(seed)), play, setting.monoid, setting.samples) for seed in range(DRAWN))
    yield setting, chain(here, _histories(setting, WORDS, SIZES), drawn)
    for each in known:
        other = replace(setting, monoid=each["monoid"], options=each["options"], own="")
        if other != setting:
            yield other, iter([each["history"]])
    for other in setting.others():
        yield other, _histories(other, WORDS // 10, SIZES[:1])


def _refill(history: Sequence[Sequence[Any]], play: Play, monoid: str, samples: Sequence[Any] = ()) -> list[list[Any]]:
    """The same operations with the elements of this monoid."""
    takes = play.operations

    def strip(operation: Sequence[Any]) -> list[Any]:
        if takes[operation[0]] == (ENTRIES,):
            return [operation[0], [strip(["insert", *entry])[1:] for entry in operation[1]]]
        return [*operation[: len(operation) - takes[operation[0]].count(ELEMENT)]]

    return with_elements([*map(strip, history)], play, monoid, samples)


def _histories(setting: Setting, words: int, sizes: Sequence[int]) -> Iterator[list[list[Any]]]:
    """Every history of a few operations, the shortest first; and the scenarios."""
    play = setting.play
    scenarios = (scenario.make(size) for scenario, size in product(play.scenarios, sizes))
    for history in chain(islice(_words(play), words), scenarios):
        yield with_elements(history, play, setting.monoid, setting.samples)


def break_off(setup: Setup, words: list[list[Any]]) -> list[list[Any]] | None:
    """A history up to the first operation at whose end something is broken; None where nothing is."""
    player = Player(setup, draws=False)
    if player.steps[-1].is_broken:
        return []
    for at, operation in enumerate(words):
        player.perform(operation)
        if player.steps[-1].is_broken:
            return [list(each) for each in words[: at + 1]]
    return None


def _shorten(setup: Setup, words: list[list[Any]], pulse: Pulse) -> list[list[Any]]:
    """The same with operations left out, as long as something is broken: many at once, in the end each by itself."""
    size, tried = len(words) // 2, 0
    while size:
        start, before = 0, len(words)
        while start < len(words) and tried < SHORTENED:
            tried += 1
            pulse(SILENCE)
            shorter = break_off(setup, words[:start] + words[start + size :])
            words, start = (words, start + size) if shorter is None else (shorter, start)
        size = size if size == 1 and len(words) < before and tried < SHORTENED else size // 2
    return words


_GIVEN: Final[Mapping[str, tuple[Any, ...]]] = {TIME: (1, 2, 3), ENTRIES: ([[1], [2]], [[2], [2], [3]])}
"""The arguments in the shortest histories."""


def _words(play: Play) -> Iterator[Sequence[Asked]]:
    """Every history of a few operations, without elements; times from a few."""
    forms: list[tuple[Any, ...]] = []
    for name, takes in play.operations.items():
        places = [_GIVEN.get(what, (2,)) for what in takes if what != ELEMENT]
        forms += [(name, *given) for given in product(*places)]
    for length in range(1, 9):
        yield from product(forms, repeat=length)


def _draw(play: Play, random: Random) -> list[list[Any]]:
    """A history of some dozens of operations, which grows and shrinks; of what it takes away most is there."""
    reach = random.choice((4, 12, 30))
    bias = random.uniform(0.35, 0.8)
    inserted, clock, found, there = 0, 0, list[list[Any]](), list[int]()
    starts: list[list[Any]] = [["register", size] for size in (2, 4, 7)] if "register" in play.operations else []
    for _ in range(random.choice((10, 40, 80))):
        grows = random.random() < bias
        growing = ("insert", "update", "bulk_insert")
        names = [name for name in play.operations if (name in growing) is grows and name != "register"]
        name = random.choice(names or [*play.operations])
        operation: list[Any] = [name]
        for what in play.operations[name]:
            if what == TIME and "advance" in play.operations:
                clock += random.randint(0, 3)
                operation.append(clock)
            elif what in (TIME, "ticket") and name == "evict" and there and random.random() < 0.9:
                operation.append(there.pop(random.choice((0, -1, random.randrange(len(there))))))
            elif what == ENTRIES:
                times = sorted(random.choices(range(1, reach + 1), k=random.choice((1, 3, reach))))
                operation.append([[t] for t in times])
                there += times
            elif name == "bulk_evict" and there and what == TIME:
                there.sort()
                bound = there[random.randrange(1 + len(there) // 2)]
                there = [t for t in there if t > bound]
                operation.append(bound)
            elif what == TIME:
                operation.append(random.randint(1, reach))
            elif what == "place":
                operation.append(random.randint(1, 8))
            elif what == "times":
                operation.append(random.randint(1, 3))
            elif what != ELEMENT:
                operation.append(random.choice((0, 1, 2, 4, 7)))
        if name == "insert":
            there.append(operation[1] if TIME in play.operations[name] else inserted)
            inserted += 1
        found.append(operation)
    return [*starts, *found]
