"""All hypotheses that are tried."""

from collections.abc import Iterator

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Sample
from swagproof.pipeline.audit.causes.tried.answers import list_answers
from swagproof.pipeline.audit.causes.tried.arrivals import list_clocks
from swagproof.pipeline.audit.causes.tried.averages import list_averages
from swagproof.pipeline.audit.causes.tried.begun.again import list_begun
from swagproof.pipeline.audit.causes.tried.carried import list_carried
from swagproof.pipeline.audit.causes.tried.chosen import list_chosen
from swagproof.pipeline.audit.causes.tried.events.astray import list_astray
from swagproof.pipeline.audit.causes.tried.events.columns import list_columns
from swagproof.pipeline.audit.causes.tried.events.inputs import list_inputs
from swagproof.pipeline.audit.causes.tried.events.lates import list_lates
from swagproof.pipeline.audit.causes.tried.events.loads import list_loads
from swagproof.pipeline.audit.causes.tried.events.readings import list_readings
from swagproof.pipeline.audit.causes.tried.events.repeats import list_repeated
from swagproof.pipeline.audit.causes.tried.events.timely import list_timely
from swagproof.pipeline.audit.causes.tried.extents.bounds import list_bounds
from swagproof.pipeline.audit.causes.tried.extents.calendars import list_calendars
from swagproof.pipeline.audit.causes.tried.extents.counted import list_counts
from swagproof.pipeline.audit.causes.tried.extents.cycles import list_cycles
from swagproof.pipeline.audit.causes.tried.extents.gaps import list_gaps
from swagproof.pipeline.audit.causes.tried.extents.joins import list_joins
from swagproof.pipeline.audit.causes.tried.extents.named import list_named
from swagproof.pipeline.audit.causes.tried.extents.runs import list_runs
from swagproof.pipeline.audit.causes.tried.extents.slides import list_slides
from swagproof.pipeline.audit.causes.tried.keyed import list_keyed
from swagproof.pipeline.audit.causes.tried.left import list_left
from swagproof.pipeline.audit.causes.tried.orders import list_orders
from swagproof.pipeline.audit.causes.tried.starts import list_starts
from swagproof.pipeline.audit.causes.tried.states import list_states
from swagproof.pipeline.audit.causes.tried.values.bands import list_bands
from swagproof.pipeline.audit.causes.tried.values.merges import list_merges, list_tiers
from swagproof.pipeline.audit.causes.tried.values.nulls import list_nulls
from swagproof.pipeline.audit.causes.tried.values.scaled import list_affine, list_scaled
from swagproof.pipeline.audit.causes.tried.values.texts import list_texts
from swagproof.pipeline.audit.causes.tried.values.units import list_units
from swagproof.pipeline.audit.causes.tried.values.unmerged import list_unmerged
from swagproof.pipeline.audit.causes.tried.values.versions import list_versions
from swagproof.pipeline.audit.causes.tried.written import list_written


def list_hypotheses(sample: Sample) -> Iterator[Hypothesis]:
    """All that are tried, the likelier first."""
    yield from list_slides(sample)
    yield from list_gaps(sample)
    yield from list_joins(sample)
    yield from list_counts(sample)
    yield from list_bounds(sample)
    yield from list_starts(sample)
    yield from list_written(sample)
    yield from list_left(sample)
    yield from list_carried(sample)
    yield from list_keyed(sample)
    yield from list_calendars(sample)
    yield from list_named(sample)  # of whose windows the same may be said by those before
    yield from list_timely(sample)
    yield from list_inputs(sample)
    yield from list_unmerged(sample)
    yield from list_lates(sample)
    yield from list_orders(sample)
    yield from list_columns(sample)
    yield from list_astray(sample)
    yield from list_repeated(sample)
    yield from list_readings(sample)
    yield from list_bands(sample)
    yield from list_loads(sample)
    yield from list_clocks(sample)
    yield from list_answers(sample)
    yield from list_texts(sample)
    yield from list_chosen(sample)
    yield from list_averages(sample)
    yield from list_states(sample)
    yield from list_merges(sample)
    yield from list_tiers(sample)
    yield from list_nulls(sample)
    yield from list_units(sample)
    yield from list_runs(sample)
    yield from list_cycles(sample)
    yield from list_versions(sample)
    yield from list_begun(sample)
    yield from list_scaled(sample)
    yield from list_affine(sample)
