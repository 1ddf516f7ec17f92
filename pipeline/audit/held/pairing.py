"""Both tables key by key: in the order in which results are compared with what is due."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from swagproof.models.windows.kinds import Session
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.asked.audit_job import Job
from swagproof.pipeline.audit.policy import MARKS
from swagproof.pipeline.batches import Batch

JUDGED: Final = 16_384
"""Rows that are judged together."""


def codes_of(keys: Any) -> Any:
    """The keys as numbers."""
    (chunk,) = keys.chunks or [pa.array([], pa.dictionary(pa.int32(), pa.string()))]
    return chunk.indices.to_numpy()


def bring_together(events: Any, results: Any, job: Job) -> Iterator[Batch]:
    """Both tables key by key, results first, each in order: as `swagproof.pipeline.audit.compare` takes them.

    Keys are dictionaries; where there are blocks of time, both have the column `block`.
    """
    block = [name for name in ("block",) if name in events.column_names]
    e_columns = ["key", *block, "time", "arrival"]
    e_columns += [name for name in events.column_names if name in MARKS or name[0] == "v"]
    r_columns = ["key", *block, "a", "b", "got", "number"]
    r_columns += [name for name in ("version", "retraction") if name in results.column_names]
    named = {"a": "time", "b": "arrival"}
    parts = [
        (0, results.select(r_columns).rename_columns([named.get(name, name) for name in r_columns])),
        (1, events.select(e_columns)),
    ]
    if isinstance(job.window, Session) and job.plan.watermarks:
        swapped = {"time": "arrival", "arrival": "time"}
        parts.append((2, parts[1][1].rename_columns([swapped.get(name, name) for name in e_columns])))
    sided = [part.append_column("side", pa.array(np.full(len(part), side, dtype=np.int8))) for side, part in parts]
    whole = pa.concat_tables(sided, promote_options="default").unify_dictionaries().combine_chunks()
    orders: list[Any] = []
    start = 0
    for _, part in parts:
        first, second = (part[name].fill_null(NEVER).to_numpy() for name in ("time", "arrival"))
        orders.append(start + _sort(first, second))
        start += len(part)
    order = np.concatenate(orders)
    if block:
        order = order[np.argsort(whole["block"].to_numpy()[order], kind="stable")]
    codes = codes_of(whole["key"])[order] if len(order) else order
    narrow = codes.astype(np.uint16) if len(codes) and codes.max() < 2**16 else codes  # sorted by digits
    order = order[np.argsort(narrow, kind="stable")]
    for i in range(0, len(order), JUDGED):
        (batch,) = whole.take(pa.array(order[i : i + JUDGED])).combine_chunks().to_batches()
        yield batch


def _sort(first: Any, second: Any) -> Any:
    """The order by two columns; what stands in order costs nothing."""
    n = len(first)
    if n and np.all((first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] >= second[:-1]))):
        return np.arange(n)
    return np.lexsort((second, first))
