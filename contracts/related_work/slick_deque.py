"""SlickDeque: its invariants and cost.

Sources: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 6, and *In-Order Sliding-Window
Aggregation in Worst-Case Constant Time* (2021), section 8.3, which name it; the invariants are ours.

Conventions.  The candidates are c_0, c_1, ..., at the places p_0 < p_1 < ... of the window.  A place is a position in
the stream minus o, the position of the window's oldest element v_0.  Candidate j is the answer for the suffixes that
begin at its own places: those after p_{j-1} (from place 0 on for j = 0) up to p_j.
"""

from typing import Any

from swagproof.contracts.clause import for_each, for_each_pair, size


def _begin(s: Any, j: Any) -> Any:
    """Return the first of the places of candidate j; if j is their number, the first place behind them all."""
    return s.candidates[j - 1].position - s.oldest + 1 if j > 0 else 0


def ends(s: Any) -> bool:
    """there are n elements, and the newest is the last candidate; for n = 0 there are no candidates"""
    n, last = s.model.size, size(s.candidates) - 1
    return bool(s.size == n) and bool(s.candidates[last].position == s.oldest + n - 1 if last >= 0 else n == 0)


@for_each("candidates")
def positions(s: Any, j: int) -> bool:
    """for each candidate j: p_{j-1} < p_j, 0 <= p_0; and no fewer elements from p_j on than candidates from j on"""
    place = s.candidates[j].position - s.oldest
    return bool(_begin(s, j) <= place) and bool(size(s.candidates) - j <= s.model.size - place)


@for_each_pair("candidates")
def order(s: Any, pair: tuple[int, int]) -> bool:
    """for candidates i < j: p_i < p_j"""
    i, j = pair
    return bool(s.candidates[i].position < s.candidates[j].position)


@for_each("candidates")
def values(s: Any, j: int) -> bool:
    """for each candidate j: c_j is its element, and the product of the elements from p_j on"""
    candidate = s.candidates[j]
    place = candidate.position - s.oldest
    if not (0 <= place and place < s.model.size):
        return False
    return bool(candidate.value == s.model[place]) and bool(candidate.value == s.model.product(place, s.model.size))


@for_each("candidates")
def suffixes(s: Any, j: int) -> bool:
    """for each candidate j and each of its places q: c_j is the product of the elements from q on"""
    candidate, n = s.candidates[j], s.model.size
    begin, place = _begin(s, j), s.candidates[j].position - s.oldest
    if not (0 <= begin and begin <= place and place < n):
        return False
    return all(candidate.value == s.model.product(q, n) for q in s.model.places(begin, place + 1))


@for_each("candidates")
def once(s: Any, j: int) -> bool:
    """for each candidate j > 0: c_{j-1} differs from c_j"""
    return bool(s.candidates[j - 1].value != s.candidates[j].value) if j > 0 else True


INVARIANT = (ends, positions, order, values, suffixes, once)
AT_ONCE = (ends,)


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most n times"""
    return calls <= n


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query does not invoke combine"""
    return calls == 0


def lookup_calls(newest: int, calls: int) -> bool:
    """lookup does not invoke combine"""
    return calls == 0


def savings(s: Any) -> int:
    """the number of candidates"""
    return size(s.candidates)  # type: ignore[no-any-return]  # symbolic in proofs


def insert_paid(calls: int, before: int, after: int) -> bool:
    """calls + savings <= 2: a candidate pays for the call that removes it"""
    return calls + (after - before) <= 2


def evict_paid(calls: int, before: int, after: int) -> bool:
    """an evict saves nothing"""
    return calls == 0 and after <= before


def space(n: int, kept: int) -> bool:
    """at most n values"""
    return kept <= n
