"""Claims that the chunked deque meets its definition, with its mutants.

All proofs and explorations of algorithms over a deque use its definition in place of the deque, and so rest on these
claims.  Stack and array are a few lines over a Python list; a test compares them with a list.
"""

from typing import Final

from swagproof.models.containers import deque
from swagproof.models.containers.deque import CHUNK
from swagproof.proofs.containers.deque_runs import MOST_LINKS, MOST_SLOTS, OPERATIONS, DequeOperation, explore_operation
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite, code_of
from swagproof.proofs.ledger.theorem import ProvedRuns

COSTS: Final = frozenset(
    {
        "at most two slots are touched",
        "at most four links are touched",
        "at most one chunk is made",
        "no walk over several chunks",
    }
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
        not_covered="p + i for i > 1, iteration and pointers(), which only invariants use: tests run them",
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
)
