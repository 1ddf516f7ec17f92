"""Events that have no number by which they came get one each, so that they are told apart."""

from dataclasses import replace

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.sample import Sample


def number_events(sample: Sample) -> Sample:
    """The sample with another number for each event, in the order of time, where none has one of its own."""
    if len(sample.came) < 2 or len(sample.arrivals) > 1 or sample.by_row or sample.delay is not None:
        return sample
    if isinstance(sample.window, Counted) and sample.window.by_arrival:
        return sample
    both = (sample.events, sample.skipped)
    placed = ((e.time, n, key, i) for n, of in enumerate(both) for key, es in of.items() for i, e in enumerate(es))
    number = {(n, key, i): at for at, (_, n, key, i) in enumerate(sorted(placed))}
    events, skipped = (
        {key: [e._replace(arrival=number[n, key, i]) for i, e in enumerate(es)] for key, es in of.items()}
        for n, of in enumerate(both)
    )
    return replace(sample, events=events, skipped=skipped, latest=None, places=None, numbered=False)
