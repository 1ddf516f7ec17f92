"""The job that has what is believed, of all its data or of a part: what is left is looked for in that one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.parts import Holds
from swagproof.pipeline.audit.causes.sample import Events, Foretold, Part, Sample
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses


def list_where(one: Hypothesis, sample: Sample, work: Work) -> Iterator[Hypothesis]:
    """All that is tried where what a hypothesis foretells is what is due, until no work is left."""
    foretold = one.foretell(sample)
    answers = {
        name: [one.make_answer(sample, part.events) if part.answer is None else part.answer for part in parts]
        for name, parts in foretold.items()
    }
    events = sample.events if one.events is None else one.events(sample.events)
    yield from work.list_all(list_hypotheses(sample.judged_by(events, foretold, answers)), sample)


def narrow(one: Hypothesis, holds: Holds, where: str, sample: Sample) -> Hypothesis | None:
    """A hypothesis that is so of the windows of a part, and of no other one; None where it has windows of its own, or
    other events, and the part is none of keys."""
    names = {*sample.due, *sample.results}
    keys = frozenset(name[0] for name in names if holds(name))
    of_keys = all(holds(name) for name in names if name[0] in keys)
    if one.mixes or one.steps & {"windows", "takes"} or (one.events is not None and not of_keys):
        return None

    def change(all_: Events) -> Events:
        made = {} if one.events is None else one.events({key: events for key, events in all_.items() if key in keys})
        return {key: events for key, events in all_.items() if key not in keys} | made

    def make(part: Part) -> Part:
        events = part.events if one.content is None else one.content(part.events)
        plain = one.answer is None and one.change is None
        return Part(events, part.answer if plain or part.answer is not None else one.make_answer(sample, events))

    def answer(found: Foretold) -> Foretold:
        changed = found if one.results is None else one.results(found)
        kept = {name: parts for name, parts in found.items() if not holds(name)}
        return kept | {name: [make(part) for part in parts] for name, parts in changed.items() if holds(name)}

    return replace(
        one,
        why=f"{one.why}, {where}",
        events=None if one.events is None else change,
        content=None,
        answer=None,
        change=None,
        results=answer if one.steps - {"events"} else None,
    )


def rest_on_parts(found: Iterable[Cause], base: Outcome | None, sample: Sample, work: Work) -> Outcome | None:
    """What is believed of all data, and with it, in parts, what is believed of these."""
    for one in found:
        if one.hypothesis is None or one.inside is None:
            continue
        narrowed = narrow(one.hypothesis, one.inside(sample), one.where, sample)
        if narrowed is None or not (base is None or base.hypothesis.goes_with(narrowed)):
            continue
        outcome = work.hold(narrowed if base is None else base.hypothesis.and_also(narrowed), sample)
        if outcome is not None and not outcome.contradicted:
            base = outcome
    return base
