"""The search for a history that shows an error in a changed algorithm, or in a user's class.

The oracle judges first, as in `swagproof conform`, and minimises its trace. Some errors change no answer: one combine
call too many, or a stale aggregate that nobody reads. If the oracle finds nothing, histories are tried until a clause
of the contract breaks: every short one, the scenarios, and random ones. The open setting may be unable to show the
error (a sum hides the order), so other monoids and options are tried too. A search that finds nothing proves nothing,
and the page says only that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from swagproof.oracle.trace import InputError, inline

EFFORT: Final = 60_000
"""The number of operations that the oracle tries."""
BUDGET: Final = 12.0
"""The seconds after which the oracle gives up, and says so."""
SEARCHING: Final = 8.0
"""The seconds for the search for a broken clause, after the oracle's search."""
WORDS: Final = 500
"""The number of short histories tried in the search for a broken clause."""
SIZES: Final = (8, 20, 40)
"""The sizes of the scenarios tried."""
DRAWN: Final = 60
"""The number of random histories, tried if neither short histories nor scenarios break a clause."""
SHORTENED: Final = 300
"""The number of histories tried to shorten one."""

DOMAINS: Final = {"letters": "concatenation", "sum": "sum", "max": "max"}
"""The oracle's names for the page's monoids."""


def judge_class(cls: Any, name: str, window: str, monoids: Sequence[str]) -> Judgement:
    """Return the oracle's judgement of a class, over the monoids of `swagproof conform` or only over these.

    One monoid alone hides errors: a sum forgets the order, and over texts `+` is the combine.
    """
    over = dict.fromkeys(DOMAINS[monoid] for monoid in monoids)
    if DOMAINS.keys() <= {*monoids}:
        over |= dict.fromkeys(KINDS[window].domains)
    subject, domains = subject_of(cls, name, window), [domain(each) for each in over]
    return judge(subject, domains, effort=EFFORT, budget=BUDGET, timeout=3.0)


def show_judgement(judgement: Judgement, play: Play) -> dict[str, Any]:
    """Return the verdict and the history that shows it, as text if the page cannot play it."""
    verdict, witness = judgement.verdict, judgement.verdict.witness
    shown: dict[str, Any] = {"outcome": verdict.outcome, "sentence": verdict.sentence, "history": None}
    if witness is None:
        return {**shown, "diagnosis": None}
    shown["diagnosis"] = witness.diagnosis
    monoid = next((name for name, its in DOMAINS.items() if its == witness.trace.monoid), None)
    history = [[name, *arguments] for name, arguments in witness.trace.steps]
    try:
        for operation in history:
            play.check(operation)
        if monoid is None:
            raise InputError(f"over {witness.trace.monoid}")
        check_elements(play.elements(history), monoid)
    except InputError as error:
        return {**shown, "sentence": f"{verdict.sentence}: {inline(witness.trace.steps)} (not played here: {error})"}
    return {**shown, "monoid": monoid, "history": history}


@dataclass(frozen=True)
class Searched:
    """The result of a search for a broken clause."""

    setting: Setting
    """The setting in which the history was found, or the open one."""
    history: list[list[Any]] | None
    """A history that breaks a clause or a bound, if one was found."""
    tried: str
    """The work done so far, in words."""


def find_broken(setting: Setting, text: Text, seconds: float = SEARCHING) -> Searched:
    """Search for a history that breaks a clause or a cost bound, in the open setting first, and shorten it."""
    deadline = monotonic() + seconds
    histories = operations = settings = 0
    more = ""
    for each, tried in _attempts(setting):
        setup = each.set_up(text)
        settings += 1
        for words in tried:
            if monotonic() > deadline:
                more = f", and then {seconds:g} seconds were over"
                break
            broken = break_off(setup, words)
            if broken is not None:
                return Searched(each, _shorten(setup, broken), "")
            histories, operations = histories + 1, operations + len(words)
    over = f"in {settings} settings of monoid and options" if settings > 1 else "in the open setting"
    held = f"every clause and contract held in {histories:,} histories, {operations:,} operations in all"
    return Searched(setting, None, f"{held}, {over}{more}")


def _attempts(setting: Setting) -> Iterator[tuple[Setting, Iterator[list[list[Any]]]]]:
    """Yield the settings, each with the histories to try in it."""
    yield setting, _histories(setting, WORDS, SIZES)
    for other in setting.others():
        yield other, _histories(other, WORDS // 10, SIZES[:1])
    drawn = (_draw(setting.play, Random(seed)) for seed in range(DRAWN))
    yield setting, (with_elements(history, setting.play, setting.monoid) for history in drawn)


def _histories(setting: Setting, words: int, sizes: Sequence[int]) -> Iterator[list[list[Any]]]:
    """Yield every history of a few operations, the shortest first, and then the scenarios."""
    play = setting.play
    scenarios = (scenario.make(size) for size, scenario in product(sizes, play.scenarios))
    for history in chain(islice(_words(play), words), scenarios):
        yield with_elements(history, play, setting.monoid)


def break_off(setup: Setup, words: list[list[Any]]) -> list[list[Any]] | None:
    """Return a history up to the first operation at whose end something is broken, or None."""
    player = Player(setup, draws=False)
    if player.steps[-1].is_broken:
        return []
    for at, operation in enumerate(words):
        player.perform(operation)
        if player.steps[-1].is_broken:
            return [list(each) for each in words[: at + 1]]
    return None


def _shorten(setup: Setup, words: list[list[Any]]) -> list[list[Any]]:
    """Remove operations while something remains broken: first many at once, then one at a time."""
    size, tried = len(words) // 2, 0
    while size:
        start, before = 0, len(words)
        while start < len(words) and tried < SHORTENED:
            tried += 1
            shorter = break_off(setup, words[:start] + words[start + size :])
            words, start = (words, start + size) if shorter is None else (shorter, start)
        size = size if size == 1 and len(words) < before and tried < SHORTENED else size // 2
    return words


def _words(play: Play) -> Iterator[Sequence[Asked]]:
    """Yield every history of a few operations, without elements; times are from a small set."""
    given: dict[str, tuple[Any, ...]] = {TIME: (1, 2, 3), ENTRIES: ([[1], [2]], [[2], [2], [3]])}
    forms: list[tuple[Any, ...]] = []
    for name, takes in play.operations.items():
        places = [given.get(what, (2,)) for what in takes if what != ELEMENT]
        forms += [(name, *arguments) for arguments in product(*places)]
    for length in range(1, 9):
        yield from product(forms, repeat=length)


def _draw(play: Play, random: Random) -> list[list[Any]]:
    """A random history of some dozens of operations, which grows and shrinks, and mostly removes present elements."""
    reach, bias = random.choice((4, 12, 30)), random.uniform(0.35, 0.8)
    inserted, clock, there = 0, 0, list[int]()
    found: list[list[Any]] = [["register", size] for size in (2, 4, 7)] if "register" in play.operations else []
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
            elif what in (TIME, "ticket") and "evict" in name and there and random.random() < 0.9:
                chosen = random.choice((0, -1, random.randrange(len(there))))
                operation.append(there.pop(chosen))
            elif what == ENTRIES:
                times = sorted(random.choices(range(1, reach + 1), k=random.choice((1, 3, reach))))
                operation.append([[t] for t in times])
                there += times
            elif what != ELEMENT:
                least, most = {TIME: (1, reach), "place": (1, 8), "times": (1, 3)}.get(what, (0, 7))
                operation.append(random.randint(least, most))
        if name == "insert":
            there.append(operation[1] if TIME in play.operations[name] else inserted)
            inserted += 1
        found.append(operation)
    return found
