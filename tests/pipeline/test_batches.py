"""Columns laid out by hand are those that Arrow makes of lists, and nobody imports pandas for them."""

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from swagproof.pipeline.batches import arrow_type, make_array, make_batch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VALUES: dict[str, tuple[Any, ...]] = {
    "string": ("", "a", "\u00e9\U0001f600", "x" * 300),
    "binary": (b"", b"\0", b"\xff" * 9),
    "bigint": (0, 1, -1, 2**63 - 1, -(2**63)),
    "double": (0.0, -0.0, 1.5, 3, float("inf")),
    "boolean": (True, False),
    "array<string>": (["a", None], []),
}


@pytest.mark.parametrize("kind", VALUES)
def test_columns_are_those_of_arrow(kind: str) -> None:
    rng = random.Random(kind)
    for values in (VALUES[kind], (*VALUES[kind], None)):
        for length in (0, 1, 7, 8, 9, 100):
            column = rng.choices(values, k=length)
            made = make_array(kind, column)
            made.validate(full=True)
            assert made.equals(pa.array(column, arrow_type(kind)))


@pytest.mark.parametrize(("kind", "value"), [("bigint", 2**63), ("bigint", 1.5), ("double", "1"), ("string", 7)])
def test_what_is_of_another_type_is_refused(kind: str, value: Any) -> None:
    with pytest.raises((OverflowError, TypeError)):
        make_array(kind, [value])


IMPORTS = """
import sys
import pyarrow as pa
import pyarrow.parquet as pq
from swagproof.oracle.domain import domain
from swagproof.pipeline.recordings.standing import judge_files
from swagproof.oracle.window import FIFO
from swagproof.pipeline.batches import make_batch
from swagproof.pipeline.session import late_pandas
from pathlib import Path

def say():
    print("pandas.core" in sys.modules)

batch = make_batch("trace string, seq bigint, op string, value bigint, answer bigint",
    [("a", 0, "insert", 1, None), ("a", 1, "query", None, 1)])
pq.write_table(pa.Table.from_batches([batch]), sys.argv[1])
assert [judged.outcome for judged in judge_files([Path(sys.argv[1])], domain("sum"), FIFO)] == ["conforms"]
say()
with late_pandas():
    import pandas
    assert pandas.__version__.startswith("2.")
    say()
    assert pandas.Series([1]).sum() == 1
    say()
assert sys.modules["pandas"] is not pandas
"""

READERS = "import sys, pyarrow.dataset; print('pandas.core' in sys.modules)"
EARLY = f"from swagproof.pipeline.batches import import_readers; import_readers(); {READERS}"
LISTED = "import sys, pyarrow; pyarrow.array([1]); print('pandas.core' in sys.modules)"


@pytest.mark.drawn(0)
def test_who_imports_pandas(tmp_path: Path) -> None:
    """Only code that asks for pandas imports it; and, as controls, Arrow with a list, and with its data sets."""
    for script, said in (
        (IMPORTS, ["False", "False", "True"]),
        (EARLY, ["False"]),
        (READERS, ["True"]),
        (LISTED, ["True"]),
    ):
        command = [sys.executable, "-c", script, str(tmp_path / "rows.parquet")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.split() == said


def name_parent(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield what started the worker that this runs in."""
    for _ in batches:
        yield make_batch("parent string", [(Path(f"/proc/{os.getppid()}/cmdline").read_text(encoding="utf-8"),)])


def test_workers_come_of_a_daemon_of_ours(spark: "SparkSession") -> None:
    (row,) = spark.range(1).coalesce(1).mapInArrow(name_parent, "parent string").collect()
    assert "swagproof.pipeline.daemon" in row.parent
