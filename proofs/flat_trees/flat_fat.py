"""Exhaustive runs of FlatFAT, and its mutants.  `every_height` proves the results of these runs for all sizes.

FlatFAT inspects no value, and after an update its nodes are determined by equation 4.2.  So one tree of each size, with
every set of places written with new letters, and every query after that, covers all cases at that size.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.flat_trees import flat_fat as contract
from swagproof.contracts.space import stored_aggregates
from swagproof.models.any_order import Places
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.letters import LETTERS, OPEN, SEALED, WORDS, LookedAtError, Seal, Word, letter
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import Counts, find, judge
from swagproof.proofs.ledger.claim import GENERAL, Claim, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, algorithm_of, contract_violated_by
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import FLAT_FAT

WRONG: Final = Mutants(FLAT_FAT, table="flat-fat")
"""Mutants, each refuted by an exhaustive run and by a contract; no result shows the hidden ones."""
SIZES: Final = (1, 2, 4, 8)
DEEP_SIZES: Final = (*SIZES, 16)
OLD: Final = [letter(k) for k in range(DEEP_SIZES[-1])]
NEW: Final = [letter(len(OLD) + k) for k in range(DEEP_SIZES[-1])]

NAVIGATION: Final = ("root", "left", "right", "parent", "leaf")


def navigation_bound(n: int, m: int) -> int:
    """Return the bound on navigation steps in an update of m places: 4 for each call and 5 for each place."""
    return 4 * contract.update_bound(n, m) + 5 * m


class _Tree:
    """One FlatFAT with its definition; each call is checked, and any failure is a Violation that names the call."""

    def __init__(self, mutant: Mutant | None, n: int) -> None:
        algorithm = algorithm_of(FLAT_FAT, mutant)
        self.work: list[int] = []
        """The nodes whose left child the call asked for."""
        self.steps = 0
        """The steps of navigation that the call took."""

        def count(name: str) -> Any:
            def step(fat: Any, *given: int) -> int:
                self.steps += 1
                self.work += given if name == "left" else ()
                return getattr(algorithm, name)(fat, *given)  # type: ignore[no-any-return]  # of any algorithm

            return step

        self.made = type("Watched", (algorithm,), {name: count(name) for name in NAVIGATION})
        self.counting = Counting(WORDS)
        self.n = n

    def new(self) -> None:
        """Build the tree over the first n small letters."""
        self.trace: tuple[str, ...] = (f"new({', '.join(map(str, OLD[: self.n]))})",)
        self.model = Places(WORDS, OLD[: self.n])
        self.fat = self.run("new", lambda: self.made(self.counting, OLD[: self.n]))
        self.worked("new", self.n, contract.new_calls(self.n, self.counting.calls), 9 * self.n)

    def update(self, places: Sequence[int]) -> None:
        """Write new letters at these places."""
        changes = [(i, NEW[i - 1]) for i in places]
        self.trace = (*self.trace, f"update({', '.join(f'{i}: {v}' for i, v in changes)})")
        self.run("update", lambda: self.fat.update(changes))
        self.model.update(changes)
        few = contract.update_calls(self.n, len(places), self.counting.calls)
        self.worked("update", len(places), few, navigation_bound(self.n, len(places)))

    def worked(self, name: str, m: int, few: bool, steps: int) -> None:
        """Check the tree after new or update, and the work done."""
        checks = {
            f"{name} calls": few,
            f"{name} steps": self.steps <= steps,
            "work by level": contract.work_by_level(self.n, m, self.work),
            "work is calls": contract.work_is_calls(self.counting.calls, self.work),
            "space": contract.space(self.n, stored_aggregates(self.fat, Word)),
        }
        broken = [check for check, holds in checks.items() if not holds]
        self.fat.model = self.model
        broken += [c.__name__ for c in contract.INVARIANT if not self.run(name, partial(c, self.fat), OPEN)]
        if broken:
            raise Violation(broken[0], self.trace, tuple(broken[1:]))
        del self.fat.model

    def ask(self) -> int:
        """Run every query on the present tree, and return the number of queries."""
        n, model = self.n, self.model
        self.answer("aggregate", (), model.product(1, n), contract.aggregate_calls)
        for i in range(1, n + 1):
            self.answer("a", (i,), model.product(i, i), lambda calls: calls == 0)
            self.answer("prefix", (i,), model.product(1, i), partial(contract.prefix_calls, n, i))
            self.answer("suffix", (i,), model.product(i, n), partial(contract.suffix_calls, n, i))
        return 3 * n + 1

    def answer(self, name: str, given: tuple[int, ...], expected: Word, few: Any) -> None:
        """Run and check one query."""
        trace = self.trace
        self.trace = (*trace, f"{name}({', '.join(map(str, given))})")
        found = self.run(name, lambda: getattr(self.fat, name)(*given))
        self.require(name, found == expected)
        self.require(f"{name} calls", few(self.counting.calls))
        most = 4 * contract.height(self.n) + 2 if name in ("prefix", "suffix") else 1
        self.require(f"{name} steps", self.steps <= most)
        self.trace = trace

    def refuse(self) -> int:
        """Check that bad input is refused by name and changes nothing, and return the number of inputs."""
        n = self.n
        bad: list[tuple[str, Any, type[Exception]]] = [
            *((name, i, IndexError) for name in ("prefix", "suffix") for i in (0, n + 1)),
            *(("update", [(1, OLD[0]), (i, OLD[0])], IndexError) for i in (0, n + 1)),
            ("update", [(n, NEW[0]), (n, NEW[0])], ValueError),
        ]
        before = [self.fat.T[v] for v in range(1, 2 * n)]
        for name, given, error in bad:
            try:
                getattr(self.fat, name)(given)
            except error as refused:
                said = str(refused).startswith(("place", "location"))
                if said and before == [self.fat.T[v] for v in range(1, 2 * n)]:
                    continue
            except Exception:
                pass
            raise Violation("bad input is refused and changes nothing", (*self.trace, f"{name}({given})"))
        return len(bad)

    def run(self, name: str, call: Any, seal: Seal = SEALED) -> Any:
        """Call it, with values that only contracts may inspect, and count its work; any exception is a Violation."""
        self.work.clear()
        self.counting.calls = self.steps = 0
        try:
            with seal:
                return call()
        except LookedAtError as looked:
            raise Violation(f"{name} {looked}", self.trace) from looked
        except Exception as error:
            raise Violation(f"{name} raised {type(error).__name__}: {error}", self.trace) from error

    def require(self, check: str, holds: bool) -> None:
        """Raise Violation if a check does not hold."""
        if not holds:
            raise Violation(check, self.trace)


def subsets(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of places, the smallest first, in ascending order; for small trees also in descending order."""
    for m in range(n + 1):
        for places in itertools.combinations(range(1, n + 1), m):
            yield places
            if m > 1 and n <= 8:
                yield places[::-1]


def explore(mutant: Mutant | None = None, sizes: Sequence[int] = SIZES) -> Counts:
    """Explore trees of these sizes, with updates of every set of places and all queries after each.

    Returns (trees, calls), or raises Violation.  Trees of up to 8 leaves are queried after every update.  Trees of 16
    are queried after one update of each number of places, because equation 4.2 already determines the results.
    """
    calls = 0
    for n in sizes:
        tree = _Tree(mutant, n)
        tree.new()
        calls += 1 + tree.ask() + tree.refuse()
        asked = -1
        for places in subsets(n):
            tree.new()
            tree.update(places)
            calls += 1
            if n <= 8 or len(places) != asked:
                asked = len(places)
                calls += tree.ask()
    return Counts(len(sizes), calls)


def refuted(mutant: Mutant) -> str | None:
    """Return the check that a shortest call on a smallest tree fails."""
    found = find(partial(explore, mutant))
    return str(found) if isinstance(found, Violation) else None


def violated_contract(mutant: Mutant) -> str | None:
    """Return the contract that these calls violate first, under full contracts, or an exception raised before that."""
    checked = mutant.checked(FLAT_FAT.algorithm, FLAT_FAT.checked)

    def play(n: int) -> None:
        fat = checked(CONCATENATION, LETTERS[:n])
        for places in ((), *subsets(n)):
            fat.update([(i, LETTERS[n + i]) for i in places])
            fat.aggregate()
            for i in range(1, n + 1):
                fat.prefix(i)
                fat.suffix(i)

    for n in SIZES:
        violated = contract_violated_by(partial(play, n))
        if violated:
            return f"{violated}, {n} leaves"
    return None


# Claims

EXPLORED: Final = {SIZES: (4, 13587), DEEP_SIZES: (5, 80013)}
STEPS: Final = [f"{name} steps" for name in ("new", "update", "prefix", "suffix", "aggregate")]


def check(mutant: Mutant | None = None, sizes: tuple[int, ...] = SIZES, own: Sequence[str] = ()) -> Outcome:
    """Return the outcome of exploring trees of these sizes, for a claim that some checks state, by default all."""
    return judge(find(partial(explore, mutant, sizes)), EXPLORED[sizes], own=own)


def _scope(sizes: Sequence[int]) -> str:
    return f"n = {', '.join(map(str, sizes))}, every set of places; control flow looks at no value, so every monoid"


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="flat-fat/explored",
        statement="New and update keep equations 4.1 and 4.2. New makes n - 1 calls; update of m > 0 places at most "
        "m (1 + ceil(log2(n / m))), of none none, on at most min(m, n / 2^l) nodes of level l; prefix(i) as many as "
        "i - 1 has binary ones, suffix(j) as many as n - j; aggregate none. 2n - 1 partial aggregates are kept. Bad "
        "places are refused and change nothing.",
        source=cite(
            GENERAL,
            "equation 4.1",
            "equation 4.2",
            "equation 4.3",
            "Theorem 4.1",
            "Theorem 4.2",
            "Claim 4.3",
            compared="stronger: the exact number of calls of queries, and the space with its constant",
        ),
        algorithm=FLAT_FAT.name,
        kind="exhaustive",
        engine="explorer",
        scope=_scope(SIZES),
        code=code_of(FLAT_FAT.algorithm),
        check=check,
        not_covered="larger n: see the claims that are proved for every n = 2^k",
        deep=Deep(_scope(DEEP_SIZES), partial(check, sizes=DEEP_SIZES)),
    ),
    Claim(
        id="flat-fat/corollary-4.4",
        statement="Besides its calls to combine, new takes at most 9n steps of navigation, update 4 for each call "
        "that Theorem 4.2 allows it and 5 for each place, prefix and suffix 4 log2 n + 2, aggregate 1.",
        source=cite(
            GENERAL,
            "Corollary 4.4",
            compared="stronger: with constants; weaker: steps of navigation and combine calls are counted, and no time",
        ),
        algorithm=FLAT_FAT.name,
        kind="argued",
        engine="counted navigation",
        scope="n = 1, 2, 4, 8, every set of places; that a step takes constant time is argued: integer arithmetic, "
        "array access, and insertion into a set of at most m nodes (expected time)",
        code=code_of(FLAT_FAT.algorithm),
        check=partial(check, own=STEPS),
        not_covered="time on a machine",
    ),
    history_claim(
        FLAT_FAT,
        source=cite(GENERAL, place="section 4.2"),
        steps="choices of places to write (n = 4; 4 choices are an update)",
        answer="every prefix and suffix is the product of the places",
    ),
)
