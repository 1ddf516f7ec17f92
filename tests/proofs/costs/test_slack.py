"""Bounds are reached: no number of a contract could be greater or smaller, except for reasons that are known."""

from collections import defaultdict
from typing import Final

from support.bounds import list_slack

SLACK: Final = {
    "flat_trees.base_intervals.waits": (
        "begin",
        "counting one interval more or less at the front leaves the account even",
    ),
    "flat_trees.reactive_aggregator.compact_calls": (
        "c",
        "at most 3/4 c values are combined, in less calls than c - 1",
    ),
    "flat_trees.reactive_aggregator.insert_bound": (
        "1, 3, 4",
        "at most 3/4 c values are combined, in less calls than c - 1",
    ),
    "flat_trees.reactive_aggregator.evict_bound": ("s.capacity", "both sides are multiples of 4"),
    "flat_trees.reactive_aggregator.filled": ("8", "capacities are powers of two"),
    "flat_trees.reactive_aggregator.fits": ("capacity", "a buffer that is halved is a quarter full"),
    "flat_trees.reactive_aggregator.query_bound": ("1, 1", "Theorem 4.2 allows a call more than a path has"),
    "flat_trees.reactive_aggregator_fifo.query_bound": ("1, 1", "Theorem 4.2 allows a call more than a path has"),
    "flat_trees.reactive_aggregator_fifo.list_needed": ("2", "numbers behind the tree's nodes have no leaves"),
    "flat_trees.reactive_aggregator.some_holes": ("0, s.n_tuples", "an empty buffer is not compacted"),
    "in_order.daba.shift": ("0", "all lengths but |l_B| are 0 if |l_F| is"),
    "in_order.daba.shrink": ("0", "all lengths but |l_B| are 0 if |l_F| is"),
    "related_work.flat_fit.query_calls": ("=", "no count is below 0"),
    "related_work.flat_fit.resizable": ("c", "both sides are multiples of 4"),
    "related_work.flat_fit.same_way": ("1", "the newest element's pointer stays, too"),
    "slicing.slice_store.leaves": (
        "1, s.first",
        "a slice that is released stays in its place until the tree is rebuilt",
    ),
    "space.at_most": ("=", "Cutty's tree has a value at each node, so its bound is met"),
    "trees.augmented_tree.range_cost": ("2, 4", "the paper's bound is an order of growth, and the constants are ours"),
    "trees.b_tree.update_bound": ("1, 2, 2, 4", "the paper's bound is an order of growth, and the constants are ours"),
    "trees.fiba.update_bound": ("2, 3, 4", "the paper's bound is an order of growth, and the constants are ours"),
    "trees.walks.lowest_ancestor": ("=, =, s.begin(y), s.end(z)", "between two nodes is an entry of their ancestor"),
}
"""The numbers of each function that could be smaller and greater, `=` for a `<=` that could be `==`; and why."""


def test_every_number_of_a_contract_is_reached_or_known_to_be_slack() -> None:
    found = defaultdict[str, list[str]](list)
    for place in list_slack():
        function, _, number = place.partition(" in ")[0].partition(": ")
        found[function].append(number)
    assert {function: ", ".join(sorted(numbers)) for function, numbers in found.items()} == {
        function: numbers for function, (numbers, _) in SLACK.items()
    }
