"""Claims that deque, stack and array meet their definitions, with their mutants.

All proofs and explorations of algorithms over a deque use its definition in place of the deque, and so rest on these
claims.  Stack and array are a few lines over a Python list, and are compared with a list.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.models.containers import array, deque, stack
from swagproof.models.containers.deque import CHUNK, ChunkedDeque
from swagproof.proofs.containers.deque_runs import MOST_LINKS, MOST_SLOTS, OPERATIONS, DequeOperation, explore_operation
from swagproof.proofs.ledger.claim import IN_ORDER, OURS, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants
from swagproof.proofs.ledger.theorem import ProvedRuns
from swagproof.reference.catalogue import Entry

WRONG: Final = Mutants[Entry](table="containers", section="deque")
"""Mutants of the deque, which the deque's own claims reject."""

COSTLY: Final = Mutants[Entry](table="containers", section="deque, cost")
"""Mutants that only the number of touched slots and links reveals."""

READ: Final = Mutants[Entry](table="containers", section="deque, read")
"""Mutants of the methods with which invariants read the deque."""

COSTS: Final = frozenset(
    {"at most two slots are touched", "at most four links are touched", "at most one chunk is made"}
    | {"no walk over several chunks"}
)


RUNS: Final = ProvedRuns[DequeOperation](
    explore=explore_operation,
    names=OPERATIONS,
    runs_of={
        "__init__": ("start", "push_back"),
        "push_back": ("push_back",),
        "pop_front": ("pop_front", "pop_front when empty"),
        "__len__": ("ends",),
        "end": ("ends",),
        "__getitem__": ("read",),
        "__setitem__": ("write",),
        **dict.fromkeys(("__eq__", "__add__", "__sub__", "place", "_walk"), ("p + 1", "p - 1", "compare")),
    },
)
REFINES: Final = RUNS.theorem(states=lambda obligation: obligation not in COSTS)
TOUCHES: Final = RUNS.theorem(states=lambda obligation: obligation in COSTS)


# Comparisons with lists

SIZES: Final = (0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK - 1, 3 * CHUNK)
"""The sizes of the deques that are read, each from every offset at which a deque can begin."""
LONG: Final = 300 * CHUNK
"""The size of one more deque, which begins at its chunk's last offset."""
TALL: Final = 5000
"""The size of a stack and of an array."""


def _item(number: int) -> Any:
    """Return the item of a number; a container must not look at it: the first are None and false."""
    return (None, False, ())[number] if 0 <= number < 3 else number


def _read(deques: Any) -> Iterator[tuple[str, bool]]:
    """Yield the reading methods of a module's deques, with whether their results are right."""
    for begin, size in (*itertools.product(range(CHUNK), SIZES), (CHUNK - 1, LONG)):
        made: ChunkedDeque[Any] = deques.ChunkedDeque()
        for number in range(begin + size):
            made.push_back(_item(number - begin))
        for _ in range(begin):
            made.pop_front()
        right = list(map(_item, range(size)))
        said = f"{size} elements from offset {begin}"
        yield f"iteration: {said}", list(made) == right
        pointers = list(itertools.islice(made.pointers(), size + 1))
        yield f"pointers: {said}", len(pointers) == size and [made[p] for p in pointers] == right
        yield f"end: {said}", made.begin() + size == made.end() and made.end() - size == made.begin()
        steps = range(0, size, CHUNK - 1)
        same = (made.begin() + size, made.end()), (made.end() - size, made.begin())
        yield f"hashes of equal pointers: {said}", all(hash(p) == hash(q) for p, q in same)
        yield f"p + i: {said}", all(made[made.begin() + i] == right[i] for i in steps)
        yield f"p - i: {said}", all(made[made.end() - (i + 1)] == right[-1 - i] for i in steps)


def _stacks(stacks: Any) -> Iterator[tuple[str, bool]]:
    """Compare a stack with a list, over every history of up to ten operations."""
    for history in itertools.product((True, False), repeat=10):
        made, right = stacks.Stack(), list[Any]()
        for number, push in enumerate(history):
            if push:
                made.push(_item(number))
                right.append(_item(number))
            else:
                yield f"pop after {history[:number]}", _answer(made.pop) == (right.pop() if right else IndexError)
            yield f"top after {history[: number + 1]}", _answer(made.top) == (right[-1] if right else IndexError)
            yield f"size after {history[: number + 1]}", (made.size, made.is_empty()) == (len(right), not right)
        depths = [_answer(partial(made.__getitem__, depth)) for depth in range(-1, len(right) + 1)]
        yield f"depths after {history}", depths == [IndexError, *reversed(right), IndexError]
    made, right = stacks.Stack(), list(range(TALL))
    for number in right:
        made.push(number)
    yield f"depths of {TALL:,}", [made[depth] for depth in range(TALL)] == right[::-1]
    yield f"popped of {TALL:,}", [made.pop() for _ in right] == right[::-1] and made.is_empty()


def _arrays(arrays: Any) -> Iterator[tuple[str, bool]]:
    """Compare arrays of up to three slots with a dictionary, over up to three writes, inside and outside."""
    for size in range(4):
        for places in itertools.product(range(-1, size + 2), repeat=3):
            made, right = arrays.Array(size), dict[int, Any]()
            for number, place in enumerate(places):
                inside = 1 <= place <= size
                answer = _answer(partial(made.__setitem__, place, _item(number)))
                yield f"write {places[: number + 1]} of {size}", answer == (None if inside else IndexError)
                right |= {place: _item(number)} if inside else {}
            for of, kept in (("array", made), ("copy", made.copy())):
                read = [_answer(partial(kept.__getitem__, place)) for place in range(-1, size + 2)]
                due = [right.get(place, IndexError) for place in range(-1, size + 2)]
                yield f"{of} after {places} of {size}", read == due and kept.size == size
            if size:
                made.copy()[1] = -1
                yield f"a copy's own slots, {size}", _answer(partial(made.__getitem__, 1)) == right.get(1, IndexError)
    made = arrays.Array(TALL)
    for place in range(1, TALL + 1):
        made[place] = -place
    for of, kept in (("array", made), ("copy", made.copy())):
        yield f"{of} of {TALL:,}", [kept[place] for place in range(1, TALL + 1)] == [-p for p in range(1, TALL + 1)]


def _answer(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except IndexError:
        return IndexError


def beside_lists(module: Any, look: Callable[[Any], Iterator[tuple[str, bool]]], mutant: Mutant | None) -> Outcome:
    """Return the outcome of comparing a module's containers with lists."""
    looked = 0
    try:
        for said, holds in look(module if mutant is None else mutant.rewrite(module)):
            if not holds:
                return Outcome("fails", said)
            looked += 1
    except (IndexError, AttributeError, TypeError) as error:
        return Outcome("fails", f"{type(error).__name__}: {error}")
    return Outcome("holds", f"{looked:,} answers", {"answers": looked})


def _run(
    name: str,
    module: Any,
    look: Callable[[Any], Iterator[tuple[str, bool]]],
    *,
    of: str,
    statement: str,
    scope: str,
) -> Claim:
    def check(mutant: Mutant | None = None) -> Outcome:
        return beside_lists(module, look, mutant)

    return Claim(
        id=name,
        statement=statement,
        source=cite(OURS),
        algorithm=of,
        kind="exhaustive",
        engine="run",
        scope=scope,
        code=code_of(module),
        check=check,
        not_covered="longer histories, larger containers",
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    REFINES.claim(
        id="deque/refines",
        statement="The chunked deque is the deque of Definition 1: push, pop, begin, end, length, read, write, p + 1, "
        "p - 1, p = q, p - q and p < q answer and leave what they do there, a pointer means its element until that is "
        "popped, and what the definition does not offer raises IndexError and changes nothing.",
        source=cite(IN_ORDER, "Definition 1", compared="stronger: an implementation of it is proved"),
        algorithm="Deque",
        scope=f"every size, every place and every pointer, also to what was popped; chunks of {CHUNK}",
        code=code_of(deque, "Chunk, Pointer, ChunkedDeque"),
        not_covered="p + i for i > 1, iteration and pointers(), which only invariants use: see deque/read",
    ),
    TOUCHES.claim(
        id="deque/touches",
        statement=f"Each operation of Definition 1 touches at most {MOST_SLOTS} slots and {MOST_LINKS} links between "
        "chunks, and makes at most one chunk: constant time in the worst case.",
        source=cite(IN_ORDER, "Definition 1", compared="stronger: in the worst case, where it assumes so"),
        algorithm="Deque",
        scope=f"every size, every place and every pointer; chunks of {CHUNK}",
        code=code_of(deque, "Chunk, Pointer, ChunkedDeque"),
        not_covered=f"the {CHUNK} slots that a new chunk is made of",
    ),
    _run(
        "deque/read",
        deque,
        _read,
        of="Deque",
        statement="Iteration, pointers(), p + i and p - i find the elements in their order; equal pointers hash alike.",
        scope=f"every offset to begin at, {', '.join(map(str, SIZES))} elements, and one of {LONG:,}; "
        f"i in steps of {CHUNK - 1}",
    ),
    _run(
        "stack/list",
        stack,
        _stacks,
        of="Stack",
        statement="Push, pop, top, isEmpty and depths answer what a list does; an empty stack raises IndexError.",
        scope=f"every history of up to 10 operations, and {TALL:,} items pushed and popped",
    ),
    _run(
        "array/slots",
        array,
        _arrays,
        of="Array",
        statement="A slot 1 .. n answers what was written to it last; any other, and one not written, raises "
        "IndexError; a copy is an array of its own.",
        scope=f"arrays of up to 3 slots, every three writes, also outside; one of {TALL:,} slots",
    ),
)
