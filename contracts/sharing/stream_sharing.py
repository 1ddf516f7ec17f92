"""The naive algorithm of STREAM: its invariants and its cost.

Source: *Aggregate Sharing in Stream Databases* (2005), section 2.
"""

from typing import Any, NamedTuple


def input_queues(s: Any) -> bool:
    """for all q_i: its input queue holds the tuples of its window, oldest first"""
    return all(list(query.input_queue) == s.model.window(query.size) for query in s.queries)


def output_queues(s: Any) -> bool:
    """for all q_i: the newest answer in its output queue is the product of its window"""
    return all(
        query.output_queue[-1] == s.model.lookup(query.size) if s.model.size else not query.output_queue
        for query in s.queries
    )


INVARIANT = (input_queues, output_queues)


class Account(NamedTuple):
    """What the cost of an operation is told from."""

    calls: int
    """Combine calls so far."""
    window: int
    """The tuples that all queries' queues hold."""


def account(s: Any) -> Account:
    """The state of the account."""
    return Account(s.monoid.calls, sum(len(query.input_queue) for query in s.queries))


def insert_paid(before: Account, after: Account) -> bool:
    """insert invokes combine min(n, size) times for each query, looked up or not"""
    return after.calls - before.calls == after.window


def lookup_paid(before: Account, after: Account, size: int) -> bool:
    """lookup invokes combine not at all"""
    return after == before
