"""A pytest test class for your own window: each property is a test item.

    from swagproof.oracle.testing.conformance import Conformance

    class TestMyWindow(Conformance):
        subject = MyWindow

Class attributes declare what to judge: a `subject` (a class, or a name as `swagproof conform` takes it) or a `program`
that speaks the line protocol; fields of an `adapter`, if the class has another calling convention; the kind of
`window`; the `monoids` to judge it over, if not those that the subject names, or else the usual ones; and a theorem
that it `claims` to meet.

The items depend on the kind of window:

- one for each phase of the search, over all monoids: `short words`, `turns`, `random walks`, ...;
- one for each monoid, over all phases: `over sum`, ..., which tell at a glance whether the order of operands is wrong;
- `another beside`: all phases, with other windows of the class alive beside each; not of a program or an engine;
- `claims daba`: its combine calls are within what the theorem allows.

Items are independent, so they can run in any order and in parallel.  Once one has failed, later items of its class are
skipped, with a reference to it: one bug is one failure.  The items of a class share the operations of
`--swagproof-effort`; `--swagproof-seed` selects the traces.  A failing item shows the verdict, with the smallest
failing trace and the command that replays it; with `--swagproof-html DIR` it has a page.  An item fails if it checked
no answer, and is skipped if it has no traces to try.
"""

import inspect
import os
import shlex
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final

try:
    import pytest
except ImportError as error:
    raise ImportError("test classes need pytest: pip install pytest") from error

from swagproof.oracle.claims import Claimant, claim_of
from swagproof.oracle.domain import Domain
from swagproof.oracle.judge import ALIVE, domains_of, judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.plan import operations_of
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.sandbox import watchdog
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.subject import Subject, load_monoid, load_subject, subject_of
from swagproof.oracle.testing.plugin import EFFORT, MEMORY, SEED, line_for, memory_of, page_of
from swagproof.oracle.trace import InputError
from swagproof.reports import html
from swagproof.reports.text import render

SHARES: Final = {"phases": 0.6, "monoids": 0.2, "beside": 0.1, "claim": 0.1}
"""The shares of a class's effort."""


@dataclass(frozen=True)
class Property:
    """The property that one item checks."""

    name: str
    share: float
    """The share of the class's effort."""
    phase: str | None = None
    """The only phase that is tried, if it is about one."""
    monoid: str | None = None
    """The only monoid that is judged over, if it is about one."""
    claim: str | None = None
    """The theorem to compare combine calls with, if the property is about one."""
    alive: int | None = None
    """The number of live windows of the class at a time, if the property is about that."""

    def plan(self, subject: Subject, domains: Sequence[Domain], seed: int) -> list[Phase]:
        """Return the phases to try."""
        over = [domain for domain in domains if self.monoid in (None, domain.name)]
        phases = KINDS[subject.window].phases(over, seed, subject.methods)
        return [phase for phase in phases if self.phase in (None, phase.name)]


def properties(
    window: str,
    monoids: Sequence[str],
    methods: Sequence[str] = (),
    *,
    over: bool = True,
    claim: str | None = None,
    alone: bool = False,
) -> list[Property]:
    """Return the properties of a window of this kind; their shares of the effort add up to at most 1.

    There is one for each of several monoids, if `over` is true.  A subject judged `alone`, one window at a time, has no
    property with another live window.

    >>> [it.name for it in properties("fifo", ["sum", "max"])][-3:]
    ['over sum', 'over max', 'another beside']
    """
    made: list[Property] = []
    loaded = [load_monoid(name) for name in monoids]
    phases = KINDS[window].phases(loaded, SEED, methods or tuple(KINDS[window].window.operations))
    unit = SHARES["phases"] / sum(phase.weight for phase in phases)
    made += [Property(phase.name, unit * phase.weight, phase.name) for phase in phases]
    if over and len(monoids) > 1:
        made += [Property(f"over {name}", SHARES["monoids"] / len(monoids), monoid=name) for name in monoids]
    if claim is not None:
        claim_of(claim, window)
        made.append(Property(f"claims {claim}", SHARES["claim"], claim=claim))
    if not alone:
        made.append(Property("another beside", SHARES["beside"], alive=ALIVE))
    return made


def _name_of(subject: Any) -> tuple[str, bool]:
    """Return the name of a class for `swagproof conform`, and whether it can be found under that name."""
    qualified = str(getattr(subject, "__qualname__", type(subject).__qualname__))
    module = str(getattr(subject, "__module__", "?"))
    try:
        file = Path(inspect.getsourcefile(subject) or "")
    except TypeError:  # a class of a C extension, say
        return f"{module}:{qualified}", "<" not in qualified
    near = file.is_relative_to(Path.cwd())
    package = sys.modules.get(module.partition(".")[0])
    if near and not hasattr(package, "__path__"):
        return f"{os.path.relpath(file)}:{qualified}", "<" not in qualified
    return f"{module}:{qualified}", "<" not in qualified


class Conformance:
    """The base of a test class whose attributes declare what to judge."""

    subject: ClassVar[Any] = None
    """A class that builds windows from a monoid, or its name: `path/to/file.py:Class` or `package.module:Class`."""
    program: ClassVar[str | Sequence[str] | None] = None
    """Instead of a subject: a program that speaks the line protocol, with its arguments."""
    window: ClassVar[str] = "fifo"
    """The kind of window, as `--window` takes it."""
    adapter: ClassVar[Mapping[str, Any]] = {}
    """Fields of an adapter, if the subject has another calling convention."""
    claims: ClassVar[str | None] = None
    """The theorem to compare combine calls with, as `--claims` takes it; else the one that its adapter names."""
    monoids: ClassVar[Sequence[str]] = ()
    """The monoids to judge it over, as `--monoid` takes them; else those that it names, else the usual ones."""
    timeout: ClassVar[float] = 10.0
    """Seconds that one operation may take."""
    _failed: ClassVar[str]
    """The first item of this class itself that failed."""
    memory: ClassVar[int | None] = None
    """The memory limit of each process of the subject, in megabytes; else that of the ini option swagproof_memory."""
    __test__: ClassVar[bool] = False

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.__test__ = True

    @classmethod
    @contextmanager
    def open_subject(cls, config: pytest.Config | None = None) -> Generator[Subject]:
        """Yield the subject; a program runs until the context ends.  Raises InputError when it cannot be judged."""
        memory = cls._limit(config)
        if cls.window not in KINDS:
            raise InputError(f"{cls.__name__}: window = {cls.window!r} is none of {', '.join(KINDS)}")
        if cls.subject is None and cls.program is None:
            raise InputError(f"{cls.__name__}: nothing to judge: give it subject = MyWindow, or program = [...]")
        if cls.program is None:
            found: Any = cls.subject
            if isinstance(found, str):
                subject = load_subject(found, cls.window, cls.timeout, memory, **cls.adapter)
            else:
                subject = subject_of(found, _name_of(found)[0], cls.window, memory, **cls.adapter)
        else:
            own = [name for name in cls._names(None) if ":" in name]
            subject = load_program(cls.program, cls.window, cls.timeout, own, memory=memory)
        try:
            yield subject
        finally:
            subject.stop()

    @classmethod
    def _limit(cls, config: pytest.Config | None) -> int:
        """Return the memory limit of each process of the subject, in bytes.  Raises InputError for an invalid limit."""
        megabytes: Any = cls.memory if cls.memory is not None else config and memory_of(config)
        if megabytes in (None, ""):
            return watchdog.MEMORY
        if not str(megabytes).isdecimal() or int(megabytes) < watchdog.LEAST_MEMORY:
            least = f"a number of megabytes, {watchdog.LEAST_MEMORY} or more"
            raise InputError(f"memory = {megabytes!r}, or {MEMORY} in pytest's ini file: give {least}")
        return int(megabytes) << 20

    @classmethod
    def _names(cls, subject: Subject | None) -> list[str]:
        """Return the monoids to judge it over."""
        if isinstance(cls.monoids, str):
            raise InputError(f'{cls.__name__}: monoids must be a tuple of names, such as ("sum",)')
        return list(cls.monoids or (subject and subject.monoids) or KINDS[cls.window].domains)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Called by pytest: make an item for each property, without starting a program."""
        if "swagproof_property" not in metafunc.fixturenames:
            return
        try:
            if self.program is not None and self.window in KINDS:
                over = bool(self.monoids)
                found = properties(self.window, self._names(None), over=over, claim=self.claims, alone=True)
            else:
                with self.open_subject(metafunc.config) as subject:
                    claim = self.claims or subject.adapter.claims
                    alone = self.window == "frame" or subject.adapter.alive is not None or subject.alive(ALIVE) is None
                    found = properties(self.window, self._names(subject), subject.methods, claim=claim, alone=alone)
        except InputError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.parametrize("swagproof_property", found, ids=[it.name for it in found])

    def test_conforms(self, swagproof_property: Property, request: pytest.FixtureRequest) -> None:
        """Check that no trace makes it disagree with the reference."""
        node, cls = request.node.nodeid, type(self)
        failed: str = vars(cls).get("_failed", node)
        if failed != node:
            pytest.skip(f"the window is wrong: see {failed}")
        seed: int = request.config.getoption("swagproof_seed", SEED)  # pyright: ignore[reportAssignmentType]  # any option
        effort: str = request.config.getoption("swagproof_effort", EFFORT)  # pyright: ignore[reportAssignmentType]  # getoption is untyped
        report: Judgement | None = None
        problem = ""
        try:
            with self.open_subject(request.config) as subject:
                domains = self._domains(subject)
                operations = operations_of(effort, subject.window) * swagproof_property.share
                report = self._report(
                    subject, domains, swagproof_property, seed, operations, self._limit(request.config)
                )
        except InputError as error:
            problem = str(error)
        if problem:  # outside the handler, or pytest would show the exception as well
            cls._failed = node
            pytest.fail(problem, pytrace=False)
        if report is None:
            pytest.skip("nothing to try over the monoids that it is judged over")
        if report.verdict.outcome != "conforms":
            cls._failed = node
            again = shlex.join(
                [
                    "pytest",
                    line_for(request.config, node),
                    f"--swagproof-seed={seed}",
                    f"--swagproof-effort={effort}",
                ]
            )
            shown = report.report()
            _, sentence, *rest = render(shown).splitlines()  # the item's name includes the class
            first = f"{report.verdict.outcome}: {sentence.strip()}"
            said = [first, *rest, f"  again       {again}"]
            if (page := page_of(request.config, node)) is not None:
                page.write_text(html.render(shown), encoding="utf-8")
                said.append(f"  page        {page}")
            pytest.fail("\n".join(said), pytrace=False)

    def _domains(self, subject: Subject) -> list[Domain]:
        return domains_of(subject, self._names(subject))

    def _report(
        self, subject: Subject, domains: Sequence[Domain], about: Property, seed: int, effort: float, memory: int
    ) -> Judgement | None:
        claimant = None if about.claim is None else Claimant.of(subject, about.claim)
        subject = subject if claimant is None else claimant.subject
        subject = (about.alive and subject.alive(about.alive)) or subject
        tried: list[str] = []

        def watched() -> list[Phase]:
            phases = about.plan(subject, domains, seed)
            return [replace(phase, attempts=_noting(phase.attempts, tried)) for phase in phases]

        more = [] if about.claim is None else ["--claims", about.claim]
        more += [] if about.alive is None else ["--alive", str(about.alive)]
        more += ["--memory", str(memory >> 20)] if memory != watchdog.MEMORY else []
        report = judge(subject, domains, seed=seed, effort=effort, timeout=self.timeout, more=more, plan=watched)
        if not tried and all(next(phase.attempts, None) is None for phase in about.plan(subject, domains, seed)):
            return None
        report = report if claimant is None else claimant.conclude(report)
        found = self.program is not None or isinstance(self.subject, str) or _name_of(self.subject)[1]
        return report if found else replace(report, replay=None)


def _noting(attempts: Iterator[Attempt], tried: list[str]) -> Iterator[Attempt]:
    """Yield the attempts, and append the kind of the first to `tried`."""
    first = next(attempts, None)
    if first is not None:
        tried.append(first.what)
        yield from chain([first], attempts)
