"""Make the table of public defects of engines and libraries, with the verdicts of the oracle and the audit.

Run `python docs/makers/wild.py` to write it.
"""

import importlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tables import ROOT, row, table

from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.subject import Subject, load_subject
from swagproof.oracle.trace import inline

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "wild.md"
WILD: Final = ROOT / "tests" / "oracle" / "wild"
KINDS: Final = {
    "in_order_defects": "fifo",
    "reset_defects": "program",
    "out_of_order_defects": "out-of-order",
    "shared_defects": "shared",
    "frame_defects": "frame",
    "bucket_defects": "frame",
}
"""The kind of window of each file."""
JOBS: Final = "job_defects"
LONGEST: Final = 100
"""The greatest length of a trace in the table, in characters."""

HEAD: Final = """# Public defects, found again

This page lists public defects in windowed aggregation, and shows that `swagproof conform` and `swagproof audit` find
them. Each was reported in an issue of an engine or library, and is re-created here in a few lines of our own code.
`python docs/makers/wild.py` judges all of them and writes this page again; a test checks every verdict. To judge one
defect, and the same code without it:

```sh
swagproof conform tests/oracle/wild/frame_defects.py:EmptyFrameKeepsState --window frame
swagproof conform tests/oracle/wild/frame_defects.py:EmptyFrameKeepsState.right --window frame
```

`conform` gets only the kind of window and seed 0; `audit` gets the job's options. `CLASS.right`, the code without the
defect, conforms on the same trace and on thousands of further operations. The trace is the smallest that the minimiser
found. *Until found* is the number of operations before the failing trace. *Seconds* are those of one run on two shared
cores, including minimising. For some defects the search was extended first, and it cannot reach two more: see the last
two sections.
"""

AUDITED: Final = """## Jobs: {n}

`swagproof audit` compares a job's results with its events. *Findings* is the number of wrong windows; *diagnosis* has
the number that it explains. Jobs with the same windows are audited together, with their right twins; *seconds* are
those of the whole audit.
"""

MISSED: Final = """## Missed

The search cannot reach two defects, because it tries frames of up to 5,000 rows and windows of up to 10,001 elements: a
counter that wraps around after 2^31 additions ([libgdx/libgdx#1631](https://github.com/libgdx/libgdx/pull/1631)), and a
sum that is wrong from 1,041,748 rows on ([duckdb/duckdb#24985](https://github.com/duckdb/duckdb/issues/24985)).
"""


def list_defects(file: str) -> Iterator[Any]:
    """Yield the classes of a file that re-create a defect."""
    if str(WILD) not in sys.path:
        sys.path.insert(0, str(WILD))
    for made in vars(importlib.import_module(file)).values():
        if isinstance(made, type) and vars(made).get("thread") and made.__module__ == file:
            yield made


def load_window(file: str, name: str, twin: bool = False) -> Subject:
    """Return the subject of a class in a file of windows, or its twin."""
    path = WILD / f"{file}.py"
    if KINDS[file] == "program":
        return load_program([sys.executable, str(path), name, *(["right"] if twin else [])])
    return load_subject(f"{path}:{name}{'.right' if twin else ''}", KINDS[file])


def link(thread: str) -> str:
    """Return a link to a thread, named by its repository and number."""
    owner, repository, _, number = thread.split("/")
    return f"[{owner}/{repository}#{number}](https://github.com/{thread})"


def tell(made: Any) -> str:
    """Return the mechanism in a sentence."""
    return " ".join((made.__doc__ or "").split())


def judge_window(file: str, made: Any) -> str:
    """Return the table row of one defect."""
    subject = load_window(file, made.__name__)
    start = time.monotonic()
    judgement = judge(subject, domains_of(subject), seed=0)
    seconds = f"{time.monotonic() - start:.1f}"
    if subject.program is not None:
        subject.program.stop()
    witness = judgement.verdict.witness
    head = (f"`{made.__name__}`", link(made.thread), tell(made))
    played = f"{judgement.coverage.total.operations:,}"
    if witness is None:
        return row(*head, judgement.verdict.outcome, "", "", "", played, seconds)
    trace = inline(witness.trace.steps)
    shown = f"`{trace}`" if len(trace) <= LONGEST else ""
    length = str(len(witness.trace.steps))
    return row(*head, witness.diagnosis, witness.trace.monoid, length, shown, played, seconds)


class Told:
    """The findings of one audit of several jobs over the same windows, by job name."""

    def __init__(self, sentence: str, seconds: float) -> None:
        self.sentence, self.seconds = sentence, seconds
        self.findings: dict[str, list[dict[str, Any]]] = defaultdict(list)


def group_jobs() -> dict[tuple[str, str], list[Any]]:
    """Group the jobs by their task: their windows, and their treatment of late events."""
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for made in list_defects(JOBS):
        groups[made.window, json.dumps(made.late)].append(made)
    return groups


def audit_jobs(window: str, late: dict[str, str], jobs: Sequence[Any]) -> Told:
    """Audit these jobs and their twins at once, with the name of the job as part of the key."""
    from swagproof.pipeline.audit.auditing import audit
    from swagproof.pipeline.audit.backends.local import Local
    from swagproof.pipeline.audit.options import Request
    from swagproof.pipeline.audit.tables import table as read_table

    made = [
        (name, job) for each in jobs for name, job in ((each.__name__, each), (f"{each.__name__}.right", each.right))
    ]
    events = importlib.import_module(JOBS).make_events()
    came = [
        {"job": name, "key": event.key, "time": event.time, "seq": event.seq * len(made) + at, "value": event.value}
        for event in events
        for at, (name, _) in enumerate(made)
    ]
    results = [
        {"job": name, **found, **({"seq": found["seq"] * len(made) + at} if "seq" in found else {})}
        for at, (name, job) in enumerate(made)
        for found in job().results(events)
    ]
    start = time.monotonic()
    with TemporaryDirectory() as place:
        paths = [Path(place) / "events.jsonl", Path(place) / "results.jsonl"]
        for path, rows in zip(paths, (came, results), strict=True):
            path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
        request = Request(
            read_table("--events", [str(paths[0])], None),
            read_table("--results", [str(paths[1])], None),
            window=window,
            aggregate="sum",
            key=("job", "key"),
            time="time:int",
            arrival="seq:int",
            value=("value:int",),
            show=500,
            **late,  # type: ignore[arg-type]  # options by name
        )
        found = audit(Local(), request)
    told = Told(found.sentence, time.monotonic() - start)
    for finding in found.findings:
        told.findings[json.loads(finding["key"])[0]].append(finding)
    return told


def name_diagnosis(made: Any) -> tuple[int, str, int]:
    """Return the number of findings of a job, the diagnosis that explains most of them, and how many it explains."""
    from swagproof.models.windows.lateness import NEVER
    from swagproof.models.windows.text import parse_window
    from swagproof.pipeline.audit.aggregations import aggregation
    from swagproof.pipeline.audit.diagnosis.diagnose import UNEXPLAINED, diagnose
    from swagproof.pipeline.audit.diagnosis.sample import Event, Got, Name, Sample

    came: dict[str, list[Event]] = defaultdict(list)
    module = importlib.import_module(JOBS)
    events = module.make_events()
    for event in sorted(events, key=lambda event: (event.time, event.seq)):
        mark = event.watermark if made.late else NEVER
        came[json.dumps([event.key])].append(Event(event.time, event.seq, event.value, mark, event.value))
    results: dict[Name, list[Got]] = defaultdict(list)
    for each in made().results(events):
        key, a, b, result = each.values()
        results[json.dumps([key]), a, b].append(Got(str(result), None))
    sample = Sample(
        parse_window(made.window, "plain"),
        aggregation("sum", ("int",)),
        "int",
        ("int",),
        ("a", "b"),
        dict(came),
        dict(results),
        frozenset(),
        lateness=0 if made.late.get("late") == "drop" else None,
        delay=module.DELAY if made.late else None,
        by_row=True,
    ).judged()
    found = diagnose(sample).diagnoses
    name, explained = (found[0].name, len(found[0].explains)) if found else (UNEXPLAINED, len(sample.open))
    return len(sample.open), name, explained


def audit_rows() -> Iterator[str]:
    """Yield the table rows of the jobs."""
    for (window, late), jobs in group_jobs().items():
        told = audit_jobs(window, json.loads(late), jobs)
        for made in jobs:
            findings = told.findings[made.__name__]
            sentence = findings[0]["sentence"].partition(", ")[2] if findings else ""
            n, cause, explains = name_diagnosis(made)
            cells = (
                f"`{made.__name__}`",
                link(made.thread),
                tell(made),
                window,
                str(n),
                f"{cause}: {explains}",
                sentence,
                f"{told.seconds:.1f}",
            )
            yield row(*cells)


def list_learned() -> str:
    """Return the list of improvements of the search."""
    parts = [
        f"- `{made.__name__}`: {made.learned}" for file in (*KINDS, JOBS) for made in list_defects(file) if made.learned
    ]
    return "## Extensions of the search\n\n" + "\n".join(parts) + "\n"


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    headings = (
        "defect",
        "thread",
        "mechanism",
        "diagnosis",
        "monoid",
        "operations",
        "trace",
        "until found",
        "seconds",
    )
    for kind in dict.fromkeys(KINDS.values()):
        files = [file for file in KINDS if KINDS[file] == kind]
        rows = [judge_window(file, made) for file in files for made in list_defects(file)]
        parts.append(f"## {kind}: {len(rows)}\n\n{table(headings, rows)}\n")
    rows = list(audit_rows())
    headings = ("defect", "thread", "mechanism", "window", "findings", "diagnosis", "the first finding", "seconds")
    parts += [AUDITED.format(n=len(rows)), table(headings, rows) + "\n", list_learned(), MISSED]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
