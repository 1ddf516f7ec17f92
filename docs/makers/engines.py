"""The engines' conformance table: `python docs/makers/engines.py` judges all engines, in a quarter of an hour.

`python docs/makers/engines.py sqlite_frames duckdb_frames` judges only these.  Each engine has a section in
docs/manual/evidence/engines.md, with its table and its violations; nothing else stores the results.
"""

import importlib
import itertools
import os
import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from tables import ROOT, row

from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.engines.frames import Batch
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds import frame
from swagproof.oracle.mistakes import show_json
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import Step, Trace

PAGE = ROOT / "docs" / "manual" / "evidence" / "engines.md"
ROOM = "swagproof.oracle.engines"

MODULES = {
    "duckdb_frames": "duckdb",
    "sqlite_frames": "sqlite3",
    "datafusion_frames": "datafusion",
    "polars_frames": "polars",
    "pandas_frames": "pandas",
    "spark_frames": "pyspark",
}
"""The adapters, and the judged distribution of each."""

CLASSES = tuple(phase.name for phase in frame.phases([], 0) if phase.name != "random")
"""The classes of frames, which are the table's columns."""

MOST = {"spark_frames": 12}
"""The greatest number of traces for a cell, where a query is expensive."""
EFFORT = 60_000
"""The number of operations for a cell."""


def installed(module: str) -> str:
    """Return the version of the engine that this adapter judges."""
    return sqlite3.sqlite_version if module == "sqlite_frames" else version(MODULES[module])


def place_of(module: str) -> str:
    """Return the full name of an adapter; Spark's is in `pipeline`."""
    return f"{'swagproof.pipeline' if module == 'spark_frames' else ROOM}.{module}"


def adapters(module: str) -> list[type[Batch]]:
    """Return the aggregates of an adapter, in its own order."""
    found = importlib.import_module(place_of(module))
    return [
        each
        for each in vars(found).values()
        if isinstance(each, type) and issubclass(each, Batch) and "monoids" in vars(each)
    ]


def attempts(adapter: type[Batch], name: str) -> list[Attempt]:
    """Return all attempts at an aggregate in a class of frames that its engine supports."""
    (phase,) = (phase for phase in frame.phases([adapter.domain()], 0) if phase.name == name)
    return [attempt for attempt in phase.attempts if adapter.offers(attempt.steps)]


def spread(some: Sequence[Attempt], most: int) -> list[Attempt]:
    """Select at most `most` attempts, spread evenly; fewer if they have many rows."""
    return [some[at * len(some) // most] for at in range(most)] if len(some) > most else list(some)


def judge_cell(module: str, adapter: type[Batch], name: str) -> dict[str, Any]:
    """Judge a cell of the table."""
    spec = f"{place_of(module)}:{adapter.__name__}"
    cell: dict[str, Any] = {"adapter": spec, "monoid": adapter.monoids[0], "class": name}
    some = spread(attempts(adapter, name), MOST.get(module, 10_000))
    if not some:
        return {**cell, "outcome": "not offered"}
    report = judge(
        load_subject(spec, "frame"),
        [adapter.domain()],
        effort=EFFORT,
        timeout=120.0,
        plan=lambda: [Phase(name, 1.0, iter(some))],
    )
    cell |= {"outcome": report.verdict.outcome, "tried": report.coverage.total.traces}
    witness = report.verdict.witness
    if witness is not None:
        cell |= {
            "sentence": report.verdict.sentence,
            "operations": witness.trace.to_json()["operations"],
            "expected": witness.expected,
            "got": witness.got,
            "error": witness.error,
        }
    return cell


def steps_of(cell: dict[str, Any]) -> tuple[Step, ...]:
    """Return the operations of a cell's witness."""
    data = Trace((), cell["monoid"], "frame").to_json() | {"operations": cell["operations"]}
    return Trace.from_json(data, cell["adapter"]).steps


def adapter_of(cell: dict[str, Any]) -> type[Batch]:
    """Return the adapter class of a cell."""
    module, _, name = cell["adapter"].partition(":")
    found: type[Batch] = getattr(importlib.import_module(module), name)
    return found


def violations(cells: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the violated cells, in the order of their numbers."""
    return [cell for cell in cells if cell["outcome"] in ("violated", "broken")]


def tables(module: str, cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table for each engine of an adapter's module."""
    numbers = {(cell["adapter"], cell["class"]): at for at, cell in enumerate(violations(cells), 1)}
    by_place = {(cell["adapter"], cell["class"]): cell for cell in cells}
    for engine, some in itertools.groupby(adapters(module), key=lambda each: each.engine):
        yield f"### {engine} ({installed(module)})\n"
        yield row("aggregate", *CLASSES)
        yield row(*["---"] * (1 + len(CLASSES)))
        for each in some:
            places = [(f"{ROOM}.{module}:{each.__name__}", name) for name in CLASSES]
            yield row(label(each), *(_show(by_place[place], module, numbers.get(place)) for place in places))
        yield ""


def _show(cell: dict[str, Any], module: str, number: int | None) -> str:
    """Return the text of a cell."""
    if number is not None:
        return f"**[violated](#{module}-{number})**"
    if cell["outcome"] == "conforms":
        return str(cell["tried"])
    return "-" if cell["outcome"] == "not offered" else str(cell["outcome"])


def label(adapter: type[Batch]) -> str:
    """Return the aggregate's name in the table."""
    return f"`{adapter.aggregate}`{_of(adapter)}"


def _of(adapter: type[Batch]) -> str:
    """Return the element type if an aggregate has two."""
    letter = domain_of(adapter.monoids[0]).elements.letters[0]
    return {int: " of integers", float: " of floats"}.get(type(letter), "") if "count" not in adapter.monoids[0] else ""


def _short(text: str) -> str:
    return text if len(text) < 260 else f"{text[:160]} ... {text[-80:]}"


def reproductions(module: str, cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield every violation of a module, with code to reproduce it."""
    for number, cell in enumerate(violations(cells), 1):
        adapter = adapter_of(cell)
        text = adapter.reproduction(steps_of(cell))
        what = f"{adapter.engine}, {label(adapter)}, {cell['class']}"
        yield f'<a id="{module}-{number}"></a>**{number}. {what}:** {_short(cell["sentence"])}.\n'
        yield f"```{'python' if text.startswith('import') else 'sql'}\n{text}\n```\n"
        if cell["error"]:
            yield f"It raises `{cell['error'].partition(':')[0]}`.\n"
        else:
            yield f"It answers `{show_json(cell['got'])}`; right is `{show_json(cell['expected'])}`.\n"


def write_section(module: str, cells: Sequence[dict[str, Any]]) -> None:
    """Write the section of a module into the page."""
    made = "\n".join([*tables(module, cells), *reproductions(module, cells)])
    text = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {module} -->\n).*?(<!-- end -->)", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda marks: f"{marks[1]}\n{made}\n{marks[2]}", text), encoding="utf-8")


def main(names: Sequence[str]) -> None:
    """Judge these adapters, or all, and write their sections."""
    for module in names or MODULES:
        write_section(module, [judge_cell(module, each, name) for each in adapters(module) for name in CLASSES])


if __name__ == "__main__":
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # panics and logs of the engines
    main(sys.argv[1:])
