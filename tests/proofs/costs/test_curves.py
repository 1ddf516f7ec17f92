"""Cost experiments: the counts are within their bounds, and have the shape of the papers' figures."""

import pytest

from swagproof.proofs.costs.curves import Experiment, Point, series, within
from swagproof.proofs.experiments import EXPERIMENTS, HISTORIES, find
from swagproof.proofs.trees import finger_curves


def named(id: str) -> Experiment:
    (experiment,) = find([id])[1]
    return experiment


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.id)
@pytest.mark.drawn(6)
def test_every_point_is_within_its_bound(experiment: Experiment) -> None:
    of_trees = experiment in finger_curves.EXPERIMENTS
    xs = experiment.xs if of_trees else experiment.xs[:4]
    points = experiment.points(xs)
    assert points
    assert within(points), [point for point in points if not point.within]
    if of_trees:
        assert any(point.bound is not None for point in points)
        assert all(set(found) == set(xs) for found in series(points).values())
    assert all(point["within"] for point in experiment.as_json(points)["points"])


def test_a_bound_can_be_exceeded() -> None:
    assert not Point("some", 1, 2.0, 1.0).within
    assert Point("some", 1, 2.0).within
    assert not within([Point("some", 1, 1.0, 1.0), Point("some", 2, 2.0, 1.0)])


def test_the_reactive_aggregator_costs_two_paths_more_for_each_doubling() -> None:
    found = series(named("reactive-aggregator/fine").points((64, 256, 1024)))
    reactive = found["Reactive Aggregator"]
    assert 3.5 <= reactive[256] - reactive[64] <= 4.5
    assert 3.5 <= reactive[1024] - reactive[256] <= 4.5
    assert found["DABA"][64] == found["DABA"][1024]


def test_a_slide_in_proportion_to_the_window_costs_a_constant() -> None:
    found = series(named("reactive-aggregator/coarse").points((64, 256, 1024)))
    assert found["slide n"][1024] <= 1
    assert abs(found["slide n/4"][1024] - found["slide n/4"][256]) < 0.2
    assert found["slide 1"][1024] > found["slide 1"][256] + 3.5


def test_oscillating_capacities_resize_and_stay_cheap() -> None:
    found = series(named("reactive-aggregator/oscillating").points((64, 256)))
    assert found["Reactive Aggregator: resizes"][256] == 8
    assert found["Reactive Aggregator"][256] < 2


def test_experiments_are_found_by_id_and_by_first_part() -> None:
    assert find([]) == (True, list(EXPERIMENTS))
    assert find([HISTORIES]) == (True, [])
    assert [e.id for e in find(["fiba-bulk"])[1]] == ["fiba-bulk/evict", "fiba-bulk/insert"]
    with pytest.raises(KeyError, match="no experiment 'fib'; give one of histories, "):
        find(["fib"])
