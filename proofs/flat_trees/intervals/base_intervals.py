"""Proofs about base intervals for every window and history; the explorer checks the small ones again."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Final

from swagproof.proofs.engine.paths import Exploration, Failure
from swagproof.proofs.flat_trees.intervals.base_interval_runs import BaseIntervalsRun
from swagproof.proofs.flat_trees.reactive_aggregator_wrong import WRONG_B_INT
from swagproof.proofs.in_order.fifo import claim
from swagproof.proofs.in_order.fifo_runs import FifoOperation, explore_operation
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.lemmas import interval_levels as contract
from swagproof.reference.catalogue import BASE_INTERVALS

_claim: Final = partial(claim, BASE_INTERVALS, kind=BaseIntervalsRun)
_TOLD: Final = cite(GENERAL, place="sections 6.2 and 7 on base intervals; the invariants are ours")


def _is_reached(clause: str, operation: FifoOperation, with_one_more: Callable[..., bool], of: str = "") -> Control:
    """Return the control that a bound is tight: with one more, it does not hold."""
    name = clause.replace("_", " ")

    def own(report: Exploration) -> list[Failure]:
        return [each for each in report.failures if each.obligation == name]

    def check() -> Outcome:
        tighter = SimpleNamespace(**{**vars(contract), clause: with_one_more})
        kind = type("Tighter", (BaseIntervalsRun,), {"CONTRACT": tighter})
        found = explore_operation(
            BASE_INTERVALS.algorithm, BASE_INTERVALS.contract, operation, kind, enough=lambda report: bool(own(report))
        )
        return conclude(found, own(found))

    return Control(f"{name} of one more{of}", check)


CLAIMS: Final[tuple[Claim, ...]] = (
    _claim(
        "proved-invariants",
        "invariant",
        statement="Level l holds the aligned intervals of 2^l elements that lie in the window, with their products; "
        "only level 0 may hold none, and no level is missing. Each access finds an element; combine joins neighbours.",
        source=_TOLD,
    ),
    _claim(
        "proved-answer",
        "answer",
        "look-ups",
        statement="Query returns the product of the window, and changes nothing; its loops end.",
        source=_TOLD & cite(IN_ORDER, place="section 8.1"),
    ),
    _claim(
        "proved-calls",
        "calls",
        "calls in loops",
        statement="Insert makes at most log2(n + 1) calls where it finds n elements, evict none, query at most twice "
        "log2 n rounded down.",
        source=cite(GENERAL, place="sections 6.2 and 7: O(log n); the constants are ours"),
        controls=(
            WRONG_B_INT.get("insert combines in vain"),
            _is_reached("insert_calls", "insert", lambda n, calls: n == 0 or contract.insert_calls(n, calls + 1)),
            _is_reached("query_calls", "query", lambda n, calls: n == 0 or contract.query_calls(n, calls + 1)),
        ),
        operations=("insert", "evict", "query"),
    ),
    _claim(
        "proved-space",
        "space",
        "kept below",
        statement="At most 2n - 1 partial aggregates are kept, n of them the elements: a level has at most half as "
        "many intervals as the one below it.",
        source=_TOLD,
        controls=(
            _is_reached("space", "insert", lambda n, kept: n <= 1 or contract.space(n, kept + 1)),
            _is_reached("space", "evict", lambda n, kept: n > 0 or contract.space(n, kept + 1), ", of none"),
        ),
        operations=("insert", "evict", "query"),
    ),
    _claim(
        "proved-account",
        "account",
        "coins below",
        statement="One call an insert on account: a coin waits on each level whose last interval is the first half of "
        "a longer one; an insert is billed one coin, an evict none.",
        source=_TOLD,
        controls=(_is_reached("insert_paid", "insert", lambda calls, *saved: contract.insert_paid(calls + 1, *saved)),),
        operations=("start", "insert", "evict"),
    ),
    _claim(
        "proved-refused",
        "empty",
        statement="Evict of an empty window raises EmptyWindowError and changes nothing.",
        source=cite(GENERAL, place="silent; decided here"),
        operations=("start", "evict when empty"),
    ),
)
