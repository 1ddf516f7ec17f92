"""Files as Spark reads them: what is not on this machine, and text."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.trace import InputError
from swagproof.pipeline import spell_path
from swagproof.pipeline.audit.tables import CORRUPT, FIRST, Mapped, Table, names_in

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructType

FILE: Final = "_swagproof_file"
"""The column of which file a row is from."""

_RFC_4180: Final[dict[str, Any]] = {"escape": '"', "emptyValue": "", "nullValue": "\ue000null"}
"""CSV as one process reads it: a quote is doubled, and a quoted cell may be an empty text, where one without quotes is
null.  Spark takes what is `nullValue` for null, quoted or not, and puts it where nothing is; so it is no cell."""


def read(spark: "SparkSession", where: Table, columns: Sequence[Mapped]) -> "DataFrame":
    """All columns of the files, and `file`, where each row is from.  Text formats hold text alone."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    reader = spark.read
    paths = list(map(spell_path, where.paths))
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")  # as one process reads them
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
        frame = _json(spark, where, [column.name for column in columns])
    return frame.withColumn(FILE, F.col("_metadata.file_path"))


def _json(spark: "SparkSession", where: Table, asked: Sequence[str]) -> "DataFrame":
    """JSON lines: the columns that are asked for, as far as they are there, and those of the first lines.

    A name that no row of the first has, and that is null in all others, is not there: one pass more, where that is so.
    """
    from pyspark.sql import functions as F

    def lines(names: Sequence[str]) -> "DataFrame":
        schema = _text_schema(names, whole, where)
        return spark.read.schema(schema).json(list(map(spell_path, where.paths)), columnNameOfCorruptRecord=CORRUPT)

    plainly = spark.read.option("recursiveFileLookup", "true")  # without what folders are named by
    first = [row["value"] for row in plainly.text(list(map(spell_path, where.paths))).head(FIRST)]
    seen = dict.fromkeys(name for line in first for name in names_in(line))
    whole = {name for name in seen if "." in name}
    doubtful = [name for name in dict.fromkeys(asked) if name not in seen]
    if not any(line.strip() for line in first):  # of no results there are none of any column
        whole |= {*doubtful}
    if first and doubtful:
        found = [F.max(_at(name, whole).isNotNull()).alias(str(i)) for i, name in enumerate(doubtful)]
        row = lines(doubtful).agg(*found).head()
        assert row is not None
        doubtful = [name for name, there in zip(doubtful, row, strict=True) if there]
    inside = {name.partition(".")[0] for name in doubtful if name not in whole}
    plain = [name for name in seen if name not in inside or name in asked]
    return lines([*plain, *doubtful])


def _at(name: str, whole: Collection[str]) -> "Column":
    """A column, or a field of a struct."""
    from pyspark.sql import functions as F

    head, dot, rest = name.partition(".")
    return F.col(f"`{name}`") if not dot or name in whole else F.col(f"`{head}`.{rest}")


def _text_schema(names: Sequence[str], whole: Collection[str], where: Table) -> "StructType":
    """Every column as text, with structs where a name has dots that are not its own (`whole`)."""
    from pyspark.sql.types import StringType, StructField, StructType

    tree: dict[str, Any] = {}
    for name in names:
        inner = tree
        *outer, last = [name] if name in whole else name.split(".")
        for part in outer:
            inner = inner.setdefault(part, {})
            if inner is None:
                raise InputError(f"{where.option} {where}: {part} is named both as a whole and by its fields; give one")
        inner.setdefault(last, None)

    def struct(branches: dict[str, Any]) -> StructType:
        return StructType(
            [StructField(name, StringType() if inner is None else struct(inner)) for name, inner in branches.items()]
        )

    return struct(tree).add(CORRUPT, StringType())
