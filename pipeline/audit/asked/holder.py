"""The interface of a holder: it has the two tables of an audit, and compares them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from swagproof.pipeline.audit.asked.audit_job import Job
from swagproof.pipeline.audit.tables import Mapped, Table
from swagproof.pipeline.batches import Batch


class About(NamedTuple):
    """The numbers of a table's rows."""

    rows: int
    bad: int
    skipped: int = 0
    """Without a value, where these are skipped."""


class Compared(NamedTuple):
    """The counts of a comparison."""

    due: int
    """The number of expected results."""
    late: int
    """The number of events that were late for a window."""
    counts: dict[str, int]
    """The number of findings of each kind."""
    farthest: float
    """The distance beyond rounding of the most distant result that the summation excuses."""
    columnwise: int = 0
    """The number of expected results that the reference did not compute; see `audit.held.columns`."""


class Holder(ABC):
    """The holder of the two tables and of the findings: this process, or Spark.  The data handed over is small."""

    @abstractmethod
    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""

    @abstractmethod
    def list_keys(self, job: Job) -> set[str]:
        """All keys, of good events and results."""

    @abstractmethod
    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""

    @abstractmethod
    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""

    @abstractmethod
    def count(self) -> tuple[About, About]:
        """Return how many events and results there are."""

    @abstractmethod
    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""

    @abstractmethod
    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""

    @abstractmethod
    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """Return what was found, of these keys or of all."""

    @abstractmethod
    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""

    @abstractmethod
    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""

    @abstractmethod
    def take_beside(self, job: Job, keys: Sequence[str] | None) -> Any:
        """The good events of these keys, or of all, with their other columns, read again, as an Arrow table."""

    @abstractmethod
    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""

    @abstractmethod
    def keep_found(self, tell: Callable[[list[dict[str, Any]]], Batch]) -> Callable[[], Any]:
        """Return what makes an Arrow table of what is told of the findings, whenever it is called, be this closed or
        not."""

    @abstractmethod
    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""

    @abstractmethod
    def take_bad(self, job: Job, most: int) -> list[dict[str, Any]]:
        """Some of the rows that could not be used: table, reason, file, row."""

    @abstractmethod
    def write_bad(self, job: Job, folder: str) -> None:
        """Write all of them there, as JSON lines."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the tables."""
