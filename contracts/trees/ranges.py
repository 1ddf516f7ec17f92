"""Range queries: the result of the recursion of Figure 10, and its loop invariant.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 4 and Figure 10; the paper states no loop
invariant, so this one is ours.

Conventions: those of `contracts/trees/steps.py`.  `s.in_range(i, j, t_from, t_to)` is the product of the entries among
i .. j-1 whose times are in the range; its ends may be before or after all times.
"""

from typing import Any

from swagproof.contracts.clause import Loop


def range_so_far(s: Any, node: Any, t_from: Any, t_to: Any, res: Any, done: Any) -> bool:
    """res is the product of the entries in the range among those below the node before entry `done`"""
    if node.arity == 1:
        return bool(res == s.product(0, 0))
    stop = s.number(node.times[done]) if done < node.arity - 1 else s.number(node.times[done - 1]) + 1
    return bool(res == s.in_range(s.begin(node), stop, t_from, t_to))


def range_product(s: Any, node: Any, t_from: Any, t_to: Any, answer: Any) -> bool:
    """the answer is the product of the entries in the range below the node, or the identity"""
    if node.arity == 1:
        return bool(answer == s.product(0, 0))
    return bool(answer == s.in_range(s.begin(node), s.end(node), t_from, t_to))


LOOPS = {"query_rec": (Loop(range_so_far),)}
