"""Claims about the naive algorithm of STREAM, and the mutants that the checks must reject."""

from functools import partial
from typing import Final

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.walk import find_once, judge
from swagproof.proofs.ledger.claim import SHARING, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, algorithm_of, combine_in_vain
from swagproof.proofs.ledger.theorem import runs_of_class
from swagproof.proofs.sharing.lookups import BY_READING, MutantSearch, StreamStates
from swagproof.proofs.sharing.stream_runs import METHODS, RUNS
from swagproof.reference.catalogue import STREAM
from swagproof.reference.sharing.stream_sharing import NaiveStream

WRONG: Final = Mutants(STREAM, table="stream", shared=(combine_in_vain("lookup", "while len(answers) > 1"),))
"""Mutants that the explorer and a contract must reject."""

SIZES: Final = (1, 3, 2, 2)
TUPLES: Final = 8


def _space(mutant: Mutant | None) -> StreamStates:
    return StreamStates(SIZES, mutant, TUPLES)


SEARCH: Final = MutantSearch(STREAM, lambda mutant: [_space(mutant)], (CONCATENATION,))


def _explored(mutant: Mutant | None = None) -> Outcome:
    return judge(find_once(_space(mutant)), (1297, 4676))


PROVED: Final = runs_of_class(
    made=partial(algorithm_of, STREAM), runs=RUNS, run_with={"product": ("insert",)}
).theorem()
SOURCE: Final = cite(
    SHARING,
    "Figure 1",
    place="sections 2 and 5.1",
    compared="stronger: what the listing answers, and its combine calls",
)

CLAIMS: Final[tuple[Claim, ...]] = (
    PROVED.claim(
        id="stream/proved",
        statement="Whatever queries are registered, each one's input queue holds its window and the newest of its "
        "output queue is the answer, after every insert and lookup; a lookup answers the product of its window; an "
        "insert invokes combine min(n, size) times for every query, looked up or not, a lookup never.",
        source=SOURCE,
        algorithm="naive STREAM",
        scope="any number of queries over windows of any sizes, any stream, every monoid",
        code=code_of(NaiveStream, ", ".join(METHODS)),
        controls=(WRONG.get("lookup combines in vain"),),
        not_covered="the registry, which is there by its contract: see shared-windows/registry; which answers an "
        f"output queue holds besides the newest; {BY_READING}",
    ),
    Claim(
        id="stream/explored",
        statement="Each query's input queue holds its window, the newest of its output queue is the answer, and a "
        "lookup leaves no other; an insert invokes combine min(n, size) times for every query, looked up or not, a "
        "lookup never.",
        source=SOURCE,
        algorithm="naive STREAM",
        kind="exhaustive",
        engine="explorer",
        scope="queries over windows of 1, 3, 2 and 2 tuples, all streams of up to 8 distinct letters with lookups "
        "anywhere; control flow looks at no value, so every monoid",
        code=code_of(NaiveStream),
        check=_explored,
        controls=tuple(WRONG),
        not_covered="other windows",
    ),
)
