"""OrderedSharing: its invariants and its account.

Source: *Aggregate Sharing in Stream Databases* (2005), section 6.

Conventions.  The windows in the tree are w_1, w_2, ... from left to right; T is the current time, the number of tuples
that have arrived; W is the set of registered windows; `model` is the stream by definition.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from swagproof.models.containers.search_tree import balanced, highest


def sizes(s: Any) -> bool:
    """for all i: w_i.size < w_{i+1}.size"""
    return all(w.size < following.size for w, following in pairwise(s.tree))


def answers(s: Any) -> bool:
    """for all i: w_i.answer <= w_{i+1}.answer (max), valid or not"""
    return all(not s.worse(following.answer, w.answer) for w, following in pairwise(s.tree))


def timestamps(s: Any) -> bool:
    """for all i: w_i.ts >= w_{i+1}.ts"""
    return all(w.ts >= following.ts for w, following in pairwise(s.tree))


def valid_answers(s: Any) -> bool:
    """for all i with T - w_i.ts < w_i.size: w_i.answer is the answer, and w_i.ts the newest arrival of that value"""
    for w in s.tree:
        if s.currentTime - w.ts < w.size:
            values = s.model.window(w.size)
            newest = max((i for i, v in enumerate(values) if v == w.answer), default=None)
            if w.answer != s.model.lookup(w.size) or newest is None:
                return False
            if w.ts != s.currentTime - (len(values) - 1 - newest):
                return False
    return True


def newer_are_worse(s: Any) -> bool:
    """for all i: every tuple that arrived after w_i.ts is worse than w_i.answer, whether w_i is valid or not"""
    values = s.model.values
    return all(
        s.worse(v, w.answer)
        for w in s.tree
        for ts, v in enumerate(values, s.currentTime - len(values) + 1)
        if ts > w.ts
    )


def validity(s: Any) -> bool:
    """for all w in W: w is valid iff the smallest w' in the tree with w'.size >= w.size has T - w'.ts < w.size"""
    for size in s.registry.sizes:
        holders = [w for w in s.tree if w.size >= size]
        defined = any(w.size >= size and s.currentTime - w.ts < size for w in s.windows.values())
        if defined != (holders != [] and s.currentTime - holders[0].ts < size):
            return False
    return True


def outside(s: Any) -> bool:
    """for all w in W that are not in the tree: w.ts = -infinity"""
    kept = {id(w) for w in s.tree}
    return all(id(w) in kept or w.ts == float("-inf") for w in s.windows.values())


def tuples(s: Any) -> bool:
    """the tuples kept are those of the largest window"""
    return not s.registry.sizes or list(s.tuples) == s.model.window(s.registry.largest)


def balance(s: Any) -> bool:
    """the heights of two siblings in the tree differ by at most one"""
    return balanced(s.tree.root)


def nodes(s: Any) -> bool:
    """the tree holds at most |W| windows"""
    return sum(1 for _ in s.tree) <= len(s.registry.sizes)


INVARIANT = (nodes, sizes, answers, timestamps, valid_answers, newer_are_worse, validity, outside, tuples, balance)


class Account(NamedTuple):
    """What an operation's cost, and what it makes valid, is told from."""

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
    """for the largest valid w with w.answer <= v: after the insert, w and all smaller windows are valid"""
    beaten = (size for size, answer, ts in before.nodes if after.T - ts < size and not before.worse(v, answer))
    largest = max(beaten, default=0)
    return all(after.valid(size, after.T) for size in before.windows if size <= largest)


def lookup_validates(before: Account, after: Account, size: int) -> bool:
    """after a lookup of w: w is valid, and if it was not, so are all smaller windows; no window loses its validity"""
    asked = before.valid(size, before.T)
    return before.T == 0 or all(
        after.valid(known, after.T)
        for known in before.windows
        if before.valid(known, before.T) or known == size or (known < size and not asked)
    )
