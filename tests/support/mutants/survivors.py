"""Mutants that nothing kills, by name: what is equivalent, with the argument, and what changes nothing that is stated.

A name is shortened where ` … ` stands; it must fit one mutant alone.  What a run or a proof kills may not be here.
"""

from collections.abc import Mapping
from typing import Final

from support.mutants.mutation import Listed

ARGUED: Final[Mapping[str, Listed]] = {
    "flat-fat": {
        "places are different, and nodes of one level independent: their order does not matter": (
            "new: for i in range(1, self.n + 1): -> for i in reversed(list(range(1, self.n + 1))):",
            "new: … -> … 1))): (x2)",
            "new: … -> … W)):",
            "update: … -> … W)):",
            "update: … -> for loc, _",
            "update: … -> for loc, val",
        ),
        "any of several bad locations may be named": ("require_locations: … -> for loc,",),
    },
    "reactive-aggregator": {
        "make_room says where front and back are": (
            "__init__: self.F, … -> pass",
            "__init__: self.F, … (2, capacity)",
            "__init__: self.F, … (0, capacity)",
        ),
        "FlatFAT refuses such a capacity, too, with the same error": (
            "__init__: if … -> if type(capacity) is not int or capacity & capacity - 1:",
            "__init__: if … -> if type(capacity) is not int or capacity < 1:",
            "__init__: if … -> if type(capacity) is not int or capacity < 0",
        ),
        "what is done twice is the same as once": (
            "__init__: nothing -> self.make_room",
            "apply_pending: … -> self.pending",
            "compact: … -> self.apply",
            "compact: … -> self.write(to",
            "evict: … -> self.skip",
            "insert: … -> self.write(self.B",
            "query: … -> self.apply",
        ),
        "a view of the items serves as well as a list of them": ("apply_pending: … -> self.fat.update(self",),
        "at three quarters a full buffer may be compacted or doubled: every clause and the account hold": (
            "insert: … -> … < 3 * self.capacity:",
        ),
        "slots are different: their order does not matter": (
            "make_room: … -> … + 1))):",
            "make_room: … -> … start=1))):",
        ),
        "the number of the turn is not used": ("slots: … -> for _ in reversed",),
    },
    "reactive-aggregator-fifo": {
        "make_room says where front and back are": (
            "__init__: self.F, … -> pass",
            "__init__: self.F, … (2, capacity)",
            "__init__: self.F, … (0, capacity)",
        ),
        "a turn may rewrite two levels: above the root there is nothing to rewrite": (
            "Fat.propagate: nothing -> W = self.rewrite(W)",
        ),
        "no node is asked for before the first slide": (
            "Fat.__init__: self.inverted = False -> pass",
            "Fat.__init__: self.inverted = False -> self.inverted = True",
        ),
        "what is done twice is the same as once": (
            "__init__: nothing -> self.make_room",
            "Fat.rewrite: nothing -> W_next.add(self.parent(v))",
            "Fat.slide: nothing -> W.add(self.parent(self.leaf(loc)))",
            "apply_pending: nothing -> self.freed.clear()",
            "apply_pending: nothing -> self.pending.clear()",
            "evict: … -> self.freed.add(self.F",
            "query: nothing -> self.freed.clear()",
            "query: … -> self.apply",
        ),
        "a view of the items serves as well as a list of them": ("apply_pending: … -> self.fat.slide(self",),
        "sliding nothing writes nothing, and makes no calls": ("make_room: … ues:; … -> … F, self.B)",),
        "the number of the turn is not used": ("slots: … -> for _ in reversed",),
        "places are different, and nodes of one level independent: their order does not matter": (
            "Fat.rewrite: … -> … W)):",
            "Fat.slide: … -> for loc,",
            "Fat.slide: … -> … changes]])):",
        ),
    },
    "base-intervals": {
        "one level at most runs empty: the next still holds the right half of what left": ("evict: … -> if len(self",),
        "two of the three conditions imply the third: a level that is there holds a whole interval": (
            "evict: … -> while level <=",
            "evict: … -> while self.front",
            "evict: … -> … - length <= self.back):",
            "evict: … -> … 0:",
            "evict: … -> … level <= self.back):",
            "evict: … k): … -> … ont <= self.back):",
        ),
    },
    "b-tree": {
        "a sibling has the same parent": (
            "Node.take_from_next: … -> sibling.parent",
            "Node.take_from_previous: … -> … sibling.parent.values[i])",
        ),
        "the old root still leads to the new one, and its repair passes there": ("merge: … -> return parent",),
        "the substitute may come from either side: see the row fiba/substitute": (
            "evict_inner: … -> … else oldest(right)",
        ),
        "siblings are leaves together": ("Node.take_from_next: … -> if self.",),
        "the result is only asked for its truth": ("Node.local_search: … -> … t, i)",),
        "one end is compared with the tree, and the ends with each other": (
            "range_query: … -> self.require_time(t_to",
        ),
        "a node that was taken in is nobody's any more: nothing follows its pointer": (
            "Node.absorb_next: sibling.pa … -> pass",
        ),
    },
    "fiba": {
        "the substitute may come from either side: see the row fiba/substitute": (
            "evict_inner: … -> if left.",
            "evict_inner: … -> if not right",
            "evict_inner: … -> if right.arity >=",
            "evict_inner: … -> … self.max_arity:",
            "evict_inner: … = old … -> … gest(left)",
            "evict_inner: … ght); … -> … est(right)",
        ),
        "the old root still leads to the new one, and its repair passes there": ("merge: … -> return parent",),
        "a node is not its own sibling": ("move: … -> … >= node_idx:",),
        "the common ancestors of two nodes are those of the same two the other way round": (
            "range_query: … -> … node_from)",
        ),
        "toRepair is not needed: see the row fiba/to-repair": (
            "evict: … ne) … -> … .identity)",
            "evict_inner: … de) … -> … .identity)",
            "rebalance_for_evict: if node is to_repair:; node.local_repair_agg_if_up() -> pass",
            "rebalance_for_evict: node.local_repair_agg_if_up() -> leaf.local_repair_agg_if_up()",
            "rebalance_for_evict: node.local_repair_agg_if_up() -> pass",
        ),
        "what is done twice is the same as once": (
            "__init__: nothing -> super().__init__",
            "Node.__init__: nothing -> super().__init__",
            "evict: … -> self.require",
            "evict_inner: … -> hit_left = hit_left or top.left",
            "evict_inner: … -> hit_right = hit_right or top.right",
            "evict_inner: … -> node.set",
            "insert: … -> self.require",
            "least_common_ancestor: nothing -> met.add(climbing)",
            "rebalance_for_evict: nothing -> hit_left = hit_left or sibling.left_spine",
        ),
        "the greater of two numbers is the same in either order": ("merge: … -> … sibling_idx, node_idx))",),
        "an up-aggregate need not be asked for: see the row fiba/up-unasked": ("query_rec: … -> … PLUS_INFINITY:",),
        "siblings are leaves together": ("Node.take_from_previous: … -> if self.",),
        "whether two times compare does not depend on which comes first": ("require_time: … -> … else t, t)",),
    },
    "ordered-sharing": {
        "smaller windows in the tree have no better answers, larger ones better: each of these orders tells them": (
            "before: … -> return lambda r: not",
            "before: … -> … <= w.size)",
            "before: … -> … or not self.worse(w.answer, r.answer)",
            "before: … -> … or r.size < w.size)",
            "before: … -> … w.answer) and r.size < w.size)",
            "before: … -> … w.answer) or r.size < w.size",
        ),
        "there is nothing to repair: see the row ordered-sharing/repair-wasted": (
            "fix: self.disca … -> pass",
            "fix: self.disca … -> r",
            "fix: … -> if (r :=",
            "fix: … -> self.discard",
            "fix: … -> while (r := self.tree.first(lambda r: r.size > w.ts",
            "fix: … -> while (r := self.tree.first(lambda r: r.size >=",
            "fix: … -> while (r := self.tree.first(lambda r: r.ts",
            "fix: … -> while (r := self.tree.last",
            "insert: self.fix(w) -> pass",
            "insert: self.fix(w) -> w",
        ),
        "what is done twice is the same as once": (
            "insert: … -> self.refuse_unordered(newValue",
            "insert: … -> self.registry",
            "lookup: nothing -> self.remove_up_to(w.size)",
            "refuse_unordered: … -> self.worse(v, self.tuples[-1] ",
            "register: … -> self.registry.add(size",
        ),
        "validity need not be asked, and no window need be left: see the row ordered-sharing/validity-not-asked": (
            "largest_valid: … -> if w is ",
            "largest_valid: … -> … not w.size):",
            "largest_valid: … -> … w):",
        ),
        "the order of insertion changes the shape of the tree alone, which stays balanced": ("lookup: … -> for each",),
        "the newest tuple would be compared with itself": ("recalculate: … -> … = 1",),
        "the least of two numbers is the same in either order": ("recalculate: … -> … window.size):",),
        "what cannot be compared with one tuple cannot be compared with any, from either side": (
            "refuse_unordered: … -> self.worse(v, self.tuples[-0",
            "refuse_unordered: … -> … else v, v)",
        ),
        "the result is only asked for its truth": ("worse: … -> … < b",),
    },
    "timegram": {
        "what is done twice is the same as once": (
            "insert: … -> self.registry",
            "insert: … -> … value)",
            "max: … -> window = self",
            "min: … -> window = self",
            "register: … -> … size)",
            "sum: … -> … window)",
        ),
        "exact sums are the same in any order": ("sum: … -> … self.buckets)):",),
    },
    "stream": {
        "what is done twice is the same as once": (
            "insert: … -> self.registry",
            "lookup: … -> size = self",
            "register: … -> … size)",
        ),
        "the queries have nothing in common": ("insert: … -> for query",),
    },
}
"""Equivalent, by argument."""

KNOWN: Final[Mapping[str, Listed]] = {
    "reactive-aggregator": {
        "compact writes elements that stay where they are, too, within the bounds": (
            "compact: … is a … -> … v, ticket)",
        ),
        "an insert into an empty window compacts it first: changes are applied earlier, within the bounds": (
            "is_full: … -> return self.after",
            "is_full: … -> return self.n_tuples >=",
        ),
    },
    "reactive-aggregator-fifo": {
        "an empty buffer of two slots is left: the utilisation that is stated allows it": ("evict: … -> … 2:",),
    },
    "base-intervals": {
        "the first element has another number: intervals begin elsewhere, within the bounds on calls": (
            "__init__: self.front = self.back = 0 -> self.front = self.back = 1",
        ),
        "query takes shorter intervals than it could, within the bound of 2 log2 n calls": (
            "longest: … -> … 3 * length <= self.back:",
            "longest: … -> … < self.back:",
        ),
    },
    "b-tree": {
        "another minimal arity where none is given": ("__init__: def … min_arity: int=3",),
        "a range query asks more subtrees than it need: its cost is stated of FiBA alone": (
            "query_rec: if t_from is MI … -> pass",
            "query_rec: if t_i < t_to and t_from < t_i_1:; res = combine(res, self.query_rec(node.get_child(i"
            " + 1), MINUS_INFINITY if t_from <= t_i else t_from, PLUS_INFINITY if t_i_1 <= t_to else t_to)) "
            "-> res = combine(res, self.query_rec(node.get_child(i + 1), MINUS_INFINITY if t_from <= t_i else"
            " t_from, PLUS_INFINITY if t_i_1 <= t_to else t_to))",
            "query_rec: … (0), t … -> … t_from else t_to))",
            "query_rec: … -> if t_to is MINUS",
            "query_rec: … -> … 0), t_from, t_to))",
            "query_rec: … -> … < t_curr else t_from, t_to))",
            "query_rec: … -> … < t_i else t_from, PLUS_INFINITY if t_i_1 <= t_to else t_to))",
            "query_rec: … -> … t_to <= t_curr else t_from, t_to))",
            "query_rec: … t_i e … -> … om, t_to))",
        ),
        "a split leaves the greater half on the right: the coins of Lemma C.1 alone decide between them": (
            "split: … -> … self.min_arity)",
        ),
    },
    "fiba": {
        "another minimal arity where none is given": ("__init__: def … min_arity: int=3",),
        "a range query asks a subtree that holds nothing of the range, within the bounds on cost": (
            "query_rec: … (0), t … -> … _to), res)",
            "query_rec: … -> if t_curr <=",
            "query_rec: … -> if t_i <= t_to ",
            "query_rec: … -> if t_i < t_to and t_from <= t_i_1",
            "query_rec: … -> … < t_curr else t_from, t_to))",
            "query_rec: … -> … <= t_next:",
            "query_rec: … -> … t_i_1 < t_to else t_to))",
        ),
        "an aggregate is computed twice, within the bounds on cost": ("evict_inner: … -> top.local",),
        "a search names another node as visited: what counts them counts as many": (
            "search_path: yield right -> yield left",
        ),
        "aggregates that are right already are computed again, within the bounds on cost": (
            "repair_aggs: … -> … or hit_right:",
        ),
    },
    "ordered-sharing": {
        "insert drops larger windows that are valid: answers stay right, and are calculated anew": (
            "fix: … -> …  r.answer):",
            "fix: … -> … None:",
            "fix: … -> … r.answer:",
            "fix: … -> … w.answer:",
        ),
    },
    "stream": {
        "a query has a second pair of queues, which nobody reads": ("register: … -> self.queries.append(",),
    },
}
"""Mutants whose changes no contract states: answers stay right."""
