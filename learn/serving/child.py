"""A session in a process of its own: reads lines of JSON and writes lines of JSON until its input ends.

The first line reports that it has started. Output of the page's user code goes to standard error, so that it cannot
forge an answer of the session.
"""

import json
import os
import sys
from typing import Final

from swagproof.learn.session import Session

MEMORY: Final = 2 << 30
"""The limit of its memory, in bytes."""


def limit_memory() -> None:
    """Limit the process's memory, if the system supports it."""
    try:
        import resource  # not on every system
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def run() -> None:
    """Answer each line of the input."""
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
