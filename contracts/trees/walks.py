"""Walks that change nothing in the trees: their results.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.2 and 3.3 and Figure 10.

Conventions: those of `contracts/trees/whole_operations.py`.  Entries are numbered from the window's oldest, 0 .. n-1;
those below a node are `s.begin(y)` .. `s.end(y)` - 1.  `s.is_before(k, t)` means that entry k is before time t,
`s.is_behind(k, t)` that it is after.
"""

from typing import Any


def between(s: Any, node: Any, t: Any) -> bool:
    """t is after the entry before the node's subtree, and before the entry after it, where these exist"""
    begins = bool(s.begin(node) == 0) or bool(s.is_before(s.begin(node) - 1, t))
    return begins and (bool(s.end(node) == s.n) or bool(s.is_behind(s.end(node), t)))


def place_of_time(s: Any, node: Any, t: Any) -> bool:
    """an entry of the node is at t; or none is, and the node is the leaf where t belongs"""
    if s.has_time(node, t):
        return True
    return bool(s.height(node) == 0) and between(s, node, t)


def common_ancestor(s: Any, node_from: Any, node_to: Any, answer: Any) -> bool:
    """every entry below either node is below the answer"""
    begins = bool(s.begin(answer) <= s.begin(node_from)) and bool(s.begin(answer) <= s.begin(node_to))
    return begins and bool(s.end(answer) >= s.end(node_from)) and bool(s.end(answer) >= s.end(node_to))


def lowest_ancestor(s: Any, node_from: Any, node_to: Any, answer: Any) -> bool:
    """the answer is one of the nodes, or none of its children has both below it"""
    if answer is node_from or answer is node_to:
        return True
    both = (node_from, node_to)
    return not any(all(s.begin(z) <= s.begin(y) and s.end(y) <= s.end(z) for y in both) for z in answer.children)
