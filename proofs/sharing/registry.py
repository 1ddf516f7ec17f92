"""The registry of windows compared with a set; the runs of all algorithms that share a stream assume the result."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Final

from swagproof.models.shared import LateRegistrationError, Registry, UnknownWindowError
from swagproof.proofs.ledger.claim import SHARING, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant

RegistryStep = tuple[str, int]
STEPS: Final[tuple[RegistryStep, ...]] = (("begin", 0), *product(("add", "known"), range(4)))
LENGTH: Final = 4
FAR: Final = 5_000
MANY: Final = tuple(range(FAR - 1, 0, -31))
"""Sizes of many windows, far apart, the largest first."""


def _right(name: str, size: int, sizes: frozenset[int], begun: bool) -> int | type[Exception] | None:
    """Return the result of a call by definition, or the class of the exception that it must raise."""
    if name == "begin":
        return None if sizes else UnknownWindowError
    if name == "known":
        return size if size in sizes else UnknownWindowError
    if size < 1:
        return ValueError
    return LateRegistrationError if begun else None


def _answer(act: Callable[[], Any]) -> Any:
    """Return the call's result, or the class of its exception."""
    try:
        return act()
    except Exception as error:
        return type(error)


def _beside_a_set(mutant: Mutant | None = None) -> Outcome:
    made = Registry if mutant is None else mutant.of(Registry)
    words = 0
    for word in product(STEPS, repeat=LENGTH):
        registry, sizes, begun = made(), frozenset[int](), False
        for name, size in word:
            act = registry.begin if name == "begin" else partial(getattr(registry, name), size)
            right = _right(name, size, sizes, begun)
            if _answer(act) != right:
                return Outcome("fails", f"{word}: {name}({size}) answers or raises otherwise than {right}")
            if not isinstance(right, type):
                sizes, begun = sizes | {size} if name == "add" else sizes, begun or name == "begin"
            if registry.sizes != sorted(sizes) or (sizes and registry.largest != max(sizes)):
                return Outcome("fails", f"{word}: sizes {registry.sizes}, registered {sorted(sizes)}")
        words += 1
    registry = made()
    for size in MANY:
        registry.add(size)
    if registry.sizes != sorted(MANY) or registry.largest != max(MANY):
        return Outcome("fails", f"{len(MANY)} windows: sizes {registry.sizes}")
    sizes = frozenset(MANY)
    wrong_ones = [
        size for size in range(FAR) if _answer(partial(registry.known, size)) != _right("known", size, sizes, True)
    ]
    if wrong_ones:
        return Outcome("fails", f"{len(MANY)} windows: known({wrong_ones[0]}) is another")
    return Outcome("holds", f"{words:,} words", {"words": words})


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="shared-windows/registry",
        statement="The registry holds each size that was added once, in ascending order; it refuses sizes below 1, "
        "late ones, a stream without windows and a window that is not registered, and then nothing has changed.",
        source=cite(SHARING, place="Figure 1, the setup stage", compared="stronger: what is refused"),
        algorithm="aggregate sharing",
        kind="exhaustive",
        engine="run beside a set",
        scope=f"all words of {LENGTH} steps: the stream goes on, sizes 0 to 3 are added and asked for; {len(MANY)} "
        f"windows of sizes up to {FAR:,}, each size asked for",
        code=code_of(Registry),
        check=_beside_a_set,
        not_covered="longer words, more windows; what is no int: see tests/models/test_shared.py",
    ),
)
