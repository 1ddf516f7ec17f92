"""Generated mutants: the changes, the results, and that no mutant survives."""

import random
import time
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from support.mutants.fates import ALLOWED, STOPPED, Proof, Subject, Timed, by_name, unchanged, within
from support.mutants.generated import mutants
from support.mutants.subjects import SEED, SUBJECTS

from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import COLUMNS, FIBA_BULK, RELATED_WORK, SLICING

ALL = [subject for subject, _ in SUBJECTS]
SUBJECT = ALL[0]
SOME = SUBJECT.mutants[:5]


def test_every_algorithm_has_mutants() -> None:
    """Check all but operators, related work and bulk operations, which have no generated mutants."""
    assert {subject.id for subject in ALL} == {column.slug for column in COLUMNS} - {
        column.slug for column in (FIBA_BULK, *SLICING, *RELATED_WORK)
    }


@pytest.mark.drawn(5)
@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.id)
def test_every_mutant_is_another_and_each_name_on_the_list_fits_one(subject: Subject) -> None:
    every = subject.mutants
    assert len({mutant.name for mutant in every}) == len({(m.part, m.edits) for m in every}) == len(every) > 40
    assert any(edit.method == "__init__" for mutant in every for edit in mutant.edits)
    assert set(subject.equivalent) < {mutant.name for mutant in every}


@pytest.mark.parametrize(("subject", "number"), SUBJECTS, ids=[subject.id for subject in ALL])
def test_no_mutant_survives(subject: Subject, number: int) -> None:
    """Check that no mutant of a sample survives, and that unchanged code does."""
    fates = {mutant.name: subject.fate(mutant) for mutant in random.Random(SEED).sample(subject.mutants, number)}
    assert {name: fate for name, fate in fates.items() if fate[0] not in ALLOWED} == {}
    assert "killed" in {fate for fate, _ in fates.values()}
    assert subject.runs[0](unchanged(subject.mutants[0])) is None


class Code:
    """The code that the next test mutates."""

    def walk(self, items: list[Any], low: int) -> bool:
        """The docstring is no code: 1 < 2."""
        total: int = 0
        for item in items:
            if low <= item < 9 and item is not items:
                total += item
            else:
                low = low * 2
        del items[0]
        if total == 7:
            raise ValueError(f"low: {low + 1}")
        return False


def test_each_kind_of_change_is_made() -> None:
    said = " | ".join(mutant.name for mutant in mutants(Code, [("low", "total")]))
    for expected in (
        "reversed(list(items))",
        "-> if low < item < 9 and",
        "-> if low <= item <= 9 and",
        "-> if low <= item < 9 or",
        "item is items",
        "-> if low <= item < 10 and",
        "total -= item",
        "-> low += item",
        "-> low = low // 2",
        "del items[0] -> pass",
        "raise ValueError(f'low: {low + 1}') -> pass",
        "return False -> return True",
    ):
        assert expected in said
    assert "low - 1" not in said  # in a message
    assert "docstring" not in said


FATES: list[tuple[str | None, Proof, bool, str]] = [
    ("it is wrong", "refuted", False, "killed"),
    ("it is wrong", "unknown", False, "killed"),
    ("it is wrong", "proved", False, "proved though a run refutes it"),
    ("it is wrong", "unknown", True, "listed though a run refutes it"),
    (STOPPED, "unknown", False, "killed"),
    (None, "refuted", False, "killed"),
    (None, "proved", False, "equivalent"),
    (None, "unknown", True, "equivalent"),
    (None, "unknown", False, "survives"),
]


@pytest.mark.parametrize(("run", "proof", "listed", "fate"), FATES)
def test_fates(run: str | None, proof: Proof, listed: bool, fate: str) -> None:
    subject = replace(SUBJECT, runs=[lambda mutant: run], prove=lambda mutant: proof)
    vars(subject)["equivalent"] = {SOME[0].name: "why"} if listed else {}
    assert subject.fate(SOME[0])[0] == fate
    hunted = replace(subject, hunt=[lambda mutant: "found late"])
    assert (hunted.fate(SOME[1])[1] == "found late") is (run is None and proof == "unknown")


@pytest.mark.parametrize(("short", "fits"), [("evict: … -> ", "fits"), ("evacuate: … -> pass", "fits 0 mutants")])
def test_a_shortened_name_fits_one(short: str, fits: str) -> None:
    with pytest.raises(ValueError, match=fits):
        by_name({"why": [short]}, SUBJECT.mutants)
    assert by_name({"why": [SOME[0].name]}, SUBJECT.mutants) == {SOME[0].name: "why"}


def spend(seconds: float) -> None:
    """Use processor time, and catch every Exception, as code that runs a mutant does."""
    began = time.process_time()
    while time.process_time() - began < seconds:
        try:
            sum(range(100))
        except Exception:
            return


def test_a_run_that_does_not_end_is_stopped_and_a_slow_machine_stops_none_that_ends() -> None:
    """Check a mutant that takes five times as long as the reference, and longer than the shortest limit."""
    assert within(0.05, partial(spend, 60)) == STOPPED
    assert within(5, lambda: "found") == "found"

    def run(slower: float, mutant: Mutant) -> None:
        spend(0.1 * (slower if any(edit.new != edit.old for edit in mutant.edits) else 1))

    assert Timed(partial(run, 3.5))(SOME[0]) is None
    assert Timed(partial(run, 600))(SOME[0]) == STOPPED
