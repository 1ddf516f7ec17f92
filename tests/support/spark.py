"""The Spark session of all tests, started when a test first requests it."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from swagproof.pipeline.session import session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["spark"]

CONFIG = {"spark.sql.shuffle.partitions": "4"}


@pytest.fixture(scope="session")
def spark() -> "Generator[SparkSession]":
    """A session on two cores."""
    with session("local[2]", "tests", config=CONFIG) as started:
        yield started
