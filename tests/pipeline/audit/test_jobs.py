"""Common kinds of jobs: right ones are judged right, mistakes are found and named.

The manual's page of jobs lists the right ones.
"""

from dataclasses import replace

import pytest
from support.jobs.job import Job, World, is_named
from support.jobs.right import RIGHT
from support.jobs.wrong import WRONG
from support.places import TESTS

from swagproof.pipeline.audit.diagnosis.search import TABLES

SEED = 11
UNNAMED = {
    "a cast that is too small",
    "a clock of twelve hours",
    "a quarter by id",
    "a tenth of the rows lost",
    "a weighed mean",
    "above zero alone",
    "amounts of zone 2 in cents",
    "amounts without their sign",
    "at most 500",
    "days and months exchanged",
    "differences",
    "divided by n - 1",
    "null drivers under another name",
    "shares",
    "smoothed",
    "the clocks of zone 1 two hours ahead",
    "the driver with most alone",
    "the greatest as text",
    "the size of a sum",
    "the sum of one zone",
    "the window after",
    "the window before",
    "two drivers exchanged",
}
"""Mistakes that are found, but not or only partly named: no public report has them, or they need two edits."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World.draw(SEED, tmp_path_factory.mktemp("jobs"))


@pytest.mark.parametrize("job", RIGHT, ids=lambda job: f"{job.engine}: {job.name}")
def test_a_right_job_is_judged_right(world: World, job: Job) -> None:
    code, output = world.run(job)
    assert code == 0, output


PROFILED = [job for job in RIGHT if job.engine in ("Polars", "pandas")]


@pytest.mark.parametrize("job", PROFILED, ids=lambda job: f"{job.engine}: {job.name}")
def test_a_right_job_is_right_by_the_profile_of_its_engine(world: World, job: Job) -> None:
    """The profile replaces the job's own options for empty windows and frames."""
    window = job.window.replace(" closed right", "").replace(" to row", "")
    told, options = job.told.replace("--empty zero", ""), f"{job.options} --engine {job.engine.lower()}"
    code, output = world.run(replace(job, window=window, told=told, options=options))
    assert code == 0, output


@pytest.mark.parametrize("job", WRONG, ids=lambda job: job.name)
@pytest.mark.drawn(2)
def test_a_mistake_is_named(world: World, job: Job) -> None:
    verdict = world.judge(job)
    assert verdict["outcome"] == "violated"
    hinted = bool(verdict["hints"]) and not verdict["causes"]
    assert (hinted or is_named(job, verdict)) is (job.name not in UNNAMED), verdict["causes"]


def test_the_page_of_jobs_is_of_these_jobs() -> None:
    page = (TESTS.parent / "docs" / "manual" / "reference" / "jobs.md").read_text(encoding="utf-8")
    for job in RIGHT:
        assert f"| {job.name} |" in page


def test_mistakes_have_names_of_the_tables() -> None:
    for job in WRONG:
        assert job.name in UNNAMED or set(job.causes.split("|")) & {row.name for row in TABLES}


@pytest.mark.parametrize("job", [job for job in RIGHT if job.window == "tumbling 6h"], ids=lambda job: job.name)
@pytest.mark.drawn(1)
def test_a_right_job_is_wrong_by_other_windows(world: World, job: Job) -> None:
    """Right jobs must fail with another window; otherwise the test that they conform would prove nothing."""
    assert world.run(replace(job, window="tumbling 5h"))[0] == 1
