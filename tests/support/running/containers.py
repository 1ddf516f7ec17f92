"""Stacks, arrays and the deque's reading methods, compared with lists: no proof runs them.

The claims `deque/refines` and `deque/touches` prove the deque's other methods.
"""

import itertools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

from swagproof.models.containers import array, deque, stack
from swagproof.models.containers.deque import CHUNK
from swagproof.proofs.ledger.mutants import Mutant

SIZES: Final = (0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK - 1, 3 * CHUNK)
"""The sizes of the deques that are read, each from every offset at which a deque can begin."""
LONG: Final = 300 * CHUNK
"""The size of one more deque, which begins at its chunk's last offset."""
TALL: Final = 5000
"""The size of a stack and of an array."""


def _items(count: int) -> list[Any]:
    """Return as many items; a container must not look at them: the first are None and false."""
    return [None, False, (), *range(3, count)][:count]


def _answer(act: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return act(*arguments)
    except IndexError:
        return IndexError


def _deques(module: Any) -> Iterator[tuple[str, bool]]:
    """Yield the reading methods with whether their results are right, for deques of each size from each offset."""
    for offset, steps in itertools.product(range(CHUNK), range(-3 * CHUNK, 3 * CHUNK)):
        chunks, there = module.place(offset, steps)
        yield f"{steps} steps from {offset}", chunks * CHUNK + there == offset + steps and 0 <= there < CHUNK
    for begin, size in (*itertools.product(range(CHUNK), SIZES), (CHUNK - 1, LONG)):
        made, right = module.ChunkedDeque(), _items(size)
        for item in (*range(begin), *right):
            made.push_back(item)
        for _ in range(begin):
            made.pop_front()
        said, first, end = f"{size} elements from offset {begin}", made.begin(), made.end()
        yield f"iteration: {said}", list(made) == right
        yield f"pointers: {said}", [made[p] for p in made.pointers()] == right
        yield f"end: {said}", first + size == end and end - size == first
        yield f"hashes of equal pointers: {said}", hash(first + size) == hash(end) and hash(end - size) == hash(first)
        places = range(0, size, CHUNK - 1)
        yield (
            f"p + i, p - i: {said}",
            all(made[first + i] == right[i] and made[end - (i + 1)] == right[-1 - i] for i in places),
        )


def _stacks(module: Any) -> Iterator[tuple[str, bool]]:
    """Compare a stack with a list, over every history of up to ten operations, and pushed and popped `TALL` times."""
    for history in (*itertools.product((True, False), repeat=10), (True,) * TALL + (False,) * (TALL + 1)):
        made, right = module.Stack(), list[Any]()
        for item, push in zip(_items(len(history)), history, strict=True):
            if push:
                made.push(item)
                right.append(item)
            else:
                yield "pop", _answer(made.pop) == _answer(right.pop)
            yield "top", _answer(made.top) == (right[-1] if right else IndexError)
            yield "size", (made.size, made.is_empty()) == (len(right), not right)
            if len(right) in (1, 5, TALL):
                depths = [_answer(made.__getitem__, depth) for depth in range(-1, len(right) + 1)]
                yield "depths", depths == [IndexError, *reversed(right), IndexError]


def _arrays(module: Any) -> Iterator[tuple[str, bool]]:
    """Compare arrays of up to three slots with a dictionary, over every three writes, and one of `TALL` slots."""
    short = ((size, places) for size in range(4) for places in itertools.product(range(-1, size + 2), repeat=3))
    for size, places in (*short, (TALL, range(1, TALL + 1))):
        made, right = module.Array(size), dict[int, Any]()
        for item, place in zip(_items(len(places)), places, strict=True):
            inside = 1 <= place <= size
            yield "write", _answer(made.__setitem__, place, item) == (None if inside else IndexError)
            right |= {place: item} if inside else {}
        copy = made.copy()
        for of, kept in (("array", made), ("copy", copy)):
            read = [_answer(kept.__getitem__, place) for place in range(-1, size + 2)]
            yield of, read == [right.get(place, IndexError) for place in range(-1, size + 2)] and kept.size == size
        if size:
            copy[1] = -1
            yield "a copy's own slots", _answer(made.__getitem__, 1) == right.get(1, IndexError)


LOOKS: Final[dict[ModuleType, Callable[[Any], Iterator[tuple[str, bool]]]]] = {
    deque: _deques,
    stack: _stacks,
    array: _arrays,
}


def check(mutant: Mutant | None = None, module: ModuleType | None = None) -> str:
    """Return the first difference from a list, or ""; `module` is the mutant's."""
    for each, look in LOOKS.items():
        try:
            made = each if mutant is None or each is not module else mutant.rewrite(each)
            wrong = next((said for said, holds in look(made) if not holds), "")
        except (IndexError, AttributeError, TypeError) as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            return wrong
    return ""
