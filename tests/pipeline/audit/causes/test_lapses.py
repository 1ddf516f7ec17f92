"""Frames over keys of which a sample has but some, and buffers that are lost more than once."""

from dataclasses import replace

import pytest
from support.faults.planted import Plant, Row, World, draw_events, make_sample
from support.faults.strangers.lapses import LAPSES

from swagproof.pipeline.audit.causes.explain import find_causes
from swagproof.pipeline.audit.causes.once.buffers import find_lost_buffers
from swagproof.pipeline.audit.causes.once.occasions import find_occasions
from swagproof.pipeline.audit.causes.once.stretches import WIDEST

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


@pytest.mark.parametrize("seed", range(1, 7))
def test_moments_at_which_buffers_are_lost_are_found_wherever_they_leave_some_keys_as_they_are(seed: int) -> None:
    plant = next(plant for plant in LAPSES if plant.name == "buffers lost in two restarts")
    (cause,) = find_causes(make_sample(plant, seed))
    assert "before each of the events 60 and 170 comes" in cause.why


def test_what_cuts_windows_is_not_cut_again() -> None:
    """Of windows that a job has cut otherwise nobody can say where they would be cut, had it been begun again."""
    plant = next(plant for plant in LAPSES if plant.name == "buffers lost in two restarts")
    sample = make_sample(plant, SEED)
    first, *_ = find_lost_buffers(sample)
    assert first.hold(sample).missed
    further = [one for one, _ in find_occasions(sample, sample.open, first, str)]
    assert not [one for one in further if one.windows is not None]


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("value", ["price", "int"])
def test_a_part_of_a_batch_is_found_in_windows_of_many_events(value: str, lost: bool) -> None:
    """Too many to try each run of them: sums of floats tell it, too, as nearly as they are added."""

    def job(w: World) -> list[Row]:
        return w.make(events=[e for e in w.events for _ in range(1 if not 300 <= e.seq < 375 else 0 if lost else 2)])

    plant = Plant("", "", "tumbling 400", "sum", job, value=value, events=lambda seed: draw_events(seed, value, n=800))
    sample = make_sample(plant, SEED)
    assert min(len(sample.due[name][0].events) for name in sample.open) > WIDEST
    told = [(one.cause, one.why) for one, held in find_occasions(sample, sample.open, None, str) if not held.missed]
    which = "the 75 events that came from 300 to 374"
    assert (("batch lost", f"leaves out {which}") if lost else ("batch replayed", f"counts {which} twice")) in told
