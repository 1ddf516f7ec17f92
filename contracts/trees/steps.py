"""The rebalancing steps of a B-tree with aggregates: their postconditions, and the invariants of their loops.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 to 3.3 and Lemma C.1; the paper
shows no code of the steps and states no loop invariants; these are ours.

Conventions.  mu is `s.mu`.  Entries are numbered from the window's oldest: `s.number(t)` is the number of the entry at
time t, `s.product(i, j)` the product of the entries i .. j-1, and the entries below a child z have the
numbers `s.begin(z)` .. `s.end(z)` - 1.  y is a node with at least one entry, z_i its children, t_i its
times, v_i its values, a its arity.  i is the number of an entry or of a child.  In a loop, `done` is the number
of turns made, `before` the number of combine calls made before the loop.
"""

from typing import Any

from swagproof.contracts.clause import EachTurn, Loop, for_each, size

# The postcondition for every node that a step touches


def lengths(s: Any, y: Any) -> bool:
    """y has a - 1 values, and a children or none"""
    return bool(size(y.values) == y.arity - 1) and bool(size(y.children) == 0 or size(y.children) == y.arity)


@for_each("times", "y")
def whole_entry(s: Any, i: Any, y: Any) -> bool:
    """t_i and v_i are of the same entry"""
    number = s.number(y.times[i])
    return bool(y.values[i] == s.product(number, number + 1))


@for_each("times", "y")
def neighbours(s: Any, i: Any, y: Any) -> bool:
    """the entries below z_i end before entry i; z_{i+1}, or in a leaf entry i + 1, follows entry i

    Together with the numbers of entries and children (`split_arities` and so on), this keeps them all, in order.
    """
    number = s.number(y.times[i])
    if y.children:
        return bool(s.end(y.children[i]) == number) and bool(s.begin(y.children[i + 1]) == number + 1)
    return bool(i + 1 == y.arity - 1) or bool(s.number(y.times[i + 1]) == number + 1)


def up_aggregate(s: Any, y: Any) -> bool:
    """if y is neither the root nor on a spine (or there are none): agg(y) is the product of all entries below y"""
    return not y.has_agg_up() or bool(y.agg == s.product(s.begin(y), s.end(y)))


@for_each("children", "y")
def child_parent(s: Any, i: Any, y: Any) -> bool:
    """the parent of z_i is y"""
    return y.children[i].parent is y


@for_each("children", "y")
def child_left_spine(s: Any, i: Any, y: Any) -> bool:
    """z_i is on the left spine if and only if i = 0 and y is the root or on the left spine"""
    return bool(y.children[i].left_spine) == (bool(y.is_root() or y.left_spine) and bool(i == 0))


@for_each("children", "y")
def child_right_spine(s: Any, i: Any, y: Any) -> bool:
    """z_i is on the right spine if and only if i = a - 1 and y is the root or on the right spine"""
    return bool(y.children[i].right_spine) == (bool(y.is_root() or y.right_spine) and bool(i == y.arity - 1))


NODE = (lengths, up_aggregate, whole_entry, neighbours, child_parent)
"""The clauses for every node that a step touches."""

ON_SPINES = (child_left_spine, child_right_spine)
"""The clauses for every node that a step touches, in a tree with spines."""


def fingers(s: Any) -> bool:
    """a touched node is the left (right) finger if and only if it is a leaf on the left (right) spine"""
    return all(
        (s.tree.left_finger is y) == bool(y.is_leaf() and y.left_spine)
        and (s.tree.right_finger is y) == bool(y.is_leaf() and y.right_spine)
        for y in s.remaining
    )


def touched(s: Any, *nodes: Any) -> bool:
    """each node that a step touches meets all of NODE; with spines, all of ON_SPINES, and the fingers are right

    While a bulk operation defers aggregates, they are exempt.
    """
    s.remaining = nodes
    clauses = (*NODE, *ON_SPINES) if s.spines else NODE
    stated = [clause for clause in clauses if clause is not up_aggregate or not s.puts_off]
    return all(clause(s, y=y) for y in nodes for clause in stated) and (not s.spines or fingers(s))


def split_given(s: Any, node: Any) -> bool:
    """a = 2 mu + 1, and the node is not the root"""
    return bool(node.arity == 2 * s.mu + 1) and not node.is_root()


def merge_given(s: Any, node: Any, sibling: Any) -> bool:
    """a = mu - 1 of the node, and mu of its sibling"""
    return bool(node.arity == s.mu - 1) and bool(sibling.arity == s.mu)


def move_given(s: Any, node: Any, sibling: Any) -> bool:
    """a = mu - 1 of the node, and more than mu of its sibling"""
    return bool(node.arity == s.mu - 1) and bool(sibling.arity > s.mu)


def raise_given(s: Any, root: Any) -> bool:
    """a = 2 mu + 1 of the root"""
    return bool(root.arity == 2 * s.mu + 1)


def lower_given(s: Any, root: Any) -> bool:
    """a = 1 of the root, which is no leaf"""
    return bool(root.arity == 1) and not root.is_leaf()


def split_arities(s: Any) -> bool:
    """from 2 mu + 1: mu + 1 on the left, mu on the right, and one more at the parent (Lemma C.1)"""
    return bool(s.node.arity == s.mu + 1) and bool(s.sibling.arity == s.mu) and bool(s.parent.arity == s.above + 1)


def merge_arities(s: Any) -> bool:
    """from mu - 1 and mu: 2 mu - 1, and one less at the parent (Lemma C.1)"""
    return bool(s.node.arity == 2 * s.mu - 1) and bool(s.parent.arity == s.above - 1)


def move_arities(s: Any) -> bool:
    """from mu - 1 and more than mu: mu, and one less, which is at least mu; the parent's is unchanged (Lemma C.1)"""
    given = bool(s.sibling.arity == s.beside - 1) and bool(s.sibling.arity >= s.mu)
    return bool(s.node.arity == s.mu) and given and bool(s.parent.arity == s.above)


# The aggregate of a node, from those of its neighbours


def local_aggregate(s: Any, y: Any) -> bool:
    """agg(y) = v_start ... v_{stop-1}.

    start is the begin of y; if y is the root or on the left spine, the end of z_0; if y is on the right spine, the
    begin of the root's last child.  stop mirrors start.
    """
    inner = bool(y.children)
    start, stop = s.begin(y), s.end(y)
    if inner and (y.is_root() or y.left_spine):
        start = s.end(y.children[0])
    if inner and (y.is_root() or y.right_spine):
        stop = s.begin(y.children[y.arity - 1])
    if y.left_spine:
        stop = s.left_end
    elif y.right_spine:
        start = s.right_begin
    return bool(y.agg == s.product(start, stop))


def local_calls(s: Any, y: Any) -> bool:
    """at most 2a combine calls"""
    return bool(s.calls <= 2 * y.arity)


# Loops


def product_so_far(s: Any, self: Any, first: Any, last: Any, product: Any, combined: Any, done: Any) -> bool:
    """product is that of all parts up to entry done - 1, or of all parts when the loop is done; it is 1 if there are
    none, that is, if combined = 0

    The node has an entry.  The parts are of all children, or of all but the first, the last or both.
    """
    if done == 0 or (not self.children and self.arity == 1):
        return bool(combined == 0) and bool(product == s.product(0, 0))
    if combined <= 0:
        return False
    start = s.number(self.times[0]) if first == 1 and self.children else s.begin(self)
    if done < self.arity:
        stop = s.number(self.times[done - 1]) + 1
    elif self.children and last < self.arity:
        stop = s.number(self.times[done - 2]) + 1
    else:
        stop = s.end(self)
    return bool(product == s.product(start, stop))


def calls_so_far(s: Any, done: Any, before: Any) -> bool:
    """a combine call for each part but the first: at most 2 done - 1"""
    return bool(s.calls <= before + 2 * done - 1) if done > 0 else bool(s.calls == before)


@EachTurn
def below_sibling(s: Any, j: Any, sibling: Any) -> bool:
    """the parent of child j of the new sibling is the sibling"""
    return sibling.children[j].parent is sibling


@EachTurn
def below_self(s: Any, j: Any, self: Any, sibling: Any) -> bool:
    """the parent of child j of the absorbed node is the node that absorbs it"""
    return sibling.children[j].parent is self


LOOPS = {
    "product_of_parts": (Loop(product_so_far, calls_so_far), None),
    "split_off": (Loop(below_sibling),),
    "absorb_next": (Loop(below_self),),
    "repair_up": (None,),
}
"""The loops of each method that has one; a loop over the parts of one entry or over one step's nodes is not cut."""
