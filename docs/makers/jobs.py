"""The page of jobs: what an audit says of right ones, and of some with a mistake.

`python docs/makers/jobs.py` makes it anew; with a SEED it prints it for other events.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tables import ROOT, row, table

sys.path.insert(0, str(ROOT / "tests"))

from support.jobs.job import Job, World, rate
from support.jobs.right import RIGHT
from support.jobs.wrong import WRONG

PAGE: Final = ROOT / "docs" / "manual" / "reference" / "jobs.md"
SEED: Final = 11

HEAD: Final = """# Jobs that were judged

Windowed jobs as people write them, run by the engine that they are written for, and judged by the command with the
files that the engine wrote. Their source is in [tests/support/jobs](../../../tests/support/jobs/right.py), and what the
audit is told beside it; the events are 700 rides of five drivers, one of them null, drawn by seed {seed}. What Spark
does, and what Flink and Kafka Streams mean by late, is held against them elsewhere, as the page of
[results of jobs](../at_scale/jobs.md) says. `python docs/makers/jobs.py` makes this page anew.

## Right ones

"""

FAULTS: Final = """## With a mistake

The mistakes were written down before an audit had seen any of them. When it first did, in two rounds, of 115 such jobs
73 were named, where at least 19 of 20 findings have a name that fits and at most one of 20 another; of 18 more than
that had a wrong name, five were named in part, 18 had no name, and at one it failed. The causes that were missing are
there since, and the mistakes that were not what they were meant to be are left out: so the table shows what is known
now. What is named of mistakes that nobody has looked at is told by the page of [causes](causes.md).

"""


def write_page(seed: int) -> str:
    """The whole page."""
    with TemporaryDirectory() as place:
        world = World.draw(seed, Path(place))
        right = [_tell_right(job, world) for job in RIGHT]
        wrong = [(job, world.judge(job)) for job in WRONG]
    outcomes = Counter(outcome for outcome, _ in right)
    told = ", ".join(f"{n} {outcome}" for outcome, n in outcomes.items())
    counted = f"Of {len(right)} right jobs: {told}."
    rows = table(("engine", "job", "window", "aggregate", "what else is said", "verdict"), [made for _, made in right])
    verdicts = Counter(rate(job, verdict).verdict for job, verdict in wrong)
    named = f"Of {len(wrong)} jobs with a mistake: {', '.join(f'{n} {verdict}' for verdict, n in verdicts.items())}."
    faults = table(
        ("mistake", "window", "aggregate", "findings", "named", "of them wrongly", "unexplained", "verdict"),
        [_tell_wrong(job, verdict) for job, verdict in wrong],
    )
    return "\n".join((HEAD.format(seed=seed) + rows, "", counted, "", FAULTS + faults, "", named, ""))


def _tell_right(job: Job, world: World) -> tuple[str, str]:
    outcome = world.judge(job)["outcome"]
    said = f"{job.told} {job.options}".strip()
    return outcome, row(job.engine, job.name, job.window, job.aggregate, f"`{said}`", outcome)


def _tell_wrong(job: Job, verdict: dict[str, Any]) -> str:
    told = rate(job, verdict)
    return row(
        job.name,
        job.window,
        job.aggregate,
        str(told.findings),
        "; ".join(_name(cause) for cause in verdict["causes"][:3]),
        str(told.wrong),
        str(told.unexplained),
        told.verdict,
    )


def _name(cause: dict[str, Any]) -> str:
    where = f", {cause['where']}" if cause["where"] else ""
    return f"**{' or '.join([cause['cause'], *cause['also']])}**: {cause['why']}{where}"


if __name__ == "__main__":
    if sys.argv[1:]:
        print(write_page(int(sys.argv[1])))
    else:
        PAGE.write_text(write_page(SEED), encoding="utf-8")
