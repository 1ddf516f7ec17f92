"""Which events windows hold is read off their results: planted faults are named, and what is so by chance is not."""

import pytest
from support.faults.extents import CHANCE, EXTENTS
from support.faults.planted import Plant, make_sample, measure

from swagproof.pipeline.audit.causes.explain import find_causes

SEED = 5


@pytest.mark.parametrize("plant", EXTENTS, ids=lambda plant: plant.name)
@pytest.mark.drawn(2)
def test_what_windows_hold_is_read_off_their_results(plant: Plant) -> None:
    found = measure(plant, SEED)
    assert found.findings
    assert found.verdict(plant.cause) == "named", found


@pytest.mark.parametrize("plant", CHANCE, ids=lambda plant: plant.name)
@pytest.mark.parametrize("seed", [SEED, SEED + 1, SEED + 2])
@pytest.mark.drawn(1)
def test_what_they_hold_by_chance_is_given_no_rule(plant: Plant, seed: int) -> None:
    sample = make_sample(plant, seed)
    assert len(sample.open) > 5
    assert not [one for one in find_causes(sample) if plant.cause in (one.name, *one.also)]
