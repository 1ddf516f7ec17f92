"""The diagnosis tables: each row names its planted fault, but not a similar job; noise and right jobs get no name."""

import pytest
from support.jobs.faults import FAULTS, NOISE, TWO
from support.jobs.planted import Fault, World

from swagproof.pipeline.audit.diagnosis.diagnose import diagnose
from swagproof.pipeline.audit.diagnosis.hypothesis import Family
from swagproof.pipeline.audit.diagnosis.search import TABLES


def names(fault: Fault) -> set[str]:
    """Return all diagnoses that explain findings of a fault."""
    found = diagnose(fault.sample(fault.job))
    return {name for one in found.diagnoses for joined in (one.name, *one.also) for name in joined.split(" and ")}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.drawn(25)
def test_a_planted_fault_is_named(fault: Fault) -> None:
    sample = fault.sample(fault.job)
    assert sample.open
    found = diagnose(sample)
    named = {
        name
        for one in found.diagnoses
        for joined in (one.name, *one.also)
        for name in joined.split(" and ")
        if 3 * len(one.explains) >= 2 * len(sample.open)
    }
    assert fault.name in named, (found.diagnoses, found.hints)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.drawn(25)
def test_a_job_near_it_does_not_get_its_name(fault: Fault) -> None:
    sample = fault.sample(fault.near)
    assert sample.open
    assert not [one for one in diagnose(sample).diagnoses if fault.name in (one.name, *one.also)]


@pytest.mark.parametrize("fault", NOISE, ids=lambda fault: fault.name)
def test_noise_gets_no_diagnosis(fault: Fault) -> None:
    sample = fault.sample(fault.job)
    assert sample.open
    found = diagnose(sample)
    assert found.diagnoses == []


@pytest.mark.parametrize("name", TWO)
def test_two_faults_and_other_ways_to_a_name(name: str) -> None:
    fault, expected = TWO[name]
    assert names(fault) >= expected


@pytest.mark.parametrize("fault", FAULTS[::7], ids=lambda fault: fault.name)
def test_a_right_job_gets_none(fault: Fault) -> None:
    sample = fault.sample(World.make)
    if "full" in fault.window:
        pytest.skip("its frames are full in the audit alone")
    assert not sample.findings
    assert diagnose(sample).diagnoses == []


def test_each_row_has_a_fault_a_family_and_a_source() -> None:
    assert {row.name for row in TABLES} == {fault.name for fault in FAULTS}
    for row in TABLES:
        assert isinstance(row.family, Family)
        assert row.meaning.endswith(".")
        assert row.source
