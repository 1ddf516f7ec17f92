"""Mutants: what is generated, and that each fate is told apart."""

import time
from dataclasses import replace

import pytest

from swagproof.proofs import mutants as module
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.mutants import SUBJECTS, Proof, Subject, within
from swagproof.proofs.variants import Variant

SUBJECT = SUBJECTS[0][0]
SOME = SUBJECT.mutants()[:5]


@pytest.mark.parametrize("subject", [subject for subject, _ in SUBJECTS], ids=lambda subject: subject.id)
def test_every_mutant_is_another(subject: Subject) -> None:
    every = subject.mutants()
    assert len(every) == subject.number
    assert len({mutant.name for mutant in every}) == len({mutant.edits for mutant in every}) == len(every)


def test_the_kinds_of_change() -> None:
    names = {mutant.name for mutant in SUBJECT.mutants()}
    for expected in (
        "evict: while not self.B.is_empty(): -> while not not self.B.is_empty():",
        "evict: self.B.pop() -> pass",
        "pi_B: return self.monoid.identity if self.B.is_empty() else self.B.top().agg -> return self.B.top().agg",
        "query: return self.monoid.combine(self.pi_F(), self.pi_B()) -> "
        "return self.monoid.combine(self.pi_B(), self.pi_F())",
    ):
        assert expected in names


FATES: list[tuple[str | None, Proof, str]] = [
    ("it is wrong", "refuted", "killed by a run"),
    ("it is wrong", "unknown", "killed by a run"),
    ("it is wrong", "proved", "proved though a run refutes it"),
    (None, "refuted", "killed by a proof alone"),
    (None, "proved", "proved equivalent"),
    (None, "unknown", "survives"),
]


@pytest.mark.parametrize(("run", "proof", "fate"), FATES)
def test_fates(run: str | None, proof: Proof, fate: str) -> None:
    subject = replace(SUBJECT, run=lambda mutant: run, prove=lambda mutant: proof)
    assert {found for found, _ in subject.fates(SOME).values()} == {fate}
    verdict = subject.check(3).verdict
    assert verdict == ("fails" if fate in ("survives", "proved though a run refutes it") else verdict)
    assert verdict == ("holds" if fate.startswith("killed") else verdict)


def test_what_is_argued_to_be_equivalent_needs_its_name() -> None:
    subject = replace(SUBJECT, run=lambda mutant: None, prove=lambda mutant: "unknown", argued={SOME[0].name: "why"})
    fates = list(subject.fates(SOME).values())
    assert fates[0] == ("argued equivalent", "why")
    assert {fate for fate, _ in fates[1:]} == {"survives"}


def test_no_mutants_show_nothing() -> None:
    assert replace(SUBJECT, mutants=list[Variant]).check(None).verdict == "unknown"


def test_a_run_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def spin() -> str | None:
        began = time.process_time()
        while time.process_time() - began < 60:
            pass
        return None

    assert within(0.05, spin) == "it does not end"
    assert within(5, lambda: "found") == "found"
    monkeypatch.setattr(module, "SECONDS", 0.05)
    assert next(iter(replace(SUBJECT, run=lambda mutant: spin()).fates(SOME[:1]).values()))[1] == "it does not end"


def test_every_subject_has_its_row() -> None:
    assert {f"{subject.id}/mutants" for subject, _ in SUBJECTS} <= {claim.id for claim in CLAIMS}
