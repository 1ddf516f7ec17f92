"""Generated mutants: their edits, and the classification of their fates."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from support.mutants.fates import SUBJECTS
from support.mutants.mutation import (
    ENDLESS,
    STOPPED,
    InTurn,
    Proof,
    Subject,
    by_name,
    mutants,
    no_proof,
    nothing_more,
    unchanged,
    within,
)

from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import COLUMNS, FIBA_BULK, RELATED_WORK, SLICING

ALL = [subject for subject, *_ in SUBJECTS]
SUBJECT = ALL[0]
SOME = SUBJECT.mutants()[:5]


def test_every_algorithm_has_mutants() -> None:
    """Each but operators, related work and bulk operations, which have no generated mutants."""
    assert {subject.id for subject in ALL} == {column.slug for column in COLUMNS} - {
        column.slug for column in (FIBA_BULK, *SLICING, *RELATED_WORK)
    }


@pytest.mark.drawn(5)
@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.id)
def test_every_mutant_is_another_and_what_is_listed_is_one_each_and_once(subject: Subject) -> None:
    every = subject.every()
    assert len({mutant.name for mutant in every}) == len({(type(m), m.edits) for m in every}) == len(every)
    argued, known = by_name(subject.argued, every), by_name(subject.known, every)
    assert not set(argued) & set(known)
    assert len(argued) == sum(map(len, subject.argued.values()))
    assert len(known) == sum(map(len, subject.known.values()))


@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.id)
def test_constructors_are_changed_too(subject: Subject) -> None:
    assert any(edit.method == "__init__" for mutant in subject.every() for edit in mutant.edits)


def test_a_mutant_of_a_constructor_that_no_run_looks_at_survives() -> None:
    (subject,) = (subject for subject in ALL if subject.id == "base-intervals")
    blind = replace(subject, made_run=lambda mutant: None, argued={}, known={})
    assert {fate for fate, _ in blind.fates(subject.made()).values()} == {"survives"}


def test_the_kinds_of_change() -> None:
    assert {mutant.name for mutant in SUBJECT.mutants()} >= {
        "evict: while not self.B.is_empty(): -> while not not self.B.is_empty():",
        "evict: self.B.pop() -> pass",
        "pi_B: return self.monoid.identity if self.B.is_empty() else self.B.top().agg -> return self.B.top().agg",
        "query: return self.monoid.combine(self.pi_F(), self.pi_B()) -> "
        "return self.monoid.combine(self.pi_B(), self.pi_F())",
    }


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
    said = " | ".join(mutant.name for mutant in mutants(Code, ("low", "total")))
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


FATES: list[tuple[str | None, Proof, str]] = [
    ("it is wrong", "refuted", "killed by a run"),
    ("it is wrong", "unknown", "killed by a run"),
    ("it is wrong", "proved", "proved though a run refutes it"),
    (STOPPED, "unknown", ENDLESS),
    (STOPPED, "refuted", "killed by a proof alone"),
    (None, "refuted", "killed by a proof alone"),
    (None, "proved", "proved equivalent"),
    (None, "unknown", "survives"),
]
WRONG = ("survives", "proved though a run refutes it")


@pytest.mark.parametrize(("run", "proof", "fate"), FATES)
def test_fates(run: str | None, proof: Proof, fate: str) -> None:
    subject = replace(SUBJECT, run=lambda mutant: run, prove=lambda mutant: proof)
    assert {found for found, _ in subject.fates(SOME).values()} == {fate}
    verdict = subject.check(3).verdict
    assert verdict == ("fails" if fate in WRONG else "holds" if fate.startswith("killed") else "unknown")


@pytest.mark.parametrize("listed", ["argued", "known"])
def test_what_is_listed_needs_its_name_and_must_survive(listed: str) -> None:
    silent = replace(SUBJECT, run=lambda mutant: None, prove=lambda mutant: "unknown")
    fate = {"argued": "argued equivalent", "known": "changed only in what no contract states"}[listed]
    subject = replace(silent, **{listed: {"why": [SOME[0].name]}})
    fates = list(subject.fates(SOME).values())
    assert fates[0] == (fate, "why")
    assert {fate for fate, _ in fates[1:]} == {"survives"}
    refuted = replace(subject, run=lambda mutant: "it is wrong")
    assert refuted.fates(SOME[:1])[SOME[0].name] == ("listed though a run refutes it", "it is wrong")


def test_what_changes_only_what_is_not_stated_is_not_called_killed() -> None:
    every = [mutant.name for mutant in SUBJECT.mutants()]
    subject = replace(SUBJECT, run=lambda mutant: None, prove=lambda mutant: "unknown", known={"why": every})
    outcome = subject.check(None)
    assert (outcome.verdict, outcome.statistics["killed"], outcome.statistics["score"]) == ("unknown", 0, 0)


def test_a_long_hunt_is_for_survivors() -> None:
    hunted: list[str] = []

    def hunt(mutant: Variant) -> str | None:
        hunted.append(mutant.name)
        return "found late"

    subject = replace(SUBJECT, run=lambda mutant: None, prove=lambda mutant: "unknown", hunt=hunt)
    assert subject.fates(SOME[:1])[SOME[0].name] == ("killed by a run", "found late")
    listed = replace(subject, argued={"why": [SOME[1].name]})
    assert listed.fates([SOME[1]], thorough=False)[SOME[1].name] == ("argued equivalent", "why")
    assert listed.fates([SOME[1]])[SOME[1].name][0] == "listed though a run refutes it"
    assert hunted == [SOME[0].name, SOME[1].name]


@pytest.mark.parametrize(("short", "fits"), [("evict: … -> ", "fits"), ("evacuate: … -> pass", "fits 0 mutants")])
def test_a_shortened_name_fits_one(short: str, fits: str) -> None:
    with pytest.raises(ValueError, match=fits):
        by_name({"why": [short]}, SUBJECT.mutants())
    assert by_name({"why": [SOME[0].name]}, SUBJECT.mutants()) == {SOME[0].name: "why"}


def test_no_mutants_show_nothing() -> None:
    assert replace(SUBJECT, mutants=list[Variant]).check(None).verdict == "unknown"


def test_a_run_that_does_not_end_is_ended() -> None:
    def spin() -> str | None:
        began = time.process_time()
        while time.process_time() - began < 60:
            try:
                sum(range(100))
            except Exception:
                return "taken for the mutant's own"
        return None

    assert within(0.05, spin) == STOPPED
    assert within(5, lambda: "found") == "found"
    ends = SOME[0].edits[0].old
    stuck = InTurn((0.05, lambda mutant: None), (0.05, lambda m: None if m.edits[0].new == ends else spin()))
    run = InTurn(*stuck.stages, (1, lambda mutant: "not reached"))
    assert run(SOME[0]) == STOPPED


@pytest.mark.drawn(5)
@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.id)
def test_the_reference_survives_its_own_runs(subject: Subject) -> None:
    """A mutant that changes nothing: what kills it would kill anything."""
    assert subject.run(unchanged(subject.mutants()[0])) is None


def test_a_slow_machine_stops_nothing_that_ends() -> None:
    """The time given is too short for the reference, too: a mutant that ends in ten times as long is not stopped."""

    def spend(slower: float, mutant: Variant) -> str | None:
        changed = any(edit.new != edit.old for edit in mutant.edits)
        began = time.process_time()
        while time.process_time() - began < (0.05 * slower if changed else 0.05):
            pass
        return None

    assert InTurn((0.02, partial(spend, 3)))(SOME[0]) is None
    assert InTurn((0.02, partial(spend, 100)))(SOME[0]) == STOPPED


@pytest.mark.parametrize(("subject", "sample"), SUBJECTS, ids=[subject.id for subject, _ in SUBJECTS])
def test_no_mutant_survives(subject: Subject, sample: int | None) -> None:
    outcome = subject.check(sample)
    assert outcome.verdict == "holds", outcome.detail


@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.id)
def test_a_run_that_finds_nothing_leaves_survivors(subject: Subject) -> None:
    drawn = replace(subject, made=list[Variant], argued={}, known={})
    blind = replace(drawn, run=nothing_more, hunt=nothing_more, prove=no_proof)
    assert {fate for fate, _ in blind.fates(subject.mutants()[:4]).values()} == {"survives"}
