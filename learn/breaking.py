"""Breaking it: what is wrong with a changed algorithm, or with a class that somebody wrote, and what history shows it.

The oracle judges, as in `swagproof conform`: it searches, and makes what it finds small.  Some mistakes no answer ever
shows (one combine call too many, an aggregate that is stale and never read); the contracts see them, so where the
oracle finds nothing, histories are tried from the shortest on, and then the scenarios, until a clause breaks.  That is
a search, too: where it finds nothing, nothing was found, which is all that is said.

The registered mistakes are written down when the package is made (`docs/makers/explorer.py`), because the room that
registers them proves with a solver, which a page does not have.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice, product
from random import Random
from typing import Any, Final

from swagproof.learn.plays import ELEMENT, TIME, Play, with_elements
from swagproof.learn.recorder import Player, Setup
from swagproof.learn.texts import Text, edited, run_text
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import Monoid, broken_law
from swagproof.models.operations import Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import InputError, inline

EFFORT: Final = 60_000
"""Operations that the oracle tries."""
BUDGET: Final = 12.0
"""Seconds after which it gives up, and says so."""
WORDS: Final = 500
"""Histories of a few operations that are tried for a clause that breaks."""
SHORTENED: Final = 300
"""Histories that are tried to make one shorter."""
DRAWN: Final = 60
"""Histories that are drawn, where neither these nor the scenarios break one."""

DOMAINS: Final = {"letters": "concatenation", "sum": "sum", "max": "max"}
"""What the oracle calls the monoids of the page."""


@cache
def errata() -> list[dict[str, Any]]:
    """What is said of the papers' text, with the forms as printed that can be played."""
    text = (files("swagproof.learn") / "site" / "errata.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def printed_forms(slug: str) -> list[dict[str, Any]]:
    """The forms as printed of an algorithm, each with the history that shows what is wrong with it."""
    return [form for entry in errata() for form in entry["printed"] if form["slug"] == slug]


@cache
def registered() -> dict[str, list[dict[str, Any]]]:
    """The registered mistakes of each algorithm, by its slug."""
    text = (files("swagproof.learn") / "site" / "variants.json").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, Any]]] = json.loads(text)
    return found


@cache
def proofs() -> dict[str, Any]:
    """What is claimed of each algorithm, and the cases of the proofs that can be played."""
    text = (files("swagproof.learn") / "site" / "proofs.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def curves() -> list[dict[str, Any]]:
    """The curves of cost, as `swagproof cost` counts them."""
    text = (files("swagproof.learn") / "site" / "curves.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def play_case(case: Mapping[str, Any], play: Play) -> list[list[Any]] | None:
    """The history that leads to a case's state, and the operation that it is about; None where none is known."""
    if case["history"] is None:
        return None
    asked = [*case["history"], *([[case["run"].partition(" ")[0]]] if case["run"] != "start" else [])]
    return with_elements(asked, play, "segments" if "segments" in play.monoids else play.monoids[0])


def changes_of(algorithm: type[Any], name: str, slug: str) -> dict[str, str]:
    """The functions that a registered mistake, or a form as printed, changes, as it has them.  Raises InputError."""
    for variant in [*registered().get(slug, []), *printed_forms(slug)]:
        if variant["name"] == name:
            changes: dict[str, str] = {}
            for method, old, new in variant["edits"]:
                function, source = edited(Text(algorithm, changes), method, old, new, variant["part"])
                changes[function] = source
            return changes
    raise InputError(f"{name!r} is no registered mistake of {slug}")


def judge_class(cls: Any, name: str, window: str, monoids: Sequence[str]) -> Judgement:
    """The oracle's judgement of a class: over all that `swagproof conform` judges over, or over these alone.

    Over one alone much is not seen: a sum forgets the order, and of texts `+` is the combine.
    """
    over = dict.fromkeys(DOMAINS[monoid] for monoid in monoids)
    if DOMAINS.keys() <= {*monoids}:
        over |= dict.fromkeys(KINDS[window].domains)
    return judge(
        subject_of(cls, name, window), [domain(each) for each in over], effort=EFFORT, budget=BUDGET, timeout=3.0
    )


def show_judgement(judgement: Judgement, play: Play) -> dict[str, Any]:
    """Its verdict, and the history that shows it; where the page cannot play that one, as text."""
    verdict = judgement.verdict
    shown: dict[str, Any] = {"outcome": verdict.outcome, "sentence": verdict.sentence, "history": None}
    if verdict.witness is None:
        return {**shown, "diagnosis": None}
    trace = verdict.witness.trace
    shown["diagnosis"] = verdict.witness.diagnosis
    monoid = next((name for name, its in DOMAINS.items() if its == trace.monoid), None)
    if monoid is None or any(step.name not in play.operations for step in trace.steps):
        why = "bulks are not played here" if monoid else f"{trace.monoid} is not played here"
        return {**shown, "sentence": f"{verdict.sentence}: {inline(trace.steps)}, over {trace.monoid} ({why})"}
    return {**shown, "monoid": monoid, "history": [[step.name, *step.arguments] for step in trace.steps]}


def find_broken(setup: Setup, play: Play, monoid: str, samples: Sequence[Any] = ()) -> list[list[Any]] | None:
    """A history at whose end a clause or a promise is broken, of those tried, made short."""
    for words in _histories(play, monoid, samples):
        broken = _break_off(setup, words)
        if broken is not None:
            return _shorten(setup, broken)
    return None


def _break_off(setup: Setup, words: list[list[Any]]) -> list[list[Any]] | None:
    """A history up to the first operation at whose end something is broken; None where nothing is."""
    player = Player(setup, draws=False)
    if player.failed:
        return []
    for at, operation in enumerate(words):
        player.perform(operation)
        if player.steps[-1].is_broken:
            return [list(each) for each in words[: at + 1]]
    return None


def _shorten(setup: Setup, words: list[list[Any]]) -> list[list[Any]]:
    """The same with operations left out, as long as something is broken: many at once, in the end each by itself."""
    size, tried = len(words) // 2, 0
    while size:
        start, before = 0, len(words)
        while start < len(words) and tried < SHORTENED:
            tried += 1
            shorter = _break_off(setup, words[:start] + words[start + size :])
            words, start = (words, start + size) if shorter is None else (shorter, start)
        size = size if size == 1 and len(words) < before and tried < SHORTENED else size // 2
    return words


def _histories(play: Play, monoid: str, samples: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Every history of a few operations, the shortest first; the scenarios; and histories that are drawn."""
    yield from islice(_words(play, monoid, samples), WORDS)
    for scenario, size in product(play.scenarios, (20, 40)):
        yield with_elements(scenario.make(size), play, monoid, samples)
    for seed in range(DRAWN):
        yield with_elements(_draw(play, Random(seed)), play, monoid, samples)


def _words(play: Play, monoid: str, samples: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Every history of a few operations; times from a few."""
    forms: list[tuple[Any, ...]] = []
    for name, takes in play.operations.items():
        places = [(1, 2, 3) if what == TIME else ("?",) for what in takes if what != ELEMENT]
        forms += [(name, *given) for given in product(*places) if "?" not in given]
    for length in range(1, 9):
        for word in product(forms, repeat=length):
            yield with_elements(word, play, monoid, samples)


def _draw(play: Play, random: Random) -> list[list[Any]]:
    """A history of some dozens of operations, which grows and shrinks; of what it takes away most is there."""
    reach = random.choice((4, 12, 30))
    bias = random.uniform(0.35, 0.8)
    inserted, clock, found, there = 0, 0, list[list[Any]](), list[int]()
    starts: list[list[Any]] = [["register", size] for size in (2, 4, 7)] if "register" in play.operations else []
    for _ in range(random.choice((10, 40, 80))):
        grows = random.random() < bias
        names = [name for name in play.operations if (name in ("insert", "update")) is grows and name != "register"]
        name = random.choice(names or [*play.operations])
        operation: list[Any] = [name]
        for what in play.operations[name]:
            if what == TIME and "advance" in play.operations:
                clock += random.randint(0, 3)
                operation.append(clock)
            elif what in (TIME, "ticket") and name == "evict" and there and random.random() < 0.9:
                operation.append(there.pop(random.choice((0, -1, random.randrange(len(there))))))
            elif what == TIME:
                operation.append(random.randint(1, reach))
            elif what == "place":
                operation.append(random.randint(1, 8))
            elif what != ELEMENT:
                operation.append(random.choice((0, 1, 2, 4, 7)))
        if name == "insert":
            there.append(operation[1] if TIME in play.operations[name] else inserted)
            inserted += 1
        found.append(operation)
    return [*starts, *found]


# A class of somebody's own


@dataclass
class Beside:
    """A window of somebody's own beside the definition of right: what the page plays."""

    own: Any
    model: Any

    def insert(self, *arguments: Any) -> None:
        """Into both."""
        self.own.insert(*arguments)
        self.model.insert(*arguments)

    def evict(self, *arguments: Any) -> None:
        """From both."""
        self.own.evict(*arguments)
        self.model.evict(*arguments)

    def __getattr__(self, name: str) -> Any:
        """What is only asked goes to the window alone."""
        return getattr(self.own, name)


@cache
def _definitions() -> Mapping[str, Any]:
    return {"fifo": FifoWindow, "out-of-order": OutOfOrderWindow}


def place_beside(cls: type[Any], window: str, monoid: Monoid[Any]) -> Beside:
    """A new window of this class, and the definition of its kind."""
    return Beside(cls(monoid), _definitions()[window](monoid))


def own_monoid(source: str) -> Operation[Any, Any, Any]:
    """The monoid that somebody typed: a class or an object with identity, combine and samples.  Raises InputError.

    Its laws are looked at on its samples first: an algorithm that is right for monoids is right for nothing else.
    """
    names: dict[str, Any] = {"__name__": "yours"}
    run_text(source, Text.typed(source).files["yours"], names)
    for made in reversed(names.values()):
        monoid: Any = made() if isinstance(made, type) and made.__module__ == "yours" else made
        if hasattr(monoid, "identity") and hasattr(monoid, "combine"):
            break
    else:
        raise InputError("no class with identity and combine was found")
    samples = tuple(getattr(monoid, "samples", ()))
    if not samples:
        raise InputError("give it samples = (...), some stream elements: numbers or texts")
    broken = broken_law(monoid, samples[:8])
    if broken is not None:
        raise InputError(f"it is no monoid: {broken}")
    return Operation(
        "own",
        lift=lambda element: element,
        combine=monoid.combine,
        lower=lambda value: value,
        identity=monoid.identity,
        commutative=False,
        samples=samples,
    )


def find_class(source: str, needs: Sequence[str]) -> tuple[Text, type[Any]]:
    """The text that somebody typed, and the class in it that has these methods.  Raises InputError."""
    names: dict[str, Any] = {"__name__": "yours"}
    text = Text.typed(source)
    run_text(source, text.files["yours"], names)
    classes = [each for each in names.values() if isinstance(each, type) and each.__module__ == "yours"]
    found = [cls for cls in classes if all(hasattr(cls, need) for need in needs)]
    if not found:
        raise InputError(f"no class with the methods {', '.join(needs)} was found")
    return text, found[-1]
