"""What a streaming job is asked to do, checked before anything is started, and held against its checkpoint."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from swagproof.models.windows.lateness import Late
from swagproof.models.windows.text import Unit, parse_window
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Aggregation, Kind, aggregation
from swagproof.pipeline.stream.live_audit import Audit
from swagproof.pipeline.stream.operator import Query
from swagproof.pipeline.stream.source import Inputs

RECORD: Final = "swagproof-stream.json"
"""In the checkpoint: what job it belongs to."""


@dataclass(frozen=True)
class Task:
    """What the operator is to do, in words that travel to the workers."""

    window: str
    unit: Unit
    aggregate: str
    kinds: tuple[Kind, ...]
    late: Late = "drop"
    delay: int = 0
    lateness: int = 0
    claims: Kind | None = None
    """What the results of another job are, where there is one to audit."""
    patience: int = 0

    @property
    def aggregation(self) -> Aggregation:
        """The aggregation.  Raises InputError."""
        return aggregation(self.aggregate, self.kinds)

    @property
    def query(self) -> Query:
        """What is asked of each key.  Raises InputError, and WindowError for a window that cannot be."""
        found = self.aggregation
        return Query(parse_window(self.window, self.unit), found.operation, self.late, self.lateness, found.refuses_nan)


@dataclass(frozen=True)
class Job:
    """A streaming job."""

    inputs: Inputs
    task: Task
    out: str
    checkpoint: str
    files_per_trigger: int = 1

    def check(self) -> None:
        """Raises InputError or WindowError for what cannot be asked, before anything is started."""
        query, aggregation = self.task.query, self.task.aggregation
        if not query.sliced and self.inputs.arrival is None:
            why = "counts events" if query.shape.singly else f"{self.task.aggregate} depends on the order"
            raise InputError(f"--arrival: {why}: name the column that orders events of equal time")
        if self.task.claims is not None:
            Audit(query, aggregation, self.task.claims)
        for option, directory in (("--out", self.out), ("--checkpoint", self.checkpoint)):
            if Path(directory).exists() and not Path(directory).is_dir():
                raise InputError(f"{option} {directory}: it is no directory")
        self.claim_checkpoint()

    def claim_checkpoint(self) -> None:
        """Write down what job the checkpoint belongs to, or compare.  Raises InputError that names the difference."""
        mine = json.loads(json.dumps({"task": asdict(self.task), "inputs": asdict(self.inputs), "out": self.out}))
        path = Path(self.checkpoint) / RECORD
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                theirs = json.loads(path.read_text(encoding="utf-8"))
                for part, fields in mine.items():
                    if fields != theirs.get(part):
                        raise InputError(
                            f"--checkpoint {self.checkpoint}: {_explain_difference(part, theirs.get(part), fields)}"
                        )
                return
            if (path.parent / "metadata").exists():
                raise InputError(f"--checkpoint {self.checkpoint}: it belongs to a query of another program")
            if (Path(self.out) / "_spark_metadata").exists():
                raise InputError(f"--out {self.out}: it holds results of another checkpoint; give a new directory")
            aside = path.with_suffix(".tmp")
            aside.write_text(json.dumps(mine, indent=1), encoding="utf-8")
            os.replace(aside, path)
        except OSError as error:
            raise InputError(f"--checkpoint {self.checkpoint}: {error.strerror}") from None
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None


def _explain_difference(part: str, theirs: Any, mine: Any) -> str:
    if isinstance(theirs, dict) and isinstance(mine, dict):
        for name in mine:
            if theirs.get(name) != mine[name]:
                return f"it belongs to a job with {name} {theirs.get(name)!r}, not {mine[name]!r}; give a new one"
    return f"it belongs to a job with {part} {theirs!r}, not {mine!r}; give a new one"
