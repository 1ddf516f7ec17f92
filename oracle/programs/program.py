"""Programs as subjects: `swagproof conform --exec "command arguments"`, over the line protocol of `PROTOCOL.md`.

A program is started once, without a shell, and again after a crash; between traces it is reset.
"""

import os
import shlex
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import Domain
from swagproof.oracle.programs.dialogue import CALLS, Connection
from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.programs.protocol import ANNOUNCED, FORMS, Handshake, Written, spell_monoid
from swagproof.oracle.sandbox.playing import Running, Unstarted
from swagproof.oracle.sandbox.process import Trouble
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.search.lengths import short_steps
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step, SubjectError, Trace
from swagproof.oracle.window import WINDOWS


class Program(Running):
    """A program that speaks the protocol.  It runs until `stop`, or until this object is collected."""

    def __init__(
        self,
        command: Sequence[str],
        timeout: float = 10.0,
        echo: Callable[[str], None] | None = None,
        memory: int = MEMORY,
    ) -> None:
        """Start the program.  Raises InputError if it cannot be started, or does not answer the greeting properly.

        `echo` is called with every line that is sent and received, for display.
        """
        self.command = tuple(command)
        self.name = shlex.join(self.command)
        self.memory = memory
        self.timeout = timeout
        """Seconds that one operation may take."""
        self.echo, self.shown = echo, echo is not None
        self._written: dict[str, Written] = {}
        self._errors = ""
        self._connection: Connection | None = None
        self._shaken: Handshake | None = None
        with self._refuse_trouble():
            connection = self.connect(timeout)
            connection.echo = None
            try:
                connection.greet(timeout)
            except Trouble as trouble:
                raise Trouble(f"must answer the greeting whenever it comes, but then {trouble}") from None
            connection.echo = echo
        self.kind = WINDOWS[self.handshake.window]

    @property
    def handshake(self) -> Handshake:
        """Return its announcement."""
        assert self._shaken is not None
        return self._shaken

    @property
    def counts_calls(self) -> bool:
        """Return whether it announces that it counts its combine calls."""
        return self.handshake.calls

    @property
    def errors(self) -> str:
        """The last lines that it, or its last process, wrote to standard error."""
        return self._errors if self._connection is None else self._connection.process.errors

    def subject(self, numbers: str | None = None) -> Subject:
        """Return the program as a subject; `numbers`, if given, replaces the announced numbers.

        Its monoids are the known ones that it announces, the free monoid first.
        """
        return Subject(
            self.name,
            monoids=tuple(name for name in FORMS if name in self.handshake.monoids),
            window=self.handshake.window,
            operations=tuple(
                name for name in self.kind.operations if name not in self.kind.optional or self.handshake.offers(name)
            ),
            program=self,
            adapter=Adapter(
                ranges=self.handshake.ranges or "any",
                numbers=numbers or self.handshake.numbers,
                claims=self.handshake.claims,
            ),
            given={} if numbers is None else {"numbers": numbers},
        )

    def stop(self, gently: bool = True) -> None:
        """End its process and all children.  Lines replayed after trouble are not echoed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._errors = connection.process.errors
            connection.process.stop(gently)
        if not gently:
            self.echo, self.shown = None, False

    @contextmanager
    def _refuse_trouble(self) -> Generator[None]:
        """Raise SubjectError for trouble, with the end of standard error; any exception ends the process."""
        try:
            yield
        except Trouble as trouble:
            self.stop(gently=False)
            said = "".join(f"\n  stderr  {line}" for line in self._errors.splitlines())
            raise SubjectError(f"--exec {self.name}: it {trouble}{said}") from None
        except BaseException:
            self.stop(gently=False)
            raise

    def connect(self, timeout: float) -> Connection:
        """Return the running process, or a new one, greeted."""
        if self._connection is None:
            self.pace = 1
            try:
                process = Lines(self.command, self.memory)
            except OSError as error:
                why = os.strerror(error.errno) if error.errno else str(error)
                said = _find_interpreter(self.command[0]) or why
                raise InputError(f"--exec {self.name}: it cannot be started: {said}") from None
            self._connection = Connection(process, self.echo)
            try:
                shaken = self._connection.greet(timeout)
                if self._shaken not in (None, shaken):
                    raise Trouble(f"announces {shaken.line!r}, and announced {self.handshake.line!r} before")
            except Trouble as trouble:
                raise (trouble if self._shaken is None else Unstarted(f"started again, it {trouble}")) from None
            self._shaken = shaken
        self._connection.timeout = timeout
        return self._connection

    def key(self, domain: Domain) -> tuple[Any, ...]:
        """Return the domain, and the form of its elements.  Raises InputError if the program does not announce it."""
        if spell_monoid(domain) not in self.handshake.monoids:
            raise InputError(f"--monoid {domain.name}: {self.name} supports {', '.join(self.handshake.monoids)} only")
        return domain, self._elements(domain)

    def _elements(self, domain: Domain) -> Written:
        if domain.name not in self._written:
            lacking = {name: word for name, word in ANNOUNCED.items() if not self.handshake.offers(name)}
            says = {name: f"{self.name} does not announce {word}" for name, word in lacking.items()}
            self._written[domain.name] = Written(domain, self.kind, says)
        return self._written[domain.name]

    def count_calls(self, domain: Domain, steps: Sequence[Step]) -> list[int]:
        """Return the program's counts of combine calls: 0 for `reset`, and one for each operation of a legal trace.

        Raises InputError if it does not announce `calls`, or answers incorrectly.
        """
        if not self.counts_calls:
            raise InputError(f"--exec {self.name}: it does not announce calls")
        names, arguments = [CALLS], list[tuple[Any, ...]]([()])
        for name, given in steps:
            names += name, CALLS
            arguments += given, ()
        with self._refuse_trouble():
            connection = self.connect(self.timeout)
            connection.turn += 1
            piece = True, names, arguments, True
            connection.ask(connection.turn, ("play", domain, self._elements(domain), 1, [piece]))
            head, answers = connection.receive(connection.turn, self.timeout)
            if "ending" in head:
                raise Trouble(head["ending"][1])
        answered = (name for name in names if name == CALLS or name in self.kind.queries)
        _, *calls = (answer for name, answer in zip(answered, answers, strict=True) if name == CALLS)
        if min(calls, default=0) < 0:
            raise InputError(f"--exec {self.name}: calls is answered {min(calls)}, which is no number of calls")
        return [0, *calls]


def _find_interpreter(file: str) -> str | None:
    """Return the error message for a script whose interpreter is missing, for which the system reports the script
    itself.

    >>> _find_interpreter("nowhere")
    """
    try:
        with open(file, "rb") as opened:
            first = opened.readline(200)
    except OSError:
        return None
    named = first[2:].split(b" ")[0].removesuffix(b"\n").decode("utf-8", "replace")
    if not first.startswith(b"#!") or os.path.exists(named):
        return None
    return f"its first line names the interpreter {named!r}, which is not there"


def load_program(
    command: str | Sequence[str],
    window: str | None = None,
    timeout: float = 10.0,
    own: Sequence[str] = (),
    echo: Callable[[str], None] | None = None,
    memory: int = MEMORY,
    numbers: str | None = None,
) -> Subject:
    """Start a program: a command as in a shell, but run without one, or a list of words.

    `own` are custom monoids, as `--monoid` takes them: a program may announce the names after their colons.  `numbers`
    replaces the announced numbers.  Raises InputError when the program cannot be started, does not speak the protocol,
    implements another kind of window than the given one, or announces unknown monoids.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise InputError(f"--exec {command}: {error}") from None
    if not words:
        raise InputError("--exec: give a command")
    program = Program(words, timeout, echo, memory)
    shaken = program.handshake
    problem: str | None = None
    if window not in (None, shaken.window):
        program.stop()
        raise InputError(f"--exec {program.name}: it announces window={shaken.window}, not {window}")
    for name in shaken.monoids:
        if name not in FORMS and name not in {spec.rpartition(":")[2] for spec in own}:
            problem = f"it announces the monoid {name}, neither in PROTOCOL.md nor given as --monoid path.py:{name}"
    if problem is not None:
        program.stop()
        raise SubjectError(f"--exec {program.name}: {problem}")
    return program.subject(numbers)


def short_trace(subject: Subject, domain: Domain) -> Trace:
    """Return a short trace to show to a person who implements the protocol.

    >>> from swagproof.oracle.domain import domain
    >>> mine = Subject("mine", list, operations=("insert", "evict", "query"))
    >>> print(short_trace(mine, domain("concatenation")))
    insert "a", insert "b", query, evict, query, evict, query
    """
    letters = (*domain.elements.letters,) * 3
    return Trace(tuple(short_steps(subject.window, subject.methods, letters)), domain.name, subject.window)
