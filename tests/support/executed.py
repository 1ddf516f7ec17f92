"""What a row of the ledger really runs and reads, when it is settled in a process of its own.

It is seen from outside, by a trace function and an audit hook, and knows nothing of imports: so it can be held against
what a row is said to depend on.  Processes that a check starts are not seen.
"""

import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

from swagproof.proofs.claims import BY_ID
from swagproof.proofs.ledger.claim import settle
from swagproof.proofs.ledger.dependencies import PACKAGE, ROOT


class Executed(NamedTuple):
    """What was seen of a row."""

    verdict: str
    modules: list[str]
    """Modules of this package whose code was run, or read."""
    files: list[str]
    """Other files of it that were opened."""


PLACES: Final = {str(ROOT / room): room for room in os.listdir(ROOT)}
PLACES_IN_FULL: Final = {os.path.realpath(place): room for place, room in PLACES.items()}
"""The rooms may be links: a file has two names."""


def find_within(file: str) -> Path | None:
    """A file's place in the package; None for what is not there, and for what Python makes of it."""
    for place, room in (*PLACES.items(), *PLACES_IN_FULL.items()):
        if file.startswith(place + os.sep):
            within = Path(room, os.path.relpath(file, place))
            return None if within.parent.name == "__pycache__" else within
    return None


def name_module(within: Path) -> str:
    """The module of a file in the package."""
    parts = [PACKAGE, *within.with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def settle_seen(id: str) -> Executed:
    """Settle a row, and say what was seen.  To be called once in a process."""
    run: set[CodeType] = set()
    opened: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        run.add(frame.f_code)

    def hear(event: str, arguments: Any) -> None:
        if event == "open" and isinstance(arguments[0], str):
            opened.add(os.path.abspath(arguments[0]))

    sys.addaudithook(hear)
    threading.settrace(note)
    sys.settrace(note)
    try:
        row = settle(BY_ID[id])
    finally:
        sys.settrace(None)
    sources = {within for file in {code.co_filename for code in run} | opened if (within := find_within(file))}
    modules = {name_module(within) for within in sources if within.suffix == ".py"}
    return Executed(row.verdict, sorted(modules), sorted(str(file) for file in sources if file.suffix != ".py"))


def settle_apart(id: str) -> Executed:
    """The same in a process that has seen no other row: what one has made, another need not run again."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with open(writing, "w", encoding="utf-8") as pipe:
            json.dump(settle_seen(id), pipe)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return Executed(*json.loads(said))
