"""`swagproof conform --claims`: subjects within a theorem's bounds are not accused, others are, with a small trace."""

import json
import random
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support.command import assert_refused, conform, verdict
from support.places import TESTS

from swagproof.models.monoid import Counting
from swagproof.models.operations import SUM
from swagproof.oracle.claims import _OTHER_NAMES, CLAIMS, UNCLAIMED, claim_of, first_over  # pyright: ignore[reportPrivateUsage]  # tests see all
from swagproof.oracle.outcome import Failure
from swagproof.oracle.trace import EVICT, QUERY, InputError, Step, evict_at, insert, insert_at
from swagproof.oracle.vectors.written import write_all
from swagproof.reference.catalogue import CATALOGUE, FIFO, Column
from swagproof.reference.costs import BILLED, THEOREMS
from swagproof.reference.in_order.recalculate import Recalculate
from swagproof.reference.related_work.flat_fit import FlatFit

SUBJECTS = TESTS / "subjects"
COSTLY = f"{SUBJECTS}/hard/costly.py"
REFERENCE = "swagproof.reference"
KEPT = {
    "daba": "in_order.daba:Daba",
    "daba-lite": "in_order.daba_lite:DabaLite",
    "two-stacks": "in_order.two_stacks:TwoStacks",
    "two-stacks-lite": "in_order.two_stacks_lite:TwoStacksLite",
    "subtract-on-evict": "in_order.subtract_on_evict:SubtractOnEvict",
    "recalculate": "in_order.recalculate:Recalculate",
    "reactive-aggregator": "flat_trees.reactive_aggregator_fifo:ReactiveAggregatorFifo",
    "fiba": "trees.fiba:Fiba",
    "b-tree": "trees.b_tree:BTree",
    "base-intervals": "flat_trees.base_intervals:BaseIntervals",
    "flat-fit": "related_work.flat_fit:FlatFit",
    "slick-deque": "related_work.slick_deque:SlickDeque",
    "stream": "sharing.stream_sharing:NaiveStream",
}
OVER = {"subtract-on-evict": ("--monoid", "sum"), "slick-deque": ("--monoid", "max")}
"""The monoid of an algorithm that does not take every monoid."""


def run(subject: str, claim: str, *options: str) -> Result:
    """Check the claim of a reference by its name, a class of `costly.py`, or a class of any other file."""
    named = f"{REFERENCE}.{KEPT[subject]}" if subject in KEPT else subject if ":" in subject else f"{COSTLY}:{subject}"
    known = CLAIMS.get(claim.partition(":")[0])
    window = known.windows[0] if known is not None else "fifo"
    return conform(named, "--window", window, "--claims", claim, "--seed", "0", *options)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.drawn(1)
def test_references_keep_within_their_own_theorems(claim: str) -> None:
    result = run(claim, claim, "--effort", "40000", *OVER.get(claim, ()))
    assert result.exit_code == 0, result.output
    assert f"and it kept within {CLAIMS[claim].source}; combine calls at most: " in result.stdout


@pytest.mark.parametrize(
    ("subject", "outcome", "sentence"),
    [
        ("daba", "conforms", "agrees with the reference, and it kept within Theorem 5.2 (DABA); combine"),
        ("two-stacks", "violated", "; Theorem 5.2 (DABA) allows 3"),
    ],
)
def test_claims_hold_on_vectors_too(tmp_path: Path, subject: str, outcome: str, sentence: str) -> None:
    write_all(tmp_path, ["fifo"], ["concatenation"])
    data = json.loads(run(subject, "daba", "--vectors", str(tmp_path), "--json", "-").stdout)
    assert (data["outcome"], sentence in data["sentence"]) == (outcome, True), data["sentence"]
    if outcome == "violated":
        again = conform(*shlex.split(data["replay"])[2:])
        assert (again.exit_code, sentence in again.stdout) == (1, True)


def test_every_theorem_has_a_claim() -> None:
    assert set(KEPT) == set(CLAIMS)
    columns = {claim.source.partition("(")[2][:-1] for claim in CLAIMS.values()}
    assert set(THEOREMS) <= columns


@pytest.mark.parametrize(
    ("subject", "claim", "cost", "trace"),
    [
        ("two-stacks", "daba", ("evict", 4, 4, 3), 'insert "a", insert "b", insert "c", insert "d", evict'),
        ("two-stacks-lite", "daba-lite", ("evict", 3, 4, 2), 'insert "a", insert "b", insert "c", insert "d", evict'),
        ("daba", "daba-lite", ("insert", 4, 1, 3), None),
        ("recalculate", "two-stacks", ("query", 2, 2, 1), 'insert "a", insert "b", query'),
        ("recalculate", "subtract-on-evict", ("query", 1, 1, 0), 'insert "a", query'),
        ("FlipsAtEachEvict", "two-stacks", None, None),
        ("LooksTwice", "daba", ("query", 2, 0, 1), "query"),
        ("CombinesWithTheIdentity", "two-stacks", ("insert", 2, 0, 1), 'insert "a"'),
        ("two-stacks", "recalculate", ("query", 1, 0, 0), "query"),
        ("fiba", "b-tree", ("query", 2, 4, 0), None),
        ("CopiesTheMonoid", "two-stacks", ("query", 2, 2, 1), 'insert "a", insert "b", query'),
        ("CombinesAtTheStart", "two-stacks", None, "query"),
    ],
)
@pytest.mark.drawn(2)
def test_what_costs_more_than_it_claims_is_found(
    subject: str, claim: str, cost: tuple[str, int, int, int] | None, trace: str | None
) -> None:
    data = json.loads(run(subject, claim, "--json", "-").stdout)
    assert (data["outcome"], data["witness"]["diagnosis"], data["witness"]["minimal"]) == ("violated", "cost", True)
    if cost is not None:
        operation, calls, size, allowed = cost
        made = f"{operation} made {calls} combine call{'s' * (calls > 1)} at window size {size}"
        assert data["sentence"] == f"{made}; {CLAIMS[claim].source} allows {allowed}"
    assert data["witness"]["got"] > data["witness"]["expected"]
    options = shlex.split(data["replay"])[2:]
    assert trace is None or options[-1] == trace
    assert verdict(*options)["sentence"] == data["sentence"]


@pytest.mark.parametrize(
    ("subject", "claim", "trace", "sentence"),
    [
        ("RebuildsTheTree", "flatfat", "40 * insert 1, 60 * query", "queries made"),
        ("RepairsEverything", "fiba", ", ".join(f"insert {time} 1" for time in range(64)), "allows"),
    ],
)
def test_amortised_claims_are_about_whole_histories(subject: str, claim: str, trace: str, sentence: str) -> None:
    result = run(subject, claim, "--monoid", "sum", "--trace", trace)
    assert result.exit_code == 1, result.output
    assert sentence in result.stdout.splitlines()[1]


def test_the_text_says_it_in_one_sentence() -> None:
    result = run("two-stacks", "daba")
    assert "  expected " not in result.stdout
    assert "--claims daba --trace" in result.stdout


@pytest.mark.parametrize(("claim", "outcome"), [("two-stacks", "conforms"), ("recalculate", "violated")])
def test_traces_that_are_not_offered_are_not_judged_by_cost(claim: str, outcome: str) -> None:
    data = json.loads(run("OffersShortOnes", claim, "--effort", "20000", "--json", "-").stdout)
    assert data["outcome"] == outcome, data["sentence"]


def test_a_wrong_answer_is_still_a_wrong_answer() -> None:
    data = json.loads(run(f"{SUBJECTS}/wrong.py:OperandSwap", "recalculate", "--json", "-").stdout)
    assert (data["outcome"], data["witness"]["diagnosis"]) == ("violated", "operands swapped")


def test_what_comes_with_bulks_is_told_from_what_was_counted() -> None:
    """No theorem here covers bulks: the verdict states how much was checked for its answers alone."""
    bulks = f"{REFERENCE}.trees.fiba_bulk:BulkFiba"
    data = json.loads(run(bulks, "fiba", "--monoid", "sum", "--effort", "30000", "--json", "-").stdout)
    assert data["outcome"] == "conforms", data["sentence"]
    part, whole = data["uncounted"], data["tried"]
    assert all(0 < part[what] < whole[what] for what in ("traces", "operations")), (part, whole)
    assert data["sentence"].endswith(
        f"; not judged by cost, as they have bulks: {part['traces']:,} of {whole['traces']:,} traces, "
        f"{part['operations']:,} of {whole['operations']:,} operations"
    )
    over = ("--monoid", "sum", "--json", "-", "--trace")
    alone = json.loads(run(bulks, "fiba", *over, "begin_bulk, insert 1 1, end_bulk, query").stdout)
    assert (alone["outcome"], alone["uncounted"]) == ("unknown", {"traces": 1, "operations": 4})
    assert alone["sentence"].endswith(
        "; but every trace has bulks, which Theorem 3.4 (FiBA, min-arity 2) does not cover: its calls were not counted"
    )
    none = json.loads(run(bulks, "fiba", *over, "insert 1 1, insert 2 1, insert 3 1, insert 4 1, query").stdout)
    assert (none["outcome"], none["uncounted"]["traces"], "bulks" in none["sentence"]) == ("conforms", 0, False)


def test_who_never_calls_combine_is_not_judged() -> None:
    result = run(f"{SUBJECTS}/right.py:RunningSum", "daba", "--effort", "10000")
    assert result.exit_code == 3
    assert "it never called combine, so it cannot be compared with Theorem 5.2 (DABA)" in result.stdout


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("dabba", "--claims dabba: not one of daba, daba-lite, "),
        ("daba:3", "--claims daba:3: not one of "),
        ("fiba:1", "--claims fiba:1: its min-arity must be an integer of at least 2"),
        ("fiba:x", "--claims fiba:x: its min-arity must be an integer"),
    ],
)
def test_claims_that_are_none(claim: str, message: str) -> None:
    assert_refused(run("daba", claim), message)


def test_a_claim_about_another_kind_of_window() -> None:
    result = conform(f"{REFERENCE}.{KEPT['fiba']}", "--window", "out-of-order", "--claims", "daba")
    assert_refused(result, "--claims daba: a theorem about fifo windows, not out-of-order")
    with pytest.raises(InputError):
        claim_of("fiba", "shared")


def test_the_account_is_looked_at_after_every_operation() -> None:
    steps = [insert(1)] * 3 + [EVICT] * 3
    claim = CLAIMS["two-stacks"]
    assert first_over(claim, steps, [1, 1, 1, 3, 0, 0]) is None
    failure = first_over(claim, steps, [1, 1, 1, 3, 1, 0])
    assert failure is not None
    assert failure.at == 4
    assert (
        failure.error
        == "3 inserts, 2 evicts made 7 combine calls together; Theorem 3.2 (Two-Stacks) allows 6, amortised"
    )


def grow_and_shrink(m: int, grown: int) -> list[Step]:
    """Return a history on which FlatFIT makes more than 3 calls a query, if the window grows large."""
    more, fewer = [insert(1), insert(1), EVICT, QUERY], [insert(1), EVICT, EVICT, QUERY]
    return [insert(1)] * m + [QUERY] + more * grown + fewer * (grown + m - 2)


def test_flat_fit_is_held_to_its_account_where_that_is_known_to_hold() -> None:
    def fail(steps: Sequence[Step], made: type) -> Failure | None:
        monoid, calls = Counting(SUM), list[int]()
        window = made(monoid)
        for step in steps:
            before = monoid.calls
            getattr(window, step.name)(*step.arguments)
            calls.append(monoid.calls - before)
        return first_over(CLAIMS["flat-fit"], steps, calls)

    assert fail(grow_and_shrink(16, 64), FlatFit) is None
    assert fail(grow_and_shrink(3, 6), FlatFit) is None
    assert "section 8.1 (FlatFIT) allows" in str(fail(grow_and_shrink(3, 6), Recalculate))


def test_distances_are_told_by_time() -> None:
    steps = [*(insert_at(time, 1) for time in range(1, 8)), evict_at(4), evict_at(4), insert_at(6, 1)]
    failure = first_over(CLAIMS["fiba"], steps, [*[0] * 7, 10_000, 0, 0])
    assert failure is not None
    assert "evict made 10,000 combine calls at distance 3 of 7 entries; Theorem 3.4 (FiBA, min-arity 2)" in str(
        failure.error
    )
    failure = first_over(CLAIMS["fiba"], steps, [*[0] * 8, 10_000, 0])
    assert "at distance 3 of 6 entries" in str(failure and failure.error)
    failure = first_over(CLAIMS["fiba"], steps, [*[0] * 9, 10_000])
    assert "at distance 1 of 6 entries" in str(failure and failure.error)


@pytest.mark.parametrize("column", [column for column in FIFO if column.name in BILLED], ids=lambda column: column.name)
def test_the_accounts_are_tight(column: Column) -> None:
    """No history costs more than its account, and some cost nearly as much."""
    chance, most = random.Random(0), 0.0
    for rate in (0.5, 0.6, 0.8):
        monoid = Counting(SUM)
        window: Any = column.algorithm(monoid)
        n = inserts = evicts = 0
        for _ in range(4000):
            if n == 0 or chance.random() < rate:
                window.insert(1)
                n, inserts = n + 1, inserts + 1
            else:
                window.evict()
                n, evicts = n - 1, evicts + 1
            assert monoid.calls <= BILLED[column.name].most(inserts, evicts, n)
        most = max(most, monoid.calls / BILLED[column.name].most(inserts, evicts, n))
    assert most > 0.75


def test_programs_count_their_own_calls() -> None:
    talking = shlex.join([sys.executable, f"{SUBJECTS}/programs/talking.py"])
    options = ["--claims", "daba", "--seed", "0"]
    result = conform("--exec", f"{talking} calls", *options)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1] == "  evict made 4 combine calls at window size 4; Theorem 5.2 (DABA) allows 3"
    result = conform("--exec", talking, *options, "--effort", "5000")
    assert result.exit_code == 3
    assert "it does not announce calls, see PROTOCOL.md, so it cannot be compared with Theorem 5.2" in result.stdout


def test_every_algorithm_has_a_claim_or_a_reason_why_not() -> None:
    slugs = {entry.slug for entry in CATALOGUE}
    claimed = {slug for slug in slugs if slug in CLAIMS or slug in _OTHER_NAMES}
    assert claimed.isdisjoint(UNCLAIMED)
    assert claimed | set(UNCLAIMED) == slugs
    with pytest.raises(InputError, match="--claims timegram: it makes no combine calls"):
        claim_of("timegram", "shared")


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        ("ShortensNothing", "queries made .* together; section 8.1 .FlatFIT. allows .*, amortised, as every history"),
        ("AsksAllCandidates", "inserts, .* made .* together; section 7 .SlickDeque. allows .*, amortised"),
        ("DeclaredDaba", "query made 2 combine calls at window size 0; Theorem 5.2 .DABA. allows 1"),
    ],
)
def test_who_declares_an_algorithm_is_held_to_its_cost_unasked(subject: str, sentence: str) -> None:
    """Their answers are right, and `--claims` is not given; a replay fails again."""
    over = ("--monoid", "max") if subject == "AsksAllCandidates" else ("--monoid", "sum")
    result = conform(f"{COSTLY}:{subject}", "--window", "fifo", *over, "--seed", "0", "--effort", "30000")
    assert result.exit_code == 1, result.output
    assert re.search(sentence, " ".join(result.stdout.split()))
    assert conform(*shlex.split(result.stdout.rpartition("replay")[2])[2:]).exit_code == 1
