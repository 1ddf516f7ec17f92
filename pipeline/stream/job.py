"""The request for a streaming job, checked before anything starts, and compared with its checkpoint."""

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass
from errno import ENOLCK, EOPNOTSUPP
from pathlib import Path
from typing import Any, Final

from swagproof.models.windows.lateness import Late
from swagproof.models.windows.text import Unit, parse_window
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.audit.rules import Aggregation, Kind
from swagproof.pipeline.stream.operator import Query
from swagproof.pipeline.stream.source import Events, Pace, Results

BATCH: Final = "batch"
"""The column of the micro-batch in which a row was written; in Parquet, a directory per micro-batch."""

LOCK: Final = "swagproof.lock"
"""The file in a checkpoint that is locked while a job runs on it."""

RECORD: Final = "swagproof-stream.json"
"""The file in a checkpoint that describes its job."""

STATE: Final = 3
"""The version of the state; a job cannot continue from another version."""

FREE: Final = ("stop",)
"""The fields that may change when a job continues."""


@dataclass(frozen=True)
class Task:
    """The task of the operator, in plain fields that can be sent to workers."""

    window: str
    unit: Unit
    aggregate: str
    kinds: tuple[Kind, ...]
    late: Late = "drop"
    delay: int = 0
    lateness: int = 0
    claims: Kind | None = None
    """The kind of another job's results, if there is one to audit."""
    patience: int | None = None
    """The time to wait for claims; None: until the results' watermark has come as far."""
    early: bool = False
    """True if claims may come before the end of their windows."""

    @property
    def pace(self) -> Pace | None:
        """Return the progress that a claim shows, if results are waited for."""
        if self.claims is None or self.patience is not None:
            return None
        return Pace("end", self.delay) if self.late == "drop" else Pace("begin", 0)

    @property
    def aggregation(self) -> Aggregation:
        """Return the aggregation.  Raises InputError."""
        return aggregation(self.aggregate, self.kinds)

    @property
    def query(self) -> Query:
        """Return the query for each key.  Raises InputError, and WindowError for an invalid window."""
        found = self.aggregation
        return Query(parse_window(self.window, self.unit), found.operation, self.late, self.lateness, found.refuses_nan)


@dataclass(frozen=True)
class Job:
    """A streaming job."""

    events: Events
    results: Results | None
    """Another job's results, to be audited."""
    task: Task
    out: str
    """The output directory."""
    checkpoint: str
    files_per_trigger: int = 1

    def check(self) -> None:
        """Raise InputError or WindowError for an invalid request, before anything starts."""
        query = self.task.query
        if not query.sliced and self.events.arrival is None:
            why = f"{self.task.aggregate} depends on the order"
            raise InputError(f"--arrival: {why}: name the column that orders events of equal time")
        if self.task.early and (self.results is None or self.results.version is None or self.task.late == "drop"):
            raise InputError("--early: requires --results, --version, and --late update or retract")
        for option, directory in (("--out", self.out), ("--checkpoint", self.checkpoint)):
            if Path(directory).exists() and not Path(directory).is_dir():
                raise InputError(f"{option} {directory}: not a directory")
        if not is_remote(self.out):
            place = Path(self.out).absolute()
            there = next(path for path in (place, *place.parents) if path.exists())
            if not os.access(there, os.W_OK | os.X_OK):
                raise InputError(f"--out {self.out}: no permission to write to {there}")
        self.claim_checkpoint()

    def claim_checkpoint(self) -> None:
        """Record the job in its checkpoint, or compare it with the record.  Raises InputError that names a difference.

        A checkpoint without a micro-batch, because its start was refused, holds nothing and fits any job.
        """
        parts = {"task": self.task, "events": self.events, "results": self.results, "out": self.out}
        parts = {name: describe(of) for name, of in parts.items()}
        mine = json.loads(json.dumps(parts | {"state": STATE}))
        path = Path(self.checkpoint) / RECORD
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and any(path.parent.glob("offsets/[0-9]*")):
                theirs = json.loads(path.read_text(encoding="utf-8"))
                if theirs.get("state") != STATE:
                    raise InputError(
                        f"--checkpoint {self.checkpoint}: another version of swagproof created it, "
                        "and its state is incompatible; give a new one, and a new --out"
                    )
                for part, said in mine.items():
                    if said != theirs.get(part):
                        raise InputError(
                            f"--checkpoint {self.checkpoint}: {_explain_difference(part, theirs.get(part), said)}"
                        )
                return
            if not path.exists() and (path.parent / "metadata").exists():
                raise InputError(f"--checkpoint {self.checkpoint}: it belongs to another program; give a new one")
            if any((*Path(self.out).glob(f"{BATCH}=*"), *Path(self.out).glob("_spark_metadata"))):
                raise InputError(f"--out {self.out}: it holds results of another checkpoint; give a new directory")
            _write_whole(path, mine)
        except OSError as error:
            raise InputError(f"--checkpoint {self.checkpoint}: {error.strerror}") from None
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None

    @contextmanager
    def hold(self) -> Generator[None]:
        """Lock the checkpoint against other processes on this machine; the lock of a killed process is released.

        Raises InputError if another process holds it.
        """
        import fcntl  # not on Windows, where Spark's streams do not run either

        with (Path(self.checkpoint) / LOCK).open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"--checkpoint {self.checkpoint}: another process uses it; stop that one, or give a new "
                    "checkpoint, and a new --out"
                ) from None
            except OSError as error:
                if error.errno not in (ENOLCK, EOPNOTSUPP):  # such a file system has no locks
                    raise
            yield

    def keep_partitions(self, number: int) -> int:
        """Return the number of partitions of the state: the recorded number, or this one, which is then recorded."""
        path = Path(self.checkpoint) / RECORD
        record = json.loads(path.read_text(encoding="utf-8"))
        if "partitions" not in record:
            _write_whole(path, record | {"partitions": number})
        return int(record.get("partitions", number))


def describe(of: Any) -> Any:
    """Return a dataclass as a dictionary without defaults, so that a new field does not change an old record."""
    if not is_dataclass(of) or isinstance(of, type):
        return dict(of) if isinstance(of, Mapping) else of
    usual = {field.name: field.default for field in fields(of) if field.default is not MISSING}
    told = {field.name: getattr(of, field.name) for field in fields(of)}
    return {
        name: describe(value)
        for name, value in told.items()
        if name not in FREE and (name not in usual or value != usual[name])
    }


def _write_whole(path: Path, record: dict[str, Any]) -> None:
    aside = path.with_suffix(".tmp")
    aside.write_text(json.dumps(record, indent=1), encoding="utf-8")
    os.replace(aside, path)


def _explain_difference(part: str, theirs: Any, mine: Any) -> str:
    """Return a message about the first part that differs, at any depth."""
    if isinstance(theirs, dict) and isinstance(mine, dict):
        name = next(name for name in {**mine, **theirs} if theirs.get(name) != mine.get(name))
        return _explain_difference(name, theirs.get(name), mine.get(name))
    said, asked = ("none" if one is None else repr(one) for one in (theirs, mine))
    return f"it belongs to a job with {part} {said}, not {asked}; give a new one"
