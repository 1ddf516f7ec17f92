"""Diagnosis of an audit's findings: hints first, then diagnoses, then single events, then facts of what is left."""

from typing import Final

from swagproof.pipeline.audit.diagnosis.hints import add_up, from_options, spell
from swagproof.pipeline.audit.diagnosis.sample import Sample
from swagproof.pipeline.audit.diagnosis.search import WORK, Found, Search, Work
from swagproof.pipeline.audit.diagnosis.single import list_facts, take_missing, take_single

UNEXPLAINED: Final = "unexplained"
"""The name of a finding without a diagnosis."""


def diagnose(sample: Sample, work: int = WORK) -> Found:
    """Explain the findings of a sample, with at most this much work."""
    if not sample.open:
        return Found([])
    parts = add_up(sample)
    hints = [f"right with {option}" for option in spell(sample)]
    if hints:
        return Found([], [*hints, *([parts] if parts else [])], meant=True)
    search = Search(sample, Work(work))
    hints = [f"right with {option}" for option in from_options(search)]
    diagnoses = search.run()
    single, said = take_single(search)
    single += take_missing(search)
    facts = list_facts(sample, frozenset(search.left)) if search.left else []
    hints += [*said, *([parts] if parts else [])]
    ordered = sorted([*diagnoses, *single], key=lambda one: -len(one.explains))
    return Found(ordered, hints, facts, untried=search.work.untried)
