"""PySpark: aggregates and value functions over ROWS and RANGE frames, in Spark SQL.

Documented, and judged: NaN is greater than any number and equal to itself; a frame whose lower bound is above its upper
bound is rejected; offsets of rows have 32 bits; a sum of integers has 64 bits, and overflow is an error.  It is not
documented which of several rows with the extreme measure `max_by` returns.

The queries run in the active Spark session; if there is none, one is started on this machine, and stopped at exit.
Needs Spark and Java 17 or newer (see `swagproof.pipeline.jvm`): `pip install 'swagproof[spark]'` brings both.
"""

import atexit
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import Sql
from swagproof.pipeline.jvm import find_jvm, home_for
from swagproof.pipeline.session import make_settings

try:
    from pyspark.sql import SparkSession
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs Spark: pip install 'swagproof[spark]'") from error

if TYPE_CHECKING:
    from pyspark.sql.types import Row


def _session() -> SparkSession:
    active = SparkSession.getActiveSession()
    if active is None:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        aside = tempfile.TemporaryDirectory(prefix="swagproof-")
        os.environ["JAVA_HOME"] = str(home_for(find_jvm(), Path(aside.name)))
        atexit.register(aside.cleanup)
        own = {"spark.log.level": "OFF", "spark.sql.shuffle.partitions": "1"}
        settings: dict[str, Any] = make_settings("local[1]", "swagproof", False, own, light=False)
        active = SparkSession.builder.config(map=settings).getOrCreate()
        atexit.register(active.stop)
    return active


class Spark(Sql):
    """A query in a Spark session."""

    engine = "PySpark"
    types: ClassVar[dict[type, str]] = {int: "BIGINT", float: "DOUBLE", str: "STRING"}
    reverses = False
    oldest = False

    @classmethod
    def start(cls) -> None:
        """Start the session, and load the code that the first query needs: this takes seconds."""
        _session().sql("SELECT sum(x) OVER (ORDER BY x) FROM VALUES (1) AS t(x)").collect()

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        found: list[Row] = _session().sql(cls.write_query(frame, rows).removesuffix(";")).collect()
        return [row["answer"] for row in found]

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        far = any(abs(end) >= 2**31 for end in (frame.start, frame.end) if end is not None)
        return not (frame.unit == "rows" and far) and super().takes(frame, rows)


Sum, FloatSum, Count, Min, Max, FloatMin, FloatMax = Spark.make_numeric()
Concatenation = Spark.of("Concatenation", "sql-concatenation", "listagg(v, '')")
First = Spark.of("First", "sql-first", "first_value(v)")
Last = Spark.of("Last", "sql-last", "last_value(v)")
ArgMin = Spark.of("ArgMin", "sql-arg-min", "min_by(a, m)")
ArgMax = Spark.of("ArgMax", "sql-arg-max", "max_by(a, m)")
