"""A program's process: lines in, lines out."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from swagproof.oracle.sandbox.process import Ended, Process, Silent, Trouble
from swagproof.oracle.sandbox.watchdog import MEMORY

LONGEST_LINE: Final = 1 << 24
"""The length in bytes of the longest line that is read."""

FLOOD: Final = 2_000
"""The number of surplus lines after which reading stops."""

_IDLE: Final = 0.1
"""The seconds without an event after which a wait checks its conditions."""


class Lines(Process):
    """A running program.  Raises OSError when it cannot be started."""

    asked = 0
    """The number of lines that it may still print."""
    _partial = b""
    """The bytes after the last end of line."""

    def __init__(self, command: Sequence[str], memory: int = MEMORY) -> None:
        super().__init__(command, memory)
        self._lines: list[str] = []
        """Lines that arrived and were not yet taken."""

    @property
    def partial(self) -> str:
        """Return its output after the last end of line."""
        return self._partial.decode("utf-8", "replace")

    def send(self, text: str, answers: int) -> None:
        """Send these lines, which have `answers` answers.  Returns at once; the rest is sent when the pipe has room.

        Raises Trouble if the text has no UTF-8 form.
        """
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise Trouble(f"cannot be sent: {error.reason}") from None
        self.asked += answers
        self.write(data)

    def receive(self, count: int, patience: float, last: str | None = None, times: int = 1) -> list[str]:
        """Return the next `count` lines, or fewer if `last`, which ends the batch, came `times` times.

        Raises Silent after `patience` seconds without progress, Ended if its output ends first, and Trouble for output
        that is not text, a line without end, or more lines than expected.
        """
        deadline = time.monotonic() + patience
        while len(self._lines) < count:
            left = deadline - time.monotonic()
            if not self.speaks:
                raise Ended(self.ending())
            if left <= 0:
                if self.ended() is not None:
                    raise Ended(f"{self.ending()}, and left a process that holds its output open")
                raise Silent("did not return within the time limit")
            if self.pump(min(left, max(_IDLE, patience / 100))):
                deadline = time.monotonic() + patience
            elif last is not None and not self.unsent and self._lines:
                if self._lines.count(last) >= times:
                    break
                if self._lines[-1].endswith(last):
                    raise Trouble(f"printed {self._lines[-1].removesuffix(last)[-60:]!r} without an end of line")
            if len(self._lines) > self.asked + FLOOD:
                raise Trouble(f"printed thousands of unexpected lines, such as {self._lines[-1][:60]!r}")
        taken = self._lines[:count]
        del self._lines[:count]
        self.asked -= len(taken)
        return taken

    def speaks_at_end_of_input(self, patience: float) -> bool:
        """Close its input, and return whether it then prints a line within so many seconds."""
        self.close_input()
        before, end = len(self._lines), time.monotonic() + patience
        with suppress(Trouble):
            while self.speaks and time.monotonic() < end and len(self._lines) == before:
                self.pump(end - time.monotonic())
        return len(self._lines) > before

    def take_in(self, data: bytes) -> bool:
        if b"\n" not in data:
            self._partial += data
            if len(self._partial) > LONGEST_LINE:
                raise Trouble(f"printed more than {LONGEST_LINE:,} characters without an end of line")
            return False
        whole, _, self._partial = (self._partial + data).rpartition(b"\n")
        try:
            self._lines.extend(whole.decode().replace("\r\n", "\n").removesuffix("\r").split("\n"))
        except UnicodeDecodeError as error:
            wrong = error.object[error.start :].splitlines()[0][:20]
            raise Trouble(f"printed invalid UTF-8: {wrong!r}") from None
        return True

    def ending(self) -> str:
        """Return a description of its end; first reads its last lines on standard error."""
        last = f", {self.partial[-60:]!r} printed without an end of line" if self._partial else ""
        return super().ending() + last
