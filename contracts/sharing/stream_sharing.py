"""The naive algorithm of STREAM: its invariants, loop invariants and cost.

Source: *Aggregate Sharing in Stream Databases* (2005), section 2.

Conventions.  Within an insert, `model` is the stream before it and `after` the stream with the new tuple; `held(j)` is
the number of tuples in the windows of the first j queries then; `product(values, j)` is the product of the first j
values of a queue; `calls` are the combine calls so far.  In a loop, `done` is the number of turns made, and `before`
the calls made before it.
"""

from typing import Any, NamedTuple

from swagproof.contracts.clause import Loop, equal, for_each, size


def _has_window(query: Any, stream: Any) -> bool:
    return bool(equal(query.input_queue, stream.window(query.size)))


def _has_answer(query: Any, stream: Any) -> bool:
    if stream.size == 0:
        return bool(size(query.output_queue) == 0)
    return size(query.output_queue) > 0 and bool(query.output_queue[-1] == stream.lookup(query.size))


@for_each("queries")
def input_queues(s: Any, i: Any) -> bool:
    """for all q_i: its input queue holds the tuples of its window, oldest first"""
    return _has_window(s.queries[i], s.model)


@for_each("queries")
def output_queues(s: Any, i: Any) -> bool:
    """for all q_i: the newest answer in its output queue is the product of its window; none before the first"""
    return _has_answer(s.queries[i], s.model)


INVARIANT = (input_queues, output_queues)
AT_ONCE = ()


@for_each("queries")
def queues_so_far(s: Any, i: Any, done: Any) -> bool:
    """an input queue holds its window with the new tuple once the query had its turn, and without it before"""
    return _has_window(s.queries[i], s.after if i < done else s.model)


@for_each("queries")
def answers_so_far(s: Any, i: Any, done: Any) -> bool:
    """the newest answer includes the new tuple once the query had its turn, and not before"""
    return _has_answer(s.queries[i], s.after if i < done else s.model)


def calls_so_far(s: Any, before: Any, done: Any) -> bool:
    """for each query that had its turn, as many calls as its window holds tuples"""
    return bool(s.calls - before == s.held(done))


def no_calls(s: Any, before: Any) -> bool:
    """no calls"""
    return bool(s.calls == before)


def product_so_far(s: Any, values: Any, product: Any, done: Any) -> bool:
    """the product of the values so far"""
    return bool(product == s.product(values, done))


def product_calls(s: Any, before: Any, done: Any) -> bool:
    """a call for each value so far"""
    return bool(s.calls - before == done)


LOOPS = {
    "insert": (Loop(queues_so_far, answers_so_far, calls_so_far),),
    "product": (Loop(product_so_far, product_calls),),
    "lookup": (Loop(*INVARIANT, no_calls, variant=lambda s, answers: size(answers)),),
}


class Account(NamedTuple):
    """The numbers that determine the cost of an operation."""

    calls: int
    """Combine calls so far."""
    window: int
    """The number of tuples in all queries' queues."""
    answers: tuple[tuple[int, int], ...]
    """Each query's size, and the number of answers in its output queue."""


def account(s: Any) -> Account:
    """The state of the account."""
    answers = tuple((query.size, len(query.output_queue)) for query in s.queries)
    return Account(s.monoid.calls, sum(len(query.input_queue) for query in s.queries), answers)


def insert_paid(before: Account, after: Account) -> bool:
    """insert invokes combine min(n, size) times for each query, looked up or not"""
    return after.calls - before.calls == after.window


def lookup_paid(before: Account, after: Account, size: int) -> bool:
    """lookup does not invoke combine"""
    return after.calls == before.calls


def insert_answers(before: Account, after: Account) -> bool:
    """insert streams out one answer for each query"""
    return after.answers == tuple((size, held + 1) for size, held in before.answers)


def lookup_leaves(before: Account, after: Account, size: int) -> bool:
    """lookup leaves no answer before the newest in the queue of the first query of that size, and all in the others"""
    asked = [of for of, _ in before.answers].index(size)
    return after.answers == tuple(
        (of, min(held, 1) if i == asked else held) for i, (of, held) in enumerate(before.answers)
    )


def product_costs(calls: int, values: Any) -> bool:
    """computing a product invokes combine once for each value"""
    return calls == len(values)
