"""Readers on Spark, for files that are not on this machine."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from swagproof.oracle.trace import InputError
from swagproof.pipeline import spell_path
from swagproof.pipeline.audit.reading.lines import JsonLines
from swagproof.pipeline.audit.tables import CORRUPT, FILE, FIRST, Mapped, Table
from swagproof.pipeline.batches import Batch, in_worker

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RFC_4180: Final[dict[str, Any]] = {"escape": '"', "emptyValue": "", "nullValue": "\ue000null"}
"""CSV as one process reads it: a quote is doubled, and a quoted empty cell is an empty text, an unquoted one null.
Spark takes any cell equal to `nullValue` as null, and uses it for empty cells, so it is no real cell."""


def read(spark: "SparkSession", where: Table, columns: Sequence[Mapped]) -> "DataFrame":
    """Return all columns of the files, and the file of each row.  Text formats have only text."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    reader = spark.read
    paths = list(map(spell_path, where.paths))
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")  # as in one process
    if where.format == "parquet":
        try:
            frame = reader.parquet(*paths, mergeSchema=True)
        except (PySparkException, Py4JJavaError) as error:
            if "CANNOT_MERGE_SCHEMAS" in str(error):
                said = "columns of one name and several types, which Spark does not read as one; write them as one type"
                raise InputError(f"{where.option} {where}: {said}") from None
            if "TIMESTAMP(NANOS" not in str(error):
                raise
            said = "timestamps in nanoseconds, which Spark does not read; write microseconds (coerce_timestamps='us')"
            raise InputError(f"{where.option} {where}: {said}") from None
    elif where.format == "csv":
        reader = reader.options(header=True, **_RFC_4180)
        names = reader.csv(paths, multiLine=False).columns or [*dict.fromkeys(column.name for column in columns)]
        fields = ", ".join(f"`{name}` string" for name in [*names, CORRUPT])
        frame = reader.schema(fields).csv(paths, multiLine=True, enforceSchema=False, columnNameOfCorruptRecord=CORRUPT)
    else:
        return _read_lines(spark, where, paths, columns)
    return frame.withColumn(FILE, F.col("_metadata.file_path"))


def _read_lines(spark: "SparkSession", where: Table, paths: Sequence[str], asked: Sequence[Mapped]) -> "DataFrame":
    """Read JSON lines, which the workers parse as one process does, with partition columns."""
    from pyspark.sql import functions as F

    lines = spark.read.text(list(paths)).withColumn(FILE, F.col("_metadata.file_path"))
    named = [name for name in lines.columns if name != "value"]
    first = (row["value"].encode() for row in lines.select("value").limit(FIRST).collect())
    made = JsonLines(first, [one for one in asked if one.name not in named])
    own = [name for name in made.schema.names if name not in named]

    def take_apart(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            rows, numbers = made.read([line.encode() for line in batch.column("value").to_pylist()])
            of_file = batch.select(named).take(pa.array(numbers, pa.int64()))
            yield pa.RecordBatch.from_arrays([*map(rows.column, own), *of_file.columns], [*own, *named])

    return lines.mapInArrow(in_worker(take_apart), ", ".join(f"`{name}` string" for name in (*own, *named)))
