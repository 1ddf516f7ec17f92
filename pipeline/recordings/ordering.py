"""Rows of many traces in order: how they are sorted on one machine, and judged, whoever sorted them.

Order is that of one number, `packed`: the row's trace in the high bits, its number there in the low ones.  So a sort
compares machine integers in place of text and integers.  On one machine a trace stands for itself; Spark takes a hash
of it, so that two traces may share a `group`: their rows come mixed, each trace's in its own order.

Sorting is external: runs of `RUN` rows are sorted by Arrow and written to a temporary file each, and then merged a
batch of each at a time, so that memory does not grow with the recording.
"""

import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.judges import Judge, Judged
from swagproof.pipeline.recordings.layout import Rows, Rules, by_trace, row_of
from swagproof.pipeline.recordings.storage import (
    BATCH,
    check_schema,
    import_arrow,
    is_json,
    open_lines,
    open_parquet,
    rows_in,
    rows_of,
)

Batch: TypeAlias = Any
"""A pyarrow.RecordBatch; pyarrow has no types."""

BITS: Final = 40
"""Bits of a packed number that hold the row's; from 2^40 - 1 on all are one, which only a trace with a gap can have."""

GROUPS: Final = 2**23
"""The number of groups: few enough that a packed number is a positive 64-bit integer."""

RUN: Final = 500_000
"""Rows that are sorted at once."""

MERGED: Final = 16_384
"""Rows of each run that are merged at once."""


def judge_ordered(
    batches: Iterable[tuple[Sequence[Any], Rows, Any]], domain: Domain, window: Window
) -> Iterator[Judged]:
    """The verdicts on rows in order: traces, rows, and the packed numbers that they are ordered by.

    The traces of a group are judged side by side, and closed where the next begins.
    """
    judges: dict[Any, Judge] = {}
    group: int | None = None
    for traces, rows, packed in batches:
        if not traces:
            continue
        last, begins = _find_last_group(packed)
        unfinished = set(traces[begins:])
        if group == last:
            unfinished |= judges.keys()
        group = last
        for trace, some in by_trace(traces, rows):
            judge = judges.get(trace)
            if judge is None:
                judge = judges[trace] = Judge(trace, domain, window, ordered=True)
            judge.feed(some, whole=trace not in unfinished)
        for trace in [trace for trace in judges if trace not in unfinished]:
            yield judges.pop(trace).close()
    for judge in judges.values():
        yield judge.close()


def _functions() -> Any:
    """Those of pyarrow.compute, which are made at run time."""
    import pyarrow.compute

    return pyarrow.compute


def _find_last_group(packed: Any) -> tuple[int, int]:
    """The group of the last row, and where it begins."""
    compute = _functions()
    last = packed[-1].as_py() >> BITS
    if packed[0].as_py() >> BITS == last:
        return last, 0
    return last, compute.sum(compute.less(packed, last << BITS)).as_py()


def sort_rows(
    paths: Sequence[Path], rules: Rules, traces: Collection[str]
) -> Iterator[tuple[Sequence[Any], Rows, Any]]:
    """The rows of some traces in order, as `judge_ordered` takes them.

    Raises InputError where pyarrow is missing, or files hold one column in different types.
    """
    import_arrow("this recording is not in order: sorting it")
    lines = {is_json(path.name) for path in paths}
    if len(lines) > 1:
        raise InputError(
            "these recordings are not in order, and sorting needs one format: give all as JSON lines, or all as Parquet"
        )
    with tempfile.TemporaryDirectory(prefix="swagproof-") as folder:
        for batch in _sort(_batches(paths, rules, set(traces)), Path(folder)):
            packed = batch.column(batch.schema.names.index("packed"))
            if True in lines:
                _, found, rows = rows_in(batch.column(batch.schema.names.index("line")).to_pylist(), rules.heading)
            else:
                found, rows = rows_of(batch)
            rules.mark(rows)
            yield found, rows, packed


def _batches(paths: Sequence[Path], rules: Rules, wanted: set[str]) -> Iterator[Batch]:
    """The rows of these traces, with their packed numbers."""
    import pyarrow as pa

    compute = _functions()
    groups: dict[str, int] = {}
    schema: Any = None
    names = pa.array(sorted(wanted), pa.string())
    for path in paths:
        for batch in _lines_of(path, rules) if is_json(path.name) else _columns_of(path, rules):
            schema = schema or batch.schema
            if batch.schema != schema:
                raise InputError(
                    f"the rows are not in order, and sorting needs files with equal columns: "
                    f"{_show(batch.schema, schema)} in {path}, {_show(schema, batch.schema)} in {paths[0]}"
                )
            kept = batch.filter(compute.is_in(batch.column(0), names))
            if kept.num_rows:
                yield kept.append_column("packed", _pack(kept.column(0), kept.column(1), groups))


def _show(schema: Any, other: Any) -> str:
    """The columns that are others there."""
    return ", ".join(f"{field.name} {field.type}" for field in schema if field not in other) or "none of these columns"


def _pack(traces: Any, seq: Any, groups: dict[str, int]) -> Any:
    import pyarrow as pa

    compute = _functions()
    coded = traces.dictionary_encode()
    known = [groups.setdefault(name, len(groups)) % GROUPS for name in coded.dictionary.to_pylist()]
    group = pa.array(known, pa.int64()).take(coded.indices)
    number = compute.max_element_wise(compute.min_element_wise(seq, (1 << BITS) - 1), 0)  # null, too, is 0
    return compute.add(compute.shift_left(group, BITS), number.cast(pa.int64()))


def _lines_of(path: Path, rules: Rules) -> Iterator[Batch]:
    import pyarrow as pa

    schema = pa.schema([("trace", pa.string()), ("seq", pa.int64()), ("line", pa.binary())])
    with open_lines(path) as file:
        while lines := list(islice(file, BATCH // 4)):
            read = ((row_of(line, rules.heading), line) for line in lines)
            rows = [(row[0], row[1][0], line) for row, line in read if row is not None]
            columns = zip(*rows, strict=True) if rows else ([], [], [])
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            yield pa.record_batch(arrays, schema)


def _columns_of(path: Path, rules: Rules) -> Iterator[Batch]:
    import pyarrow as pa

    file = open_parquet(path)
    names = check_schema(file.schema_arrow, rules, str(path))
    types = {name: file.schema_arrow.field(name).type for name in names}
    plain = {name: type_.value_type if pa.types.is_dictionary(type_) else type_ for name, type_ in types.items()}
    schema = pa.schema([*(plain | {"trace": pa.string(), "seq": pa.int64(), "op": pa.string()}).items()])
    with file:
        for batch in file.iter_batches(BATCH, columns=names):
            yield batch.select(names).cast(schema)


def _sort(batches: Iterable[Batch], folder: Path) -> Iterator[Batch]:
    """The batches' rows by their packed numbers: one run in memory, several through files."""
    import pyarrow as pa

    runs, waiting, rows = list[Path](), list[Batch](), 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= RUN:
            runs.append(folder / str(len(runs)))
            _write_run(_sort_batches(waiting), runs[-1])
            waiting, rows = [], 0
    if not runs:
        yield from _sort_batches(waiting).to_batches(MERGED) if waiting else ()
        return
    if waiting:
        runs.append(folder / str(len(runs)))
        _write_run(_sort_batches(waiting), runs[-1])
    with ExitStack() as stack:
        yield from _merge(
            [iter(stack.enter_context(pa.ipc.open_stream(stack.enter_context(pa.OSFile(str(run)))))) for run in runs]
        )


def _sort_batches(batches: Sequence[Batch]) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches(batches).combine_chunks().sort_by("packed")


def _write_run(run: Any, path: Path) -> None:
    import pyarrow as pa

    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, run.schema) as writer:
        writer.write_table(run, MERGED)


def _merge(runs: Sequence[Iterator[Batch]]) -> Iterator[Batch]:
    """Runs that are sorted each, as one: a batch of each is in memory, and what no other can come before is next."""
    compute = _functions()
    heads = [(batch, run) for run in runs if (batch := next(run, None)) is not None]
    while heads:
        bound = min(batch.column("packed")[-1].as_py() for batch, _ in heads)
        ready, left = list[Batch](), list[tuple[Batch, Iterator[Batch]]]()
        for batch, run in heads:
            many = compute.sum(compute.less_equal(batch.column("packed"), bound)).as_py()
            ready.append(batch.slice(0, many))
            rest = batch.slice(many) if many < batch.num_rows else next(run, None)
            if rest is not None:
                left.append((rest, run))
        heads = left
        yield from _sort_batches(ready).to_batches(BATCH)
