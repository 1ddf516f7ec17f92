"""Sinks of results: a directory of Parquet, exactly once; or one that Spark has by name, with Spark's guarantee.

Spark's own sink for files skips a micro-batch that it has written, when a driver that was killed runs it again.  Then
the progress of time in that batch is lost, and windows that end there are never shown.  So this sink always runs a
micro-batch to its end: it publishes the output by a rename, unless it has already done so, and otherwise discards it.
Any reader of Parquet may read the directory, even while the job runs: unpublished output is in a directory whose name
begins with an underscore.

Other sinks (Kafka, a table format whose jar is given, a custom function) cannot be asked if they have a micro-batch: a
job that was killed in between gives it to them again, with the same number in the column `batch`.  Delta skips batches
that it has, by the number.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from swagproof.oracle.trace import InputError
from swagproof.pipeline.stream.files import literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ONCE: Final = "exactly once"

AGAIN: Final = "at least once: after a kill the rows of a micro-batch may come again, with the same number in batch"

UNPUBLISHED: Final = "_unpublished"

BATCH: Final = "batch"
"""The column that says in which micro-batch a row was written; as Parquet, a directory each."""


class Sink(Protocol):
    """Takes the rows of micro-batches."""

    def add(self, rows: "DataFrame", batch: int, /) -> None:
        """Take the rows of a micro-batch, which have to be computed, whatever was taken before."""

    def count_kinds(self) -> dict[str, int]:
        """Return how many rows of each kind there are; where that cannot be asked, since this was made."""
        ...

    @property
    def promise(self) -> str:
        """Return how often a row comes, and where."""
        ...


@dataclass(frozen=True)
class Published:
    """A directory of results."""

    spark: "SparkSession"
    place: str

    def path(self, *names: str) -> Any:
        """A path in it, as Hadoop has it."""
        context: Any = self.spark.sparkContext
        return context._jvm.org.apache.hadoop.fs.Path("/".join((self.place.rstrip("/"), *names)))

    @property
    def files(self) -> Any:
        """The file system that it is in."""
        context: Any = self.spark.sparkContext
        return self.path().getFileSystem(context._jsc.hadoopConfiguration())

    def add(self, rows: "DataFrame", batch: int) -> None:
        """Add the rows of a micro-batch, once."""
        name = f"{BATCH}={batch}"
        if self.files.exists(self.path(name)):
            rows.write.format("noop").mode("append").save()
            return
        aside = self.path(UNPUBLISHED, name)
        rows.write.mode("overwrite").parquet(aside.toString())
        if self.is_empty(aside):
            self.files.delete(aside, True)
        elif not self.files.rename(aside, self.path(name)):
            raise InputError(f"--out {self.place}: {UNPUBLISHED}/{name} could not be renamed")

    def is_empty(self, aside: Any) -> bool:
        """Return whether Spark wrote no row: of an empty result it writes one file."""
        written = [one for one in self.files.listStatus(aside) if one.getPath().getName().endswith(".parquet")]
        return len(written) < 2 and not self.spark.read.parquet(literal(aside.toString())).head(1)

    @property
    def begun(self) -> bool:
        """Return whether anything was published."""
        files = self.files
        return bool(
            files.exists(self.path())
            and any(one.getPath().getName().startswith(f"{BATCH}=") for one in files.listStatus(self.path()))
        )

    def count_kinds(self) -> dict[str, int]:
        """Return how many rows of each kind there are."""
        if not self.begun:
            return {}
        counted = self.spark.read.parquet(literal(self.place)).groupBy("kind").count()
        return {row["kind"]: row["count"] for row in counted.collect()}

    @property
    def promise(self) -> str:
        """Return the place of the rows."""
        return f"in {self.place}, {ONCE}; any reader of Parquet takes the directory"


class Named:
    """A sink that Spark has by name, or a function of one's own as path.py:NAME, which takes rows and a number."""

    def __init__(self, name: str, options: Mapping[str, str], checkpoint: str) -> None:
        self.name, self.options, self.checkpoint = name, options, checkpoint
        self.function = load_function(name) if ":" in name else None
        self.counted: Counter[str] = Counter()

    def add(self, rows: "DataFrame", batch: int) -> None:
        """Hand on the rows of a micro-batch; they are computed once."""
        from pyspark.sql import functions as F

        held = rows.withColumn(BATCH, F.lit(batch).cast("bigint")).persist()
        try:
            counted = {row["kind"]: row["count"] for row in held.groupBy("kind").count().collect()}
            if self.function is not None:
                self.function(held, batch)
            else:
                self.write(held, batch)
            self.counted.update(counted)
        finally:
            held.unpersist()

    def write(self, rows: "DataFrame", batch: int) -> None:
        """Write them as the sink wants them; for Kafka, as JSON by key."""
        from pyspark.sql import functions as F

        options = dict(self.options)
        if self.name == "kafka":
            rows = rows.select(F.col("key"), F.to_json(F.struct("*")).alias("value"))
        elif self.name == "delta":
            options |= {"txnAppId": self.checkpoint, "txnVersion": str(batch)}
        rows.write.format(self.name).options(**options).mode("append").save()

    def count_kinds(self) -> dict[str, int]:
        """Return how many rows of each kind were handed on."""
        return dict(self.counted)

    @property
    def promise(self) -> str:
        """Return how often a row comes."""
        return f"{self.name}: {ONCE if self.name == 'delta' else AGAIN}"


def load_function(spec: str) -> Callable[["DataFrame", int], object]:
    """The function that path.py:NAME names.  Raises InputError."""
    from swagproof.oracle.subject import load_class  # as in `audit.rules`

    found: Callable[[DataFrame, int], object] = load_class(spec)
    if not callable(found):
        raise InputError(f"--sink {spec}: it must be callable with rows and a batch number")
    return found
