"""OrderedSharing: its invariants, loop invariants and account.

Source: *Aggregate Sharing in Stream Databases* (2005), section 6.

Conventions.  The windows in the tree are w_1, w_2, ... from left to right; T is the current time, the number of tuples
that have arrived; W is the set of registered windows; `model` is the stream by definition.  A window is identified by
its size, a tuple by its index among those that are kept.  In a loop, `old` is the state at entry and `done` the number
of turns made; `descents` counts the descents of the tree so far.
"""

import math
from collections.abc import Callable
from copy import copy
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from swagproof.contracts.clause import Loop, Loops, equal, for_all, for_each, size
from swagproof.models.containers.search_tree import balanced, highest

NEVER: Final = -math.inf
"""The timestamp of a window that has no answer of its own."""


def _arrived(s: Any, j: Any) -> Any:
    """Return the arrival time of the j-th tuple that is kept."""
    return s.currentTime - size(s.tuples) + 1 + j


def sizes(s: Any) -> bool:
    """for all i: w_i.size < w_{i+1}.size"""
    return all(w.size < following.size for w, following in pairwise(s.tree))


@for_all("windows", "windows")
def answers(s: Any, n: Any, m: Any) -> bool:
    """for all w, w' in the tree with w.size < w'.size: w.answer <= w'.answer (max), valid or not"""
    w, larger = s.windows[n], s.windows[m]
    return not (n < m and w in s.tree and larger in s.tree) or not s.worse(larger.answer, w.answer)


@for_all("windows", "windows")
def timestamps(s: Any, n: Any, m: Any) -> bool:
    """for all w, w' in the tree with w.size < w'.size: w.ts >= w'.ts"""
    w, larger = s.windows[n], s.windows[m]
    return not (n < m and w in s.tree and larger in s.tree) or bool(w.ts >= larger.ts)


@for_each("windows")
def stamps(s: Any, n: Any) -> bool:
    """for all w in the tree: w.answer is the tuple that arrived at 1 <= w.ts <= T, if that is kept"""
    w, oldest = s.windows[n], _arrived(s, 0)
    if w not in s.tree:
        return True
    if w.ts < 1 or w.ts > s.currentTime:
        return False
    return bool(w.ts < oldest) or bool(s.tuples[w.ts - oldest] == w.answer)


@for_each("windows")
def answered(s: Any, n: Any) -> bool:
    """for all w in the tree: w has an answer"""
    w = s.windows[n]
    return w not in s.tree or bool(w.answer != s.model.monoid.identity)


@for_all("windows", "tuples")
def valid_answers(s: Any, n: Any, j: Any) -> bool:
    """for all w in the tree with T - w.ts < w.size: no tuple of its window beats w.answer"""
    w = s.windows[n]
    if w not in s.tree or not s.currentTime - w.ts < n:
        return True
    return bool(_arrived(s, j) <= s.currentTime - n) or not s.worse(w.answer, s.tuples[j])


@for_all("windows", "tuples")
def newer_are_worse(s: Any, n: Any, j: Any) -> bool:
    """for all w in the tree: every tuple that arrived after w.ts is worse than w.answer, whether w is valid or not"""
    w = s.windows[n]
    return w not in s.tree or bool(_arrived(s, j) <= w.ts) or bool(s.worse(s.tuples[j], w.answer))


def validity(s: Any) -> bool:
    """for all w in W: w is valid iff the smallest w' in the tree with w'.size >= w.size has T - w'.ts < w.size"""
    for n in s.registry.sizes:
        holders = [w for w in s.tree if w.size >= n]
        defined = any(w.size >= n and s.currentTime - w.ts < n for w in s.windows.values())
        if defined != (holders != [] and s.currentTime - holders[0].ts < n):
            return False
    return True


@for_each("windows")
def outside(s: Any, n: Any) -> bool:
    """for all w in W: w.ts = -infinity iff w is not in the tree"""
    w = s.windows[n]
    return (w in s.tree) == bool(w.ts != NEVER)


@for_each("windows")
def unanswered(s: Any, n: Any) -> bool:
    """before the first tuple no window is in the tree, and each has the answer for no tuples"""
    w = s.windows[n]
    return bool(s.currentTime > 0) or (w not in s.tree and bool(w.answer == s.model.lookup(n)))


def tuples(s: Any) -> bool:
    """the stored tuples are those of the largest window; none if there is no window"""
    if size(s.registry.sizes) == 0:
        return bool(size(s.tuples) == 0)
    return bool(equal(s.tuples, s.model.window(s.registry.largest)))


def balance(s: Any) -> bool:
    """the heights of two siblings in the tree differ by at most one"""
    return balanced(s.tree.root)


def nodes(s: Any) -> bool:
    """the tree holds at most |W| windows"""
    return sum(1 for _ in s.tree) <= len(s.registry.sizes)


KEPT = (answers, timestamps, stamps, answered, valid_answers, newer_are_worse, outside, unanswered, tuples)
"""The clauses that an operation requires and preserves; the order of sizes, balance and nodes belong to the tree."""

INVARIANT = (nodes, sizes, *KEPT, validity, balance)
AT_ONCE = ()


# Postconditions of methods, and loop invariants; `old` is the state before


def windows_now(s: Any) -> SimpleNamespace:
    """Return a copy of the windows, taken before they change."""
    windows = {n: copy(w) for n, w in s.windows.items()}
    return SimpleNamespace(windows=windows, tree=[windows[w.size] for w in s.tree])


def _same(s: Any, old: Any, n: Any) -> bool:
    w, before = s.windows[n], old.windows[n]
    return bool(w.ts == before.ts) and bool(w.answer == before.answer)


def same_tuples(s: Any, old: Any) -> bool:
    """the stored tuples are unchanged"""
    return bool(equal(s.tuples, old.tuples))


def same_tree(s: Any, old: Any) -> bool:
    """the tree is not searched, and its size is unchanged"""
    return bool(s.tree.descents == old.tree.descents) and bool(size(s.tree) == size(old.tree))


@for_each("windows")
def same_windows(s: Any, n: Any, old: Any) -> bool:
    """every window is unchanged, in the tree or not"""
    return (s.windows[n] in s.tree) == (old.windows[n] in old.tree) and _same(s, old, n)


def discards_paid(s: Any, old: Any) -> bool:
    """two descents of the tree for each window that has left it"""
    return bool(s.tree.descents - old.tree.descents == (size(old.tree) - size(s.tree)) * 2)


def search_and_discards_paid(s: Any, old: Any) -> bool:
    """two descents of the tree for each window that has left it, and one more"""
    return bool(s.tree.descents - old.tree.descents == (size(old.tree) - size(s.tree)) * 2 + 1)


@for_each("windows")
def discards(s: Any, n: Any, old: Any, newValue: Any) -> bool:
    """all windows are unchanged, except that invalid ones that newValue beats or equals may have left the tree"""
    w, before = s.windows[n], old.windows[n]
    if before not in old.tree or w in s.tree:
        return (w in s.tree) == (before in old.tree) and _same(s, old, n)
    return not s.worse(newValue, before.answer) and not s.currentTime - before.ts < n and bool(w.ts == NEVER)


def beaten(s: Any, w: Any, newValue: Any) -> bool:
    """w, if there is one, is in the tree, and newValue beats or equals its answer"""
    return w is None or (w in s.tree and not s.worse(newValue, w.answer))


@for_each("windows")
def larger_are_better(s: Any, n: Any, w: Any, newValue: Any) -> bool:
    """newValue is worse than the answers of all larger windows in the tree, or of all windows in it if there is no w"""
    each = s.windows[n]
    return each not in s.tree or (w is not None and bool(n <= w.size)) or bool(s.worse(newValue, each.answer))


@for_each("windows")
def removes(s: Any, n: Any, old: Any, size: Any) -> bool:
    """larger windows are unchanged; some of the others may have left the tree"""
    w, before = s.windows[n], old.windows[n]
    if n > size or before not in old.tree or w in s.tree:
        return (w in s.tree) == (before in old.tree) and _same(s, old, n)
    return bool(w.ts == NEVER)


@for_each("windows")
def only_larger(s: Any, n: Any, size: Any) -> bool:
    """no window of at most that size is in the tree"""
    return s.windows[n] not in s.tree or bool(n > size)


@for_each("windows")
def nothing_to_fix(s: Any, n: Any, w: Any) -> bool:
    """w beats no larger window in the tree"""
    each = s.windows[n]
    return each not in s.tree or bool(n <= w.size) or not s.worse(each.answer, w.answer)


def serves(s: Any, w: Any, holder: Any) -> bool:
    """the holder, if there is one, is a window in the tree that is not smaller than w, with an answer within w"""
    return holder is None or (
        holder in s.tree and bool(holder.size >= w.size) and bool(s.currentTime - holder.ts < w.size)
    )


@for_each("windows")
def none_serves(s: Any, n: Any, w: Any, holder: Any) -> bool:
    """if there is no holder, there is no such window in the tree"""
    return (
        holder is not None or s.windows[n] not in s.tree or n < w.size or not s.currentTime - s.windows[n].ts < w.size
    )


def _had_its_turn(n: Any, validated: Any, done: Any, w: Any) -> Any:
    return n <= w.size and (bool(done == size(validated)) or bool(n < validated[done].size))


def _within_and_held(s: Any, n: Any) -> bool:
    each, oldest = s.windows[n], _arrived(s, 0)
    if each.ts == NEVER or each.ts < oldest or each.ts <= s.currentTime - n or each.ts > s.currentTime:
        return False
    return bool(s.tuples[each.ts - oldest] == each.answer)


def _best(s: Any, n: Any, j: Any) -> bool:
    each, value, arrived = s.windows[n], s.tuples[j], _arrived(s, j)
    if each.ts < arrived:
        return bool(s.worse(value, each.answer))
    return bool(arrived <= s.currentTime - n) or not s.worse(each.answer, value)


def scanned(s: Any, best: Any, ts: Any, age: Any) -> bool:
    """best is the tuple that arrived at ts, one of the newest `age`, and before the first turn the newest"""
    newest = ts > s.currentTime - age or (age == 0 and ts == s.currentTime)
    inside = 0 <= age <= size(s.tuples) and bool(newest) and bool(ts <= s.currentTime)
    return inside and bool(s.tuples[ts - _arrived(s, 0)] == best)


@for_each("tuples")
def best_so_far(s: Any, j: Any, best: Any, ts: Any, age: Any) -> bool:
    """best is worse than none of the newest `age`, and better than those that arrived after it"""
    value, arrived = s.tuples[j], _arrived(s, j)
    if arrived > ts:
        return bool(s.worse(value, best))
    return bool(arrived <= s.currentTime - age) or not s.worse(best, value)


def within_window(s: Any, window: Any, age: Any) -> bool:
    """no scanned tuple is older than the window"""
    return bool(age <= window.size)


def scanned_enough(s: Any, validated: Any, age: Any, done: Any) -> bool:
    """after a window's turn exactly its tuples have been scanned"""
    if done == 0:
        return bool(age == 0)
    last = validated[done - 1].size
    return bool(age == (last if last < size(s.tuples) else size(s.tuples)))


@for_each("windows")
def revalidated(s: Any, n: Any, old: Any, validated: Any, done: Any, w: Any) -> bool:
    """a window that had its turn has the answer and the time of one of its tuples; any other is unchanged"""
    return _within_and_held(s, n) if _had_its_turn(n, validated, done, w) else _same(s, old, n)


@for_all("windows", "tuples")
def best_of_window(s: Any, n: Any, j: Any, validated: Any, done: Any, w: Any) -> bool:
    """that tuple is worse than none of its window, and better than those that arrived after it"""
    return not _had_its_turn(n, validated, done, w) or _best(s, n, j)


@for_each("windows")
def tree_stays(s: Any, n: Any, old: Any) -> bool:
    """the same windows are in the tree"""
    return (s.windows[n] in s.tree) == (old.windows[n] in old.tree)


@for_each("windows")
def inserted(s: Any, n: Any, old: Any, validated: Any, done: Any, w: Any) -> bool:
    """windows are unchanged; the tree has its earlier windows and those that had their turn"""
    there = old.windows[n] in old.tree or bool(_had_its_turn(n, validated, done, w))
    return (s.windows[n] in s.tree) == there and _same(s, old, n)


def inserts_paid(s: Any, old: Any, done: Any) -> bool:
    """one descent of the tree, and one more window in it, for each turn"""
    return bool(s.tree.descents == old.tree.descents + done) and bool(size(s.tree) == size(old.tree) + done)


def some_tuple(s: Any) -> bool:
    """there is a tuple"""
    return bool(size(s.tuples) > 0)


REQUIRES: Final = {
    "largest_valid": (answers, outside, answered),
    "remove_up_to": (),
    "fix": (nothing_to_fix, answered),
    "valid": (outside, timestamps),
    "recalculate": (tuples, some_tuple),
}
"""The clauses that each method requires."""

PROMISES: Final = {
    "largest_valid": (same_tuples, search_and_discards_paid, discards, beaten, larger_are_better),
    "remove_up_to": (same_tuples, search_and_discards_paid, removes, only_larger),
    "fix": (same_tuples, same_windows),
    "valid": (serves, none_serves),
    "recalculate": (same_tuples, same_tree, tree_stays, revalidated, best_of_window),
}
"""The clauses that each method establishes; w is its argument or its result."""

LOOPS: Final[Loops] = {
    "largest_valid": (
        Loop(
            same_tuples, discards_paid, discards, beaten, larger_are_better,
            variant=lambda s, w: 0 if w is None else w.size,
        ),
    ),
    "remove_up_to": (Loop(same_tuples, discards_paid, removes, variant=lambda s: size(s.tree)),),
    "fix": (Loop(same_tuples, same_tree, same_windows, variant=lambda s: size(s.tree)),),
    "recalculate": (
        Loop(
            same_tuples, same_tree, tree_stays, scanned, best_so_far, scanned_enough, revalidated, best_of_window,
        ),
        Loop(
            scanned, best_so_far, within_window,
            variant=lambda s, age: size(s.tuples) - age,
        ),
    ),
    "lookup": (Loop(same_tuples, inserted, inserts_paid),),
}  # fmt: skip


# The account


class Account(NamedTuple):
    """The values that determine an operation's cost, and the windows that it makes valid."""

    T: int
    nodes: tuple[tuple[int, Any, float], ...]
    """(size, answer, ts) of each window in the tree: each holds 2h for its removal."""
    windows: tuple[int, ...]
    """The sizes of W."""
    visits: int
    """Tree nodes visited so far."""
    worse: Callable[[Any, Any], bool]

    @property
    def h(self) -> int:
        """The greatest height of a tree of |W| windows."""
        return highest(len(self.windows))

    def valid(self, size: int, T: int) -> bool:
        """Some window w' in the tree has w'.size >= size and T - w'.ts < size."""
        return any(node >= size and T - ts < size for node, _, ts in self.nodes)


def account(s: Any) -> Account:
    """The state of the account.  Windows outside the tree have no answers of their own (`outside`)."""
    nodes = tuple((w.size, w.answer, w.ts) for w in s.tree)
    return Account(s.currentTime, nodes, tuple(s.registry.sizes), s.tree.visits, s.worse)


def insert_paid(before: Account, after: Account) -> bool:
    """visits + 2h (nodes' - nodes) <= 3h: O(log |W|) on account"""
    h = before.h
    return after.visits - before.visits + 2 * h * (len(after.nodes) - len(before.nodes)) <= 3 * h


def lookup_paid(before: Account, after: Account, size: int) -> bool:
    """visits <= h while the window is valid; else visits + 2h (nodes' - nodes) <= 2h + 3h |{w in W: w.size <= size}|"""
    h, visits = before.h, after.visits - before.visits
    if before.valid(size, before.T):
        return visits <= h and after.nodes == before.nodes
    validated = sum(1 for known in before.windows if known <= size)
    return visits + 2 * h * (len(after.nodes) - len(before.nodes)) <= 2 * h + 3 * h * validated


def insert_validates(before: Account, after: Account, v: Any) -> bool:
    """for the largest valid w with w.answer <= v: w and all smaller windows are valid then; any other loses its
    validity by its age alone
    """
    beaten = (size for size, answer, ts in before.nodes if after.T - ts < size and not before.worse(v, answer))
    largest = max(beaten, default=0)
    return all(after.valid(size, after.T) for size in before.windows if size <= largest or before.valid(size, after.T))


def lookup_validates(before: Account, after: Account, size: int) -> bool:
    """after a lookup of w: w is valid, and if it was not, so are all smaller windows; no window loses its validity"""
    asked = before.valid(size, before.T)
    return before.T == 0 or all(
        after.valid(known, after.T)
        for known in before.windows
        if before.valid(known, before.T) or known == size or (known < size and not asked)
    )
