"""Definitions 1 and 2, executed: worked examples of the paper, kinds of windows, and errors."""

import itertools
from fractions import Fraction

import pytest

from swagproof.models.discretisation import (
    Interval,
    Marks,
    aggregate,
    check_marks,
    count_windows,
    deterministic,
    discretise,
    marked_windows,
    newest_at_punctuations,
    punctuated_windows,
    session_windows,
    time_windows,
    windowed,
)
from swagproof.models.operations import CONCATENATION, MEAN
from swagproof.models.sliced import SlicedWindows
from swagproof.models.windows.window import (
    UNBOUNDED,
    Count,
    Delta,
    Event,
    Heartbeat,
    Item,
    Punctuation,
    Window,
    WindowError,
)

RANGES = list(itertools.product(range(1, 6), repeat=2))


def numbered(last: int) -> list[Item]:
    return [Event(number, number) for number in range(1, last + 1)]


def test_figure_1_count_windows_of_range_5_and_slide_2() -> None:
    assert count_windows(5, 2)(numbered(14)) == [(1, 5), (3, 7), (5, 9), (7, 11), (9, 13)]


def test_figure_2_one_answer_for_each_window() -> None:
    assert aggregate(sum, discretise(count_windows(5, 2), numbered(9))) == [15, 25, 35]


def test_figure_3_the_average_of_1_to_5_in_one_partial_aggregate() -> None:
    partial = MEAN.identity
    partials = [partial := MEAN.combine(partial, MEAN.lift(record)) for record in range(1, 6)]
    assert partials == [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15)]
    assert MEAN.lower(partial) == 3


@pytest.mark.parametrize(("range_", "slide"), RANGES)
def test_count_windows_are_those_that_the_formula_gives(range_: int, slide: int) -> None:
    expected = [(1 + begin, begin + range_) for begin in range(0, 20, slide) if begin + range_ <= 20]
    assert count_windows(range_, slide)(numbered(20)) == expected


@pytest.mark.parametrize(("range_", "slide"), RANGES)
def test_time_windows_are_those_that_the_formula_gives(range_: int, slide: int) -> None:
    times = [0, 0, 1, 4, 5, 11, 12]
    stream: list[Item] = [*(Event(t, t) for t in times), Heartbeat(40)]
    windows = [[t for t in times if begin <= t < begin + range_] for begin in range(-20 * slide, 40, slide)]
    assert discretise(time_windows(range_, slide), stream) == [window for window in windows if window]


def test_a_time_between_two_windows_is_in_none() -> None:
    stream: list[Item] = [Event(t, t) for t in range(6)]
    assert discretise(time_windows(1, 3), stream) == [[0], [3]]


def test_windows_that_tumble_have_each_record_once() -> None:
    stream = [*numbered(12), Heartbeat(99)]
    for f_disc in (count_windows(4, 4), time_windows(5, 5)):
        assert list(itertools.chain(*discretise(f_disc, stream))) == list(range(1, 13))


def test_sessions() -> None:
    stream: list[Item] = [Event(t, t) for t in (1, 2, 4, 7, 8)]
    assert discretise(session_windows(3), stream) == [[1, 2, 4]]
    assert discretise(session_windows(3), [*stream, Heartbeat(10)]) == [[1, 2, 4]]
    assert discretise(session_windows(3), [*stream, Heartbeat(11)]) == [[1, 2, 4], [7, 8]]
    assert discretise(session_windows(Fraction(1, 2)), stream) == [[1], [2], [4], [7]]
    assert session_windows(1)([]) == []


def test_punctuated_windows_hold_something() -> None:
    stream = [Punctuation(), *numbered(2), Punctuation(), Punctuation(), Event(3, 3)]
    assert discretise(punctuated_windows, stream) == [[1, 2]]


def test_any_window_definition_is_a_discretiser() -> None:
    landmark = windowed(Window(UNBOUNDED, Count(2)))
    assert landmark(numbered(5)) == [(1, 2), (1, 4)]
    near = windowed(Window(Delta(1), Count(1)))
    assert discretise(near, [Event(None, value) for value in (1, 2, 4)]) == [[1], [1, 2], [4]]


def test_where_a_window_begins_may_hang_on_what_comes() -> None:
    """Check the newest two at a punctuation: after the same first record, a window begins with it or not."""
    a, b, c = (Event(None, letter) for letter in "abc")
    newest = newest_at_punctuations(2)
    assert newest([a, b, Punctuation()]) == [(1, 2)]
    assert newest([a, b, c, Punctuation()]) == [(2, 3)]


def test_a_users_own_deterministic_windows() -> None:
    """Check windows from each `a` to the next `z`."""

    class FromAToZ:
        def __init__(self) -> None:
            self.open = 0

        def __call__(self, item: Event) -> Marks:
            begin = int(item.value == "a")
            self.open += begin
            end = self.open if item.value == "z" else 0
            self.open -= end
            return Marks(begin, end)

    stream: list[Item] = [Event(None, letter) for letter in "xaybazza"]
    assert deterministic(FromAToZ)(stream) == [(2, 6), (5, 6)]


def test_marks_pair_what_begins_first_with_what_ends_first() -> None:
    marks = [(True, Marks(2)), (True, Marks(1, 2)), (True, Marks(0, 0, 1))]
    assert marked_windows(marks) == [Interval(1, 2), Interval(1, 2), Interval(2, 2)]


@pytest.mark.parametrize(
    ("mark", "begun", "record", "said"),
    [
        (Marks(-1), 0, True, "from 0 on"),
        (Marks(0, 1), 0, True, "begin each first"),
        (Marks(0, 0, 1), 0, True, "begin each before it ends"),
        (Marks(1, 2), 0, True, "begin each first"),
        (Marks(1), 0, False, "give `over` alone"),
        (Marks(0, 1), 1, False, "give `over` alone"),
    ],
)
def test_marks_that_cannot_be_are_refused(mark: Marks, begun: int, record: bool, said: str) -> None:
    with pytest.raises(WindowError, match=said):
        check_marks(mark, begun, record)


def test_lengths_that_cannot_be_are_refused() -> None:
    for make in (lambda: count_windows(0, 1), lambda: time_windows(1, 0), lambda: session_windows(0)):
        with pytest.raises(WindowError):
            make()


def test_answers_are_those_that_are_due_each_once_in_any_order() -> None:
    model = SlicedWindows(CONCATENATION, [(4, 2)], [3])
    for t, v in ((1, "a"), (3, "b"), (9, "c")):
        model.insert(t, v)
    due, times = model.advance(8), (None, 8)
    assert [value for *_, value in due] == ["a", "ab", "b", "ab"]
    assert model.has_answered(due[::-1], times, 2)
    for k in range(len(due)):
        assert not model.has_answered([*due, due[k]], times, 2)
        assert not model.has_answered(due[:k] + due[k + 1 :], times, 2)
