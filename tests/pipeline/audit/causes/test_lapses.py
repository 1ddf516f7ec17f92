"""A sample of some keys: what is told of those that are there, and nothing where that says nothing."""

from dataclasses import replace

import pytest
from support.faults.lapses import LAPSES
from support.faults.planted import make_sample

from swagproof.pipeline.audit.causes.explain import find_causes

SEED = 3


@pytest.mark.parametrize("name", ["frames of a sorted table", "full frames of a sorted table"])
def test_frames_that_go_on_over_keys_are_told_of_keys_that_are_there(name: str) -> None:
    """As far as one is just before the other; of a key whose neighbour is not there nothing is concluded."""
    whole = make_sample(next(plant for plant in LAPSES if plant.name == name), SEED)
    assert {key for key, *_ in whole.open} == {'["b"]', '["c"]', '["d"]'}
    (cause,) = find_causes(replace(whole.of_keys(['["b"]', '["c"]', '["d"]']), whole=False))
    assert (cause.name, {key for key, *_ in cause.explains}) == ("over all keys", {'["c"]', '["d"]'})
    assert len(cause.explains) == 8
    assert find_causes(replace(whole.of_keys(['["b"]', '["d"]']), whole=False)) == []
