"""Recordings in parts: what several workers read and judge side by side, without bringing any rows together first.

A trace that begins in a part is judged with it to its end, wherever that is: the worker reads on into the next parts,
and the one that starts there passes over the rows.  Where a trace is not one run of rows, more than one part has it:
then none of them has judged it, and it must be put in order first.  So nothing rests on how the files were written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.layout import Rows, Rules, by_trace
from swagproof.pipeline.recordings.standing import Standing
from swagproof.pipeline.recordings.storage import Chunk, chunks, is_json, open_parquet

LEAST: Final = 1 << 20
"""Bytes of JSON lines below which a part is not worth a task."""

_TAIL: Final = 1 << 16


@dataclass(frozen=True)
class Part:
    """Some lines of a file, by where they begin, or some row groups; None stands for the whole file."""

    path: Path
    within: range | None

    def chunks(self, rules: Rules) -> Iterator[Chunk]:
        """Its rows."""
        return chunks(self.path, rules, self.within)


def cut(paths: Sequence[Path], many: int, *, least: int = LEAST) -> list[Part]:
    """The files in about so many parts, in order; of lines none of fewer bytes than `least`."""
    sizes = [_sizes(path) for path in paths]
    share = max(sum(map(sum, sizes)) / many, 1)
    parts = list[Part]()
    for path, each in zip(paths, sizes, strict=True):
        ends = list(accumulate(each))
        if not is_json(path.name):  # the row groups that end in each share
            of = [int((end - 1) / share) for end in ends]
            cuts = [0, *(at for at in range(1, len(of)) if of[at] != of[at - 1]), len(of)]
        elif path.name.endswith(".gz"):
            parts.append(Part(path, None))
            continue
        else:
            step = max(int(share), least)
            cuts = [*range(0, max(each[0], 1), step), max(each[0], 1)]
        parts += [Part(path, range(start, stop)) for start, stop in pairwise(cuts)]
    return parts


def _sizes(path: Path) -> list[int]:
    """The bytes of a file with lines, or of each row group."""
    if is_json(path.name):
        return [path.stat().st_size]
    with open_parquet(path) as file:
        groups = file.metadata
        return [groups.row_group(at).total_byte_size for at in range(groups.num_row_groups)]


def look_ordered(parts: Sequence[Part], rules: Rules) -> bool:
    """Return whether rows stand trace by trace, in order, as far as the first of some parts show."""
    for part in parts[:: max(len(parts) // 3, 1)]:
        for chunk in islice(part.chunks(rules), 1):
            ends: dict[Any, int] = {}
            last: Any = None
            for trace, seq in zip(chunk.traces, chunk.rows.seq, strict=True):
                if (
                    seq is None
                    or (seq != ends.get(trace, -1) + 1 and trace in ends)
                    or (trace != last and trace in ends)
                ):
                    return False
                ends[trace], last = seq, trace
    return True


def judge_part(parts: Sequence[Part], at: int, domain: Domain, window: Window, only: str | None = None) -> Standing:
    """The traces that begin in a part, judged."""
    rules, standing = Rules.of(domain, window), Standing(domain, window)
    passed: Any = _last_trace(parts[at - 1], rules) if at else None
    if passed is not None and _is_all_of(parts[at], passed):
        return standing
    skipping, last = passed is not None, None
    for chunk in parts[at].chunks(rules):
        traces, rows = chunk.traces, chunk.rows
        if skipping:
            first = next((place for place, trace in enumerate(traces) if trace != passed), len(traces))
            traces, rows, skipping = traces[first:], rows.slice(first, len(rows)), first == len(traces)
        if traces:
            last = traces[-1]
            _feed(standing, traces, rows, only)
    for part in parts[at + 1 :] if last is not None else ():
        for chunk in part.chunks(rules):
            traces = chunk.traces
            end = next((place for place, trace in enumerate(traces) if trace != last), len(traces))
            if end:
                _feed(standing, traces[:end], chunk.rows.slice(0, end), only)
            if end < len(traces):
                return standing
    return standing


def _is_all_of(part: Part, trace: str) -> bool:
    """Return whether a part is known to hold rows of this trace alone, without being read: a long trace is in many."""
    if is_json(part.path.name) or part.within is None:
        return False
    with open_parquet(part.path) as file:
        at = file.metadata.schema.names.index("trace")
        found = [file.metadata.row_group(group).column(at).statistics for group in part.within]
    return all(it is not None and it.has_min_max and it.null_count == 0 and it.min == it.max == trace for it in found)


def _feed(standing: Standing, traces: Sequence[Any], rows: Rows, only: str | None) -> None:
    parts = by_trace(traces, rows)
    standing.feed(parts if only is None else (part for part in parts if part[0] == only))


def _last_trace(part: Part, rules: Rules) -> Any:
    """The trace of a part's last row; None where that is not to be had at once."""
    within = part.within
    if within is None:
        return None
    end = within[-1:] if not is_json(part.path.name) else range(max(within.start, within.stop - _TAIL), within.stop)
    last = None
    for chunk in chunks(part.path, rules, end):
        last = chunk.traces[-1] if chunk.traces else last
    return last
