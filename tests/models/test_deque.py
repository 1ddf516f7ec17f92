"""The chunked deque compared with the deque by definition; the claims `deque/...` prove every size and place."""

import operator
import random

import pytest

from swagproof.models.containers.deque import CHUNK, VACANT, ChunkedDeque, NumberedDeque


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
    assert (repr(VACANT), repr(deque.end())) == ("VACANT", "@1")


def test_a_stale_pointer_keeps_one_chunk_alive() -> None:
    deque = filled(3 * CHUNK)
    stale = deque.begin()
    for _ in range(3 * CHUNK):
        deque.pop_front()
    assert stale.chunk.following is None
    assert deque.begin().chunk.preceding is None


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
