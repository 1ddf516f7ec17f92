"""All hypotheses that are tried."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Sample
from swagproof.pipeline.audit.causes.tried.answers import list_answers
from swagproof.pipeline.audit.causes.tried.arrivals import list_clocks
from swagproof.pipeline.audit.causes.tried.averages import list_averages
from swagproof.pipeline.audit.causes.tried.begun.again import list_begun
from swagproof.pipeline.audit.causes.tried.begun.firings import list_firings
from swagproof.pipeline.audit.causes.tried.begun.renewed import list_renewed
from swagproof.pipeline.audit.causes.tried.borders.batched import list_batched
from swagproof.pipeline.audit.causes.tried.borders.clocked import list_clocked
from swagproof.pipeline.audit.causes.tried.borders.edges import list_edges
from swagproof.pipeline.audit.causes.tried.borders.fixed import list_fixed
from swagproof.pipeline.audit.causes.tried.borders.looked import list_looked
from swagproof.pipeline.audit.causes.tried.borders.opened import list_opened
from swagproof.pipeline.audit.causes.tried.borders.parted import list_parted
from swagproof.pipeline.audit.causes.tried.borders.zoned import list_zoned
from swagproof.pipeline.audit.causes.tried.carried import list_carried
from swagproof.pipeline.audit.causes.tried.chosen import list_chosen
from swagproof.pipeline.audit.causes.tried.events.alike import list_alike
from swagproof.pipeline.audit.causes.tried.events.astray import list_astray
from swagproof.pipeline.audit.causes.tried.events.changes import list_changes
from swagproof.pipeline.audit.causes.tried.events.columns import list_columns
from swagproof.pipeline.audit.causes.tried.events.folded import list_folded
from swagproof.pipeline.audit.causes.tried.events.gridded import list_gridded
from swagproof.pipeline.audit.causes.tried.events.inputs import list_inputs
from swagproof.pipeline.audit.causes.tried.events.lates import list_lates
from swagproof.pipeline.audit.causes.tried.events.mistaken import list_mistaken
from swagproof.pipeline.audit.causes.tried.events.narrowed import list_narrowed
from swagproof.pipeline.audit.causes.tried.events.readings import list_readings
from swagproof.pipeline.audit.causes.tried.events.repeats import list_repeated
from swagproof.pipeline.audit.causes.tried.events.timely import list_timely
from swagproof.pipeline.audit.causes.tried.extents.bounds import list_bounds
from swagproof.pipeline.audit.causes.tried.extents.calendars import list_calendars
from swagproof.pipeline.audit.causes.tried.extents.counted import list_counts
from swagproof.pipeline.audit.causes.tried.extents.cycles import list_cycles
from swagproof.pipeline.audit.causes.tried.extents.dates import list_dates
from swagproof.pipeline.audit.causes.tried.extents.gaps import list_gaps
from swagproof.pipeline.audit.causes.tried.extents.joins import list_joins
from swagproof.pipeline.audit.causes.tried.extents.named import list_named
from swagproof.pipeline.audit.causes.tried.extents.runs import list_runs
from swagproof.pipeline.audit.causes.tried.extents.slides import list_slides
from swagproof.pipeline.audit.causes.tried.extents.timers import list_timers
from swagproof.pipeline.audit.causes.tried.keyed import list_keyed
from swagproof.pipeline.audit.causes.tried.left import list_left
from swagproof.pipeline.audit.causes.tried.lost.latest import list_latest, list_passed
from swagproof.pipeline.audit.causes.tried.lost.loads import list_loads
from swagproof.pipeline.audit.causes.tried.lost.paged import list_paged
from swagproof.pipeline.audit.causes.tried.lost.poisoned import list_poisoned
from swagproof.pipeline.audit.causes.tried.lost.rated import list_rated
from swagproof.pipeline.audit.causes.tried.lost.spaced import list_spaced
from swagproof.pipeline.audit.causes.tried.orders import list_orders
from swagproof.pipeline.audit.causes.tried.running.entering import list_entering
from swagproof.pipeline.audit.causes.tried.running.rings import list_rings
from swagproof.pipeline.audit.causes.tried.running.sets import list_sets
from swagproof.pipeline.audit.causes.tried.running.shared import list_shared
from swagproof.pipeline.audit.causes.tried.running.tallies import list_tallies
from swagproof.pipeline.audit.causes.tried.running.totals import list_totals
from swagproof.pipeline.audit.causes.tried.starts import list_starts
from swagproof.pipeline.audit.causes.tried.states import list_states
from swagproof.pipeline.audit.causes.tried.taken.buckets import list_buckets
from swagproof.pipeline.audit.causes.tried.taken.exploded import list_exploded
from swagproof.pipeline.audit.causes.tried.taken.filled import list_filled
from swagproof.pipeline.audit.causes.tried.taken.grouped import list_grouped
from swagproof.pipeline.audit.causes.tried.taken.lacking import list_lacking
from swagproof.pipeline.audit.causes.tried.taken.misplaced import list_misplaced
from swagproof.pipeline.audit.causes.tried.taken.several import list_several
from swagproof.pipeline.audit.causes.tried.taken.stacked import list_stacked
from swagproof.pipeline.audit.causes.tried.taken.tied import list_tied
from swagproof.pipeline.audit.causes.tried.taken.unset import list_unset
from swagproof.pipeline.audit.causes.tried.values.bands import list_bands, list_doubled
from swagproof.pipeline.audit.causes.tried.values.merges import (
    list_coarse,
    list_merges,
    list_spreads,
    list_tiers,
    list_vacant,
)
from swagproof.pipeline.audit.causes.tried.values.nulls import list_nulls
from swagproof.pipeline.audit.causes.tried.values.outliers import list_outliers
from swagproof.pipeline.audit.causes.tried.values.quotients import list_quotients
from swagproof.pipeline.audit.causes.tried.values.rates import list_rates
from swagproof.pipeline.audit.causes.tried.values.scaled import list_affine, list_joined, list_sampled, list_scaled
from swagproof.pipeline.audit.causes.tried.values.stale import list_stale
from swagproof.pipeline.audit.causes.tried.values.texts import list_texts
from swagproof.pipeline.audit.causes.tried.values.units import list_units
from swagproof.pipeline.audit.causes.tried.values.unmerged import list_unmerged
from swagproof.pipeline.audit.causes.tried.values.versions import list_versions
from swagproof.pipeline.audit.causes.tried.written import list_written

_FAMILIES: Final[tuple[Callable[[Sample], Iterator[Hypothesis]], ...]] = (
    list_renewed,
    list_slides,
    list_gaps,
    list_timers,
    list_joins,
    list_counts,
    list_bounds,
    list_starts,
    list_parted,
    list_opened,
    list_fixed,
    list_written,
    list_left,
    list_carried,
    list_keyed,
    list_calendars,
    list_named,  # of whose windows the same may be said by those before
    list_timely,
    list_inputs,
    list_grouped,
    list_misplaced,
    list_filled,
    list_changes,
    list_alike,
    list_latest,
    list_passed,
    list_unmerged,
    list_lates,
    list_orders,
    list_stacked,
    list_columns,
    list_zoned,
    list_batched,
    list_edges,
    list_rates,
    list_astray,
    list_repeated,
    list_dates,
    list_readings,
    list_narrowed,
    list_bands,
    list_doubled,
    list_outliers,
    list_clocked,
    list_loads,
    list_poisoned,
    list_paged,
    list_clocks,
    list_answers,
    list_texts,
    list_folded,
    list_mistaken,
    list_chosen,
    list_tied,
    list_unset,
    list_several,
    list_averages,
    list_buckets,
    list_quotients,
    list_states,
    list_merges,
    list_tiers,
    list_vacant,
    list_coarse,
    list_spreads,
    list_totals,
    list_entering,
    list_stale,
    list_sets,
    list_shared,
    list_rings,
    list_tallies,
    list_nulls,
    list_lacking,
    list_units,
    list_runs,
    list_cycles,
    list_versions,
    list_begun,
    list_looked,
    list_firings,
    list_scaled,
    list_affine,
    list_joined,
    list_exploded,
    list_sampled,
    list_gridded,
    list_spaced,
    list_rated,
)
"""The likelier first."""


def list_hypotheses(sample: Sample) -> Iterator[Hypothesis]:
    """All that are tried, the likelier first."""
    for family in _FAMILIES:
        with suppress(*sample.unreadable):
            yield from family(sample)
