"""The page of causes: what each means, and what an audit says of jobs with a planted fault.
`python docs/makers/causes.py` writes it anew.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tables import ROOT, row, table

sys.path.insert(0, str(ROOT / "tests"))

from support.faults.kept_back import KEPT_BACK
from support.faults.planted import PLANTS, Measured, Plant, measure

from swagproof.pipeline.audit.causes.names import CAUSES

PAGE: Final = ROOT / "docs" / "manual" / "reference" / "causes.md"
SEED: Final = 1

HEAD: Final = """# Causes of findings

`swagproof audit` does not stop at what is wrong: it looks for the mistake that explains it. A hypothesis is another
definition that the job may have followed, of its windows, of the events that count, of the aggregate or of what is
written. Each is run over all events of a sample of keys, and what it foretells is held against all their results, right
ones too. It is named where it contradicts no right result, is worth more than chance is, and is told from every other.

What it is worth is counted in bits. A finding that it explains is worth as many as it takes to say that just this
window is wrong, and just in this way: a wrong result is one of those that some mistake or other would have had, a count
that is one too many one of few. From that go the findings where it foretold something else than is there, and what it
takes to say which hypothesis it is, of all that were tried, and of which keys or stretch of time it is believed. It has
to be worth 8 bits at least, which happens by chance once in 256 times, and to explain two findings. The one that is
worth most is named first, and the next one is looked for in a job that has the first. Another that comes as near as 8
bits is named with it, *either this or that*; where more than three do, none is. What nothing explains is called
unexplained: a wrong name is worse than none.

The sample holds all events where there are at most 4,000; else those of the keys with findings that have fewest, up to
as many: looking for causes costs the same however large the tables are, and what is said is said of these keys.
"""

MEASURED: Final = """## Measured

Each fault is planted in a job that is right but for it, over 260 events of four keys: out of order, with ties, pauses,
and times below zero. *Named*: at least 19 of 20 findings have the cause that was planted, at most one of 20 another.
`python docs/makers/causes.py` writes this page anew.
"""

KEPT: Final = """## Bursts, mixtures and parts

These were once kept back to see how far the causes that the first table was made with go: other data, bursts over
hours, a dozen keys of which a few have most events, some of them an hour late; some are two at once, or of some keys
only. They have been looked at since, and the rule was changed after them.
"""


def write_page() -> str:
    """The whole page."""
    measured, kept = ([(plant, measure(plant, SEED)) for plant in plants] for plants in (PLANTS, KEPT_BACK))
    tables = (HEAD, _list_causes(measured), "", MEASURED, _list_faults(measured), "", _count(measured), "")
    return "\n".join((*tables, KEPT, _list_faults(kept), "", _count(kept), ""))


def _list_causes(measured: Sequence[tuple[Plant, Measured]]) -> str:
    """Each cause, and what was said of a job that has it."""
    first = {
        plant.cause: found.first.partition(": ")[2]
        for plant, found in reversed(measured)
        if found.first.startswith(f"{plant.cause}: ")
    }
    rows = [row(name, meaning, first.get(name, "")) for name, meaning in CAUSES.items()]
    return table(("cause", "the job", "such as"), rows)


def _list_faults(measured: Sequence[tuple[Plant, Measured]]) -> str:
    rows = [
        row(
            plant.name,
            f"{plant.window}, {plant.aggregate}",
            plant.cause,
            str(found.findings),
            str(found.right),
            str(found.wrong),
            str(found.unexplained),
            found.verdict(plant.cause),
        )
        for plant, found in measured
    ]
    return table(("fault", "job", "cause", "findings", "right", "wrong", "unexplained", "verdict"), rows)


def _count(measured: Sequence[tuple[Plant, Measured]]) -> str:
    faults = [(plant, found) for plant, found in measured if plant.cause != "unexplained"]
    verdicts = Counter(found.verdict(plant.cause) for plant, found in faults)
    total = sum(found.findings for _, found in faults)
    right, wrong = sum(found.right for _, found in faults), sum(found.wrong for _, found in faults)
    noise = [found for plant, found in measured if plant.cause == "unexplained"]
    return (
        f"Of {len(faults)} faults {verdicts['named']} are named, {verdicts['wrongly named']} wrongly named, "
        f"{verdicts['unexplained']} unexplained, {verdicts['missed']} missed; of their {total:,} findings {right:,} "
        f"have the cause that was planted, {wrong:,} another, {total - right - wrong:,} none. Of {len(noise)} jobs "
        f"with noise that has no cause, {sum(found.wrong for found in noise):,} of "
        f"{sum(found.findings for found in noise):,} findings are given one."
    )


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
