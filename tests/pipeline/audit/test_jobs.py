"""Jobs as people write them: right ones are judged right, and each that has a mistake is given its name.

The whole of them is on the page of jobs.
"""

from dataclasses import replace

import pytest
from support.jobs.job import Job, World, rate
from support.jobs.right import RIGHT
from support.jobs.wrong import WRONG
from support.places import TESTS

from swagproof.pipeline.audit.diagnosis.search import TABLES

SEED = 11
UNNAMED = {"the driver with most alone"}
"""To be found, not named: as the page says."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World.draw(SEED, tmp_path_factory.mktemp("jobs"))


@pytest.mark.parametrize("job", RIGHT, ids=lambda job: f"{job.engine}: {job.name}")
def test_a_right_job_is_judged_right(world: World, job: Job) -> None:
    code, output = world.run(job)
    assert code == 0, output


@pytest.mark.parametrize("job", WRONG, ids=lambda job: job.name)
@pytest.mark.drawn(5)
def test_a_mistake_is_named(world: World, job: Job) -> None:
    verdict = world.judge(job)
    assert verdict["outcome"] == "violated"
    assert (rate(job, verdict).verdict == "named") is (job.name not in UNNAMED), verdict["causes"]


def test_the_page_of_jobs_is_of_these_jobs() -> None:
    page = (TESTS.parent / "docs" / "manual" / "reference" / "jobs.md").read_text(encoding="utf-8")
    for job in (*RIGHT, *WRONG):
        assert f"| {job.name} |" in page
        assert set(job.causes.split("|")) <= {"", *(row.name for row in TABLES)}


@pytest.mark.parametrize("job", [job for job in RIGHT if job.window == "tumbling 6h"], ids=lambda job: job.name)
@pytest.mark.drawn(1)
def test_a_right_job_is_wrong_by_other_windows(world: World, job: Job) -> None:
    """That all right ones conform would say nothing if all did."""
    assert world.run(replace(job, window="tumbling 5h"))[0] == 1
