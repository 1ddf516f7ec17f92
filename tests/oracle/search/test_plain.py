"""The search compared with a naive fuzzer: it finds the same bugs, as soon, and in as few operations."""

import ctypes
import json
import math
import multiprocessing
import re
import time
from collections.abc import Iterator
from functools import partial, reduce
from itertools import groupby, islice
from random import Random
from typing import Any

import pytest
from naive_fuzzer import compare, seek
from subjects.hard import hidden
from subjects.hard.generated import Compacting, Ring, Typed, generated
from subjects.right import DequeWindow, ListWindow
from subjects.right_out_of_order import Dictionary
from subjects.right_shared import Kept
from subjects.right_time import Timed
from support.places import TESTS

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import DEFAULT, domain
from swagproof.oracle.domains.elements import TAKEN_FOR_OTHERS
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.kinds.fifo import FifoScript
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import operations_of
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import Attempt, Phase, interleave, spend
from swagproof.oracle.search.plain import sizes
from swagproof.oracle.search.runs import runs_of, spell
from swagproof.oracle.subject import Subject, load_subject
from swagproof.oracle.trace import QUERY, insert, largest_window
from swagproof.oracle.witness.minimise import Minimiser
from swagproof.reference.in_order.two_stacks import TwoStacks

TEXT = ("concatenation",)
GENERATED = {name: Subject(name, build, None, window) for name, window, build in generated()}


@pytest.mark.parametrize(
    "name",
    [
        *("ring of any at any copies as it lies", "ring of 16 at 9 loses the last", "ring of 10 at 7, from 10"),
        *("flip of 13", "stale at 5", "block of 13", "insert 256", "compacting at 16 with 3"),
        *("tie swaps behind 3", "late is dropped 10", "evict takes the next at size 3"),
    ],
)
@pytest.mark.drawn(2)
def test_it_finds_what_a_naive_fuzzer_finds_and_not_a_second_later(name: str) -> None:
    compared = compare(GENERATED[name], seeds=(1,))
    assert compared.oracle[0] is not None
    assert compared.holds, compared


@pytest.mark.parametrize("monoid", ["concatenation", "sum"])
@pytest.mark.parametrize(
    ("capacity", "offset", "runs"),
    [(None, None, (4, 1, 2)), (16, 3, (16, 3, 4)), (32, 5, (32, 5, 6)), (64, 17, (64, 17, 18))],
)
@pytest.mark.drawn(3)
def test_a_ring_is_shown_as_it_is_filled_turned_and_grown(
    monoid: str, capacity: int | None, offset: int | None, runs: tuple[int, ...]
) -> None:
    """No shorter trace shows it; without structures ten times as many operations were left, none of them redundant."""
    ring = Subject("ring", partial(Ring, mistake="loses the last", capacity=capacity, offset=offset))
    verdict = judge(ring, [domain(monoid)], seed=0).verdict
    witness = verdict.witness
    assert witness is not None
    assert witness.minimal
    assert sum(runs_of(witness.trace.steps)) == sum(runs)
    letters = [step.arguments[0] for step in (witness.letters or witness.trace).steps if step.name == "insert"]
    assert len(set(letters)) == len(letters)
    assert f'lacks "{letters[-2]}"' in verdict.sentence


@pytest.mark.parametrize(
    ("made", "operations", "sentence"),
    [
        (hidden.TenthQuery, 21, "the repeated query"),
        (hidden.Tombstones, 11, "the answer still contains"),
        (hidden.SeventeenthDuplicate, 18, "at time 1 the later element replaces the earlier"),
        (hidden.LargeBulk, 12, "the later element replaces the earlier"),
        (hidden.StaleFinger, 6, '"d", inserted at 2, is combined with the entry at 3'),
        (hidden.NextSize, 11, "the answer is that of the window of"),
        (hidden.TwiceAsLarge, 11, "in the window of 8"),
    ],
)
@pytest.mark.drawn(1)
def test_what_hides_is_found_and_shown_in_few_operations(made: Any, operations: int, sentence: str) -> None:
    subject = load_subject(f"{TESTS}/subjects/hard/hidden.py:{made.__name__}", made.window)
    verdict = judge(subject, [domain("concatenation")], seed=0, effort=250_000).verdict
    assert sentence in verdict.sentence
    assert verdict.witness is not None
    assert verdict.witness.minimal
    assert len(verdict.witness.trace.steps) <= operations


@pytest.mark.parametrize(
    ("made", "monoid", "operations", "sentence"),
    [
        (hidden.VersionOfEightBits, "concatenation", 258, "again, as before the"),
        (hidden.SixteenMaxima, "max", 18, "the oldest of 17 elements"),
        (hidden.NoDataIsMarked, "max", 2, "the answer lacks -9999, the only element"),
    ],
)
def test_what_counts_in_few_bits_or_slots_is_found_with_a_small_effort(
    made: Any, monoid: str, operations: int, sentence: str
) -> None:
    subject = load_subject(f"{TESTS}/subjects/hard/hidden.py:{made.__name__}", made.window)
    verdict = judge(subject, [domain(monoid)], seed=0, effort=operations_of("small", made.window)).verdict
    assert sentence in verdict.sentence
    assert verdict.witness is not None
    assert len(verdict.witness.trace.steps) <= operations


def test_every_number_of_inserts_comes_between_two_queries() -> None:
    subject = Subject("versions", hidden.VersionsOfNinetySeven, None, "fifo")
    tried = enumerate(islice(sizes([domain("concatenation")], Random(0), FifoScript), 100), start=1)
    shows = [n for n, each in tried if run(subject, each.domain, each.steps, Clock(), Tried()) is not None]
    assert shows == [98]


@pytest.mark.parametrize("beyond", [-1, 0, 1])
@pytest.mark.parametrize("block", [4, 8, 16, 32, 64, 128, 256, 512])
@pytest.mark.parametrize("monoid", ["concatenation", "max"])
@pytest.mark.drawn(1)
def test_shared_windows_end_with_blocks_in_every_place(monoid: str, block: int, beyond: int) -> None:
    """The subjects have two and three windows, over faithful monoids and over ones that choose an element."""
    telling = [domain(monoid)]
    blocks = [phase for phase in KINDS["shared"].phases(telling, 0, ()) if phase.name == "blocks"]
    traces = [attempt.steps for phase in blocks for attempt in phase.attempts]
    assert sum(map(len, traces)) < operations_of("default", "shared") / 10
    places = {(windows, place) for windows in (2, 3) for place in range(windows)}
    for windows, place in places:
        made = partial(hidden.BlockEnds, block=block, beyond=beyond, windows=windows, place=place)
        subject = Subject("blocks", made, None, "shared")
        assert any(run(subject, telling[0], steps, Clock(), Tried()) for steps in traces), (windows, place)


@pytest.mark.parametrize("window", ["fifo", "out-of-order", "time", "shared"])
@pytest.mark.parametrize("characters", [16, 31, 255, 1024, 4095, 8192, 65535])
@pytest.mark.drawn(6)
def test_texts_are_longer_than_what_is_kept_of_them(window: str, characters: int) -> None:
    """They exceed the stored length only as far as needed."""
    right = {"fifo": ListWindow, "out-of-order": Dictionary, "time": Timed, "shared": Kept}[window]
    subject = Subject(window, lambda monoid: right(hidden.ShortTexts(monoid, characters)), None, window)
    (phase,) = (
        phase
        for phase in KINDS[window].phases([domain("concatenation")], 0, subject.methods)
        if phase.name == "lengths"
    )
    attempts = list(phase.attempts)
    assert sum(attempt.work for attempt in attempts) < operations_of("default", window) / 100

    def fails(judged: Subject, attempt: Attempt) -> bool:
        return run(judged, attempt.domain, attempt.steps, Clock(), Tried()) is not None

    whole = Subject("right", right, None, window)
    assert not any(fails(whole, attempt) for attempt in attempts)
    shows = [attempt for attempt in attempts if fails(subject, attempt)]
    assert shows
    longest = max(len(step.arguments[-1]) for step in shows[0].steps if step.name == "insert")
    assert longest <= characters + 1


@pytest.mark.parametrize("made", [hidden.EndsInThirtyTwoBits, hidden.LapsesInThirtyTwoBits, hidden.AgesInThirtyTwoBits])
def test_time_is_told_where_thirty_two_bits_end(made: Any) -> None:
    verdict = judge(Subject("bits", made, None, "time"), [domain("concatenation")], seed=0, effort=200_000).verdict
    assert verdict.outcome == "violated"
    assert verdict.witness is not None
    assert len(verdict.witness.trace.steps) <= 4


@pytest.mark.parametrize(
    ("made", "window"), [(hidden.BulksOfSoMany, "fifo"), (hidden.TimedBulksOfSoMany, "out-of-order")]
)
@pytest.mark.drawn(0)
def test_bulks_are_larger_than_a_buffer_of_thousands(made: Any, window: str) -> None:
    subject, over = load_subject(f"{TESTS}/subjects/hard/hidden.py:{made.__name__}", window), domain("sum")
    tried = spend(KINDS[window].effort, interleave(KINDS[window].phases([over], 0, subject.methods)))
    bulks = [attempt for _, attempt in tried if re.fullmatch(r"bulks of [\d,]+", attempt.what)]
    found = [run(subject, over, attempt.steps, Clock(), Tried()) is not None for attempt in bulks[:2]]
    assert found == [False, True]


def test_no_trace_is_written_before_its_turn() -> None:
    """Writing one of 65,537 entries takes longer than starting everything else."""

    def unwritten() -> Iterator[Attempt]:
        raise AssertionError("written")
        yield

    text = domain("concatenation")
    words = Phase("words", 1, (Attempt(text, "", [QUERY]) for _ in range(9)), lead=50)
    assert len(list(islice(interleave([words, Phase("lives", 1, unwritten())]), 5))) == 5


def test_windows_grow_at_every_capacity_and_offset_with_the_usual_effort() -> None:
    """The search finds a ring that fails only when it grows from 128 at offset 100, as any other up to 256."""
    domains = [domain("concatenation"), domain("sum")]
    capacities = range(2, 257)
    began, doubled = set[tuple[int, int]](), set[tuple[int, int]]()
    for phase, attempt in spend(KINDS["fifo"].effort, interleave(KINDS["fifo"].phases(domains, 0, ()))):
        if phase.name != "turns":
            continue
        size = largest = evicted = 0
        before = list[int]()
        for step in attempt.steps:
            if step.name == "evict":
                size, evicted = size - 1, evicted + 1
            elif step.name == "insert":
                size += 1
                if size > largest:  # a ring with this number of slots grows here
                    largest = size
                    before.append(evicted)
        grown = [capacity for capacity in capacities if capacity < largest]
        began |= {(capacity, before[capacity] % capacity) for capacity in grown}
        doubled |= {(half, (before[half] - before[half // 2]) % half) for half in grown if half % 2 == 0}
    wanted = {(capacity, offset) for capacity in capacities for offset in range(capacity)}
    assert began == wanted
    assert doubled == {(capacity, offset) for capacity, offset in wanted if capacity % 2 == 0}


class WrongAfterFiftyDrains(ListWindow):
    """It loses the oldest of four elements between its fiftieth and fifty-first time of being emptied."""

    drains = 0

    def evict(self) -> None:
        super().evict()
        self.drains += not self.values

    def query(self) -> Any:
        oldest = self.drains == 50 and len(self.values) == 4
        return reduce(self.monoid.combine, self.values[oldest:], self.monoid.identity)


RARE: list[tuple[Any, tuple[str, ...], int, float]] = [
    *(
        (made, (monoid,), 0, operations_of(effort, made.window))
        for made, monoid, effort in (
            (hidden.SixteenMaximaInTime, "max", "small"),
            (hidden.EntriesOfOneTimeInAByte, "concatenation", "small"),
            (hidden.WindowsInSixtyFourBits, "concatenation", "small"),
            (hidden.VersionOfTwelveBits, "sum", "small"),
            (hidden.VersionOfTwelveBitsInTime, "sum", "small"),
            (hidden.ThousandMaxima, "max", "default"),
        )
    ),
    *(
        (partial(Ring, mistake="copies as it lies", capacity=capacity, offset=offset, start=start), TEXT, 0, 350_000)
        for capacity, start in ((37, 37), (60, 15), (128, 128))
        for offset in (Random(capacity).randrange(1, capacity), capacity * 100 // 128)
    ),
    *(
        (partial(Ring, mistake="loses the last", capacity=capacity, offset=None), ("affine", *TEXT), seed, math.inf)
        for capacity in (2048, 8192)
        for seed in range(3)
    ),
    *(
        (partial(Compacting, head=head, left=left), TEXT, seed, 200_000)
        for head, left in ((32, 5), (64, 10), (100, 10), (128, 20))
        for seed in range(2)
    ),
    *((WrongAfterFiftyDrains, DEFAULT, seed, operations_of("small")) for seed in range(4)),
]
"""Windows that are wrong in few states, with the monoids, the seed, and the number of operations that finds each."""


@pytest.mark.parametrize(("made", "monoids", "seed", "most"), RARE)
@pytest.mark.drawn(5)
def test_what_few_states_show_is_found_in_so_many_operations(
    made: Any, monoids: tuple[str, ...], seed: int, most: float
) -> None:
    subject = Subject("rare", made, None, getattr(made, "window", "fifo"))
    found = seek(subject, [domain(name) for name in monoids], seed=seed)
    assert found is not None
    assert found <= most


@pytest.mark.drawn(0)
def test_numbers_of_fewer_bits_do_not_conform() -> None:
    kinds: dict[str, Any] = {
        "int32": lambda x: ctypes.c_int32(x).value,
        "int64": lambda x: ctypes.c_int64(x).value,
        "float64": float,
    }
    found = {
        (monoid, kind)
        for monoid in ("sum", "max", "min", "wide-sum")
        for kind, convert in kinds.items()
        for verdict in [judge(Subject(kind, partial(Typed, convert=convert)), [domain(monoid)], effort=20_000).verdict]
        if verdict.outcome == "violated"
    }
    kept = {(monoid, "int64") for monoid in ("max", "min")}  # its elements have 64 bits
    assert found == {(monoid, kind) for monoid in ("sum", "max", "min", "wide-sum") for kind in kinds} - kept


def test_a_slow_trace_ends_at_the_deadline_also_when_it_is_repeated() -> None:
    played = multiprocessing.Value("i", 0)  # shared with the subject's process

    class Slow(TwoStacks[Any]):
        def query(self) -> Any:
            time.sleep(0.02)
            played.value += 1
            return super().query()

    subject, clock = Subject("slow", Slow), Clock(timeout=0.5)
    clock.allow(1.0)
    assert run(subject, domain("sum"), [insert(1), *[QUERY] * 1000], clock, Tried()) is None
    subject.stop()
    assert 0 < played.value < 500


@pytest.mark.drawn(0)
def test_the_same_seed_gives_the_same_verdict_and_who_is_starved_has_none() -> None:
    for name in ("ring of 32 at 5 copies as it lies", "tie swaps behind 3"):
        subject = GENERATED[name]
        one, other = (judge(subject, domains_of(subject), seed=3).to_json() | {"seconds": 0} for _ in range(2))
        assert one == other
    right = Subject("right", DequeWindow)
    report = judge(right, domains_of(right, ["sum"]), seed=0, budget=0.05)
    assert (report.verdict.outcome, report.verdict.exit_code) == ("unknown", 3)
    assert "of 1,100,000 operations" in report.verdict.sentence


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("made", "right"),
    [
        (hidden.VersionOfTwelveBits, DequeWindow),
        (hidden.VersionOfSixteenBits, DequeWindow),
        (hidden.VersionOfSixteenBitsInTime, Dictionary),
    ],
)
def test_one_trace_of_many_entries_takes_counters_round(made: Any, right: Any) -> None:
    total = domain("sum")
    (lives,) = (phase for phase in KINDS[made.window].phases([total], 0, ()) if phase.name == "lives")
    steps = next(lives.attempts).steps
    found, none = (
        run(Subject(some.__name__, some, None, made.window), total, steps, Clock(60), Tried()) for some in (made, right)
    )
    assert found is not None
    assert steps[found.at].name == "query"
    assert none is None


@pytest.mark.parametrize("window", ["fifo", "out-of-order"])
@pytest.mark.drawn(0)
def test_with_the_usual_effort_a_window_outlives_sixteen_bits(window: str) -> None:
    kind = KINDS[window]
    tried = spend(kind.effort, interleave(kind.phases([domain("sum")], 0, ())))
    lives = [attempt.steps for phase, attempt in tried if phase.name == "lives"]
    assert largest_window(lives[0], kind.window) > 1 << 16
    assert sum(step.name == "evict" for step in lives[0]) > 1 << 16


class Taken(DequeWindow):
    """It confuses one text with another."""

    text = other = ""

    def insert(self, v: Any) -> None:
        super().insert(self.other if v == self.text else v)


class Crowded(TwoStacks[Any]):
    """It loses elements inserted into a window of `most` elements or more."""

    most = 1 << 14
    size = 0

    def insert(self, v: Any) -> None:
        super().insert(v if self.size < self.most else self.monoid.identity)
        self.size += 1

    def evict(self) -> None:
        super().evict()
        self.size -= 1


class Ages(Crowded):
    """It loses the 8,192nd inserted element."""

    most, count = 1 << 20, 0

    def insert(self, v: Any) -> None:
        self.count += 1
        super().insert(v if self.count != 1 << 13 else self.monoid.identity)


@pytest.mark.parametrize("text", TAKEN_FOR_OTHERS)
@pytest.mark.drawn(1)
def test_what_is_wrong_with_one_text_is_found(text: str) -> None:
    made = type("Takes", (Taken,), {"text": text})
    witness = judge(Subject("odd", made), [domain("concatenation")], seed=0).verdict.witness
    assert witness is not None
    assert str(witness.trace) == f"insert {json.dumps(text)}, query"


@pytest.mark.drawn(0)
def test_what_is_late_is_made_small_in_few_runs() -> None:
    """It fails in a small window, after many entries have come and gone; each try of the minimiser is as long."""
    over, tried, clock = domain("affine"), Tried(), Clock()
    steps = [*spell((2049, 1999, *(1, 1) * 6160), over.elements.letters), QUERY]
    subject = Subject("late", Ages)
    failure = run(subject, over, steps, clock, Tried())
    assert failure is not None
    minimiser = Minimiser(subject, over, steps, failure, clock, tried)
    assert minimiser.minimise() is None
    assert runs_of(minimiser.steps) == (1 << 13,)
    assert tried.operations < 40 * len(steps)
    subject.stop()


@pytest.mark.drawn(0)
def test_a_window_is_large_once_with_the_usual_effort() -> None:
    verdict = judge(Subject("crowded", Crowded), [domain("sum")], seed=0).verdict
    assert verdict.witness is not None
    assert (verdict.witness.diagnosis, verdict.witness.minimal) == ("late growth", True)
    assert "the smallest window tried that shows it holds 16385 elements" in verdict.sentence


class Roomy(ListWindow):
    """It keeps the newest two elements if all need more than 2,500 digits; it raises if one exceeds 64 bits."""

    def query(self) -> Any:
        if any(not -(1 << 63) <= x < 1 << 63 for x in self.values):
            raise OverflowError
        if sum(len(str(x)) for x in self.values) > 2500:
            return max(self.values[-2:])
        return super().query()


def test_what_depends_on_the_room_of_elements_is_shown_by_few_different_ones() -> None:
    witness = judge(Subject("roomy", Roomy), [domain("max")], seed=0).verdict.witness
    assert witness is not None
    assert (witness.error, witness.minimal) == (None, True)
    elements = [step.arguments[-1] for step in witness.trace.steps if step.name == "insert"]
    assert len([*groupby(elements)]) <= 3
