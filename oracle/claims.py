"""Cost conformance: compare a subject's combine calls with the theorem that it claims.

`swagproof conform SUBJECT --claims daba` runs each trace over a counting monoid; a program runs the trace again for
that.  The calls of each operation are compared with the theorem's bound at that window size, and the total with the
bound for the whole history, which checks amortised bounds.  The bounds are those of `swagproof.reference.costs` and of
the references' contracts.  A subject may make fewer calls.  A subject that makes no calls at all, because it ignores
its monoid, gets no verdict on its cost.  If a subject declares a theorem itself, its claim is checked by default.

Claims about trees are for min-arity 2; `fiba:8` is the claim for min-arity 8.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step, asks
from swagproof.oracle.verdict import Verdict
from swagproof.reference.costs import (
    BILLED,
    THEOREMS,
    b_tree_billed,
    b_tree_calls,
    fiba_billed,
    fiba_calls,
    most_steps,
    range_bound,
)


@dataclass
class Spent:
    """Counts of the history before the current operation."""

    n: int = 0
    """Elements in the window, before the operation at hand."""
    d: int = 0
    """Entries between the inserted or evicted entry and the nearer end of the window."""
    reach: int | None = 0
    """Entries of the queried range plus the distances of its ends from the nearer ends of the window; None for a range
    that ends before it begins."""
    inserts: int = 0
    evicts: int = 0
    queries: int = 0
    largest: int = 0
    """Elements in the largest window so far."""
    sizes: tuple[int, ...] = ()
    """The sizes of the windows that share a stream, once for each registration."""
    billed: float = 0.0
    """The allowance so far, if it depends on more than these counts."""
    calls: int = 0
    """Combine calls of the operations that the account covers."""


@dataclass(frozen=True)
class Claim:
    """The cost bounds that a theorem states."""

    name: str
    source: str
    """The theorem's name in a sentence: `Theorem 5.2 (DABA)`."""
    windows: tuple[str, ...]
    worst: Mapping[str, Callable[[Spent], int | None]]
    """For each operation, the bound on its combine calls; None if unknown."""
    account: Callable[[Spent], float] | None = None
    """The bound on the combine calls of all operations of a history, if the theorem has one."""
    paid: tuple[str, ...] = ("insert", "evict")
    """The operations that the account covers."""
    bills: Callable[[Spent], float] = lambda _: 0.0
    """The amount that an insert or evict adds to `Spent.billed`."""
    remark: str = ""
    """The extent to which the account is known to hold, if it is not proved."""
    free_identity: bool = False
    """True if calls with the identity are not counted; for a program, which counts itself, all calls are."""
    elsewhere: Mapping[str, str] = field(default_factory=dict[str, str])
    """The source for an operation that another theorem covers."""

    def source_of(self, operation: str) -> str:
        """The theorem about this operation."""
        return self.elsewhere.get(operation, self.source)


def _in_order(name: str, column: str) -> Claim:
    theorem, billed = THEOREMS[column], BILLED.get(column)
    sources = {"insert": theorem.insert, "evict": theorem.evict, "query": theorem.query}
    source = theorem.insert.source
    return Claim(
        name,
        f"{source} ({column})",
        ("fifo",),
        {operation: partial(_worst, figures.worst) for operation, figures in sources.items()},
        None if billed is None else lambda spent: billed.most(spent.inserts, spent.evicts, spent.n),
    )


def _worst(figure: Callable[[int], int], spent: Spent) -> int:
    return figure(spent.n)


def _buffer_account(spent: Spent) -> float:
    """An insert pays 4 for resizes and an evict 2 (section 5.1.1), and both their own path up a FlatFAT of c leaves; a
    query pays a prefix, a suffix and one to join them (Theorem 4.2).  c is at most twice the power of two above n."""
    height = max(1, spent.largest - 1).bit_length() + 1
    updates = (4 + 1 + height) * spent.inserts + (2 + 1 + height) * spent.evicts
    return updates + (2 * height + 1) * spent.queries + (1 << height)


def _nothing(_: Spent) -> int:
    return 0


_FLAT_FIT: Final = Claim(
    "flat-fit",
    "section 8.1 (FlatFIT)",
    ("fifo",),
    {"insert": _nothing, "evict": _nothing, "query": lambda spent: max(0, spent.n - 1)},
    lambda spent: 3 * spent.queries + spent.inserts + spent.n if spent.largest <= 9 else inf,
    ("insert", "evict", "query"),
    remark="as every history of windows of up to 9 elements keeps to; of larger ones no account is known",
    free_identity=True,  # the authors' code begins each query with the identity
)
_SLICK_DEQUE: Final = Claim(
    "slick-deque",
    "section 7 (SlickDeque)",
    ("fifo",),
    {"insert": lambda spent: spent.n, "evict": _nothing, "query": _nothing},
    lambda spent: 2 * spent.inserts,
)
_BASE_INTERVALS: Final = Claim(
    "base-intervals",
    "section 6 (base intervals)",
    ("fifo",),
    {
        "insert": lambda spent: (spent.n + 1).bit_length() - 1,
        "evict": _nothing,
        "query": lambda spent: (spent.n**2).bit_length() - 1 if spent.n else 0,
    },
    lambda spent: spent.inserts,
)
_STREAM: Final = Claim(
    "stream",
    "section 2 (STREAM)",
    ("shared",),
    {"insert": lambda spent: sum(min(spent.n + 1, size) for size in spent.sizes), "lookup": _nothing},
)


def _fiba(mu: int) -> Claim:
    claim = _tree("fiba", f"Theorem 3.4 (FiBA, min-arity {mu})", mu, query=2, near=True)
    ranges = {"range_query": f"Theorem 4.2 (FiBA, min-arity {mu})"}
    return replace(claim, worst={**claim.worst, "range_query": partial(_range, mu)}, elsewhere=ranges)


def _range(mu: int, spent: Spent) -> int | None:
    return None if spent.reach is None else range_bound(spent.reach, 0, 0, mu)


def _b_tree(mu: int) -> Claim:
    return _tree("b-tree", f"Theorem 3.2 (B-tree, min-arity {mu})", mu, query=0, near=False)


def _tree(name: str, source: str, mu: int, *, query: int, near: bool) -> Claim:
    """Return the cost claim of a tree: by the distance from the nearer end (`near`), or by the size of the window."""
    calls, billed = (fiba_calls, fiba_billed) if near else (b_tree_calls, b_tree_billed)

    def way(spent: Spent) -> int:
        return spent.d if near else spent.n

    def update(spent: Spent) -> int:
        return calls(way(spent), most_steps(spent.n, mu), mu)

    worst = {"query": lambda _: query, "insert": update, "evict": update}
    return Claim(
        name, source, ("out-of-order",), worst, lambda spent: spent.billed, bills=lambda spent: billed(way(spent), mu)
    )


CLAIMS: Final[Mapping[str, Claim]] = {
    claim.name: claim
    for claim in (
        _in_order("daba", "DABA"),
        _in_order("daba-lite", "DABA Lite"),
        _in_order("two-stacks", "Two-Stacks"),
        _in_order("two-stacks-lite", "Two-Stacks Lite"),
        _in_order("subtract-on-evict", "Subtract-on-evict"),
        _in_order("recalculate", "Recalculate-from-scratch"),
        Claim(
            "reactive-aggregator",
            "Theorem 4.2 (FlatFAT, Reactive Aggregator)",
            ("fifo",),
            {},
            _buffer_account,
            ("insert", "evict", "query"),
        ),
        _BASE_INTERVALS,
        _FLAT_FIT,
        _SLICK_DEQUE,
        _fiba(2),
        _b_tree(2),
        _STREAM,
    )
}
"""The cost claims, by name."""

UNCLAIMED: Final[Mapping[str, str]] = {
    "timegram": "it makes no combine calls: its cost is in buckets",
    "ordered-sharing": "it makes no combine calls: its cost is in nodes of a search tree",
    "flat-fat": "its places are written in any order, so it is not a window; see reactive-aggregator",
    "fiba-bulk": "no amortised bound is checked for its bulk operations; single ones are those of fiba",
    **dict.fromkeys(
        ("slicing:-panes", "slicing:-pairs", "slicing:-starts", "cutty", "stream-slicing", "windowing-library",
         "aggregate-operator"),
        "it is an operator over a stream, not a window",
    ),
}  # fmt: skip
"""For each other algorithm of the catalogue, by its name in ids, the reason why it has no claim."""

_TREES: Final = {"fiba": _fiba, "b-tree": _b_tree}
_OTHER_NAMES: Final = {
    "flatfat": "reactive-aggregator",
    "reactive-aggregator-fifo": "reactive-aggregator",
    "recalculate-from-scratch": "recalculate",
}


def claim_of(name: str, window: str) -> Claim:
    """Return the claim with this name for this kind of window.  Raises InputError.

    >>> claim_of("fiba:4", "out-of-order").source
    'Theorem 3.4 (FiBA, min-arity 4)'
    """
    first, _, arity = name.partition(":")
    claim = CLAIMS.get(_OTHER_NAMES.get(first, first))
    if name in UNCLAIMED:
        raise InputError(f"--claims {name}: {UNCLAIMED[name]}")
    if claim is None or (arity and first not in _TREES):
        known = ", ".join([*CLAIMS, *_OTHER_NAMES])
        raise InputError(f"--claims {name}: not one of {known}; fiba:MU and b-tree:MU name a min-arity")
    if window not in claim.windows:
        raise InputError(f"--claims {name}: a theorem about {' and '.join(claim.windows)} windows, not {window}")
    if arity:
        if not arity.isdecimal() or not 2 <= int(arity) <= 1 << 16:
            raise InputError(f"--claims {name}: its min-arity must be an integer of at least 2")
        return _TREES[first](int(arity))
    return claim


def first_over(claim: Claim, steps: Sequence[Step], calls: Sequence[int]) -> Failure | None:
    """Return the first operation whose calls exceed its own bound, or bring the total above the account."""
    for at, (step, made, (spent, after)) in enumerate(zip(steps, calls, follow(claim, steps, calls), strict=False)):
        allowed = worst_of(claim, step, spent)
        if allowed is not None and made > allowed:
            size = f"distance {spent.d} of {spent.n:,} entries" if _timed(step) else f"window size {spent.n:,}"
            calls_made = f"{made:,} combine call" if made == 1 else f"{made:,} combine calls"
            said = f"{step.name} made {calls_made} at {size}; {claim.source_of(step.name)} allows {allowed:,}"
            return Failure(at, "cost", allowed, made, error=said)
        if claim.account is not None and after.calls > claim.account(after):
            most, others = int(claim.account(after)), f", {after.queries:,} queries" if "query" in claim.paid else ""
            said = (
                f"{after.inserts:,} inserts, {after.evicts:,} evicts{others} made {after.calls:,} combine calls "
                f"together; {claim.source} allows {most:,}, amortised{claim.remark and f', {claim.remark}'}"
            )
            return Failure(at, "cost", most, after.calls, error=said)
    return None


def worst_of(claim: Claim, step: Step, spent: Spent) -> int | None:
    """Return the bound on an operation's combine calls at this point of the history; None if there is none."""
    worst = claim.worst.get(step.name)
    return None if worst is None else worst(spent)


def _timed(step: Step) -> bool:
    return len(step.arguments) == {"insert": 2, "evict": 1}.get(step.name)


def _add_step(claim: Claim, spent: Spent, step: Step, made: int) -> Spent:
    """Return the counts after the operation, except the window size, which depends on times if entries have them."""
    changes = step.name in ("insert", "evict")
    return replace(
        spent,
        inserts=spent.inserts + (step.name == "insert"),
        evicts=spent.evicts + (step.name == "evict"),
        queries=spent.queries + asks(step),
        sizes=(*spent.sizes, step.arguments[0]) if step.name == "register" else spent.sizes,
        billed=spent.billed + (claim.bills(spent) if changes else 0),
        calls=spent.calls + (made if step.name in claim.paid else 0),
        n=spent.n + (step.name == "insert") - (step.name == "evict"),
        largest=max(spent.largest, spent.n + (step.name == "insert")),
    )


def follow(claim: Claim, steps: Sequence[Step], calls: Iterable[int]) -> Iterator[tuple[Spent, Spent]]:
    """Yield the counts before and after each operation."""
    spent, times = Spent(), list[Any]()
    for step, made in zip(steps, calls, strict=False):
        place, found = 0, False
        if _timed(step):
            place = bisect_left(times, step.arguments[0])
            found = times[place : place + 1] == [step.arguments[0]]
            spent = replace(spent, n=len(times), d=min(place, len(times) - place - found))
        elif step.name == "range_query":
            spent = replace(spent, reach=_reach(times, *step.arguments))
        after = _add_step(claim, spent, step, made)
        yield spent, after
        spent = after
        if _timed(step) and found is (step.name == "evict"):
            times[place : place + 1] = [] if found else [step.arguments[0], *times[place : place + 1]]
        if _timed(step):
            spent = replace(spent, n=len(times))


def _reach(times: Sequence[Any], t_from: Any, t_to: Any) -> int | None:
    if t_to < t_from:
        return None
    ends = [(bisect_left(times, t), bisect_right(times, t)) for t in (t_from, t_to)]
    return ends[1][1] - ends[0][0] + sum(min(low, len(times) - high) for low, high in ends)


@dataclass
class Claimant:
    """A subject with a cost claim to check."""

    inner: Subject
    name: str
    """The claim's name, as given."""
    claim: Claim
    most: dict[str, int] = field(default_factory=dict)
    """For each operation the most combine calls seen."""
    uncounted: Tried = field(default_factory=Tried)
    """The traces with bulk operations, for which only answers were checked."""

    @classmethod
    def of(cls, subject: Subject, name: str) -> "Claimant":
        """Attach the claim with this name to a subject.  Raises InputError if that is impossible."""
        claim = claim_of(name, subject.window)
        if subject.adapter.alive not in (None, 1):
            raise InputError(f"--claims {name}: calls are counted with one live instance; leave out --alive")
        subject.running.count(claim.free_identity)
        return cls(subject, name, claim)

    @property
    def subject(self) -> Subject:
        """Return the subject to judge in its place, whose failures may be cost failures."""
        return replace(self.inner, player=self.play)

    def play(self, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        """Run a trace and check its cost: see `swagproof.oracle.runner.run`."""
        before = tried.traces
        failure = run(self.inner, domain, steps, clock, tried)
        if failure is not None or clock.expired or tried.traces == before:  # it may lack an operation of the trace
            return failure
        if any(step.name in _IN_BULK for step in steps):
            self.uncounted.add(Tried(1, len(steps)))
            return None
        if self.inner.program is not None and not self.inner.program.counts_calls:
            return None
        built, *calls = self.inner.running.count_calls(domain, steps)
        for step, made in zip(steps, calls, strict=True):
            if made > self.most.get(step.name, -1):
                self.most[step.name] = made
        if built:
            made_calls = f"building it made {built:,} combine call{'s' if built > 1 else ''}"
            return Failure(0, "cost", 0, built, error=f"{made_calls}; {self.claim.source} allows none")
        return first_over(self.claim, steps, calls)

    def conclude(self, judgement: Judgement) -> Judgement:
        """Return the final judgement: for a subject that conforms, add that it meets the claim, and how many traces
        were not checked for cost."""
        judgement = replace(judgement, uncounted=self.uncounted)
        if judgement.verdict.outcome != "conforms":
            return judgement
        if not any(self.most.values()):
            verdict = Verdict("unknown", f"{judgement.verdict.sentence}; but {self._explain_uncounted()}")
        else:
            most = ", ".join(f"{name} {self.most[name]:,}" for name in self.inner.kind.operations if name in self.most)
            verdict = Verdict(
                "conforms",
                f"{judgement.verdict.sentence}, and it kept within {self.claim.source}; combine calls at most: {most}"
                + self._say_uncounted(judgement.coverage.total),
            )
        return replace(judgement, verdict=verdict)

    def _say_uncounted(self, total: Tried) -> str:
        """Return a note on the part of the work that was not checked for cost, or an empty string."""
        if not self.uncounted.traces:
            return ""
        return (
            f"; not judged by cost, as they have bulks: {self.uncounted.traces:,} of {total.traces:,} "
            f"traces, {self.uncounted.operations:,} of {total.operations:,} operations"
        )

    def _explain_uncounted(self) -> str:
        """Return the reason why the claim cannot be checked."""
        if not self.most and self.uncounted.traces:
            return f"every trace has bulks, which {self.claim.source} does not cover: its calls were not counted"
        counts = self.inner.program is None or self.inner.program.counts_calls
        why = "it never called combine" if counts else "it does not announce calls, see PROTOCOL.md"
        hint = ": does it ignore its monoid?" if counts else ""
        return f"{why}, so it cannot be compared with {self.claim.source}{hint}"


_IN_BULK: Final = frozenset({"begin_bulk", "bulk_evict"})
"""Operations that no theorem here covers: in a trace with one, only answers are checked, and the trace is counted."""
