"""A session in a process of its own: a line of JSON in, a line of JSON out, until its input ends.

A first line says that it has begun. What the code of a page's user prints goes to standard error, so that it cannot
answer for the session.
"""

import json
import os
import sys
from typing import Final

from swagproof.learn.session import Session

MEMORY: Final = 2 << 30
"""Bytes that it may take."""


def limit_memory() -> None:
    """Take no more memory than it may, where the system knows such limits."""
    try:
        import resource  # not on every system
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def run() -> None:
    """Answer each line."""
    limit_memory()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    session = Session()
    print("{}", file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = session.handle(json.loads(line))
        except (MemoryError, RecursionError) as error:
            answer = {"error": f"{type(error).__name__}: it took more than a page may"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    run()
