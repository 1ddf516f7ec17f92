"""The pages of causes and of jobs: what each cause means, and what an audit says of jobs with a planted fault; what it
says of jobs as people write them.  `python docs/makers/causes.py` writes the one anew, with `jobs` the other, and with
`jobs SEED` prints that for other events.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tables import ROOT, row, table

sys.path.insert(0, str(ROOT / "tests"))

from support.faults.begun import BEGUN
from support.faults.drawn import Fault, Told, draw_faults, tell
from support.faults.flowing import FLOWING
from support.faults.habits import HABITS
from support.faults.kept_back import KEPT_BACK
from support.faults.merged import MERGED
from support.faults.mistakes import MISTAKES
from support.faults.planted import PLANTS, Measured, Plant, measure
from support.faults.shared.every import SHARED
from support.faults.slips import SLIPS
from support.faults.stacked import STACKED
from support.faults.strangers.appended import APPENDED
from support.faults.strangers.arriving import ARRIVING
from support.faults.strangers.bordering import BORDERING
from support.faults.strangers.forgotten import FORGOTTEN
from support.faults.strangers.halted import HALTED
from support.faults.strangers.halved import HALVED
from support.faults.strangers.lapses import LAPSES
from support.faults.strangers.lingering import LINGERING
from support.faults.strangers.misread import MISREAD
from support.faults.strangers.oddly import ODDITIES
from support.faults.strangers.paired import PAIRED
from support.faults.strangers.straying import STRAYING
from support.faults.strangers.swallowed import SWALLOWED
from support.faults.strangers.thinned import THINNED
from support.faults.strangers.tripped import TRIPPED
from support.faults.timed.averaged import AVERAGED
from support.faults.timed.passed import PASSED
from support.faults.timed.rewritten import REWRITTEN
from support.faults.timed.zoned import ZONED
from support.faults.valued.leaping import LEAPING
from support.faults.valued.looked_up import LOOKED_UP
from support.faults.valued.mistaken import MISTAKEN
from support.faults.valued.outlying import OUTLYING
from support.faults.valued.unset import UNSET
from support.jobs.job import Job, World, rate
from support.jobs.right import RIGHT
from support.jobs.wrong import WRONG

from swagproof.pipeline.audit.causes.names import CAUSES

PAGE: Final = ROOT / "docs" / "manual" / "reference" / "causes.md"
JOBS: Final = PAGE.with_name("jobs.md")
JOBS_SEED: Final = 11
SEED: Final = 1
FRESH: Final = 8411
OTHER_PLANTS: Final = (
    *MISTAKES,
    *HABITS,
    *STRAYING,
    *BEGUN,
    *MERGED,
    *FLOWING,
    *SLIPS,
    *ODDITIES,
    *LAPSES,
    *LINGERING,
    *SWALLOWED,
    *HALTED,
    *MISREAD,
    *ARRIVING,
    *BORDERING,
    *TRIPPED,
    *HALVED,
    *OUTLYING,
    *MISTAKEN,
    *THINNED,
    *PAIRED,
    *STACKED,
    *FORGOTTEN,
    *APPENDED,
    *LEAPING,
    *SHARED,
    *UNSET,
    *AVERAGED,
    *REWRITTEN,
    *ZONED,
    *PASSED,
    *LOOKED_UP,
)
DRAWN: Final = 12

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
bits is named beside it, *or that, which these results do not tell from it*; where more than three do, none is. What
nothing explains is called unexplained: a wrong name is worse than none. Where one cause explains all, and is what an
option of the command says, the report names the option: somebody may have meant it, and then nothing is wrong.

A state that begins again, or is kept, is a number beside each event of a window, as they came, and a limit: how long
after the one before it came, after the first, past the end, or how many windows there were. Beyond it the window is
cut, and the limit is the plainest one that leaves right results as they are.

What is so of no whole is looked for in parts: of some keys, of a range of time, of arrival, of how many events a window
has or of what is due, or of both; saying which costs bits, too, and there an event that was lost from four windows
speaks once; a part is told only where chance would not part what is explained from what contradicts it. A mistake may
be made of some events of a window alone, too: of those that have one cell of another column. Last comes what no rule
explains and is found all the same: a window whose result is just that of the events that came last, or first, of its
events without some of them, with some twice, with one from elsewhere, or of another window. That it is so by chance is
a matter of how many such edits there are, and how many bits the value says; events of the window are drawn in other
ways, too, and where these often give the same, as of a median, it says nothing. The report says what was found
then, not why; as it does of results that are null, that are there twice, or that are not there.

The sample holds all events where there are at most 4,000; else those of the keys with findings that have fewest, up to
as many: looking for causes costs the same however large the tables are, and what is said is said of these keys. Nor is
more looked at than 14 million events, each counted for each of its windows and each hypothesis: where that would not
do, hypotheses are tried on some keys first, and no further where they explain nothing there; and what is left untried
in the end is told with the findings that have no cause.

Of what stays unexplained the report says what it has in common, under these words, and calls it no cause: where it is,
of which keys, since when, of windows that hold an event like this or that, or as many; and how it differs from what is
due, all too small, by one factor, by one number. These are facts, checked in the sample. No right result is where they
are said to be, or how many are is said; and each saves 8 bits at least, less those of choosing it, or it is not said.
Windows that share events are wrong together, and speak once. Plain counts, such as how many results are not there, cost
nothing and are always said. Where findings are too few to tell a cause from chance, one that would explain all of
them, and is ahead of every other that would by 3 bits, is said as what *may be*, with how often chance does as much.
The count of what is unexplained stays as it is.
"""

MEASURED: Final = """## Measured

Each fault is planted in a job that is right but for it, over 260 events of four keys: out of order, with ties, pauses,
and times below zero. *Named*: at least 19 of 20 findings have the cause that was planted, at most one of 20 another.
`python docs/makers/causes.py` writes this page anew.
"""

OTHERS: Final = """## Measured in few events

These are of causes that are not in the table above, most of them over 90 events, with a column beside the value. Each
has another fault beside it, that is the same with its rule replaced by chance or by another one, and must not have its
name; causes of the table above have one of the other faults. The tests hold them to it.
"""

KEPT: Final = """## Bursts, mixtures and parts

These were once kept back to see how far the causes that the first table was made with go: other data, bursts over
hours, a dozen keys of which a few have most events, some of them an hour late; some are two at once, or of some keys
only. They have been looked at since, and the rule was changed after them.
"""


DRAWN_FAULTS: Final = f"""## Kept back

The tables above are of faults that the causes were made with. These {DRAWN} were drawn by seed {FRESH}, at which
nobody had looked when the rule and the causes were last changed; at seeds 1, 21, 22, 2026, 2027, 3001, 3002, 4001 to
4003, 5001 to 5003, 6001, 7001, 8101, 8201 and 8303 we had. About half are edits of a job's source, anywhere in it and
whatever they mean (a comparison turned, a constant off by one, operators or names exchanged, a statement left out),
half are what befalls a right job: events lost, repeated or moved, clocks, zones, values and answers that are cut off,
sinks. Three of ten are two at once, four of ten of some keys only, from some time on or until then. Windows are
tumbling, sliding, sessions and days of a zone; aggregates are sums, counts, means, least and greatest, first and
last, and text in a row. Twelve faults say little: one that is not understood may have half of the findings. When they
were drawn, each before what it showed was mended, findings without a cause, and with a wrong one, were of seed 3001
272 and 0 of 1,072; of seeds 4001, 4002 and 4003 77 and 0 of 906, 423 and 0 of 1,383, 21 and 20 of 1,732; of seeds
5001 and 5003 990 and 12 of 2,669, 10 and 0 of 1,224; of 50 faults of seed 8101 967 and 61 of 4,675; of seed 8201 44
and 9 of 1,678; of seed 8303 51 and 0 of 706.

There is no list of which name is right. A cause is *right* if it is so of the same job over three other sets of events:
at least three of four of the results that it changes there are what the job writes there. What is told of given events
(these are left out of that window) is right if three of four results are so where the same events have other values;
what is seen of a result by itself is right. Both are counted *as found*, too: they say what is there, and not why.
*Named*: at least 19 of 20 findings have a cause that is right, at most one of 20 one that is not; *in part*: fewer than
19 of 20.
"""


JOBS_HEAD: Final = """# Jobs that were judged

Windowed jobs as people write them, run by the engine that they are written for, and judged by the command with the
files that the engine wrote. Their source is in [tests/support/jobs](../../../tests/support/jobs/right.py), and what the
audit is told beside it; the events are 700 rides of five drivers, one of them null, drawn by seed {seed}. What Spark
does, and what Flink and Kafka Streams mean by late, is held against them elsewhere, as the page of
[results of jobs](../at_scale/jobs.md) says. `python docs/makers/causes.py jobs` makes this page anew.

## Right ones

"""

JOBS_FAULTS: Final = """## With a mistake

The mistakes were written down before an audit had seen any of them. When it first did, in two rounds, of 115 such jobs
73 were named, where at least 19 of 20 findings have a name that fits and at most one of 20 another; of 18 more than
that had a wrong name, five were named in part, 18 had no name, and at one it failed. The causes that were missing are
there since, and the mistakes that were not what they were meant to be are left out: so the table shows what is known
now. What is named of mistakes that nobody has looked at is told by the page of [causes](causes.md).

"""


def write_page() -> str:
    """The whole page."""
    measured, others, kept = (
        [(plant, measure(plant, SEED)) for plant in plants] for plants in (PLANTS, OTHER_PLANTS, KEPT_BACK)
    )
    tables = (HEAD, _list_causes([*measured, *others]), "", MEASURED, _list_faults(measured), "", _count(measured), "")
    more = (OTHERS, _list_faults(others), "", _count(others), "")
    drawn = [(fault, tell(fault)) for fault in draw_faults(FRESH, DRAWN)]
    told = (DRAWN_FAULTS, _list_drawn(drawn), "", _count_drawn(drawn), "")
    return "\n".join((*tables, *more, KEPT, _list_faults(kept), "", _count(kept), "", *told))


def _list_drawn(drawn: Sequence[tuple[Fault, Told]]) -> str:
    rows = [
        row(
            fault.said,
            f"{fault.query.text}, {fault.query.aggregate}",
            "; ".join(
                " or ".join((cause.name, *cause.also)) + ("" if holds else " (not so)") for cause, holds in it.causes
            ),
            str(it.findings),
            str(it.right),
            str(it.described),
            str(it.wrong),
            str(it.unexplained),
            it.verdict,
        )
        for fault, it in drawn
    ]
    return table(("fault", "job", "named", "findings", "right", "as found", "wrong", "unexplained", "verdict"), rows)


def _count_drawn(drawn: Sequence[tuple[Fault, Told]]) -> str:
    verdicts = Counter(it.verdict for _, it in drawn)
    total, right = sum(it.findings for _, it in drawn), sum(it.right for _, it in drawn)
    found = sum(it.described for _, it in drawn)
    wrong, either = sum(it.wrong for _, it in drawn), sum(it.either for _, it in drawn)
    return (
        f"Of {len(drawn)} faults {verdicts['named']} are named, {verdicts['named in part']} in part, "
        f"{verdicts['wrongly named']} wrongly named, {verdicts['unexplained']} unexplained; of their {total:,} "
        f"findings {right:,} have a cause that is right ({either:,} of them as one of two or three, {found:,} as "
        f"found), {wrong:,} one that is not, {total - right - wrong:,} none."
    )


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
    counted = (
        f"Of {len(faults)} faults {verdicts['named']} are named, {verdicts['wrongly named']} wrongly named, "
        f"{verdicts['unexplained']} unexplained, {verdicts['missed']} missed; of their {total:,} findings {right:,} "
        f"have the cause that was planted, {wrong:,} another, {total - right - wrong:,} none."
    )
    if not noise:
        return counted
    return (
        f"{counted} Of {len(noise)} jobs "
        f"with noise that has no cause, {sum(found.wrong for found in noise):,} of "
        f"{sum(found.findings for found in noise):,} findings are given one."
    )


def write_jobs(seed: int) -> str:
    """The page of jobs."""
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
    return "\n".join((JOBS_HEAD.format(seed=seed) + rows, "", counted, "", JOBS_FAULTS + faults, "", named, ""))


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
        "; ".join(_name_cause(cause) for cause in verdict["causes"][:3]),
        str(told.wrong),
        str(told.unexplained),
        told.verdict,
    )


def _name_cause(cause: dict[str, Any]) -> str:
    where = f", {cause['where']}" if cause["where"] else ""
    return f"**{' or '.join([cause['cause'], *cause['also']])}**: {cause['why']}{where}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            PAGE.write_text(write_page(), encoding="utf-8")
        case ["jobs"]:
            JOBS.write_text(write_jobs(JOBS_SEED), encoding="utf-8")
        case ["jobs", seed]:
            print(write_jobs(int(seed)))
        case asked:
            sys.exit(f"{' '.join(asked)}: give nothing, jobs, or jobs SEED")
