"""Memory of reading Parquet: it does not grow with the file, since processed rows are released."""

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from swagproof.oracle.domain import domain
from swagproof.oracle.window import FIFO
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.tables import table
from swagproof.pipeline.recordings.layout import Rules
from swagproof.pipeline.recordings.storage import chunks

ROWS, GROUPS = 20_000, 120
COLUMNS = ["trace", "seq", "op", "value", "answer"]


def read_recording(path: Path) -> Iterable[object]:
    return chunks(path, Rules.of(domain("sum"), FIFO))


def read_table(path: Path) -> Iterable[object]:
    return Source(table("--events", [str(path)], None), ()).read(COLUMNS)


def read_as_arrow_does(path: Path) -> Iterable[object]:
    return pq.ParquetFile(path).iter_batches(ROWS)


def read_as_its_data_sets_do(path: Path) -> Iterable[object]:
    return pyarrow.dataset.dataset(path, format="parquet").to_batches(use_threads=False)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "recording.parquet"
    values = random.Random(1)
    numbers = pa.array([values.getrandbits(62) for _ in range(ROWS)])
    cells = [["a"] * ROWS, range(ROWS), ["insert"] * ROWS, numbers, pa.nulls(ROWS, pa.int64())]
    rows = pa.table(dict(zip(COLUMNS, cells, strict=True)))
    with pq.ParquetWriter(path, rows.schema) as file:
        for _ in range(GROUPS):
            file.write_table(rows)
    return path


@pytest.mark.parametrize(
    ("read", "is_let_go"),
    [(read_recording, True), (read_table, True), (read_as_arrow_does, False), (read_as_its_data_sets_do, False)],
)
def test_what_has_been_read_is_let_go(
    recording: Path, read: Callable[[Path], Iterable[object]], is_let_go: bool
) -> None:
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() - before for _ in read(recording))
    assert (most < recording.stat().st_size / 3) is is_let_go, (most, recording.stat().st_size)
