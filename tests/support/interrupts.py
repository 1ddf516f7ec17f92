"""For tests that press Ctrl-C on a process that they start."""

import signal


def hear_interrupts() -> None:
    """In the child, before it starts: a job in the background would inherit that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
