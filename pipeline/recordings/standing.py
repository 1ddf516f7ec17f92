"""Judging the recordings in files on this machine, and reading the beginning of a trace again."""

import gc
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from swagproof.oracle.domain import Domain
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.judges import HELD, Judge, Judged, Sequencer, Unsorted
from swagproof.pipeline.recordings.layout import Rows, Rules, by_trace
from swagproof.pipeline.recordings.ordering import judge_ordered, sort_rows
from swagproof.pipeline.recordings.reduce import Prefix, Row
from swagproof.pipeline.recordings.storage import Reject, chunks


class Standing:
    """Judges rows of many traces as they stand: which traces they are, and which must be put in order first.

    Most recordings are in order, or nearly so, and sorting costs as much as judging.  So rows are judged as they come,
    and what cannot be decided so is found in `unsorted`: it has no verdict here.
    """

    def __init__(self, domain: Domain, window: Window, *, held: int = HELD) -> None:
        self.unsorted: dict[str | None, None] = {}
        self._domain, self._window, self._held = domain, window, held
        self._judges: dict[str | None, Judge] = {}
        self._before: dict[str | None, Judge] = {}
        self._waiting = 0

    def feed(self, parts: Iterable[tuple[str | None, Rows]]) -> None:
        """Judge more rows: those of a batch, by trace."""
        now: dict[str | None, Judge] = {}
        for trace, rows in parts:
            if trace in self.unsorted:
                continue
            judge = self._judges.get(trace)
            if judge is None:
                judge = self._judges[trace] = Judge(trace, self._domain, self._window)
            waited = judge.waiting
            try:
                judge.feed(rows)
            except Unsorted:
                self._give_up(trace)
                self._waiting -= waited
                continue
            self._waiting += judge.waiting - waited
            now[trace] = judge
        for trace, judge in self._before.items():
            if trace not in now:
                judge.forget()
        self._before = now
        if self._waiting > self._held:
            for trace in [trace for trace, judge in self._judges.items() if judge.waiting]:
                self._give_up(trace)
            self._waiting = 0

    def _give_up(self, trace: str | None) -> None:
        self.unsorted[trace] = None
        del self._judges[trace]
        self._before.pop(trace, None)

    def close(self) -> Iterator[Judged]:
        """The verdicts, in the order in which the traces first appeared."""
        for judge in self._judges.values():
            yield judge.close()


def judge_files(
    paths: Sequence[Path],
    domain: Domain,
    window: Window,
    *,
    only: str | None = None,
    reject: Reject | None = None,
    watch: Callable[[int], object] = lambda _rows: None,
) -> Iterator[Judged]:
    """The verdict on each trace of these files, in the order in which they first appear; those last that were sorted.

    `only` names the one trace to judge, `reject` is told of each flawed row, `watch` how many rows there were so far.
    Raises InputError when a file cannot be read.
    """
    rules = Rules.of(domain, window)
    standing = Standing(domain, window)
    count = 0
    with _seldom_collecting():
        for chunk in (chunk for path in paths for chunk in chunks(path, rules)):
            parts = by_trace(chunk.traces, chunk.rows)
            standing.feed(parts if only is None else (part for part in parts if part[0] == only))
            if reject is not None:
                for at, flaw in sorted(chunk.rows.flaws.items()):
                    if only is None or chunk.traces[at] == only:
                        reject(chunk, at, flaw)
            count += len(chunk.rows)
            watch(count)
        yield from standing.close()
        if unsorted := [trace for trace in standing.unsorted if trace is not None]:
            yield from judge_ordered(sort_rows(paths, rules, unsorted), domain, window)


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
        given = 0
        try:
            for path in paths:
                for chunk in chunks(path, rules):
                    for name, rows in by_trace(chunk.traces, chunk.rows):
                        if name != trace:
                            continue
                        if sequencer.waiting > HELD:
                            raise Unsorted
                        rows = sequencer.arrange(rows)
                        yield from (row for row in zip(*rows.columns, strict=True) if row[0] <= last)
                        given = sequencer.next
                        if given > last:
                            return
        except Unsorted:
            sequencer = Sequencer(ordered=True)
            for _, rows, _ in sort_rows(paths, rules, [trace]):
                rows = sequencer.arrange(rows)
                yield from (row for row in zip(*rows.columns, strict=True) if given <= row[0] <= last)
                if sequencer.next > last:
                    return
            rows = sequencer.arrange(Rows(), whole=True)
            yield from (row for row in zip(*rows.columns, strict=True) if given <= row[0] <= last)

    return prefix
