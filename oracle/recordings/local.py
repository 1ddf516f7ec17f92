"""Judging the recordings in files on this machine, and reading the beginning of a trace again."""

import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from swagproof.oracle.domain import Domain
from swagproof.oracle.recordings.judging import Judge, Judged, Sequencer
from swagproof.oracle.recordings.layout import Rules, by_trace
from swagproof.oracle.recordings.reduce import Prefix, Row
from swagproof.oracle.recordings.storage import Reject, chunks
from swagproof.oracle.window import Window


def judge_files(
    paths: Sequence[Path],
    domain: Domain,
    window: Window,
    *,
    only: str | None = None,
    reject: Reject | None = None,
    watch: Callable[[int], object] = lambda _rows: None,
) -> Iterator[Judged]:
    """The verdict on each trace of these files, in the order in which they first appear.

    `only` names the one trace to judge, `reject` is told of each flawed row, `watch` how many rows there were so far.
    Raises InputError when a file cannot be read.
    """
    rules = Rules.of(domain, window)
    judges: dict[str | None, Judge] = {}
    before = now = dict[Any, Judge]()
    count = 0
    with _seldom_collecting():
        for chunk in (chunk for path in paths for chunk in chunks(path, rules)):
            now = {}
            for trace, rows in by_trace(chunk.traces, chunk.rows):
                if only is not None and trace != only:
                    continue
                judge = judges.get(trace)
                if judge is None:
                    judge = judges[trace] = Judge(trace, domain, window)
                judge.feed(rows)
                now[trace] = judge
            for trace, judge in before.items():
                if trace not in now:
                    judge.forget()
            before = now
            if reject is not None:
                for at, flaw in sorted(chunk.rows.flaws.items()):
                    if only is None or chunk.traces[at] == only:
                        reject(chunk, at, flaw)
            count += len(chunk.rows)
            watch(count)
        for judge in judges.values():
            yield judge.close()


@contextmanager
def _seldom_collecting() -> Generator[None]:
    """Look for cycles seldom: many judges are many objects that live long, and have none."""
    before = gc.get_threshold()
    gc.set_threshold(500_000, 20, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def prefix_in(paths: Sequence[Path], rules: Rules) -> Prefix:
    """Reads the beginning of a trace from these files again."""

    def prefix(trace: str, last: int) -> Iterator[Row]:
        sequencer = Sequencer()
        for path in paths:
            for chunk in chunks(path, rules):
                for name, rows in by_trace(chunk.traces, chunk.rows):
                    if name != trace:
                        continue
                    rows = sequencer.arrange(rows)
                    yield from (row for row in zip(*rows.columns, strict=True) if row[0] <= last)
                    if sequencer.next > last:
                        return

    return prefix
