"""A local Spark cluster: a master, a worker and an executor with a JVM of its own, whose Python lacks our packages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.dataset
import pytest
from support.places import TESTS

from swagproof.pipeline.session import LIGHT

BARE = TESTS / "support" / "bare"


@pytest.mark.drawn(0)
def test_executors_need_nothing_of_ours(tmp_path: Path) -> None:
    """The stream on `local-cluster`, which starts Spark's standalone master and worker, and stops them."""
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *pyspark.daemon*) PYTHONPATH={BARE}:$PYTHONPATH; touch {tmp_path}/bare; esac\n'
        f'export PYTHONPATH; exec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    alone = [sys.executable, "-c", "import six, swagproof"]
    environment = {**os.environ, "PYTHONPATH": f"{BARE}:{os.environ.get('PYTHONPATH', '')}"}
    refused = subprocess.run(alone, env=environment, capture_output=True, check=False)
    assert b"ModuleNotFoundError: No module named 'six'" in refused.stderr
    (tmp_path / "in").mkdir()
    rows = ({"k": "a", "t": 1, "v": "x"}, {"k": "a", "t": 0, "v": "y"}, {"t": 100})
    (tmp_path / "in" / "0.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = "--events in --out out --checkpoint cp --key k --time t --value v:text --arrival t --available-now"
    how = ["--window", "tumbling 10", "--aggregate", "concatenation", "--master", "local-cluster[1,1,1024]"]
    light = [f"--conf=spark.{each}.extraJavaOptions={LIGHT}" for each in ("driver", "executor")]
    small = ["--conf=spark.sql.shuffle.partitions=1", *light]
    command = [sys.executable, "-m", "swagproof.pipeline.commands.stream", *told.split(), *how, *small]
    environment = {**os.environ, "PYSPARK_PYTHON": str(python)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert (tmp_path / "bare").exists()
    (row,) = pyarrow.dataset.dataset(tmp_path / "out", partitioning="hive").to_table().to_pylist()
    assert (row["key"], row["kind"], row["result"], row["events"]) == ("a", "result", '"yx"', 2)
