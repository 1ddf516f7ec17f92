"""Play traces on a subject, a Python class or a program, and judge the answers outside its process.

Traces are sent in batches.  While the subject plays one batch, the judge computes its right answers and compares those
of the batch before.  Short traces share a batch; a long trace is split into pieces.  Batches grow while answers arrive
quickly, and a subject may take up to the time limit for each operation.

If the process dies or hangs, the batch is repeated in a new one: trace by trace, then the failing trace operation by
operation.  So the failing operation is found, at no cost for other subjects, and no earlier one is blamed.
"""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.sandbox.exchange import Head
from swagproof.oracle.sandbox.game import Game, alike, first_wrong, refuse_monoid
from swagproof.oracle.sandbox.process import Silent, Trouble
from swagproof.oracle.search.attempts import Attempt
from swagproof.oracle.trace import InputError, Step
from swagproof.oracle.window import Window

LEAST, MOST = 16, 8192
"""The number of operations in the smallest batch, and in the largest."""

PROMPT, SLOW = 0.02, 0.25
"""The seconds up to which the next batch may grow, and those from which it shrinks."""

HASTE: Final = 0.1
"""The fraction of the time limit after which a silent batch is repeated, operation by operation."""

SILENCES: Final = 2
"""The number of batches that may fall silent and pass when repeated, before the next may take the whole time limit,"""

PATIENT: Final = 2.0
"""and at least this number of seconds."""

AT_ONCE: Final = 0.25
"""The fraction of the time limit within which a trace that fell silent must pass elsewhere, if it was not merely
slow."""

_AHEAD: Final = 2
"""The number of batches in progress."""


class Unstarted(Trouble):
    """It has run before, and no longer starts."""


class Transport(Protocol):
    """A running process: takes requests, and returns answers."""

    turn: int
    """The number of the last request sent."""

    def ask(self, number: int, request: Any, /) -> None:
        """Send a request."""
        ...

    def receive(self, number: int, patience: float, /) -> tuple[Head, list[Any]]:
        """Return the answer to it.  Raises Trouble; Silent after `patience` seconds without progress."""
        ...


class Running(ABC):
    """A subject that can play traces."""

    name: str
    kind: Window
    pace: int
    """The number of operations in a batch."""
    silences = 0
    """The number of batches that fell silent and passed when repeated."""
    shown = False
    """True if the dialogue is displayed: then each answer is awaited before the next request."""

    @property
    @abstractmethod
    def errors(self) -> str:
        """The last lines that its last process wrote to standard error."""
        ...

    @property
    def whole(self) -> bool:
        """Return whether it takes or refuses only whole traces, which are then not split into pieces."""
        return False

    @abstractmethod
    def connect(self, timeout: float) -> Transport:
        """Return the running process, or a new one.  Raises Unstarted."""

    def knows(self, domain: Domain) -> bool:
        """Return whether the running process knows it."""
        return True

    @abstractmethod
    def key(self, domain: Domain) -> tuple[Any, ...]:
        """Return the name of a domain in the process, and the options for playing it; a new process receives unknown
        domains."""

    def lacks(self, name: str) -> bool:
        """Return whether it lacks this operation."""
        return False

    @abstractmethod
    def stop(self, gently: bool = True) -> None:
        """End its process.  The next trace starts a new one."""

    def can_be_asked(self, steps: Sequence[Step]) -> bool:
        """Return whether it can be judged on this trace.  Raises InputError if it does not answer."""
        return True

    def reproduce(self, steps: Sequence[Step]) -> str | None:
        """Return text to paste into an engine to see its answers to a trace; None for other subjects."""
        return None

    @property
    def counts_calls(self) -> bool:
        """Return whether it counts its own combine calls."""
        return False

    def count(self, free_identity: bool = False) -> None:  # noqa: B027  # a program counts by itself
        """Count the combine calls of the traces from now on; without those with the identity if `free_identity`."""

    @abstractmethod
    def count_calls(self, domain: Domain, steps: Sequence[Step]) -> list[int]:
        """Return the combine calls made to build the window, and by each operation of the legal trace that just ran.
        Raises InputError if they are unknown."""

    def play_all(self, attempts: Iterable[Attempt], clock: Clock) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
        """Run traces until one fails, or the deadline."""
        return Playing(self, attempts, clock).run()

    def play(self, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        """Run a legal trace on a new window, as `swagproof.oracle.runner.run` does."""
        for _, more, failure in self.play_all([Attempt(domain, "", steps)], clock):
            tried.add(more)
            return failure
        return None


@dataclass
class _Batch:
    """A batch in progress: pieces of traces."""

    pieces: list[tuple[Game, int, int]]
    """For each piece the game, its first operation, and the one after its last."""
    number: int = 0
    ends: list[int] = field(default_factory=list)
    """The positions at which the answers of each piece end."""
    expected: list[Any] = field(default_factory=list)
    sent: float = 0.0


class Playing:
    """A run of traces until one fails, or the deadline."""

    def __init__(self, player: Running, attempts: Iterable[Attempt], clock: Clock) -> None:
        self.player, self.clock = player, clock
        self._attempts = iter(attempts)
        self._current: Game | None = None
        """The game that is not yet completely sent."""
        self._ahead: deque[_Batch] = deque()
        self._process: Transport | None = None
        self._domain: Domain | None = None
        self._adapted: Domain

    def run(self) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
        """Yield the result of each trace.  Raises InputError when the subject cannot be built, or the domain's monoid
        raises."""
        try:
            while True:
                try:
                    while len(self._ahead) < (1 if self.player.shown else _AHEAD) and self._send(self.player.pace):
                        pass
                    if not self._ahead:
                        break
                    found = list(self._receive(self._patience))
                except Trouble as trouble:
                    found = self._play_again(trouble)
                for game, failure in found:
                    if failure is not None:
                        self._drain()
                    yield game.attempt, game.tried(), failure
                    if failure is not None:
                        return
            if self._current is not None and self._current.done:  # the deadline came first
                yield self._current.attempt, self._current.tried(), None
        except GeneratorExit:
            self._drain()
            raise
        except BaseException:
            self._abandon()
            raise

    @property
    def _patience(self) -> float:
        """Seconds to wait for a batch that can be repeated."""
        limit = self.clock.timeout
        return max(limit, PATIENT) if self.player.silences >= SILENCES else min(limit, max(HASTE * limit, 0.25))

    def _next(self) -> Game | None:
        """Return the game to send from; None when there are no more, or the deadline has passed."""
        if not self.clock.left():
            return None
        if self._current is None:
            attempt = next(self._attempts, None)
            self._current = None if attempt is None else self._game(attempt)
        return self._current

    def _game(self, attempt: Attempt) -> Game:
        domain = attempt.domain
        if domain is not self._domain:
            self._domain, self._adapted = domain, KINDS[self.player.kind.name].adapt(domain)
        return Game(attempt, self._adapted, self.player.kind)

    def _send(self, room: int) -> bool:
        """Send a batch, and compute its right answers.  False if there is none."""
        pieces: list[tuple[Game, int, int]] = []
        first: Game | None = None
        while room > 0 and (game := self._next()) is not None:
            if first is None:
                first = game
                if self._ahead and not self.player.knows(game.domain):  # it will be another process
                    return False
            elif game.domain is not first.domain or game.every != first.every:
                break
            start, end = game.sent, len(game.names)
            if self.player.shown:
                end = next((at + 1 for at in range(start, end) if game.names[at] in game.kind.queries), end)
                room = 0
            elif not self.player.whole:
                end = min(end, start + room)
            pieces.append((game, start, end))
            game.sent = end
            room -= end - start + 1
            if end == len(game.names):
                self._current = None
        if pieces:
            self._ask(pieces)
        return bool(pieces)

    def _ask(self, pieces: list[tuple[Game, int, int]]) -> None:
        first = pieces[0][0]
        key = self.player.key(first.domain)
        batch = _Batch(pieces)
        self._ahead.append(batch)
        self._process = process = self.player.connect(self.clock.timeout)
        process.turn += 1
        batch.number, batch.sent = process.turn, time.monotonic()
        told: list[tuple[bool, Sequence[str], Sequence[Any], bool]] = []
        for game, start, end in pieces:
            told.append((not game.begun, game.names[start:end], game.arguments[start:end], end == len(game.names)))
            game.begun = True
        process.ask(batch.number, ("play", *key, first.every, told))
        expected, ends = batch.expected, batch.ends
        for game, start, end in pieces:
            game.expect(start, end, expected.append)
            ends.append(len(expected))

    def _receive(self, patience: float) -> Iterator[tuple[Game, Failure | None]]:
        """Yield the games that end with the oldest batch, up to the first that fails."""
        batch = self._ahead[0]
        assert self._process is not None
        head, answers = self._process.receive(batch.number, patience)
        took = time.monotonic() - batch.sent
        if took < min(PROMPT, self.clock.timeout / 10):
            self.player.pace = min(MOST, 4 * self.player.pace)
        elif took > min(SLOW, self.clock.timeout / 4):
            self.player.pace = max(1, self.player.pace // 4)
        results = list(self._judge(batch, head, answers))
        if self._ahead:  # nothing had to be repeated
            self._ahead.popleft()
        return iter(results)

    def _judge(self, batch: _Batch, head: Head, answers: list[Any]) -> Iterator[tuple[Game, Failure | None]]:
        if "input" in head:
            raise InputError(str(head["input"]))
        done, skipped = head.field("done", int), head.field("skipped", list) or []
        if skipped and not self.player.whole:
            raise Trouble("wrote to the judge's channel directly: it has no offers()")
        game = batch.pieces[0][0]
        if done == len(batch.pieces) and not skipped and alike(game.domain, batch.expected, answers):
            before = 0
            for (game, _, end), after in zip(batch.pieces, batch.ends, strict=True):
                game.done, game.queries = end, game.queries + after - before
                before = after
                if end == len(game.names):
                    yield game, None
            return
        came, before = 0, 0
        for number, ((game, start, end), after) in enumerate(zip(batch.pieces, batch.ends, strict=True)):
            wanted, before = batch.expected[before:after], after
            if number in skipped:
                game.skipped = True
                yield game, None
                continue
            stopped = done is not None and number == done
            stop = start + (head.field("at", int) or 0) if stopped else end
            if stopped and not start - 1 <= stop < end:
                raise Trouble("wrote to the judge's channel directly: there is no such operation")
            asked = [at for at in range(start, stop) if game.names[at] in game.kind.queries]
            got = answers[came : came + len(asked)]
            if len(got) < len(asked):
                raise Trouble("wrote to the judge's channel directly: one answer too few")
            came += len(asked)
            failure = first_wrong(game, asked, wanted, got)
            if failure is None and stopped:
                failure = self._ending(game, stop, head)
            if failure is not None:
                game.done = failure.at + 1
                game.queries += sum(at <= failure.at for at in asked)
                yield game, self._exact(game, failure)
                return
            game.done, game.queries = end, game.queries + len(asked)
            if end == len(game.names):
                yield game, None
        if came != len(answers):
            raise Trouble("wrote to the judge's channel directly: one answer too many")

    def _ending(self, game: Game, at: int, head: Head) -> Failure:
        """Return the failure that ended a game early."""
        ending = head.field("ending", list) or [""]
        if ending[0] == "broken" and len(ending) == 2:
            return Failure(at, "broken", error=str(ending[1]), stderr=self.player.errors or None)
        if ending[0] == "changed" and len(ending) == 4:
            _, what, now, before = ending
            return Failure(at, "changed", before, now, what=str(what))
        if ending[0] != "raised" or len(ending) != 2:
            raise Trouble("wrote to the judge's channel directly: the end of a trace is unknown")
        name = game.names[at] if at >= 0 else ""
        if self.player.lacks(name):
            raise InputError(f"operation {at + 1}, {game.steps[at]}: {self.player.name} has no method {name}")
        refuse_monoid(game.domain, game.steps[: at + 1], game.kind)
        return Failure(at, "raised", error=str(ending[1]), stderr=None)

    def _exact(self, game: Game, failure: Failure) -> Failure:
        """Return the failure, or an earlier one if values were not checked after each operation."""
        if game.every == 1:
            return failure
        again = Game(game.attempt._replace(steps=game.steps[: failure.at + 1]), game.domain, game.kind)
        again.every = 1
        return self._play_alone(again) or failure

    # Trouble with the process

    def _play_again(self, trouble: Trouble) -> list[tuple[Game, Failure | None]]:
        """Repeat the batches in progress, trace by trace in a new process."""
        games = list({id(game): game for batch in self._ahead for game, _, _ in batch.pieces}.values())
        patience, slowest = self._patience, 0.0
        self._abandon()
        found: list[tuple[Game, Failure | None]] = []
        for game in games:
            if game is self._current:
                self._current = None
            began = time.monotonic()
            failure = self._play_alone(game)
            slowest = max(slowest, time.monotonic() - began)
            found.append((game, failure))
            if failure is not None:
                return found
        if not isinstance(trouble, Silent):  # it was not merely slow
            game = games[-1]
            alone = "; alone, in a new process, the same operations pass"
            found[-1] = game, self._blame(game, trouble, len(game.names) - 1, alone)
            return found
        self.player.silences += 1
        if self.player.silences > SILENCES and games[-1].done and slowest < AT_ONCE * patience:
            trouble.refuse_lost_threads(self.player.name)
            at = games[-1].done - 1
            found[-1] = games[-1], Failure(at, "broken", error=f"{games[-1].names[at]} {fell_silent(patience)}")
        return found

    def _play_alone(self, game: Game) -> Failure | None:
        """Run a trace from its beginning in a new process, in pieces; after trouble, operation by operation."""
        self._restart(game)
        trouble, start = self._play_pieces(game, MOST // 8, self._patience, len(game.names))
        if not isinstance(trouble, Trouble):
            return trouble
        at = game.sent - 1
        self._restart(game)
        again, _ = self._play_pieces(game, MOST // 8, self.clock.timeout, start)
        if again is None:
            slow = isinstance(trouble, Silent)  # the operation of a hang need not be found; that of a crash is
            again, _ = self._play_pieces(game, 1, self.clock.timeout, len(game.names), in_time=slow)
        if isinstance(again, Trouble):
            return self._blame(game, again, game.sent - 1)
        if again is None and not isinstance(trouble, Silent):  # it was not merely slow
            return self._blame(game, trouble, at, "; one at a time, the same operations pass")
        return again

    def _play_pieces(
        self, game: Game, room: int, patience: float, until: int, *, in_time: bool = True
    ) -> tuple[Failure | Trouble | None, int]:
        """Return the failure before this operation, and the start of the piece that has the operation.

        With `in_time` it ends at the deadline of the search.
        """
        if self.player.whole:
            pieces = [(0, until)] if until or not game.names else []  # `offers` cannot judge an empty prefix
        elif room == 1 and not game.begun:
            pieces = [(0, 0), *((at, at + 1) for at in range(until))]
        else:
            pieces = [(at, min(at + room, until)) for at in range(game.sent, until, room)]
        for start, end in pieces or ([] if game.begun or self.player.whole else [(0, 0)]):
            game.sent = end
            try:
                self._ask([(game, start, end)])
                for _, failure in self._receive(patience):
                    if failure is not None:
                        return failure, start
            except Trouble as trouble:
                return trouble, start
            if in_time and not self.clock.left():
                break
        return None, until

    def _blame(self, game: Game, trouble: Trouble, at: int, more: str = "") -> Failure:
        """Return the failure of the operation at which the trouble occurred."""
        self._abandon()
        stderr = self.player.errors or None
        if isinstance(trouble, Unstarted):
            return Failure(-1, "broken", error=str(trouble), stderr=stderr)
        game.done = at + 1
        if isinstance(trouble, Silent):
            trouble.refuse_lost_threads(self.player.name)
            return Failure(at, "hung", stderr=stderr)
        name = game.names[at] if at >= 0 else "building the subject"
        return Failure(at, "broken", error=f"{name} {trouble}{more}", stderr=stderr)

    def _restart(self, game: Game) -> None:
        self._abandon()
        game.restart()

    def _abandon(self) -> None:
        """End the process at once."""
        self._ahead.clear()
        self.player.stop(gently=False)

    def _drain(self) -> None:
        """Receive the outstanding answers, so that the process can take other requests."""
        try:
            for batch in self._ahead:
                assert self._process is not None
                self._process.receive(batch.number, SLOW)
        except Trouble:
            self.player.stop(gently=False)
        self._ahead.clear()


def fell_silent(limit: float) -> str:
    """Return the error of an operation that never returned, and does in a new process."""
    return f"did not return within {limit:g} s; one at a time, the same operations pass"
