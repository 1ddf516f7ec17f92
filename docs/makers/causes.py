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
ones too. It is believed where it contradicts no right result, explains at least three findings for each that it misses,
and is no coincidence: one that was read off the results has to explain more of them, and so has one that is believed of
some keys, or of a stretch of time, alone. The one that explains most comes first, then the one that explains most of
what is left. Where two would have had the same results, both are named. What nothing explains is called unexplained.

The sample holds all events where there are at most 4,000; else those of the keys with findings that have fewest, up to
as many: looking for causes costs the same however large the tables are, and what is said is said of these keys.
"""

MEASURED: Final = """## Measured

Each fault is planted in a job that is right but for it, over 260 events of four keys: out of order, with ties, pauses,
and times below zero. *Named*: at least 19 of 20 findings have the cause that was planted, at most one of 20 another.
`python docs/makers/causes.py` writes this page anew.
"""

KEPT: Final = """## Kept back

These were written down before the causes were measured on them, over other data: bursts over hours, a dozen keys of
which a few have most events, some of them an hour late. Some are mistakes that no cause is made for, some are two at
once, or of some keys only; and no hypothesis was changed after they were looked at. What is named wrongly there is
mostly lost or replayed one by one, or has no name at all: single findings are then taken for something that fits them.
"Two slides short" of four is said to be half as long, which it is.
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
