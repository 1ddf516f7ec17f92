"""For each clause of the contracts, the row of the ledger that needs it: see swagproof.proofs.clauses.

It stands apart from the rows, and is read before they are settled: what a row says of a wrong variant must name each
clause that this variant stands for here.
"""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Final, NamedTuple

LIVE: Final = "variants/"
"""Before the name of an algorithm: not a row, but its wrong variants as they run under contracts."""

PROOF: Final = "its proof"
"""In the place of a wrong variant: without the clause, what the row proves of the reference itself is refuted."""


class Need(NamedTuple):
    """The claim or mutant that needs a clause."""

    clause: str
    row: str
    variant: str | None
    """A wrong variant; None where the row's own proof needs the clause."""
    told: str
    """The words that name the clause in the rejection of the mutant."""

    def is_told(self, detail: str) -> bool:
        """Return whether this is among what a rejection names: what comes before the state or the steps that
        show it."""
        named = re.split(r"; from | after |; not for ", detail)[0]
        return re.search(rf"(?<!\w){re.escape(self.told)}(?!\w)", named.replace("_", " ")) is not None


def _read(table: str) -> Iterator[Need]:
    """A line is a clause, its row, and a wrong variant or `PROOF`; last, how it is told of, where that is not its name.

    A name by itself is the contract of what follows; a line that begins with a bar goes on with the one above.
    """
    contract = ""
    for line in re.sub(r"\n +[|]", " |", cleandoc(table)).split("\n"):
        if not line.startswith(" "):
            contract = line
            continue
        clause, row, variant, *told = re.split(r" [|] ", line.strip())
        bound = clause.removesuffix("_bound")
        name = told[0] if told else clause.partition(": ")[2] or bound + " calls" * (bound != clause)
        yield Need(f"{contract}.{clause}", row, None if variant == PROOF else variant, name.replace("_", " "))


NEEDS: Final = {
    need.clause: need
    for need in _read(
        """
        flat_trees/base_intervals
            ends | base-intervals/invariants | evict counts an element twice
            lengths | base-intervals/invariants | insert stops at pairs
            intervals | base-intervals/invariants | insert swaps the halves
            space | base-intervals/invariants | evict drops the element alone
            insert_bound | base-intervals/calls | insert combines in vain
            evict_bound | base-intervals/calls | evict combines in vain every other time
            query_bound | base-intervals/calls | the split takes elements only
            insert_paid | base-intervals/calls | insert combines in vain
            evict_paid | base-intervals/calls | evict combines in vain every other time
            waits | base-intervals/proved-account | its proof
            CheckedBaseIntervals.insert: 1 combine call an insert, amortised | variants/Base intervals
                    | insert combines in vain where it makes no pair
            CheckedBaseIntervals.insert: at most log2 n combine calls | variants/Base intervals
                    | insert combines in vain
            CheckedBaseIntervals.evict: no combine call an evict, amortised | variants/Base intervals
                    | evict combines in vain every other time
            CheckedBaseIntervals.evict: no combine calls | variants/Base intervals | evict combines in vain
            CheckedBaseIntervals.query: at most 2 log2 n combine calls | variants/Base intervals
                    | the split takes elements only
        flat_trees/buffer_loops
            only_slots | reactive-aggregator-fifo/proved-invariants | the buffer wraps a slot late
            one_a_turn | reactive-aggregator-fifo/proved-invariants | its proof
            values_in_order | reactive-aggregator-fifo/proved-invariants | resize copies stale values
            noted | reactive-aggregator-fifo/proved-invariants | insert leaves a slot free
            only_slots_freed | reactive-aggregator-fifo/proved-invariants | its proof
            next_slot | reactive-aggregator-fifo/proved-invariants | resize begins at the first slot
            elements | reactive-aggregator/proved-invariants | compact leaves the inner nodes as they were
            ranks | reactive-aggregator/proved-invariants | insert leaves a slot free where it can
            tickets_lead | reactive-aggregator/proved-tickets | a ticket outlives its element in the map
            slots | reactive-aggregator/proved-invariants | there is room for more tickets than elements
            ends | reactive-aggregator/proved-invariants | the buffer wraps a slot late
            sizes | reactive-aggregator/proved-invariants | insert counts an element twice
            front_filled | reactive-aggregator/proved-invariants | the front stops at the last slot
            back_filled | reactive-aggregator/proved-invariants | the back stops at the first slot
            empty_ends | reactive-aggregator/proved-invariants | its proof
            fits | reactive-aggregator/proved-fill | the buffer shrinks to nothing
            packed | reactive-aggregator/proved-account | its proof
            some_left | reactive-aggregator/proved-invariants | its proof
            before_next | reactive-aggregator/proved-invariants | resize begins at the first slot
            slots_in_order | reactive-aggregator/proved-invariants | resize takes holes for elements
            as_many_slots | reactive-aggregator/proved-invariants | its proof
            tickets_in_order | reactive-aggregator/proved-tickets | its proof
            as_many_tickets | reactive-aggregator/proved-tickets | its proof
            tree_filled | reactive-aggregator/proved-invariants | its proof
            nothing_pending | reactive-aggregator/proved-invariants | its proof
            no_tickets | reactive-aggregator/proved-tickets | its proof
            emptied | reactive-aggregator/proved-tickets | its proof
            ticketed | reactive-aggregator/proved-tickets | its proof
            leading | reactive-aggregator/proved-tickets | resize forgets the ticket map
            compacted | reactive-aggregator/proved-tickets | compact leaves the element where it was, too
            ranks_to_come | reactive-aggregator/proved-invariants | its proof
            target | reactive-aggregator/proved-invariants | compact begins at the first slot
            next_to_move | reactive-aggregator/proved-invariants | compact begins at the first slot
        flat_trees/demarcated_loops
            occupied_leaf | reactive-aggregator-fifo/proved-tree | its proof
            occupied_sums | reactive-aggregator-fifo/proved-tree | its proof
            written_so_far | reactive-aggregator-fifo/proved-tree | its proof
            sums_but_above_changes | reactive-aggregator-fifo/proved-tree | its proof
            told_so_far | reactive-aggregator-fifo/proved-tree | its proof
            some_scheduled | reactive-aggregator-fifo/proved-tree | its proof
            paths | reactive-aggregator-fifo/proved-tree | its proof
            sums_so_far | reactive-aggregator-fifo/proved-tree | its proof
            sums_above | reactive-aggregator-fifo/proved-tree | its proof
            stays | reactive-aggregator-fifo/proved-tree | its proof
            some_left | reactive-aggregator-fifo/proved-tree | its proof
            sums_but_rest | reactive-aggregator-fifo/proved-tree | its proof
            sums_above_but_next | reactive-aggregator-fifo/proved-tree | its proof
            children_stay | reactive-aggregator-fifo/proved-tree | its proof
            some_parents | reactive-aggregator-fifo/proved-tree | its proof
            of_lowest_level | reactive-aggregator-fifo/proved-tree-calls | its proof
            of_level | reactive-aggregator-fifo/proved-tree-calls | its proof
            fewer_nodes | reactive-aggregator-fifo/proved-tree-calls | its proof
            of_their_levels | reactive-aggregator-fifo/proved-tree-calls | its proof
            one_call_each_at_most | reactive-aggregator-fifo/proved-tree-calls | its proof
            one_call_a_pair | reactive-aggregator-fifo/proved-tree-calls | its proof
            W is within its level | reactive-aggregator-fifo/proved-tree-calls | its proof
            slide_calls | reactive-aggregator-fifo/proved-tree-calls | slide combines in vain at its end
        flat_trees/flat_fat
            size | flat-fat/equation-4.1 | new allocates a node too many
            values | flat-fat/equation-4.1 | update writes the place before
            equation_4_1 | flat-fat/equation-4.1 | update swaps the operands
            equation_4_2 | flat-fat/equation-4.1 | update swaps the operands
            work_by_level | flat-fat/claim-4.3 | update schedules the parent's neighbour too
            work_is_calls | flat-fat/claim-4.3 | update combines twice
            new_calls | flat-fat/theorem-4.2-i | new computes the root twice
            update_bound | flat-fat/theorem-4.2-ii | update rewrites the whole tree
            update_calls | flat-fat/theorem-4.2-ii | update rewrites the whole tree
            prefix_calls | flat-fat/theorem-4.2-iii | prefix combines with itself in vain
            suffix_calls | flat-fat/theorem-4.2-iii | suffix combines with itself in vain
            aggregate_calls | flat-fat/theorem-4.2-aggregate | aggregate combines what the root holds already
            space | flat-fat/space | update keeps the changes
            CheckedFlatFat.new: n - 1 combine calls (Theorem 4.2) | variants/FlatFAT | new computes the root twice
            CheckedFlatFat.new: a combine call for each node (equation 4.3) | variants/FlatFAT | new combines twice
            CheckedFlatFat.update: work by level (Claim 4.3) | variants/FlatFAT
                    | update schedules the parent's neighbour too
            CheckedFlatFat.update: at most m (1 + ceil(log2(n / m))) combine calls (Theorem 4.2) | variants/FlatFAT
                    | update rewrites the whole tree
            CheckedFlatFat.update: a combine call for each node (equation 4.3) | variants/FlatFAT
                    | update combines twice
            CheckedFlatFat.aggregate: no combine calls (Theorem 4.2) | variants/FlatFAT
                    | aggregate combines what the root holds already
            CheckedFlatFat.prefix: at most log2 n combine calls (Theorem 4.2) | variants/FlatFAT
                    | prefix combines with itself in vain
            CheckedFlatFat.suffix: at most log2 n combine calls (Theorem 4.2) | variants/FlatFAT
                    | suffix combines with itself in vain
        flat_trees/interval_levels
            ends | base-intervals/proved-invariants | its proof
            top | base-intervals/proved-invariants | its proof
            lengths | base-intervals/proved-invariants | its proof
            intervals | base-intervals/proved-invariants | its proof
            next_length | base-intervals/proved-invariants | its proof
            top_before | base-intervals/proved-invariants | its proof
            completed_lengths | base-intervals/proved-invariants | its proof
            one_call_a_level | base-intervals/proved-calls | its proof
            this_length | base-intervals/proved-invariants | its proof
            dropped_lengths | base-intervals/proved-invariants | its proof
            dropped_intervals | base-intervals/proved-invariants | its proof
            some_lengths | base-intervals/proved-invariants | its proof
            left_intervals | base-intervals/proved-invariants | its proof
            no_calls | base-intervals/proved-calls | its proof
            begins_here | base-intervals/proved-answer | its proof
            no_more_calls | base-intervals/proved-calls | its proof
            rises_or_falls | base-intervals/proved-calls | its proof
            query_calls | base-intervals/proved-calls | query combines in vain at its end
            answered | base-intervals/proved-answer | its proof
            insert_calls | base-intervals/proved-calls | insert combines in vain at its end
            evict_calls | base-intervals/proved-calls | evict combines in vain at its end
            whole_so_far | base-intervals/proved-account | its proof
            space | base-intervals/proved-space | insert keeps its element twice at its end
            space_below | base-intervals/proved-space | its proof
            insert_paid | base-intervals/proved-account | insert combines in vain at its end
            insert_paid_below | base-intervals/proved-account | its proof
            evict_paid | base-intervals/proved-account | evict combines in vain at its end
            evict_paid_below | base-intervals/proved-account | its proof
            waits | base-intervals/proved-account | its proof
        flat_trees/loops
            filled_leaves | flat-fat/proved-filled-calls | its proof
            bottoms_below | flat-fat/proved-filled-calls | its proof
            some_filled | flat-fat/proved-filled-calls | its proof
            fewer_filled | flat-fat/proved-filled-calls | its proof
            bottoms_but_rest | flat-fat/proved-filled-calls | its proof
            one_call_a_filled_pair | flat-fat/proved-filled-calls | its proof
            filled_calls | flat-fat/proved-filled-calls | new combines in vain at its end
            inner | flat-fat/proved-equation-4.1 | its proof
            on_level | flat-fat/proved-equation-4.1 | its proof
            sums | flat-fat/proved-equation-4.1 | its proof
            leaf | flat-fat/proved-change-propagation | its proof
            equation_4_1 | flat-fat/proved-equation-4.1 | its proof
            array | flat-fat/proved-equation-4.1 | new allocates a node too many
            no_calls | flat-fat/proved-new-calls | its proof
            filled | flat-fat/proved-equation-4.1 | its proof
            parents_of_leaves | flat-fat/proved-equation-4.1 | its proof
            whole_level | flat-fat/proved-equation-4.1 | its proof
            built_below | flat-fat/proved-equation-4.1 | its proof
            levels | flat-fat/proved-new-calls | its proof
            new_calls_by_level | flat-fat/proved-new-calls | its proof
            parents_of_done | flat-fat/proved-equation-4.1 | its proof
            built_but_rest | flat-fat/proved-equation-4.1 | its proof
            one_call_each | flat-fat/proved-new-calls | its proof
            seen_places | flat-fat/proved-equation-4.1 | its proof
            changed | flat-fat/proved-equation-4.1 | its proof
            changed_below | flat-fat/proved-equation-4.1 | its proof
            written | flat-fat/proved-equation-4.1 | its proof
            sums_but_above_written | flat-fat/proved-change-propagation | its proof
            scheduled_or_to_come | flat-fat/proved-change-propagation | its proof
            one_each | flat-fat/proved-change-propagation | its proof
            scheduled | flat-fat/proved-change-propagation | its proof
            at_most_m | flat-fat/proved-update-calls | its proof
            update_calls_by_level | flat-fat/proved-update-calls | its proof
            rest_or_next | flat-fat/proved-change-propagation | its proof
            one_parent_each | flat-fat/proved-change-propagation | its proof
            bad_to_come | flat-fat/proved-refused | its proof
            twin_seen | flat-fat/proved-refused | its proof
            nothing_written | flat-fat/proved-refused | update does not look at locations
            node | flat-fat/proved-answer | its proof
            prefix_below | flat-fat/proved-answer | its proof
            suffix_below | flat-fat/proved-answer | its proof
            one_call_a_level | flat-fat/proved-query-calls | its proof
            W is all of its level | flat-fat/proved-equation-4.1 | its proof
            W is within its level | flat-fat/proved-update-calls | its proof
        flat_trees/reactive_aggregator
            capacity | reactive-aggregator/invariants | there is room for more tickets than elements
            count | reactive-aggregator/invariants | insert counts an element twice
            boundaries | reactive-aggregator/invariants | the front is not moved over holes
            window_order | reactive-aggregator/invariants | compact leaves the inner nodes as they were
            holes | reactive-aggregator/invariants | an emptied slot is not marked ⊥
            ticket_map | reactive-aggregator/invariants | a ticket outlives its element in the map
            tree | reactive-aggregator/invariants | compact writes the leaves alone
            utilisation | reactive-aggregator/utilisation | the buffer shrinks below an eighth
            batch | reactive-aggregator/calls | what is pending is applied again each time
            no_holes | reactive-aggregator/fill | compact goes by the order of the leaves
            filled | reactive-aggregator/fill | a full buffer is compacted only when half empty
            insert_bound | reactive-aggregator/calls | insert updates FlatFAT at once
            evict_bound | reactive-aggregator/calls | the buffer shrinks at a quarter, not below it
            query_bound | reactive-aggregator/calls | query combines in vain
            insert_paid | reactive-aggregator/amortised | a full buffer is compacted for a single hole
            evict_paid | reactive-aggregator/amortised | an emptied buffer is moved three times
            space_bound | reactive-aggregator/utilisation | the tree before a resize is kept | space
            full | variants/Reactive Aggregator | the buffer is full when n_tuples = n_capacity
                    | full if no free slot is behind B
            inverted | variants/Reactive Aggregator | a buffer of one element counts as inverted | inverted if B < F
            some_holes | variants/Reactive Aggregator | a full buffer is never doubled | there are holes
            resized | variants/Reactive Aggregator | resize leaves the capacity as it was | the capacity asked for
            compact_calls | variants/Reactive Aggregator | compact updates FlatFAT for each element | less than c calls
            CheckedReactiveAggregator.insert: its ticket | variants/Reactive Aggregator | insert answers the next ticket
            CheckedReactiveAggregator.insert: 4 coins an insert, amortised | variants/Reactive Aggregator
                    | a full buffer is compacted for a single hole
            CheckedReactiveAggregator.insert: no combine calls but to resize or compact | variants/Reactive Aggregator
                    | insert combines in vain
            CheckedReactiveAggregator.evict: 2 coins an evict, amortised | variants/Reactive Aggregator
                    | an emptied buffer is moved three times
            CheckedReactiveAggregator.evict: no combine calls but to resize | variants/Reactive Aggregator
                    | evict combines in vain
            CheckedReactiveAggregator.query: at most m (1 + ceil(log2(c / m))) + 2 log2 c + 1 combine calls
                    | variants/Reactive Aggregator | query combines in vain
            CheckedReactiveAggregator.is_full: full if no free slot is behind B (section 5.1.1)
                    | variants/Reactive Aggregator | the buffer is full when n_tuples = n_capacity
            CheckedReactiveAggregator.is_inverted: inverted if B < F (section 5.1.2) | variants/Reactive Aggregator
                    | a buffer of one element counts as inverted
            CheckedReactiveAggregator.compact: there are holes | variants/Reactive Aggregator
                    | a full buffer is never doubled
            CheckedReactiveAggregator.compact: no holes (section 5.1.1) | variants/Reactive Aggregator
                    | compact does not bring the back along
            CheckedReactiveAggregator.compact: less than c calls | variants/Reactive Aggregator
                    | compact updates FlatFAT for each element
            CheckedReactiveAggregator.resize: the capacity is doubled or halved, and holds the elements
                    | variants/Reactive Aggregator | a full buffer is made four times as large
            CheckedReactiveAggregator.resize: the capacity asked for | variants/Reactive Aggregator
                    | resize leaves the capacity as it was
            CheckedReactiveAggregator.resize: no holes (section 5.1.1, ii) | variants/Reactive Aggregator
                    | resize puts the back at the end of the buffer
            CheckedReactiveAggregator.resize: 3/8 c <= n <= 1/2 c (section 5.1.1, i) | variants/Reactive Aggregator
                    | the buffer shrinks below a half
            CheckedReactiveAggregator.resize: less than n calls | variants/Reactive Aggregator
                    | resize writes the new tree twice
        flat_trees/reactive_aggregator_fifo
            count | reactive-aggregator-fifo/invariants | insert counts an element twice
            evict_bound | reactive-aggregator-fifo/calls | the buffer shrinks at a quarter, not below it
            evict_paid | reactive-aggregator-fifo/fill | an emptied buffer is moved three times
            filled | reactive-aggregator-fifo/fill | a full buffer is made four times as large
            insert_paid | reactive-aggregator-fifo/fill | a full buffer is moved twice
            no_holes | reactive-aggregator-fifo/invariants | insert counts an element twice
            space_bound | reactive-aggregator-fifo/fill | the tree before a resize is kept | space
            utilisation | reactive-aggregator-fifo/fill | the buffer never shrinks
            capacity | reactive-aggregator-fifo/invariants | the tree has a node too many
            boundaries | reactive-aggregator-fifo/invariants | insert leaves a slot free
            window_order | reactive-aggregator-fifo/invariants | a full buffer is never doubled
            tree | reactive-aggregator-fifo/invariants | occupied and unoccupied areas are exchanged
            batch | reactive-aggregator-fifo/calls | what was freed is rewritten each time
            insert_bound | reactive-aggregator-fifo/calls | insert combines in vain
            query_bound | reactive-aggregator-fifo/calls | query combines in vain
            resized | variants/Reactive Aggregator, FIFO | resize leaves the capacity as it was | the capacity asked for
            CheckedReactiveAggregatorFifo.insert: 4 coins an insert, amortised | variants/Reactive Aggregator, FIFO
                    | insert counts an element twice
            CheckedReactiveAggregatorFifo.insert: no combine calls but to resize | variants/Reactive Aggregator, FIFO
                    | insert combines in vain
            CheckedReactiveAggregatorFifo.evict: 2 coins an evict, amortised | variants/Reactive Aggregator, FIFO
                    | an emptied buffer is moved three times
            CheckedReactiveAggregatorFifo.evict: no combine calls but to resize | variants/Reactive Aggregator, FIFO
                    | evict combines in vain
            CheckedReactiveAggregatorFifo.query: at most m (1 + ceil(log2(c / m))) + 2 log2 c + 1 combine calls
                    | variants/Reactive Aggregator, FIFO | query combines in vain
            CheckedReactiveAggregatorFifo.resize: the capacity is doubled or halved, and holds the elements
                    | variants/Reactive Aggregator, FIFO | a full buffer is made four times as large
            CheckedReactiveAggregatorFifo.resize: the capacity asked for | variants/Reactive Aggregator, FIFO
                    | resize leaves the capacity as it was
            CheckedReactiveAggregatorFifo.resize: no holes | variants/Reactive Aggregator, FIFO
                    | resize loses the newest
            CheckedReactiveAggregatorFifo.resize: 3/8 c <= n <= 1/2 c (section 5.1.1, i)
                    | variants/Reactive Aggregator, FIFO | the buffer shrinks below a half
            CheckedReactiveAggregatorFifo.resize: less than n calls | variants/Reactive Aggregator, FIFO
                    | resize writes the new tree twice
        in_order/daba
            query_calls | daba/calls | query combines in vain
            space | daba/space | insert keeps the newest element once more
            pointer_order | daba/invariants | its proof
            ends | daba/invariants | its proof
            sizes | daba/invariants | its proof
            values | daba/invariants | its proof
            aggregates | daba/invariants | its proof
            insert_calls | daba/calls | shrink combines once too often
            evict_calls | daba/calls | evict combines in vain
            insert_paid | daba/amortised | shrink combines once too often
            evict_paid | daba/amortised | evict combines in vain
            one_short | daba/invariants | insert fixes up twice
            singleton | daba/invariants | singleton does not reset R
            flip | daba/invariants | never flips
            shift | daba/invariants | shift forgets R
            shrink | daba/invariants | shrinks right after a flip only
            CheckedDaba.insert: at most 4 combine calls | variants/DABA | shrink combines once too often
            CheckedDaba.insert: 2.5 combine calls an insert, in an account with debts (DABA-2)
                    | variants/DABA | shrink forgets the accumulator
            CheckedDaba.evict: at most 3 combine calls | variants/DABA | evict combines four times in vain
            CheckedDaba.evict: 1.5 combine calls an evict, in an account with debts (DABA-2)
                    | variants/DABA | evict skips fixup
            CheckedDaba.query: 1 combine call | variants/DABA | query combines in vain
            CheckedDaba.fixup: size invariant, short of one element | variants/DABA | insert fixes up twice
            CheckedDaba.fixup: shrink case | variants/DABA | shrinks right after a flip only
            CheckedDaba.fixup: shift case | variants/DABA | shift forgets R
            CheckedDaba.fixup: flip case | variants/DABA | never flips
            CheckedDaba.fixup: singleton case | variants/DABA | singleton does not reset R
        in_order/daba_lite
            ends | daba-lite/invariants | its proof
            pointer_order | daba-lite/invariants | its proof
            query_calls | daba-lite/calls | query combines in vain
            sizes | daba-lite/invariants | its proof
            contents | daba-lite/invariants | its proof
            aggRA | daba-lite/invariants | its proof
            aggB | daba-lite/invariants | its proof
            insert_calls | daba-lite/calls | shrink combines once too often
            evict_calls | daba-lite/calls | evict combines in vain
            space | daba-lite/space | insert keeps the newest element once more
            insert_paid | daba-lite/amortised | shrink combines once too often
            evict_paid | daba-lite/amortised | evict combines in vain
            one_short | daba-lite/invariants | insert fixes up twice
            singleton | daba-lite/invariants | singleton does not reset R
            flip | daba-lite/invariants | never flips
            shift | daba-lite/invariants | shift forgets R
            shrink | daba-lite/invariants | shrinks right after a flip only
            CheckedDabaLite.insert: at most 3 combine calls | variants/DABA Lite | shrink combines once too often
            CheckedDabaLite.insert: 2 combine calls an insert, in an account with debts (DABA-2)
                    | variants/DABA Lite | shrink forgets aggRA
            CheckedDabaLite.evict: at most 2 combine calls | variants/DABA Lite | evict combines four times in vain
            CheckedDabaLite.evict: 1 combine call an evict, in an account with debts (DABA-2)
                    | variants/DABA Lite | evict skips fixup
            CheckedDabaLite.query: 1 combine call | variants/DABA Lite | query combines in vain
            CheckedDabaLite.fixup: size invariant, short of one element | variants/DABA Lite | insert fixes up twice
            CheckedDabaLite.fixup: shrink case | variants/DABA Lite | shrinks right after a flip only
            CheckedDabaLite.fixup: shift case | variants/DABA Lite | shift forgets R
            CheckedDabaLite.fixup: flip case | variants/DABA Lite | never flips
            CheckedDabaLite.fixup: singleton case | variants/DABA Lite | singleton does not reset R
        in_order/recalculate
            ends | recalculate-from-scratch/invariants | its proof
            values | recalculate-from-scratch/invariants | its proof
            scanned | recalculate-from-scratch/invariants | its proof
            insert_calls | recalculate-from-scratch/calls | insert combines in vain
            evict_calls | recalculate-from-scratch/calls | evict combines in vain
            query_calls | recalculate-from-scratch/calls | query combines once too often
            space | recalculate-from-scratch/space | insert keeps the newest element once more
            CheckedRecalculate.insert: no combine calls | variants/Recalculate-from-scratch | insert combines in vain
            CheckedRecalculate.evict: no combine calls | variants/Recalculate-from-scratch | evict combines in vain
            CheckedRecalculate.query: n combine calls | variants/Recalculate-from-scratch
                    | query starts at the second element
        in_order/subtract_on_evict
            ends | subtract-on-evict/invariants | its proof
            values | subtract-on-evict/invariants | its proof
            insert_calls | subtract-on-evict/calls | insert combines once too often
            space | subtract-on-evict/space | insert keeps the newest element once more
            running | subtract-on-evict/invariants | its proof
            evict_calls | subtract-on-evict/calls | evict combines in vain
            query_calls | subtract-on-evict/calls | query combines in vain
            insert_subtractions | subtract-on-evict/calls | insert subtracts in vain
            evict_subtractions | subtract-on-evict/calls | evict subtracts in vain
            query_subtractions | subtract-on-evict/calls | query subtracts in vain
            CheckedSubtractOnEvict.insert: 1 combine call | variants/Subtract-on-evict | insert combines once too often
            CheckedSubtractOnEvict.evict: no combine calls | variants/Subtract-on-evict | evict combines in vain
            CheckedSubtractOnEvict.query: no combine calls | variants/Subtract-on-evict | query combines in vain
        in_order/two_stacks
            length | two-stacks/invariants | its proof
            front_values | two-stacks/invariants | insert writes the newest element over the oldest value
            front_aggregates | two-stacks/invariants | its proof
            back_values | two-stacks/invariants | its proof
            back_aggregates | two-stacks/invariants | its proof
            flipped_values | two-stacks/invariants | its proof
            flipped_aggregates | two-stacks/invariants | its proof
            unflipped_values | two-stacks/invariants | its proof
            flip_calls | two-stacks/calls | its proof
            insert_calls | two-stacks/calls | insert combines once too often
            evict_calls | two-stacks/calls | evict combines in vain
            query_calls | two-stacks/calls | query combines in vain
            space | two-stacks/space | insert keeps the newest element once more
            insert_paid | two-stacks/amortised | insert combines once too often
            evict_paid | two-stacks/amortised | evict of an empty front takes the newest
            flipped | two-stacks/invariants | flip leaves the oldest behind
            CheckedTwoStacks.insert: 1 combine call | variants/Two-Stacks | insert combines once too often
            CheckedTwoStacks.insert: 2 coins an insert | variants/Two-Stacks
                    | insert pushes the first element on the front stack
            CheckedTwoStacks.evict: a flip leaves all elements in the front | variants/Two-Stacks
                    | flip leaves the oldest behind
            CheckedTwoStacks.evict: at most n combine calls | variants/Two-Stacks | evict combines in vain
            CheckedTwoStacks.evict: an evict is paid by the savings | variants/Two-Stacks
                    | flip forgets what it has flipped
            CheckedTwoStacks.query: 1 combine call | variants/Two-Stacks | query combines in vain
        in_order/two_stacks_lite
            insert_calls | two-stacks-lite/calls | insert combines once too often
            insert_paid | two-stacks-lite/amortised | insert combines once too often
            query_calls | two-stacks-lite/calls | query combines in vain
            pointer_order | two-stacks-lite/invariants | its proof
            ends | two-stacks-lite/invariants | its proof
            contents | two-stacks-lite/invariants | its proof
            aggB | two-stacks-lite/invariants | its proof
            flip_pointers | two-stacks-lite/invariants | its proof
            flipped_contents | two-stacks-lite/invariants | its proof
            flip_calls | two-stacks-lite/calls | its proof
            evict_calls | two-stacks-lite/calls | evict combines in vain
            space | two-stacks-lite/space | insert keeps the newest element once more
            evict_paid | two-stacks-lite/amortised | flip leaves B where it was
            flipped | two-stacks-lite/invariants | flip leaves B where it was
            CheckedTwoStacksLite.insert: 1 combine call | variants/Two-Stacks Lite | insert forgets aggB
            CheckedTwoStacksLite.insert: 2 coins an insert | variants/Two-Stacks Lite
                    | insert puts the first element into the front
            CheckedTwoStacksLite.evict: a flip leaves all elements in the front | variants/Two-Stacks Lite
                    | flip leaves B where it was
            CheckedTwoStacksLite.evict: at most n - 1 combine calls | variants/Two-Stacks Lite | evict combines in vain
            CheckedTwoStacksLite.evict: an evict is paid by the savings | variants/Two-Stacks Lite
                    | evict combines in vain while the front lasts
            CheckedTwoStacksLite.query: 1 combine call | variants/Two-Stacks Lite | query combines in vain
        later/flat_fit
            elements | flat-fit/proved-invariants | its proof
            capacity | flat-fit/explored | the buffer is never halved
            slots | flat-fit/proved-invariants | its proof
            pointers | flat-fit/proved-invariants | its proof
            contents | flat-fit/proved-invariants | the pointer moves on, the partial aggregate does not
            free_slots | flat-fit/proved-invariants | in a large buffer the slot that is left keeps its element
            on_the_way | flat-fit/proved-invariants | its proof
            chain | flat-fit/proved-invariants | its proof
            rising | flat-fit/proved-invariants | its proof
            last_leads_on | flat-fit/proved-invariants | its proof
            begun | flat-fit/proved-invariants | its proof
            few_positions | flat-fit/proved-calls | its proof
            back_is_newest | flat-fit/proved-invariants | its proof
            combined | flat-fit/proved-invariants | its proof
            begun_before | flat-fit/proved-invariants | its proof
            shortened | flat-fit/proved-answer | a query keeps nothing
            shortened_at_the_end | flat-fit/proved-answer | its proof
            calls_to_come | flat-fit/proved-calls | its proof
            room | flat-fit/proved-invariants | its proof
            resizable | flat-fit/proved-invariants | the buffer is made four times as large
            resized | flat-fit/proved-invariants | the front stays when the buffer is moved
            same_way | variants/FlatFIT | pointers do not move with the buffer
                    | pointers lead to the elements they did
            as_many_slots | flat-fit/proved-invariants | its proof
            pointers_stay | flat-fit/proved-invariants | its proof
            moved_pointers | flat-fit/proved-invariants | its proof
            moved_contents | flat-fit/proved-invariants | its proof
            room_is_free | flat-fit/proved-invariants | its proof
            no_calls | flat-fit/proved-calls | its proof
            insert_calls | flat-fit/proved-calls | insert combines in vain
            evict_calls | flat-fit/explored | evict combines in vain
            query_calls | flat-fit/explored | a look-up combines in vain
            lookup_calls | variants/FlatFIT | a look-up combines in vain | at most newest - 1 combine calls
            space | flat-fit/proved-space | the buffer is never halved
            CheckedFlatFit.insert: no combine calls | variants/FlatFIT | insert combines in vain
            CheckedFlatFit.evict: no combine calls | variants/FlatFIT | evict combines in vain
            CheckedFlatFit.query: at most n - 1 combine calls | variants/FlatFIT | query combines in vain
            CheckedFlatFit.query: the oldest element's pointer leads to the newest | variants/FlatFIT
                    | query looks up the newest half
            CheckedFlatFit.lookup: at most newest - 1 combine calls | variants/FlatFIT | a look-up combines in vain
            CheckedFlatFit.lookup: the oldest of them leads to the newest | variants/FlatFIT | a query keeps nothing
            CheckedFlatFit.resize: the buffer is doubled when full, or halved | variants/FlatFIT
                    | the buffer is made four times as large
            CheckedFlatFit.resize: new capacity, from slot 0 on | variants/FlatFIT
                    | the front stays when the buffer is moved
            CheckedFlatFit.resize: pointers lead to the elements they did | variants/FlatFIT
                    | pointers do not move with the buffer
            CheckedFlatFit.resize: partial aggregates have moved with their elements | variants/FlatFIT
                    | partial aggregates are copied as they lie
            CheckedFlatFit.resize: free slots of the new buffer hold the identity | variants/FlatFIT
                    | the new buffer is filled with the first element
        later/slick_deque
            ends | slick-deque/proved-invariants | evict takes a candidate each time
            positions | slick-deque/proved-invariants | its proof
            order | slick-deque/proved-invariants | its proof
            values | slick-deque/proved-invariants | its proof
            suffixes | slick-deque/proved-invariants | evict leaves the oldest candidate
            once | slick-deque/explored | an equal value leaves the one before it
            looked_at | slick-deque/proved-invariants | its proof
            one_call_each | slick-deque/proved-calls | its proof
            chosen | slick-deque/proved-invariants | its proof
            stays | slick-deque/proved-invariants | its proof
            no_more_calls | slick-deque/proved-calls | its proof
            passed | slick-deque/proved-answer | its proof
            insert_calls | slick-deque/explored | insert combines in vain
            evict_calls | slick-deque/proved-calls | evict combines in vain
            query_calls | slick-deque/proved-calls | query combines in vain
            lookup_calls | slick-deque/proved-calls | a look-up combines in vain
            insert_paid | slick-deque/explored | insert combines in vain from the third element on
            evict_paid | slick-deque/proved-amortised | evict combines in vain
            space | slick-deque/proved-space | evict leaves the oldest candidate
            CheckedSlickDeque.insert: at most n combine calls | variants/SlickDeque | insert combines in vain
            CheckedSlickDeque.insert: 2 combine calls an insert, amortised | variants/SlickDeque
                    | insert combines in vain from the third element on
            CheckedSlickDeque.evict: no combine calls | variants/SlickDeque | evict combines in vain
            CheckedSlickDeque.evict: nothing is saved | variants/SlickDeque
                    | evict makes a second candidate of the newest
            CheckedSlickDeque.query: no combine calls | variants/SlickDeque | query combines in vain
            CheckedSlickDeque.lookup: no combine calls | variants/SlickDeque | a look-up combines in vain
        later/stream_slicing
            released | stream-slicing/explored | slices that no window needs are kept
            runs | stream-slicing/explored | slices are never fused
            contents | stream-slicing/explored | an earlier first record does not move the slice
            taken_in | variants/Stream slicing | the last record's time is not kept | a slice has the record's time
            just_before | variants/Stream slicing | a record before a slice extends the one behind it
                    | t is between slices i - 1 and i
            fused | variants/Stream slicing | fusing leaves the last record of the earlier slice
                    | slices i and i + 1 are one
            extended | variants/Stream slicing | an earlier first record does not move the slice
                    | slice i begins at t, and ends where it did
            taken_out | variants/Stream slicing | a slice that is taken stays in the store
                    | the store has one entry less
            forgotten | variants/Stream slicing | a slice is kept one time longer | no slice begins before that time
            CheckedStreamSlicing.insert: a slice has the record's time | variants/Stream slicing
                    | the last record's time is not kept
            CheckedStreamSlicing.fuse: slices i and i + 1 are one | variants/Stream slicing
                    | fusing leaves the last record of the earlier slice
            CheckedStreamSlicing.extend: t is between slices i - 1 and i | variants/Stream slicing
                    | a record before a slice extends the one behind it
            CheckedStreamSlicing.extend: slice i begins at t, and ends where it did | variants/Stream slicing
                    | an earlier first record does not move the slice
            CheckedStreamSlicing.take: the store has one entry less | variants/Stream slicing
                    | a slice that is taken stays in the store
            CheckedStreamSlicing.release: no slice begins before that time | variants/Stream slicing
                    | a slice is kept one time longer
        sharing/ordered_sharing
            sizes | ordered-sharing/explored | the tree is sorted on answers alone
            answers | ordered-sharing/proved-insert | its proof
            timestamps | ordered-sharing/explored | insert keeps the smaller windows
            stamps | ordered-sharing/explored | a re-calculated answer is stamped with the current time
            answered | ordered-sharing/proved-insert | its proof
            valid_answers | ordered-sharing/proved-lookup | its proof
            newer_are_worse | ordered-sharing/explored | insert leaves the invalid windows that it meets
            validity | ordered-sharing/explored | windows are valid when registered
            outside | ordered-sharing/explored | lookup inserts the window asked for alone
            unanswered | ordered-sharing/proved-lookup | its proof
            tuples | ordered-sharing/explored | a tuple is dropped too early
            balance | ordered-sharing/explored | windows are hung below each other
            nodes | ordered-sharing/explored | lookup leaves the window itself in the tree
            same_tuples | ordered-sharing/proved-insert | its proof
            same_tree | ordered-sharing/proved-insert | its proof
            same_windows | ordered-sharing/proved-insert | its proof
            discards_paid | ordered-sharing/proved-insert | its proof
            search_and_discards_paid | ordered-sharing/proved-insert | its proof
            discards | ordered-sharing/proved-insert | its proof
            beaten | ordered-sharing/proved-insert | its proof
            larger_are_better | ordered-sharing/proved-insert | its proof
            removes | ordered-sharing/proved-insert | its proof
            only_larger | ordered-sharing/proved-insert | its proof
            nothing_to_fix | ordered-sharing/proved-insert | its proof
            serves | ordered-sharing/proved-lookup | its proof
            none_serves | ordered-sharing/proved-lookup | its proof
            scanned | ordered-sharing/proved-lookup | its proof
            best_so_far | ordered-sharing/proved-lookup | its proof
            within_window | ordered-sharing/proved-lookup | its proof
            scanned_enough | ordered-sharing/proved-lookup | its proof
            revalidated | ordered-sharing/proved-lookup | its proof
            best_of_window | ordered-sharing/proved-lookup | its proof
            tree_stays | ordered-sharing/proved-lookup | its proof
            inserted | ordered-sharing/proved-lookup | its proof
            inserts_paid | ordered-sharing/proved-lookup | its proof
            some_tuple | ordered-sharing/proved-lookup | its proof
            insert_paid | ordered-sharing/explored | insert looks for the window twice more
            lookup_paid | ordered-sharing/explored | lookup asks four times whether the window is valid
            insert_validates | ordered-sharing/explored | insert removes the window that it updates
            lookup_validates | ordered-sharing/explored | lookup validates the window asked for alone
            CheckedOrderedSharing.insert: O(log |W|) nodes, amortised | variants/OrderedSharing
                    | insert looks for the window twice more
            CheckedOrderedSharing.insert: the windows beaten are valid, and all that were | variants/OrderedSharing
                    | insert removes the window that it updates
            CheckedOrderedSharing.lookup: O(log |W|) nodes of a valid window | variants/OrderedSharing
                    | lookup asks four times whether the window is valid
            CheckedOrderedSharing.lookup: the window and all smaller ones are valid | variants/OrderedSharing
                    | lookup validates the window asked for alone
            CheckedOrderedSharing.valid: an answer within w, of a window not smaller | variants/OrderedSharing
                    | a larger window's answer is held against that window's size
            CheckedOrderedSharing.largest_valid: newValue beats or equals its answer | variants/OrderedSharing
                    | insert updates the largest window, beaten or not
            CheckedOrderedSharing.recalculate: there is a tuple | variants/OrderedSharing
                    | lookup re-calculates before the first tuple
        sharing/search_tree
            narrowed | search-tree/proved | a search ends at the first item that holds
            found_behind | search-tree/proved | a search ends at the first item that holds
            found_before | search-tree/proved | a search for the last goes left
            visits_so_far | search-tree/proved | a search looks at each node twice
        sharing/stream_sharing
            input_queues | stream/explored | no tuple is removed
            output_queues | stream/explored | the operands are swapped
            insert_answers | stream/explored | an answer is streamed out twice
            lookup_leaves | stream/explored | lookup keeps an answer before the newest
            queues_so_far | stream/proved | its proof
            answers_so_far | stream/proved | its proof
            calls_so_far | stream/proved | its proof
            no_calls | stream/proved | its proof
            product_so_far | stream/proved | its proof
            product_calls | stream/proved | its proof
            insert_paid | stream/explored | the answer is computed twice
            lookup_paid | stream/explored | lookup combines in vain
            product_costs | variants/STREAM | a product combines the identity with itself | a call for each value
            CheckedNaiveStream.insert: an answer for each query | variants/STREAM | an answer is streamed out twice
            CheckedNaiveStream.insert: min(n, size) combine calls for each query | variants/STREAM
                    | the answer is computed twice
            CheckedNaiveStream.lookup: of the answers the newest is left | variants/STREAM
                    | lookup keeps an answer before the newest
            CheckedNaiveStream.lookup: no combine calls | variants/STREAM | lookup combines in vain
            CheckedNaiveStream.product: a call for each value | variants/STREAM
                    | a product combines the identity with itself
        sharing/timegram
            held | timegram/explored | timestamps are never removed
            housed | timegram/explored | the oldest timestamp of the first bucket is removed
            own | timegram/bounds | its proof
            within | timegram/explored | empty buckets are kept
            in_order | timegram/explored | a new bucket comes last
            placed | timegram/explored | a value outside the range goes to the outermost bucket
            ascending | timegram/explored | a timestamp is noted twice
            some_home | timegram/proved | its proof
            one_fewer | timegram/proved | its proof
            homes_held | timegram/proved | its proof
            homes_stay | timegram/proved | its proof
            housed_so_far | timegram/proved | its proof
            within_so_far | timegram/proved | its proof
            none_above | timegram/bounds | its proof
            none_below | timegram/bounds | its proof
            sum_within | timegram/bounds | its proof
            contains | timegram/explored | max starts from the first bucket | max contains
            max_contains | timegram/explored | max starts from the first bucket
            min_contains | timegram/explored | min starts from the last bucket
            count_is | timegram/explored | a window begins one tuple too early | count is exact
            sum_contains | timegram/explored | both bounds of the sum are from the left
            avg_contains | timegram/explored | the average is a bucket too high
            tight | timegram/placed | a bucket's left boundary is its lower neighbour's | tight
            in_bucket | variants/TimeGram | a value outside the range goes to the outermost bucket
                    | the value is between the bucket's boundaries
            belongs | variants/TimeGram | a window begins one tuple too early | those of W
            bucket_found | variants/TimeGram | a new bucket comes last, and another is taken
                    | the bucket of that number
            widened | variants/TimeGram | buckets are wider, and not the grid | wider buckets
            CheckedTimeGram.belonging: those of W | variants/TimeGram | a window begins one tuple too early
            CheckedTimeGram.bucket_at: the bucket of that number | variants/TimeGram
                    | a new bucket comes last, and another is taken
            CheckedTimeGram.max: max is tight | variants/TimeGram | max answers the bucket above, too
            CheckedTimeGram.max: max contains | variants/TimeGram | max starts from the first bucket
            CheckedTimeGram.min: min is tight | variants/TimeGram | min answers the bucket below, too
            CheckedTimeGram.min: min contains | variants/TimeGram | min starts from the last bucket
            CheckedTimeGram.count: count is exact | variants/TimeGram | count answers all timestamps held
            CheckedTimeGram.sum: sum is tight | variants/TimeGram | sum takes all timestamps of a bucket
            CheckedTimeGram.sum: sum contains | variants/TimeGram | sum takes each tuple for one of the bucket above
            CheckedTimeGram.avg: avg is tight | variants/TimeGram | the average is divided by all timestamps held
            CheckedTimeGram.avg: avg contains | variants/TimeGram | the average is a bucket too high
            CheckedTimeGram.widen: wider buckets | variants/TimeGram | buckets are wider, and not the grid
            CheckedTimeGram.widen: as many timestamps | variants/TimeGram | widening forgets the oldest timestamp
            CheckedTimeGram.bucket_of: the value is between the bucket's boundaries | variants/TimeGram
                    | a value outside the range goes to the outermost bucket
            CheckedTimeGram.boundaries: uniform buckets | variants/TimeGram
                    | a bucket's left boundary is its lower neighbour's
            CheckedTimeGram.remove_oldest: there is a timestamp | variants/TimeGram
                    | a timestamp is removed before there is one
            CheckedTimeGram.remove_oldest: one timestamp fewer | variants/TimeGram
                    | the home of the oldest timestamp stays
        slicing/cutty
            capacity | cutty/explored | the store forgets a slice more
            slices | cutty/shared | only the first query cuts
            contents | cutty/explored | the new record is stored as a slice
            active | cutty/explored | a record is combined on the left
            windows | cutty/explored | a window begins with the slice before
            calls | cutty/explored | a record costs one combine call too many
            space_bound | cutty/explored | the tree before a rebuilding is kept | space
            tell_calls | cutty/explored | an item that is no record costs a combine call
            cut_at | variants/Cutty | the new record is stored as a slice
                    | v begins the active slice; that before it is stored
            is_kept | variants/Cutty | a window begins with the slice before | a slice that is kept, or the active one
            aggregate_calls | variants/Cutty | an answer costs one combine call too many
                    | no combine calls for the active slice, else at most log2 n + 1
            dropped | variants/Cutty | slices are kept for ever | all before the first slice needed is dropped
            release_calls | variants/Cutty | what is dropped costs a combine call | no combine calls
            CheckedCutty.insert: at most 1 combine call within a slice, log2 n to store one, log2 n + 1 an answer
                    | variants/Cutty | a record costs one combine call too many
            CheckedCutty.tell: log2 n + 1 combine calls an answer | variants/Cutty
                    | an item that is no record costs a combine call
            CheckedCutty.cut: v begins the active slice; that before it is stored | variants/Cutty
                    | the new record is stored as a slice
            CheckedCutty.aggregate: a slice that is kept, or the active one | variants/Cutty
                    | a window begins with the slice before
            CheckedCutty.aggregate: no combine calls for the active slice, else at most log2 n + 1 | variants/Cutty
                    | an answer costs one combine call too many
            CheckedCutty.release: all before the first slice needed is dropped | variants/Cutty
                    | slices are kept for ever
            CheckedCutty.release: no combine calls | variants/Cutty | what is dropped costs a combine call
        slicing/open_windows
            numbered | cutty/kept | its proof
            current | cutty/kept | a slice keeps its newest record alone
            noted | cutty/kept | a window begins with the slice before | loop kept: noted
            gone_of_queries | cutty/answers | its proof
            gone_of_windows | cutty/answers | the newest window ends first
            gone | cutty/answers | its proof
            begun | cutty/kept | of windows that begin together one is noted
            answered | cutty/answers | a window ends without an answer | loop kept: answered
            free | cutty/proved-calls | its proof
        slicing/slice_store
            places | cutty/store | the store forgets a slice more
            leaves | cutty/store | every slice is written to the first place
            powers | cutty/store | its proof
            short | cutty/store | its proof
            free | cutty/store-calls | its proof
            roomy | cutty/store | rebuilding leaves few places
            append_calls | cutty/store-calls | a slice is stored twice | append calls
            set_anew_when_full | variants/Cutty | the store is set anew for each slice
                    | set anew when its last place is taken
            suffix_calls | variants/Cutty | a suffix is combined in vain | at most log2 n combine calls
        slicing/panes
            CheckedPanes.insert: at most R / g slices, R the longest range, g the greatest common divisor
                    | variants/Slicing: panes | panes of one time unit
            CheckedPanes.edge_of: edge = k length for some k, and edge <= t < edge + length | variants/Slicing: panes
                    | the edge after t
        slicing/pairs
            CheckedPairs.insert: at most 2 ceil(R / slide) slices for each query, R the longest range
                    | variants/Slicing: pairs | each slice is kept ten times
            CheckedPairs.edge_of: edge = k slide or k slide + p2, the latest such at or before t
                    | variants/Slicing: pairs | p1 first
        slicing/slices
            edge_before | slicing/panes | the edge after t | partition of panes
            edge_of_edge | slicing/pairs | p2 counts its end in | partition
            monotone | slicing/panes | the time after an edge is an edge of its own | partition of panes
            inside | slicing/pairs | p2 = slide mod range | whole slices
            uncut | slicing/pairs | p1 first | whole slices
            numbered | slicing/panes | two panes have one number | numbers of panes
            successive | slicing/pairs | two numbers a slide where there is one slice | no gaps
            heard | slicing/kept | its proof
            contents | slicing/kept | insert swaps the operands
            unbroken | slicing/kept | a record joins a slice before its own
            complete | slicing/kept | slices of open windows are forgotten | loop kept: complete
            released | slicing/kept | slices are kept for ever
            earlier_queries | slicing/answers | its proof
            earlier_windows | slicing/answers | its proof
            assembled | slicing/answers | its proof
            joined | slicing/calls | its proof
            whole | slicing/panes-explored | panes as long as the slide
            record_calls | slicing/starts-explored | one combine call too many
            pane_of | variants/Slicing: panes | the edge after t
                    | edge = k length for some k, and edge <= t < edge + length
            pair_of | variants/Slicing: pairs | p1 first | edge = k slide or k slide + p2
            assembles | slicing/answers | a window is put together of what is before it
            product_from | slicing/answers | a window has every slice
            assemble_calls | slicing/calls | one combine call too many
            advance_calls | variants/Slicing: starts | time that comes costs a combine call
                    | s - 1 combine calls for each window of s slices that is over
            release_calls | variants/Slicing: starts | a slice that goes costs a combine call | no combine calls
            space_bound | slicing/starts-explored | the newest record is kept, too | space
            starts_kept | slicing/starts-explored | slices of one time unit
            panes_kept | slicing/panes-explored | panes of one time unit
            pairs_kept | slicing/pairs-explored | pairs of one time unit
            CheckedSliced.insert: 1 combine call at most, and s - 1 for each window of s slices that is over
                    | variants/Slicing: starts | a record costs one combine call too many
            CheckedSliced.insert: cut at beginnings alone, at most ceil(R / slide) slices a query, R the longest range
                    | variants/Slicing: starts | slices of one time unit
            CheckedSliced.advance: s - 1 combine calls for each window of s slices that is over
                    | variants/Slicing: starts | time that comes costs a combine call
            CheckedSliced.advance: windows are unions of whole slices | variants/Slicing: panes
                    | panes as long as the slide
            CheckedSliced.assemble: an edge that an open window can begin at, and a slice there
                    | variants/Slicing: starts | a window is put together of what is before it
            CheckedSliced.assemble: s - 1 combine calls for s slices | variants/Slicing: starts
                    | one combine call too many
            CheckedSliced.release: slices before all open windows are gone | variants/Slicing: starts
                    | slices are kept for ever
            CheckedSliced.release: no combine calls | variants/Slicing: starts
                    | a slice that goes costs a combine call
            CheckedSliced.edge: edge(t) <= t | variants/Slicing: starts | edges lie behind the time
            CheckedSliced.edge: edge(edge(t)) = edge(t) | variants/Slicing: starts | a window begins after its begin
        trees/augmented_tree
            root_arity | b-tree/long-runs | an overflow of one is let be
            arities | b-tree/long-runs | an underflow of one is let be
            entries | b-tree/sizes | an insert keeps its value twice
            pointers | b-tree/long-runs | a child that moves from the next stays there, too
            parents | b-tree/long-runs | children that a split moves keep their parent
            leaf_depth | b-tree/long-runs | a sibling that gives a child loses all of them
            order | b-tree/contents | a duplicate becomes a second entry
            contents | b-tree/contents | a substitute brings its value and not its time
            space | b-tree/space | an insert keeps its value twice
            range_bound | variants/FiBA | a range combines fifty times in vain
            CheckedTree.split: arity 2 mu + 1, and not the root (Figure 4) | variants/FiBA
                    | a node of the most arity is split below the root
            CheckedTree.split: mu + 1 and mu, and one more at the parent (Lemma C.1) | variants/B-tree
                    | a split keeps an entry more
            CheckedTree.merge: arities mu - 1 and mu (Figure 7, l. 63) | variants/FiBA
                    | a big sibling is merged with, too
            CheckedTree.merge: 2 mu - 1, and one less at the parent (Lemma C.1) | variants/B-tree
                    | a merge loses the youngest time
            CheckedTree.move: arities mu - 1 and more than mu (Figure 7, l. 69) | variants/FiBA
                    | a sibling gives what it cannot spare
            CheckedTree.move: mu, and one less at the sibling (Lemma C.1) | variants/B-tree
                    | a move brings its entry twice
            CheckedTree.height_increase: arity 2 mu + 1 of the root (Figure 4) | variants/FiBA
                    | a node of the most arity is split
            CheckedTree.height_decrease: arity 1 of the root, which is no leaf (Figure 6) | variants/FiBA
                    | a root with entries is removed
            CheckedTree.range_query: 4 mu (2 l + 1) combine calls, l the level of the range (Theorem 4.2, of FiBA)
                    | variants/FiBA | a range combines fifty times in vain
        trees/b_tree
            search_bound | variants/B-tree | the search visits each node twice | h + 1 nodes, h the height (Theorem 3.2)
            CheckedBTree.search_node: h + 1 nodes, h the height (Theorem 3.2) | variants/B-tree
                    | the search visits each node twice
            update_bound | b-tree/cost | insert combines fifty times in vain | combine calls
            CheckedBTree.insert: 4 mu (h + 1 + 2 s) combine calls, h the height (Theorem 3.2) | variants/B-tree
                    | insert combines fifty times in vain
            CheckedBTree.evict: 4 mu (h + 1 + 2 s) combine calls, h the height (Theorem 3.2) | variants/B-tree
                    | evict combines fifty times in vain
            CheckedBTree.query: no combine calls (Theorem 3.2) | variants/B-tree | query combines with the identity
            CheckedBTree.rebalance_for_insert: mu to 2 mu + 1 (Lemma C.1) | variants/B-tree | evict mends an overflow
            CheckedBTree.rebalance_for_insert: mu to 2 mu where rebalancing ended (Lemma C.1) | variants/B-tree
                    | an overflow of one is let be
            CheckedBTree.rebalance_for_evict: mu - 1 to 2 mu (Lemma C.1) | variants/B-tree | insert mends an underflow
            CheckedBTree.rebalance_for_evict: mu to 2 mu where rebalancing ended (Lemma C.1) | variants/B-tree
                    | an underflow of one is let be
            CheckedBTree.evict_inner: an entry of an inner node | variants/B-tree
                    | evict takes each node for an inner one
            CheckedBTree.evict_inner: the leaf that gave the substitute | variants/B-tree
                    | the inner node is rebalanced after a substitution
            up_aggregates | b-tree/aggregates | repair stops at the parent
            query_calls | b-tree/query-calls | query combines with the identity
        trees/coins
            operation_paid | fiba/coins-along | max-arity 2 mu - 1, the least that a B-tree admits
            between_operations | fiba/coins-arithmetic | its proof
            within_operation | fiba/coins-arithmetic | its proof
            insert_billed | fiba/coins-arithmetic | an entry added is billed at most 2: 3 coins at 2 mu
                    | an entry added is billed at most 2
            evict_billed | fiba/coins-arithmetic | an entry taken is billed at most 1: 2 coins at mu
                    | an entry taken is billed at most 1
            split_paid | fiba/coins-arithmetic | a split is paid: 3 coins at 2 mu + 1 | a split is paid
            merge_paid | fiba/coins-arithmetic | a merge is paid and refunds a coin: 1 coin at 2 mu - 1
                    | a merge is paid and refunds a coin
            move_paid | fiba/coins-arithmetic | a move is billed at most 1: 1 coin at mu - 1
                    | a move is billed at most 1
            height_increase_paid | fiba/coins-arithmetic
                    | a height increase is paid by the split that follows: the root keeps coins as other nodes do
                    | a height increase is paid by the split that follows
            height_decrease_paid | fiba/coins-arithmetic
                    | a height decrease is paid by the merge before it: a root of arity 2 mu - 1 keeps a coin
                    | a height decrease is paid by the merge before it
        trees/fiba
            search_bound | variants/FiBA | the search visits the left finger five times
                    | 3 (L + 1) nodes, L the level at d (section 3.2)
            update_bound | fiba/cost | insert combines fifty times in vain | combine calls
            CheckedFingers.insert: 4 mu (2 L + 3 s + 1) combine calls, L the level at d (Theorem 3.4) | variants/FiBA
                    | insert combines fifty times in vain
            CheckedFingers.evict: 4 mu (2 L + 3 s + 1) combine calls, L the level at d (Theorem 3.4) | variants/FiBA
                    | evict combines fifty times in vain
            CheckedFingers.query: at most 2 combine calls (Theorem 3.4) | variants/FiBA
                    | query combines with the identity too
            CheckedFiba.rebalance_for_insert: mu to 2 mu + 1 (Lemma C.1) | variants/FiBA | evict mends an overflow
            CheckedFiba.rebalance_for_insert: mu to 2 mu where rebalancing ended (Lemma C.1) | variants/FiBA
                    | an overflow of one is let be
            CheckedFiba.rebalance_for_insert: a spine that the top is on was hit (Figure 7) | variants/FiBA
                    | insert does not ask whether it begins on a spine
            CheckedFiba.rebalance_for_evict: mu - 1 to 2 mu (Lemma C.1) | variants/FiBA | insert mends an underflow
            CheckedFiba.rebalance_for_evict: mu to 2 mu where rebalancing ended (Lemma C.1) | variants/FiBA
                    | an underflow of one is let be
            CheckedFiba.rebalance_for_evict: a spine that the top is on was hit (Figure 7) | variants/FiBA
                    | evict does not ask whether it begins on a spine
            CheckedFiba.evict_inner: an entry of an inner node (Figure 8) | variants/FiBA
                    | evict takes each node for an inner one
            fingers | fiba/spines | a merge leaves the right finger
            spine_flags | fiba/spines | a split ends the right spine
            ends | fiba/sizes | an underflow of one is let be
            inner_aggregate | fiba/aggregates | the inner aggregate contains the first child
            left_aggregates | fiba/aggregates | a left aggregate leaves out the last child
            right_aggregates | fiba/aggregates | a right aggregate ends with the parent's
            up_aggregates | fiba/aggregates | a parent is repaired before its children
            query_calls | fiba/query-calls | query combines with the identity too
        trees/fiba_bulk
            query_calls | fiba/query-calls | query combines with the identity too
            update_bound | fiba/cost | insert combines fifty times in vain | combine calls
            bulk_evict_bound | fiba-bulk/cost | bulk evict combines fifty times in vain | combine calls
            put_off_calls | variants/FiBA, bulk | aggregates are not put off
                    | no aggregate is computed before all are put in
            fits | variants/FiBA, bulk | a merge makes a node too large | together at most 2 mu
            CheckedBulkFiba.bulk_evict: 4 mu (2 L + 3 s + 1) combine calls, L the level of the entries evicted
                    | variants/FiBA, bulk | bulk evict combines fifty times in vain
            CheckedBulkFiba.cut: mu <= a <= 2 mu; of the root 1 <= a
                    | variants/FiBA, bulk | a node of the path is not mended
            CheckedBulkFiba.go_down: the root, or on the left spine
                    | variants/FiBA, bulk | the path is not marked as left spine
            CheckedBulkFiba.fill: arities of a node that is filled | variants/FiBA, bulk | mending moves one child only
            CheckedBulkFiba.insert_sorted: no aggregate is computed before all are put in
                    | variants/FiBA, bulk | aggregates are not put off
            CheckedBulkFiba.merge: together at most 2 mu | variants/FiBA, bulk | a merge makes a node too large
            nothing_waits | fiba-bulk/explored | what was put off waits on
        trees/ranges
            range_so_far | b-tree/proved-range-recursion | a range leaves out its first time
            range_product | fiba/proved-range-recursion
                    | a range takes a subtree whole without a look at its aggregate's kind
        trees/live
            is_repaired | variants/FiBA | the left spine is never repaired
                    | every aggregate is that for its position (section 3.2)
        trees/steps
            touched | variants/FiBA | a child that moves from the next keeps its parent
                    | order, entries, parents, up-aggregates and spines of the nodes touched (section 3.2)
            split_given | variants/FiBA
                    | a node of the most arity is split below the root | arity 2 mu + 1, and not the root (Figure 4)
            merge_given | variants/FiBA | a big sibling is merged with, too | arities mu - 1 and mu (Figure 7, l. 63)
            move_given | variants/FiBA
                    | a sibling gives what it cannot spare | arities mu - 1 and more than mu (Figure 7, l. 69)
            raise_given | variants/FiBA | a node of the most arity is split | arity 2 mu + 1 of the root (Figure 4)
            lower_given | variants/FiBA
                    | a root with entries is removed | arity 1 of the root, which is no leaf (Figure 6)
            lengths | fiba/proved-merge | a merge leaves the parent its value
            whole_entry | fiba/proved-move | a value that moves from the previous comes last
            neighbours | fiba/proved-move | a move takes the second entry of the next
            up_aggregate | fiba/proved-step-aggregates | rebalancing leaves the parent
            child_parent | fiba/proved-move | a child that moves from the next keeps its parent
            child_left_spine | fiba/proved-step-spines | a split of an inner node begins the left spine twice
            child_right_spine | fiba/proved-step-spines | a split of an inner node ends the right spine
            fingers | fiba/proved-step-spines | a merge leaves the right finger
            split_arities | fiba/proved-split | a split keeps an entry more
            merge_arities | fiba/proved-merge | a merge takes the node that follows in as a child
            move_arities | fiba/proved-move | a move takes two entries
            local_aggregate | fiba/proved-local-repair | a left aggregate leaves out the last child
            local_calls | fiba/proved-local-repair-calls | the aggregate of the parent is combined with the identity
            product_so_far | fiba/proved-local-repair | no aggregate contains a first child
            calls_so_far | fiba/proved-local-repair-calls | each part is combined with the identity
            below_sibling | fiba/proved-split | children that a split moves keep their parent
            below_self | fiba/proved-merge | children that a merge takes in keep their parent
        trees/parts
            new_tree | fiba/proved-parts | a tree is made for an entry less
            kept_part | fiba/proved-parts | a split leaves the entry that goes up
            new_part | fiba/proved-parts | a split of an inner node begins the left spine twice
            parent_gains | fiba/proved-parts | a split gives no time up
            taken_in | fiba/proved-parts | a merge ends the right spine
            parent_loses | fiba/proved-parts | a merge leaves the parent its time
            with_first_of_next | fiba/proved-parts | a move leaves the parent its entry
            next_without_first | fiba/proved-parts | a child that moves from the next stays there, too
            with_last_of_previous | fiba/proved-parts | a move from the previous puts the child last
            previous_without_last | fiba/proved-parts | a child that moves from the previous stays there, too
            product_of_all | fiba/proved-parts | the product of a node is forgotten
            raised_root | fiba/proved-parts | a height increase begins the left spine only
            lowered_root | fiba/proved-parts | a height decrease leaves the root on the spines
        trees/walks
            far_from_the_ends | fiba/proved-search-cost | the search begins at the root
            visits_up | fiba/proved-search-cost | its proof
            visits_down | fiba/proved-search-cost | the search visits each node below twice
            between | fiba/proved-search | the search goes on from the wrong side
            searched | fiba/proved-search | the first entry that is not before is found
            place_of_time | fiba/proved-search | the search stops above the leaves
            far_below | fiba/proved-repair-cost | its proof
            far_entry | fiba/proved-repair-cost | all that is below a node is as far
            first_below | fiba/proved-walks | the oldest is looked for below last children
            last_below | fiba/proved-walks | the youngest is looked for below first children
            not_passed | fiba/proved-walks | its proof
            all_on_the_ways | fiba/proved-common-ancestor | its proof
            not_met_yet | fiba/proved-common-ancestor | its proof
            common_ancestor | fiba/proved-range-query | its proof
            lowest_ancestor | variants/FiBA | a range is looked for from the root
                    | and not below one of its children (Figure 10, l. 3)
        trees/bulk_operations
            behind_is_left | variants/FiBA, bulk | the climb ends at the left finger | all behind the node is left
            gone_until | variants/FiBA, bulk | a bulk evict keeps the entry at t itself
                    | what is to go is gone, or below the first child
            arity_when_cut | variants/FiBA, bulk | a node of the path is not mended
                    | mu <= a <= 2 mu; of the root 1 <= a
            dropped | variants/FiBA, bulk | a cut leaves the children | the first entries and children are gone
            untied | variants/FiBA, bulk | what is dropped keeps its parent | no child that is gone has a parent
            begins_before | variants/FiBA, bulk | a bulk insert begins with the last pair
                    | an earlier time is in the node
        trees/whole_operations
            arity | fiba/proved-insert | an overflow of one is let be
            arity_or_overflow | fiba/proved-insert | its proof
            arity_or_underflow | fiba/proved-evict | a root without entries stays
            up_aggregate | fiba/proved-insert | a split does not repair the parent
            aggregate | fiba/proved-insert | the top is left when it is on a spine | loop entered: aggregate
            flags | fiba/proved-insert | a split below the left spine goes unnoticed
            root_left | fiba/proved-evict | a sibling on the left spine goes unnoticed [l.62 as printed]
            root_right | fiba/proved-evict | a sibling on the right spine goes unnoticed
            substituted | fiba/proved-evict | its proof
            substituted_above | fiba/proved-evict | its proof
            on_left_spine | fiba/proved-insert | the way down the left spine takes last children
            on_right_spine | fiba/proved-insert | the way down the right spine takes first children
            turn_is_paid | fiba/proved-rebalancing-cost | a coin less at an overflow
            no_flag_below | fiba/proved-repair-cost | a flag is raised in vain
            no_flags | fiba/proved-repair-cost | its proof
            one_each_up | fiba/proved-repair-cost | repair computes each aggregate on the way up twice
            three_a_step | fiba/proved-repair-cost | a split repairs its parent twice
            one_a_level | fiba/proved-repair-cost | the climb to a substitute computes twice
            move_is_last | fiba/proved-rebalancing-cost | a move is followed by a merge
        """
    )
}
"""The needs of each clause."""

NEEDED_BY: Final = {
    (row, variant): tuple(need for need in NEEDS.values() if (need.row, need.variant) == (row, variant))
    for _, row, variant, _ in NEEDS.values()
}
"""The needs of each claim and mutant."""
