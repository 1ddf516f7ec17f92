"""The judge of recordings in local files, and a reader of the beginning of a trace.

Rows are judged in the order of the files.  A trace whose rows are not sorted is judged again: SQLite sorts its rows, on
disk if they exceed memory.
"""

import gc
import pickle
import sqlite3
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.judges import Judge, Judged, Unsorted, arrange_rows, judge_ordered
from swagproof.pipeline.recordings.layout import ABSENT, Flaw, Rows, Rules, by_trace
from swagproof.pipeline.recordings.reduce import Prefix, Row
from swagproof.pipeline.recordings.storage import BATCH, Reject, chunks


def judge_files(
    paths: Sequence[Path],
    domain: Domain,
    window: Window,
    *,
    only: str | None = None,
    reject: Reject | None = None,
    watch: Callable[[int], object] = lambda _rows: None,
) -> Iterator[Judged]:
    """Yield the verdict on each trace of these files, in the order of first appearance; sorted traces come last.

    Most recordings are in order, and sorting costs more than judging: so rows are judged as they are, and only the
    traces for which this fails are sorted and judged again.

    `only` names the one trace to judge; `reject` is called with each flawed row, `watch` with the number of rows so
    far. Raises InputError if a file cannot be read.
    """
    rules = Rules.of(domain, window)
    judges: dict[str | None, Judge] = {}
    unsorted: dict[str | None, None] = {}
    count = 0
    with _seldom_collecting():
        for chunk in (chunk for path in paths for chunk in chunks(path, rules)):
            for trace, rows in by_trace(chunk.traces, chunk.rows):
                if trace in unsorted or only not in (None, trace):
                    continue
                if trace not in judges:
                    judges[trace] = Judge(trace, domain, window)
                try:
                    judges[trace].feed(rows)
                except Unsorted:
                    unsorted[trace] = None
                    del judges[trace]
            if reject is not None:
                for at, flaw in sorted(chunk.rows.flaws.items()):
                    if only is None or chunk.traces[at] == only:
                        reject(chunk, at, flaw)
            count += len(chunk.rows)
            watch(count)
        yield from (judge.close() for judge in judges.values())
        if unsorted:
            yield from judge_ordered(sort_rows(paths, rules, unsorted), domain, window)


@contextmanager
def _seldom_collecting() -> Generator[None]:
    """Collect garbage rarely: many judges are many long-lived objects without cycles."""
    before = gc.get_threshold()
    gc.set_threshold(500_000, 20, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def sort_rows(
    paths: Sequence[Path], rules: Rules, traces: Collection[str | None], last: int | None = None
) -> Iterator[tuple[Sequence[str | None], Rows]]:
    """Yield the sorted rows of some traces, up to the number `last`; rows without a number come first."""
    order = {trace: n for n, trace in enumerate(traces)}
    named = [*order]
    with TemporaryDirectory(prefix="swagproof-") as folder, closing(sqlite3.connect(Path(folder) / "rows")) as base:
        base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64000")
        base.execute("CREATE TABLE rows (trace INTEGER, seq INTEGER, op, time, until, value, answer, flaw)")
        for chunk in (chunk for path in paths for chunk in chunks(path, rules)):
            seq = chunk.rows.seq
            places = [
                at
                for at, trace in enumerate(chunk.traces)
                if trace in order and (last is None or (seq[at] is not None and seq[at] <= last))
            ]
            rows = chunk.rows.take(places)
            numbers, *cells = rows.columns
            cells.append([rows.flaws.get(at) for at in range(len(rows))])
            of_traces = [order[chunk.traces[at]] for at in places]
            stored = zip(of_traces, numbers, *(map(_store, column) for column in cells), strict=True)
            base.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", stored)
        found = base.execute("SELECT * FROM rows ORDER BY trace, seq")
        while some := found.fetchmany(BATCH):
            of_traces, numbers, *cells = map(list, zip(*some, strict=True))
            op, time, until, value, answer, flaws = (
                [pickle.loads(it) if type(it) is bytes else it for it in column] for column in cells
            )
            flawed: dict[int, Flaw] = {at: flaw for at, flaw in enumerate(flaws) if flaw is not None}
            yield [named[place] for place in of_traces], Rows(numbers, op, time, until, value, answer, flawed)


_ABSENT: Final = pickle.dumps(ABSENT)


def _store(cell: Any) -> Any:
    """Return a cell in a form that SQLite preserves: small integers, ASCII text and null unchanged, else bytes."""
    if cell is None or (type(cell) is int and -(2**63) <= cell < 2**63) or (type(cell) is str and cell.isascii()):
        return cell
    return _ABSENT if cell is ABSENT else pickle.dumps(cell)


def prefix_in(paths: Sequence[Path], rules: Rules) -> Prefix:
    """Return a function that reads the beginning of a trace again."""

    def prefix(trace: str, last: int) -> Iterator[Row]:
        return arrange_rows(rows for _, rows in sort_rows(paths, rules, [trace], last))

    return prefix
