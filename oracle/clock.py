"""The clock: how long a search may take, and how long one operation may.

What is judged runs in a process of its own, which is waited for and can be ended: it takes no alarm to get out of it.
"""

import time


class Clock:
    """`clock = Clock(timeout=10); clock.allow(seconds); ...`."""

    def __init__(self, timeout: float = 10.0) -> None:
        self.timeout = timeout
        """Seconds that one operation may take."""
        self.allowed = self._deadline = float("inf")

    def allow(self, seconds: float) -> None:
        """Set the deadline to so many seconds from now."""
        self.allowed = seconds
        self._deadline = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until the deadline, 0 when it has passed."""
        return max(0.0, self._deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Return whether the deadline has passed."""
        return time.monotonic() >= self._deadline
