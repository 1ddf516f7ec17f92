"""The naive algorithm of STREAM.

- Full name: naive STREAM
- Paper: Aggregate Sharing in Stream Databases (2005), section 2, Figure 1
- Order: FIFO, count windows of several sizes over one stream
- Operator: associative, with identity
- Combine calls: insert min(n, size) for each query; lookup 0
- Space: min(n, size) values for each query, and the answers streamed out since its last lookup
- Errata: none

Conventions: q_i is a `Query`; each answer is recomputed, which is the cost that the paper assigns to the algorithm
(section 5.1); n counts the new tuple.  Two queries over windows of one size keep two queues.
"""

from collections import deque
from dataclasses import dataclass
from typing import Generic

from icontract import SLOW, ensure, invariant, snapshot

from swagproof.contracts.shadows.shared import SharedShadow
from swagproof.contracts.sharing.stream_sharing import (
    account,
    input_queues,
    insert_answers,
    insert_paid,
    lookup_leaves,
    lookup_paid,
    output_queues,
    product_costs,
)
from swagproof.models.monoid import A, Monoid
from swagproof.models.shared import Registry


@dataclass(slots=True)
class Query(Generic[A]):
    """A standing query and its two queues."""

    size: int
    input_queue: deque[A]
    output_queue: deque[A]


class NaiveStream(Generic[A]):
    """Independent queries: each keeps the tuples of its window, and recomputes its answer at every insert.

    >>> from swagproof.models.operations import CONCATENATION
    >>> shared = NaiveStream(CONCATENATION)
    >>> shared.register(1); shared.register(3)
    >>> for v in "abcd":
    ...     shared.insert(v)
    >>> shared.lookup(1), shared.lookup(3)
    ('d', 'bcd')
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.registry = Registry()
        self.queries: list[Query[A]] = []

    def register(self, size: int) -> None:  # [Fig.1 l.2]
        """Add a standing query over the newest `size` tuples.  Raises like the registry."""
        self.registry.add(size)  # [ours]
        self.queries.append(Query(size, deque(), deque()))  # [Fig.1 l.3]

    def insert(self, t: A, /) -> None:  # [Fig.1 l.6]
        """Insert the next tuple.  min(n, size) combine calls for each query."""
        self.registry.begin()  # [ours]
        for query in self.queries:  # [Fig.1 l.7]
            query.input_queue.append(t)  # [Fig.1 l.8]
            if len(query.input_queue) > query.size:  # [Fig.1 l.9]
                query.input_queue.popleft()
            query.output_queue.append(self.product(query.input_queue))  # [Fig.1 l.10]

    def lookup(self, size: int) -> A:
        """Return the newest answer of the first query of that size; older ones are dropped.  No combine calls.

        Raises UnknownWindowError.
        """
        size = self.registry.known(size)
        answers = next(query.output_queue for query in self.queries if query.size == size)
        while len(answers) > 1:
            answers.popleft()
        return answers[0] if answers else self.monoid.identity

    def product(self, values: deque[A]) -> A:
        """Compute the ordered product."""
        product = self.monoid.identity
        for v in values:
            product = self.monoid.combine(product, v)
        return product


@invariant(lambda self: input_queues(self), "input queues hold the windows", enabled=SLOW)
@invariant(lambda self: output_queues(self), "output queues end with the answers", enabled=SLOW)
class CheckedNaiveStream(SharedShadow[A], NaiveStream[A]):
    """The naive algorithm with its contracts, and the stream by definition as `model`."""

    @snapshot(lambda self: account(self), name="before")
    @ensure(lambda self, OLD: insert_answers(OLD.before, account(self)), "an answer for each query")
    @ensure(lambda self, OLD: insert_paid(OLD.before, account(self)), "min(n, size) combine calls for each query")
    def insert(self, t: A, /) -> None:
        """Insert into the windows and their model."""
        super().insert(t)

    @snapshot(lambda self: account(self), name="before")
    @ensure(lambda self, size, OLD: lookup_leaves(OLD.before, account(self), size), "of the answers the newest is left")
    @ensure(lambda self, size, OLD: lookup_paid(OLD.before, account(self), size), "no combine calls")
    @ensure(lambda self, size, result: result == self.model.lookup(size), "the product of the window", enabled=SLOW)
    def lookup(self, size: int) -> A:
        """Look up a window."""
        return super().lookup(size)  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, values, OLD: product_costs(self.counting.calls - OLD.calls, values), "a call for each value")
    def product(self, values: deque[A]) -> A:
        """Recompute the answer."""
        return super().product(values)
