"""Imports of workers: Arrow's columns and readers do not import pandas, and workers are forked from our daemon."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from swagproof.pipeline.batches import make_batch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

READERS = "import sys, pyarrow.dataset; print('pandas.core' in sys.modules)"
LISTED = "import sys, pyarrow; pyarrow.array([1]); print('pandas.core' in sys.modules)"
EARLY = "from swagproof.pipeline.batches import import_readers; import_readers(); "


@pytest.mark.drawn(0)
def test_who_imports_pandas() -> None:
    """Arrow imports pandas for a list, and for its data sets, but not after `import_readers`."""
    for script, said in ((READERS, "True"), (LISTED, "True"), (EARLY + READERS, "False"), (EARLY + LISTED, "False")):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [said]


def name_parent(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield the command line of the parent process of this worker."""
    for _ in batches:
        yield make_batch("parent string", [(Path(f"/proc/{os.getppid()}/cmdline").read_text(encoding="utf-8"),)])


def test_workers_come_of_a_daemon_of_ours(spark: "SparkSession") -> None:
    (row,) = spark.range(1).coalesce(1).mapInArrow(name_parent, "parent string").collect()
    assert "swagproof.pipeline.daemon" in row.parent
