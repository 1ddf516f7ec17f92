"""The theorems about every FIFO algorithm of the paper, as claims about the reference's own code.

One symbolic run of each operation has obligations of several families; each claim selects those that it states.  A
claim fails if any obligation of any operation fails, even one that is not its own, because every operation rests on the
invariant that the others keep.  A control must be rejected on the claim's own obligations.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.explorer.histories import histories, in_words
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.walk import find_once, judge
from swagproof.proofs.in_order.fifo_runs import (
    OPERATIONS_OF_FIFO,
    FifoOperation,
    FifoRun,
    explore_operation,
)
from swagproof.proofs.in_order.pointer_states import REMOVABLE, PointerStates
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import (
    Mutant,
    algorithm_of,
    contract_violated_by,
    mutants_of,
)
from swagproof.proofs.ledger.theorem import Families, ProvedRuns, Theorem
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import Column

SCOPE: Final = "every monoid, window size and history"
LIMIT: Final = 32
DEEP_LIMIT: Final = 256
"""The sizes of the largest windows explored, by default and with --deep."""

SUBTRACTIONS: Final = ("insert subtractions", "evict subtractions", "query subtractions")
REFUSED: Final = ("ValueError is raised", "x ⊗ y is neither")
_CLAUSES: Final[dict[str, tuple[str, ...]]] = {
    "answer": ("answer", "query changes nothing"),
    "calls": ("insert calls", "evict calls", "query calls", *SUBTRACTIONS),
    "account": ("insert paid", "evict paid", "account opens at 0"),
    "space": ("space",),
    "definition 1": ("only the pointer operations of Definition 1",),
    "termination": ("loop variant falls",),
    "empty": ("EmptyWindowError is raised", "nothing has changed", *REFUSED),
}
FAMILIES: Final = Families(_CLAUSES, rest="invariant")


def _explore(
    column: Column, operation: FifoOperation, mutant: Mutant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    """Return the symbolic run of one operation, until the findings are enough."""
    made = algorithm_of(column, mutant)
    return explore_operation(made, column.contract, operation, enough=enough, checked=column.checked)


@cache
def _runs(column: Column) -> ProvedRuns[FifoOperation]:
    return ProvedRuns(
        algorithm=column.name, slug=column.slug, explore=partial(_explore, column), names=OPERATIONS_OF_FIFO
    )


@cache
def explore_mutant(column: Column, mutant: Mutant | None, operation: FifoOperation) -> Exploration:
    """Return the complete symbolic run of one operation of the reference, or of a mutant of it; cached."""
    return _runs(column).run(operation, mutant)


def theorem(column: Column, *families: str, operations: tuple[FifoOperation, ...] = ()) -> Theorem[FifoOperation]:
    """Return the theorem that some operations meet the obligations of some families, resting on all obligations."""
    return _runs(column).theorem(states=FAMILIES.of(*families), runs=operations)


def claim(column: Column, name: str, *families: str, operations: tuple[FifoOperation, ...] = (), **said: Any) -> Claim:
    """Return the claim that some operations meet the obligations of some families, resting on all obligations."""
    methods = dict.fromkeys(run.split()[0].replace("start", "__init__") for run in operations or OPERATIONS_OF_FIFO)
    code = code_of(column.algorithm, *methods)
    proof = theorem(column, *families, operations=operations)
    return proof.claim(id=f"{column.slug}/{name}", algorithm=column.name, scope=SCOPE, code=code, **said)


def definition_1(column: Column) -> Claim:
    """Return the claim that the algorithm uses pointers only as Definition 1 allows."""
    return claim(
        column,
        "definition-1",
        "definition 1",
        statement="The algorithm uses no pointer operation but read, write, compare for equality, + 1, - 1 and assign.",
        source=cite(
            IN_ORDER,
            "Definition 1",
            compared="a part: what the algorithms use; that each operation takes constant time is the deque's own row",
        ),
    )


def equivalent(column: Column, name: str, *, statement: str, mutant: Mutant) -> Claim:
    """Return the claim that a changed reference meets every obligation, so that the change does not matter."""
    families = ("invariant", "answer", "calls", "account", "space")
    made = claim(
        column,
        name,
        *families,
        statement=statement,
        source=cite(IN_ORDER, place="found by proof"),
        not_covered="time and memory other than partial aggregates",
    )
    code = f"mutant {mutant.name!r} of {code_of(column.module)}"
    return replace(made, code=code, check=partial(theorem(column, *families).check, mutant))


def every_branch_reached(column: Column, *, statement: str, but: Sequence[str]) -> Claim:
    """Return the claim that the proofs reach every outcome of every condition, except the named ones."""
    return _runs(column).every_branch_reached(
        FifoRun,
        partial(algorithm_of, column),
        *but,
        part="branches",
        statement=statement,
        source=cite(IN_ORDER, place="what the proofs cover"),
        scope=SCOPE,
        code=code_of(column.algorithm),
    )


def claims_by_running(column: Column, *, counts: tuple[int, int], deep_counts: tuple[int, int]) -> Iterator[Claim]:
    """Yield the claims about the reference's runs over strings: its exploration, with the counts, and its histories."""

    def scope(limit: int) -> str:
        return f"windows of up to {limit} elements, all histories"

    def check(limit: int, expected: tuple[int, int], mutant: Mutant | None = None) -> Outcome:
        return judge(find_once(PointerStates(column.name, limit, mutant), most=expected[0] or None), expected)

    yield Claim(
        id=f"{column.slug}/explored",
        statement="Invariant, answer, combine calls, account and space hold in every state and after every operation "
        "from it.",
        source=cite(IN_ORDER, place="section 2.1 and the invariants"),
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=f"{scope(LIMIT)}; control flow looks at no value, so every monoid",
        code=code_of(column.algorithm),
        check=partial(check, LIMIT, counts),
        not_covered="larger windows",
        deep=Deep(scope(DEEP_LIMIT), partial(check, DEEP_LIMIT, deep_counts)),
    )
    yield history_claim(column)


OVER_A_DEQUE: Final = mutants_of("in-order")
"""The mutants of every algorithm over a deque."""
KEEPS_NEWEST: Final = OVER_A_DEQUE["insert keeps the newest element once more"]
BLIND_EVICT: Final = OVER_A_DEQUE["evict does not look whether the window is empty"]


def family_claims(
    column: Column,
    *,
    invariants: Source,
    answer: Source,
    cost: Source,
    maintains: str,
    calls: str,
    space: str,
    account: str | None = None,
    calls_compared: str = "a part: combine calls at worst",
) -> Iterator[Claim]:
    """Yield the claims about every FIFO algorithm: invariants, answer, combine calls, space, account, empty window.

    `invariants`, `answer` and `cost` are the paper's places; `maintains`, `calls`, `space` and `account` are its
    statements.
    """
    yield claim(
        column,
        "invariants",
        "invariant",
        statement=f"{column.name} maintains {maintains}; each access finds an element; combine joins neighbours.",
        source=invariants.compare("stronger: each access and each operand of combine, too"),
    )
    yield claim(
        column,
        "answer",
        "answer",
        statement="If the window contains v_0 ... v_{n-1}, query returns their ordered product, and changes nothing.",
        source=answer.compare("stronger: nothing changes, too"),
    )
    yield claim(column, "calls", "calls", statement=calls, source=cost.compare(calls_compared))
    if account is not None:
        yield claim(
            column,
            "amortised",
            "account",
            statement=account,
            source=cost.compare("stronger: a total after any history, where the paper has an average"),
        )
    yield claim(
        column,
        "space",
        "space",
        statement=space,
        source=cost.compare("a part: the space; weaker: between operations"),
        not_covered="what is stored in the middle of an operation",
    )
    yield claim(
        column,
        "empty",
        "empty",
        statement="Evict of an empty window raises EmptyWindowError and changes nothing.",
        source=cite(IN_ORDER, place="silent; decided here"),
        operations=("start", "insert", "evict when empty"),
    )


# Mutants

LONGEST: Final = 9
"""The number of operations in the longest history that is checked under the contracts."""


def refuted(column: Column, mutant: Mutant) -> str | None:
    """Return the first obligation that symbolic execution refutes, with the start state that shows it."""
    for operation in OPERATIONS_OF_FIFO:
        for failure in explore_mutant(column, mutant, operation).failures:
            if not failure.unknown:
                return f"{operation}: {failure.obligation}, from {failure.example}"
    return None


def violated_contract(column: Column, mutant: Mutant) -> str | None:
    """Return the contract that the shortest history violates, under full contracts.

    If the mutant raises an exception before any contract is checked, return the exception.  Linear-time clauses are
    checked only if ICONTRACT_SLOW is set.
    """
    algorithm = mutant.checked(column.algorithm, column.checked)
    for word in histories(LONGEST):
        for asking in (True, False):
            violated = contract_violated_by(partial(_play, algorithm(REMOVABLE), word, asking))
            if violated:
                return f"{violated} after {in_words(word)}"
    violated = contract_violated_by(algorithm(REMOVABLE).evict)
    return f"{violated} after evict" if violated != "EmptyWindowError" else None


def _play(window: Any, word: tuple[str, ...], asking: bool) -> None:
    letters = itertools.cycle(LETTERS)
    for step in word:
        if asking:
            window.query()
        window.insert(next(letters)) if step == "insert" else window.evict()
    window.query()
