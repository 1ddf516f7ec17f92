"""The chunked deque keeps its word: against a plain list, at every chunk boundary, in worst-case constant time."""

import operator
import random
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

import pytest
from hypothesis import Phase
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support.machines.state_machines import run_machine

from swagproof.models.containers import deque as module
from swagproof.models.containers.deque import CHUNK, VACANT, Chunk, ChunkedDeque, NumberedDeque, Pointer, place
from swagproof.proofs.ledger.variants import read_mutants

INDEX = st.integers(0, 2**16)


class DequeMachine(RuleBasedStateMachine):
    """A deque beside the list of all that was ever pushed; a pointer beside the position it stands for."""

    deque_class: ClassVar[type[ChunkedDeque[int]]] = ChunkedDeque

    @initialize()
    def begin_empty(self) -> None:
        self.deque = self.deque_class()
        self.pushed: list[int] = []
        self.first = 0
        self.held: list[tuple[Pointer, int]] = [(self.deque.begin(), 0), (self.deque.end(), 0)]

    def _refused(self, action: Callable[[], object]) -> None:
        try:
            action()
        except IndexError:
            return
        raise AssertionError("this should have raised IndexError")

    @rule(count=st.integers(1, 3) | st.integers(1, 130))
    def push(self, count: int) -> None:
        for _ in range(count):
            self.deque.push_back(len(self.pushed))
            self.pushed.append(len(self.pushed))

    @rule(count=st.integers(1, 3) | st.integers(1, 130))
    def pop(self, count: int) -> None:
        for _ in range(count):
            if self.first == len(self.pushed):
                self._refused(self.deque.pop_front)
            else:
                self.deque.pop_front()
                self.first += 1

    @rule()
    def fill_a_chunk(self) -> None:
        self.push(CHUNK - len(self.pushed) % CHUNK)
        self.scan()

    @rule()
    def drain(self) -> None:
        self.pop(len(self.pushed) - self.first)

    @rule(end=st.booleans())
    def hold(self, end: bool) -> None:
        self.held.append((self.deque.end(), len(self.pushed)) if end else (self.deque.begin(), self.first))

    @rule(index=INDEX, steps=st.sampled_from([1, -1]), times=st.integers(1, 130))
    def step(self, index: int, steps: int, times: int) -> None:
        p, position = self.held[index % len(self.held)]
        for _ in range(times):
            if self.first <= position and self.first <= position + steps <= len(self.pushed):
                p, position = (p + 1 if steps == 1 else p - 1), position + steps
            else:
                self._refused(partial(operator.add, p, 1) if steps == 1 else partial(operator.sub, p, 1))
                break
        self.held.append((p, position))

    @rule(index=INDEX, to=INDEX)
    def jump(self, index: int, to: int) -> None:
        p, position = self.held[index % len(self.held)]
        if position >= self.first:
            there = self.first + to % (len(self.pushed) - self.first + 1)
            if there not in (position - 1, position + 1):
                self.held += [(p + (there - position), there), (p - (position - there), there)]

    @rule(index=INDEX)
    def read(self, index: int) -> None:
        p, position = self.held[index % len(self.held)]
        if self.first <= position < len(self.pushed):
            assert self.deque[p] == self.pushed[position]
        else:
            self._refused(lambda: self.deque[p])

    @rule(index=INDEX, item=st.none() | st.integers())
    def write(self, index: int, item: Any) -> None:
        p, position = self.held[index % len(self.held)]
        if self.first <= position < len(self.pushed):
            self.deque[p] = self.pushed[position] = item
        else:
            self._refused(lambda: self.deque.__setitem__(p, item))

    @rule(one=INDEX, two=INDEX)
    def compare(self, one: int, two: int) -> None:
        (p, i), (q, j) = self.held[one % len(self.held)], self.held[two % len(self.held)]
        assert (p == q, p - q, p < q, p <= q) == (i == j, i - j, i < j, i <= j)
        assert i != j or hash(p) == hash(q)
        assert repr(p) == f"@{i}"

    @rule()
    def scan(self) -> None:
        p = self.deque.begin()
        for item in self.pushed[self.first :]:
            assert self.deque[p] == item
            p = p + 1
        assert p == self.deque.end()
        for item in reversed(self.pushed[self.first :]):
            p = p - 1
            assert self.deque[p] == item
        assert p == self.deque.begin()

    @invariant()
    def ends(self) -> None:
        n = len(self.pushed) - self.first
        assert len(self.deque) == self.deque.end() - self.deque.begin() == n
        assert (self.deque.begin() == self.deque.end()) == (n == 0)


# At the boundaries, one by one


def filled(count: int) -> ChunkedDeque[int]:
    deque = ChunkedDeque[int]()
    for i in range(count):
        deque.push_back(i)
    return deque


def test_pointers_leave_the_deque_with_an_error() -> None:
    p = filled(CHUNK + 1).begin()
    with pytest.raises(IndexError, match="leaves the deque"):
        operator.add(p, 2 * CHUNK)
    with pytest.raises(IndexError, match="leaves the deque"):
        operator.sub(p, 2)


def test_a_pointer_equals_only_pointers() -> None:
    deque = filled(1)
    assert deque.begin() != 0
    assert deque.begin() != filled(1).begin()
    assert repr(VACANT) == "VACANT"


def test_place() -> None:
    for offset in (0, 1, CHUNK - 1):
        for steps in range(-3 * CHUNK, 3 * CHUNK):
            chunks, there = place(offset, steps)
            assert 0 <= there < CHUNK
            assert chunks * CHUNK + there == offset + steps


# Worst-case constant time, counted


def test_every_operation_touches_a_constant_number_of_chunks_and_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[str] = []

    class Slots(list[Any]):
        def __getitem__(self, i: Any) -> Any:
            touched.append("slot")
            return super().__getitem__(i)

        def __setitem__(self, i: Any, item: Any) -> None:
            touched.append("slot")
            super().__setitem__(i, item)

    class Counted(Chunk):
        def __init__(self, first: int, preceding: Chunk | None) -> None:
            super().__init__(first, preceding)
            touched.append("allocation")
            assert len(self.slots) == CHUNK
            self.slots = Slots(self.slots)

        def __getattribute__(self, name: str) -> Any:
            touched.append(name)
            return super().__getattribute__(name)

    monkeypatch.setattr(module, "Chunk", Counted)
    deque = ChunkedDeque[int]()

    worst: dict[str, int] = {}

    def measure(name: str, operation: Callable[[], object]) -> None:
        touched.clear()
        operation()
        worst[name] = max(worst.get(name, 0), len(touched))
        assert touched.count("allocation") <= (name == "push_back")

    maxima: list[dict[str, int]] = []
    for size in (3 * CHUNK, 100 * CHUNK):
        worst = {}
        while len(deque) < size:
            measure("push_back", lambda: deque.push_back(1))
        p = deque.begin()
        for _ in range(size):
            measure("read", partial(deque.__getitem__, p))
            measure("write", partial(deque.__setitem__, p, 2))
            measure("p + 1", partial(operator.add, p, 1))
            p = p + 1
        for _ in range(size):
            measure("p - 1", partial(operator.sub, p, 1))
            p = p - 1
        for _ in range(size):
            measure("begin", deque.begin)
            measure("end", deque.end)
            measure("len", lambda: len(deque))
            measure("pop_front", deque.pop_front)
        maxima.append(worst)
    assert maxima[0] == maxima[1]
    assert max(maxima[1].values()) <= 12


def test_a_stale_pointer_keeps_one_chunk_alive() -> None:
    deque = filled(3 * CHUNK)
    stale = deque.begin()
    for _ in range(3 * CHUNK):
        deque.pop_front()
    assert stale.chunk.following is None
    assert deque.begin().chunk.preceding is None


# Deliberately wrong deques


class AllocatesLate(ChunkedDeque[int]):
    """The next chunk comes with its first element, so the end has no place to stand when a chunk is full."""

    def push_back(self, item: int) -> None:
        if self._last == CHUNK:
            self._back.following = Chunk(self._back.first + CHUNK, self._back)
            self._back = self._back.following
            self._last = 0
        self._back.slots[self._last] = item
        self._last += 1


WRONG: Final = read_mutants(r"""
the slot of a popped element is not cleared
    pop_front: front.slots[self._start] = VACANT -> pass
the front chunk is left one slot too early
    pop_front: if self._start == CHUNK: -> if self._start == CHUNK - 1 and front.following is not None:
a new chunk is not linked back
    push_back: + CHUNK, back -> + CHUNK, None
a new chunk is numbered one short
    push_back: + CHUNK, back -> + CHUNK - 1, back
popping an empty deque succeeds
    pop_front: raise IndexError("pop_front: the deque is empty") -> return
a drained deque uses its chunk from the start again, under the pointers that are held
    pop_front: self._start += 1 -> self._start += 1\n    if len(self) == 0: self._start = self._last = 0
""")  # fmt: skip


def crosses_back_wrongly(offset: int, steps: int) -> tuple[int, int]:
    chunks, there = place(offset, steps)
    return chunks, there - (chunks < 0 and there > 0)


def crosses_forward_late(offset: int, steps: int) -> tuple[int, int]:
    chunks, there = place(offset, steps)
    return (chunks, 1) if chunks > 0 and there == 0 else (chunks, there)


def truncates(offset: int, steps: int) -> tuple[int, int]:
    chunks = int((offset + steps) / CHUNK)
    return chunks, offset + steps - chunks * CHUNK


WRONG_CLASSES = {"AllocatesLate": AllocatesLate, **{name: mutant.of(ChunkedDeque) for name, mutant in WRONG.items()}}
WRONG_STEPS = [crosses_back_wrongly, crosses_forward_late, truncates]


def run(wrong: type[ChunkedDeque[int]]) -> None:
    class Machine(DequeMachine):
        deque_class = wrong

    run_machine(Machine, max_examples=200, stateful_step_count=30, phases=[Phase.generate], report_multiple_bugs=False)


def test_the_machine_passes_the_right_deque() -> None:
    run(ChunkedDeque)


@pytest.mark.parametrize("wrong", WRONG_CLASSES.values(), ids=WRONG_CLASSES)
def test_the_machine_rejects_a_wrong_deque(wrong: type[ChunkedDeque[int]]) -> None:
    with pytest.raises((AssertionError, IndexError)):
        run(wrong)


@pytest.mark.parametrize("wrong", WRONG_STEPS)
def test_the_machine_rejects_a_wrong_step(
    wrong: Callable[[int, int], tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "place", wrong)
    with pytest.raises((AssertionError, IndexError)):
        run(ChunkedDeque)


def test_the_deque_by_definition_does_the_same() -> None:
    chance = random.Random(2021)
    chunked, numbered = ChunkedDeque[int](), NumberedDeque[int]()
    for number in range(3000):
        if len(numbered.items) and chance.random() < 0.48:
            chunked.pop_front()
            numbered.pop_front()
        else:
            chunked.push_back(number)
            numbered.push_back(number)
        assert list(chunked) == list(numbered)
        assert chunked.end() - chunked.begin() == numbered.end() - numbered.begin()
        steps = chance.randrange(len(numbered.items) + 1)
        if steps < len(numbered.items):
            chunked[chunked.begin() + steps] = numbered[numbered.begin() + steps] = -number
    assert [chunked[p] for p in chunked.pointers()] == [numbered[p] for p in numbered.pointers()]
    with pytest.raises(IndexError, match="popped"):
        numbered[numbered.begin() - 1]
    with pytest.raises(IndexError, match="empty"):
        NumberedDeque[int]().pop_front()
