"""The papers' figures, counted: the statements about the counts hold, and fail for other counts."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from experiments import PICTURES, draw_all, file_of, name_counted, points_of

from swagproof.proofs.commands.cost import cost
from swagproof.proofs.costs.curves import series
from swagproof.proofs.costs.figures import COUNTED_BY, FIGURES, IN_ORDER, NOT_COUNTED, Figure, agrees, find_figure
from swagproof.proofs.costs.workloads import calls_a_round, fill_and_drain, play, rounds
from swagproof.proofs.experiments import EXPERIMENTS


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
@pytest.mark.drawn(5)
def test_the_counts_show_what_is_said(figure: Figure) -> None:
    points = points_of(figure)
    assert agrees(figure, points)
    names = [*series(points)]
    others = [replace(point, measured=7 + point.x * (1 + 9 * names[::-1].index(point.series))) for point in points]
    assert not agrees(figure, others)  # all linear, and different
    lines = series(points).values()
    assert len({tuple(line) for line in lines}) == 1  # the same places for each
    assert not figure.ticks or set(next(iter(lines))) == set(range(len(figure.ticks)))


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("2018 Figure 11", "FiBA, mu = 2"),
        ("2018 Figure 12", "FiBA, mu = 4, d = 512"),
        ("2018 Figure 13", "Reactive"),
        ("2018 Figure 13", "FiBA, mu = 2"),
        ("2021 Figure 9", "DABA"),
        ("2021 Figure 10", "FlatFIT"),
        ("2021 Figure 10", "FiBA, mu = 4"),
    ],
)
def test_a_series_that_is_twice_as_high_does_not_show_it(name: str, raised: str) -> None:
    figure = find_figure(name)
    points = points_of(figure)
    assert not agrees(figure, [replace(it, measured=it.measured * (1 + (it.series == raised))) for it in points])


def test_the_pictures_are_those_of_the_counts() -> None:
    assert {path: path.read_text(encoding="utf-8") for path in draw_all()} == draw_all(), (
        "python docs/makers/experiments.py writes them"
    )
    assert {path.name for path in PICTURES.glob("*.svg")} == {file_of(figure) for figure in FIGURES}


def test_a_round_is_an_evict_an_insert_and_a_query_at_a_distance() -> None:
    steps = list(rounds(4, 1, 2))
    assert steps[:5] == [*(("insert", t) for t in (0, 1, 2, 40)), ("query", 0)]
    assert steps[5:] == [("evict", 0), ("insert", 3), ("query", 0), ("evict", 1), ("insert", 4), ("query", 0)]
    assert [t for step, t in rounds(2, 2, 3) if step == "evict"] == [20, 0, 1]  # a stack
    assert [step for step, _ in fill_and_drain(1)] == ["insert", "query", "evict"] * 3


def test_each_operation_has_its_calls() -> None:
    two_stacks = IN_ORDER[0]
    assert [calls for _, calls in play(two_stacks, 2, rounds(2, 0, 1))] == [1, 1, 1, 2, 1, 1]
    assert calls_a_round(two_stacks, 2) == 3


def test_a_figure_is_found_or_the_reason_is_told() -> None:
    assert find_figure("2018 figure 11") is FIGURES[0]
    for name, said in (
        ("2021 Figure 12", "DEBS"),
        ("2015 Figure 7", "cost reactive"),
        ("2000 Figure 1", "2018 Figure 11"),
    ):
        with pytest.raises(KeyError, match=said):
            find_figure(name)
    assert set(COUNTED_BY.values()) <= {experiment.id for experiment in EXPERIMENTS}
    assert not {figure.name for figure in FIGURES} & {*COUNTED_BY, *NOT_COUNTED}
    assert name_counted("2015", "Figure 7") == "swagproof cost reactive-aggregator/fine"
    assert name_counted("2015", "Theorem 4.1") is None


def test_the_command_prints_a_figure() -> None:
    shown = CliRunner().invoke(cost, ["--figure", "2015 Figure 12"])
    assert (shown.exit_code, "2,047" in shown.output, "Claim: RA requires" in shown.output) == (0, True, True)
    assert CliRunner().invoke(cost, ["--figure", "nothing"]).exit_code == 2


def test_a_figure_that_no_longer_shows_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = replace(FIGURES[-1], holds=lambda found: False)
    monkeypatch.setattr("swagproof.proofs.costs.figures.FIGURES", (figure,))
    shown = CliRunner().invoke(cost, ["--figure", figure.name])
    assert (shown.exit_code, "no longer" in shown.output) == (1, True)
