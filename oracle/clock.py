"""The clock: time limits for a search and for one operation.

The subject runs in its own process, which can be killed, so no alarm is needed.
"""

import time


class Clock:
    """`clock = Clock(timeout=10); clock.allow(seconds); ...`."""

    def __init__(self, timeout: float = 10.0) -> None:
        self.timeout = timeout
        """The time limit of one operation in seconds."""
        self.allowed = self._deadline = float("inf")

    def allow(self, seconds: float) -> None:
        """Set the deadline to this number of seconds from now."""
        self.allowed = seconds
        self._deadline = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds until the deadline, 0 when it has passed."""
        return max(0.0, self._deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Return whether the deadline has passed."""
        return time.monotonic() >= self._deadline
