"""Claims about FiBA, and the mutants that the checks must reject."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY
from swagproof.proofs.explorer.letters import ordered
from swagproof.proofs.explorer.space import Place
from swagproof.proofs.explorer.walk import Counts, find, judge, walk
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGH, HIGHER, WIDER, WIDEST, equivalent, tall_runs
from swagproof.proofs.trees.shapes import Bound, TimedStep, TreeStates
from swagproof.reference.catalogue import FIBA

WRONG: Final = WrongVariants(FIBA, shared=shared.SHARED_WRONG, table="fiba")
"""Each is killed by the explorer and by a contract."""


ALONE: Final = mutants_of("fiba", "for one claim")
"""Each is for one claim alone."""
UP_UNASKED: Final = ALONE["a range takes a subtree whole without a look at its aggregate's kind"]


# Two chains

CHAINS: Final = Bound(2, 10)
CHAINED: Final = Counts(113, 3539)


def chains(variant: Variant | None = None) -> Outcome:
    """Count the recursive calls of range queries of every reachable tree that read no stored aggregate [Fig.10 l.8]."""
    algorithm: type[Any] = FIBA.algorithm if variant is None else variant.of(FIBA.algorithm)
    at_level: Counter[int] = Counter()
    off_chain: list[Any] = []

    level = 0

    class Watched(algorithm):  # type: ignore[misc]  # the base is a value
        def query_rec(self, node: Any, t_from: Any, t_to: Any) -> Any:
            nonlocal level
            whole = t_from is MINUS_INFINITY and t_to is PLUS_INFINITY
            if not (whole and node.has_agg_up()):
                at_level[level] += 1
                if whole:
                    off_chain.append(node)
            level += 1
            answer = super().query_rec(node, t_from, t_to)
            level -= 1
            return answer

    ranges = 0

    class Chains(TreeStates):
        def look(self, place: Place[TimedStep]) -> None:
            nonlocal ranges
            thawed = self.thaw(self.freeze(place), ())
            tree, n = thawed.subject, place.model.size
            before = thawed.model.times[0].at - 2 if n else 0
            for t_from in range(1, 2 * n + 2):
                for t_to in range(1, 2 * n + 2):
                    at_level.clear()
                    tree.range_query(ordered(before + t_from), ordered(before + t_to))
                    ranges += 1
                    where = f"from {t_from / 2:g} to {t_to / 2:g} of 1 .. {n}"
                    calls = max(at_level.values())
                    self.require(place, f"{calls} calls at one level {where}", calls <= 2)
                    self.require(place, f"all of a spine node is asked for {where}", not off_chain)
            super().look(place)

    outcome = judge(find(partial(walk, Chains(replace(FIBA, algorithm=Watched), CHAINS))), CHAINED)
    if outcome.verdict == "holds":
        return Outcome("holds", f"{ranges:,} ranges in {outcome.statistics['states']} trees", {"ranges": ranges})
    return outcome


claim: Final = partial(shared.claim, FIBA, WRONG)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        "sizes",
        source=cite(
            OUT_OF_ORDER,
            "Figure 7",
            "Figure 8",
            place="section 3.1, size invariants",
            compared="corrected: where its errata mend the listing",
        ),
    ),
    claim("contents", "a merge loses the value between the two"),
    claim(
        "spines",
        "a split ends the right spine",
        "a merge ends the right spine",
        "a height increase begins the left spine only",
        "a height decrease leaves the root on the spines",
        "a split leaves the right finger",
        "a merge leaves the right finger",
        statement="The fingers are the first and the last leaf, spine flags are true of them and their ancestors, but "
        "the root. The oldest and the youngest entry are in the fingers, so in-order evicts never call evictInner.",
        source=cite(OUT_OF_ORDER, place="sections 3.2 and 3.3"),
    ),
    claim(
        "aggregates",
        "the inner aggregate contains the first child",
        "a left aggregate leaves out the last child",
        "a left aggregate contains the root's",
        "a left aggregate begins with the parent's",
        "a right aggregate ends with the parent's",
        "a right aggregate leaves out the parent's",
        "a sibling on the left spine goes unnoticed [l.62 as printed]",
        "a sibling on the right spine goes unnoticed",
        "underflow on the left spine goes unnoticed",
        "evict does not ask whether it begins on a spine",
        "insert does not ask whether it begins on a spine",
        "a height increase repairs no spine",
        "a substitute from the left spine goes unnoticed",
        "a substitute repairs below the node only",
        "the top is left when it is on a spine",
        "the left spine is never repaired",
        "the right spine is never repaired",
        "a parent is repaired before its children",
        statement="Every node stores the aggregate for its position: up, inner at the root, left or right on a spine.",
        source=cite(
            OUT_OF_ORDER,
            "Figure 2",
            place="section 3.2, aggregation invariants",
            compared="as printed, in words: the supplied text lacks the figure",
        ),
    ),
    claim(
        "answer",
        "query swaps the fingers",
        "query leaves out the root",
        "query keeps its answer at the root",
        "a sibling on the left spine goes unnoticed [l.62 as printed]",
        source=cite(OUT_OF_ORDER, "Theorem 3.3", compared="stronger: nothing changes, too"),
    ),
    claim(
        "query-calls",
        "query combines with the identity too",
        statement="Query invokes combine at most two times.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            place="its proof",
            compared="a part: the combine calls of query; time is not measured",
        ),
    ),
    claim(
        "ranges",
        "the left climb stops short of the parent's last time",
        "the left climb stops below an equal time",
        "the right climb stops below an equal time",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 4.1",
            "Figure 10",
            place="errata FIBA-2, FIBA-4",
            compared="corrected: least and greatest index in the range",
        ),
    ),
    Claim(
        id="fiba/two-chains",
        statement="Of the recursive calls of a range query, at most two at each level read anything but a stored "
        "up-aggregate; a subtree that is wholly in the range always has one.",
        source=cite(OUT_OF_ORDER, place="section 4"),
        algorithm=FIBA.name,
        kind="exhaustive",
        engine="explorer",
        scope=f"{CHAINS}; every range, reversed ones too",
        code=code_of(FIBA.algorithm, "range_query"),
        check=chains,
        controls=(ALONE["a range never takes a subtree whole"],),
        not_covered="larger windows",
    ),
    shared.space_claim(FIBA, WRONG),
    shared.PROVED_SPACE,
    claim("refusals"),
    claim(
        "higher",
        "underflow on the right spine goes unnoticed",
        "a substitute leaves the up-aggregates above it",
        "repair climbs one level",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.3", "Theorem 4.1", compared="stronger: each invariant that the answers rest on"
        ),
        families=tuple(shared.FAMILIES),
        bounds=(WIDER, *HIGH),
        deep=(WIDEST, *HIGHER),
        control_bounds=(*HIGH, *HIGHER),
    ),
    history_claim(
        FIBA,
        "swaps_the_fingers",
        "swaps_a_duplicate",
        "combines_in_vain",
        source=cite(OUT_OF_ORDER, "Theorem 3.3", compared="an instance: the histories within the scope"),
        longest=7,
        checked=4,
        times=3,
        steps="inserts in the order of time and evicts of the oldest",
    ),
    equivalent(
        id="fiba/to-repair",
        statement="The parameter toRepair is not needed: it never is the node that rebalancing begins at, a leaf "
        "[Fig.7 l.56]; where rebalancing comes to it [Fig.7 l.72], merge or move has repaired it already.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=ALONE["toRepair is looked for nowhere [l.56-57, l.72-73]"],
        control=WRONG.get("a substitute leaves the up-aggregates above it"),
    ),
    equivalent(
        id="fiba/substitute",
        statement="Which side the substitute comes from [Fig.8 l.78] does not matter: the youngest on the left will "
        "always do.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=ALONE["the substitute is always the youngest on the left [l.78-80]"],
        control=shared.SHARED_WRONG.get("the youngest on the right is the substitute"),
    ),
    equivalent(
        id="fiba/up-unasked",
        statement="A range query need not ask whether an aggregate is an up-aggregate [Fig.10 l.7]: with infinities "
        "that are no times, only such a node is ever wholly in the range.",
        source=cite(OUT_OF_ORDER, place="section 4, on nodes without an up-aggregate"),
        column=FIBA,
        same=UP_UNASKED,
        control=shared.SHARED_WRONG.get("a range takes a subtree whole in which it ends"),
    ),
    tall_runs(
        FIBA,
        WRONG.pick(
            "a substitute leaves the up-aggregates above it",
            "underflow on the right spine goes unnoticed",
            "repair climbs one level",
        ),
    ),
)
