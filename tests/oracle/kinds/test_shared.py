"""The oracle on shared windows: right ones are not accused, wrong ones are found, with a minimal trace."""

import random

from support.command import conform
from support.places import TESTS

from swagproof.models.operations import CONCATENATION
from swagproof.models.shared import SharedWindows
from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.shared import Sharing, phases, simpler, words
from swagproof.oracle.search.counts import streams
from swagproof.oracle.trace import inline, insert, largest_window, legal, lookup, register
from swagproof.oracle.window import SHARED

SUBJECTS = TESTS / "subjects"
RIGHT, WRONG = (f"{SUBJECTS}/{name}.py" for name in ("right_shared", "wrong_shared"))


def test_the_expected_answers_are_right_by_definition() -> None:
    chance = random.Random(0)
    for _ in range(30):
        expected, model = Sharing(CONCATENATION), SharedWindows(CONCATENATION)
        sizes = [chance.randint(1, 9) for _ in range(chance.randint(1, 4))]
        for size in sizes:
            expected.register(size)
            model.register(size)
        for letter in chance.choices("abc", k=25):
            assert [expected.lookup(size) for size in sizes] == [model.lookup(size) for size in sizes]
            expected.insert(letter)
            model.insert(letter)


def test_every_word_is_legal_and_comes_once() -> None:
    for length in range(1, 6):
        spelt = [
            inline([register(-x) if x < 0 else lookup(x) if x else insert("a") for x in word]) for word in words(length)
        ]
        assert len(set(spelt)) == len(spelt)
        for word in words(length):
            steps = [register(-x) if x < 0 else lookup(x) if x else insert("a") for x in word]
            assert legal(steps, SHARED)
            assert len(steps) == length
            assert steps[-1].name == "lookup"


def test_phases_try_legal_traces_over_all_kinds_of_stream() -> None:
    kinds = {"falling", "peaks", "in steps", "rising", "any", "equal"}
    assert set(streams(domain("max"), 20, random.Random(0))) == kinds
    assert set(streams(domain("mutable-collect"), 3, random.Random(0))) >= {"any", "equal"}
    for phase in phases([domain("max"), domain("concatenation")], 0):
        for number, (_, _, steps, _) in enumerate(phase.attempts):
            assert legal(steps, SHARED), phase.name
            if number > 5:
                break


def test_simpler_traces_are_legal_where_the_trace_is() -> None:
    steps = [register(9), register(4), register(7), *[insert("a")] * 12, lookup(4), lookup(9)]
    nearby = list(simpler(steps))
    assert all(legal(trace, SHARED) for trace in nearby)
    assert inline(nearby[0]) == 'register 9, register 4, 12 * insert "a", lookup 4, lookup 9'
    assert largest_window(steps, SHARED) == 9


def test_the_command_says_how_large_windows_were() -> None:
    conforms = conform(f"{RIGHT}:Kept", "--window", "shared", "--effort", "30000", "--seed", "0")
    assert "operations, of windows of up to 3 elements" in conforms.stdout
