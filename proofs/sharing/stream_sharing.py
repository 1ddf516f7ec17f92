"""Claims about the naive algorithm of STREAM, and the mutants that the checks must reject."""

from collections.abc import Callable
from typing import Final

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.explorer.walk import find_once, first_violation, judge, refute
from swagproof.proofs.ledger.claim import SHARING, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem
from swagproof.proofs.ledger.variants import Variant, WrongVariants, combine_in_vain, wrong
from swagproof.proofs.sharing.lookups import BY_READING, StreamStates, contract_that_rejects
from swagproof.proofs.sharing.stream_runs import METHODS, OPERATIONS, Operation, explore_operation
from swagproof.reference.catalogue import STREAM
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream

WRONG: Final = WrongVariants(STREAM)
"""Each is rejected by the explorer and by a contract."""

SWAPPED = WRONG.add("the operands are swapped", ("product", "combine(product, v)", "combine(v, product)"))
KEEPS_ALL = WRONG.add("no tuple is removed", ("insert", "if len(query.input_queue) > query.size", "if False"))
REMOVES_NEWEST = WRONG.add("the newest tuple is removed", ("insert", "input_queue.popleft()", "input_queue.pop()"))
ONE_SHORT = WRONG.add("a window is one tuple short", ("insert", "> query.size", ">= query.size"))
STALE = WRONG.add("lookup answers the oldest answer", ("lookup", "while len(answers) > 1", "while False"))
TWICE = WRONG.add(
    "the answer is computed twice",
    ("insert", "query.output_queue.append(self", "self.product(query.input_queue); query.output_queue.append(self"),
)
WRONG.share(combine_in_vain("lookup", "while len(answers) > 1"))
ON_DEMAND = WRONG.add("only the newest tuple is answered for", ("product", "in values", "in list(values)[-1:]"))
WIDER = WRONG.add(
    "a query has a window of one tuple more",
    ("register", "Query(size, deque(), deque())", "Query(size + 1, deque(), deque())"),
)
ONE_QUEUE: Final = wrong(
    "both queues of a query are one",
    (
        "register",
        "self.queries.append(Query(size, deque(), deque()))",
        "queue = deque(); self.queries.append(Query(size, queue, queue))",
    ),
)
KEEPS_ANSWERS = WRONG.add(
    "lookup keeps an answer before the newest",
    ("lookup", "len(answers) > 1", "len(answers) > 2"),
    ("lookup", "answers[0] if", "answers[-1] if"),
    hidden="only the answers kept change",
)
ANSWERS_TWICE = WRONG.add(
    "an answer is streamed out twice",
    (
        "insert",
        "query.output_queue.append(self.product(query.input_queue))",
        "query.output_queue.extend([self.product(query.input_queue)] * 2)",
    ),
    hidden="only the answers kept change",
)
WRONG.add(
    "a product combines the identity with itself",
    ("product", "    for v in", "    product = self.monoid.combine(product, product)\n    for v in"),
    hidden="only the number of combine calls changes",
)
DROPS_FALSY: Final = wrong(
    "a falsy tuple is left out", ("product", "self.monoid.combine(product, v)", "v and self.monoid.combine(product, v)")
)
KEEPS_LOOKUPS: Final = wrong(
    "the sizes that were looked up are kept",
    ("lookup", "    while", "    self.asked = (*getattr(self, 'asked', ()), size)\n    while"),
)
LOSES_OPERATOR: Final = wrong("the operator is another", ("__init__", "self.monoid = monoid", "self.monoid = self"))
KEEPS_TUPLE: Final = wrong(
    "the newest tuple is kept", ("insert", "self.registry.begin()", "self.registry.begin(); self.newest = t")
)
BEGINS_EARLY: Final = wrong(
    "a stream begins with its first query",
    ("register", "self.registry.add(size)", "self.registry.add(size); self.registry.begin()"),
)


SIZES: Final = (1, 3, 2, 2)
TUPLES: Final = 8


def _space(variant: Variant | None) -> StreamStates:
    return StreamStates(SIZES, variant, TUPLES)


def refuted(variant: Variant) -> str | None:
    """Return what exploring finds wrong, shortest."""
    return refute(_space(variant))


def violated_contract(variant: Variant) -> str | None:
    """The contract that the same trace violates on the variant under contracts.  To be run with full contracts."""
    found = first_violation(_space(variant))
    return contract_that_rejects(variant, NaiveStream, CheckedNaiveStream, (CONCATENATION,), found)


def _explored(variant: Variant | None = None) -> Outcome:
    return judge(find_once(_space(variant)), (1297, 4676))


def _explore(operation: Operation, variant: Variant | None, enough: Callable[[Exploration], bool]) -> Exploration:
    return explore_operation(operation, NaiveStream if variant is None else variant.of(NaiveStream), enough)


PROVED: Final = Theorem(explore=_explore, states=lambda obligation: True, runs=OPERATIONS, rests_on=OPERATIONS)

CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="stream/proved",
        statement="Whatever queries are registered, each one's input queue holds its window and the newest of its "
        "output queue is the answer, after every insert and lookup; a lookup answers the product of its window; an "
        "insert invokes combine min(n, size) times for every query, looked up or not, a lookup never.",
        source=cite(
            SHARING,
            "Figure 1",
            place="sections 2 and 5.1",
            compared="stronger: what the listing answers, and its combine calls",
        ),
        algorithm="naive STREAM",
        kind="proved",
        engine="symbolic execution, Z3",
        scope="any number of queries over windows of any sizes, any stream, every monoid",
        code=code_of(NaiveStream, ", ".join(METHODS)),
        check=PROVED.check,
        reject=PROVED.reject,
        controls=(
            *(variant for variant in WRONG if variant not in (ON_DEMAND, KEEPS_ANSWERS, ANSWERS_TWICE)),
            LOSES_OPERATOR,
            KEEPS_TUPLE,
            BEGINS_EARLY,
            ONE_QUEUE,
        ),
        not_covered="the registry, which is there by its contract: see shared-windows/registry; which answers an "
        f"output queue holds besides the newest; {BY_READING}",
    ),
    Claim(
        id="stream/explored",
        statement="Each query's input queue holds its window, the newest of its output queue is the answer, and a "
        "lookup leaves no other; an insert invokes combine min(n, size) times for every query, looked up or not, a "
        "lookup never.",
        source=cite(
            SHARING,
            "Figure 1",
            place="sections 2 and 5.1",
            compared="stronger: what the listing answers, and its combine calls",
        ),
        algorithm="naive STREAM",
        kind="exhaustive",
        engine="explorer",
        scope="queries over windows of 1, 3, 2 and 2 tuples, all streams of up to 8 distinct letters with lookups "
        "anywhere; control flow looks at no value, so every monoid",
        code=code_of(NaiveStream),
        check=_explored,
        controls=(*WRONG, DROPS_FALSY, KEEPS_LOOKUPS),
        not_covered="other windows",
    ),
)
