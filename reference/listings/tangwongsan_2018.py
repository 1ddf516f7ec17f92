"""Listings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018): Figures 7, 8 and 10.

The figures' numbers overlap (Figure 7 ends and Figure 8 begins with a line 76 as supplied, Figure 10 counts from 1
again), so a tag names the figure.  Lines are indented as supplied, except for the blank that the extraction puts before
each formula in Figure 10.  Where the supplied text has lost the indentation (`displaced`), the reference nests
differently; FIBA-7 shows the effect of the supplied indentation.  Figure 10 writes = and <- alike; types are left out;
`and` binds closer than `or`.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

SPELLINGS: Final = {
    "self.monoid.identity": "1",
    "self.min_arity": "MIN_ARITY",
    "self.max_arity": "MAX_ARITY",
    "MINUS_INFINITY": "-infinity",
    "PLUS_INFINITY": "+infinity",
    "range_query": "query",
    "range(node.arity - 1)": "[0, ..., node.arity - 2]",
    "t_i_1": "t_{i+1}",
}
"""The infinities are objects; a Python range excludes its end; `query` is the query of the whole window."""

FIG_7: Final = Listing(
    "Fig.7",
    """
     1 fun query()
     2   if root.isLeaf()
     3     return root.agg
     4   return leftFinger.agg ⊗ root.agg ⊗ rightFinger.agg
     6 fun insert(t, v)
     7   node <- searchNode(t)
     8   node.localInsertTimeAndValue(t, v)
     9   top, hitLeft, hitRight <- rebalanceForInsert(node)
    10   repairAggs(top, hitLeft, hitRight)
    12 fun evict(t)
    13   node <- searchNode(t)
    14   found, idx <- node.localSearch(t)
    15   if found
    16     if node.isLeaf()
    17       node.localEvictTimeAndValue(t)
    18       top, hitLeft, hitRight <- rebalanceForEvict(node, null)
    19     else
    20       top, hitLeft, hitRight <- evictInner(node, idx)
    21       repairAggs(top, hitLeft, hitRight)
    23 fun repairAggs(top, hitLeft, hitRight)
    24   if top.hasAggUp()
    25     while top.hasAggUp()
    26       top <- top.parent
    27       top.localRepairAgg()
    28   else
    29     top.localRepairAgg()
    30   if top.leftSpine or top.isRoot() and hitLeft
       => if top.leftSpine or (top.isRoot() and hitLeft)
    31     left <- top
    32     while not left.isLeaf()
    33       left <- left.getChild(0)
    34       left.localRepairAgg()
    35   if top.rightSpine or top.isRoot() and hitRight
       => if top.rightSpine or (top.isRoot() and hitRight)
    36     right <- top
    37     while not right.isLeaf()
    38       right <- right.getChild(right.arity - 1)
    39     right.localRepairAgg()
    41 fun rebalanceForInsert(node)
    42   hitLeft, hitRight <- node.leftSpine, node.rightSpine
    43   while node.arity > MAX_ARITY
    44     if node.isRoot()
    45       heightIncrease()
    46     hitLeft, hitRight <- true, true
    47     split(node)
    48     node <- node.parent
    49     hitLeft <- hitLeft or node.leftSpine
    50     hitRight <- hitRight or node.rightSpine
    51   return node, hitLeft, hitRight
    53 fun rebalanceForEvict(node, toRepair)
    54   : Node x Bool x Bool
       =>   # a type
    55   hitLeft, hitRight <- node.leftSpine, node.rightSpine
    56   if node = toRepair
    57     node.localRepairAggIfUp()
    58   while not node.isRoot() and node.arity < MIN_ARITY
    59     parent <- node.parent
    60     nodeIdx, siblingIdx <- pickEvictionSibling(node)
    61     sibling <- parent.getChild(siblingIdx)
    62     hitRight <- hitRight or sibling.rightSpine
       => FIBA-3: hitLeft <- hitLeft or sibling.leftSpine, hitRight <- hitRight or sibling.rightSpine
    63     if sibling.arity <= MIN_ARITY
    64       node <- merge(parent, nodeIdx, siblingIdx)
    65       if parent.isRoot() and parent.arity = 1
    66         heightDecrease()
    67     else
    68       node <- parent
    69   else
    70     move(parent, nodeIdx, siblingIdx)
    71     node <- parent
    72   if node = toRepair
    73     node.localRepairAggIfUp()
    74   hitLeft <- hitLeft or node.leftSpine
    75   hitRight <- hitRight or node.rightSpine
    76   return node, hitLeft, hitRight
    """,
    SPELLINGS,
    displaced="21 39 46 67 69 72 74 75",
)

FIG_8: Final = Listing(
    "Fig.8",
    """
    76 fun evictInner(node, idx)
    77   left, right <- node.getChild(idx), node.getChild(idx + 1)
    78   if right.arity > MIN_ARITY
    79     leaf, t_leaf, v_leaf <- oldest(right)
    80   else
    81     leaf, t_leaf, v_leaf <- youngest(left)
    82   leaf.localEvictTimeAndValue(t_leaf)
    83   node.setTimeAndValue(idx, t_leaf, v_leaf)
    84   top, hitLeft, hitRight <- rebalanceForEvict(leaf, node)
    85   if top.isDescendent(node)
    86     while top != node
    87       top <- top.parent
    88       hitLeft <- hitLeft or top.leftSpine
    89       hitRight <- hitRight or top.rightSpine
    90       top.localRepairAggIfUp()
    91   return top, hitLeft, hitRight
    """,
    SPELLINGS,
)

FIG_10: Final = Listing(
    "Fig.10",
    """
     1 fun query(t_from, t_to)
     2   node_from, node_to <- searchNode(t_from), searchNode(t_to)
     3   node_top <- leastCommonAncestor(node_from, node_to)
     4   return queryRec(node_top, t_from, t_to)
     6 fun queryRec(node, t_from, t_to)
     7   if t_from = -infinity and t_to = +infinity and node.hasAggUp()
     8     return node.agg
     9   res <- 1
    10   if not node.isLeaf()
    11     t_next <- node.getTime()
       => FIBA-5: t_next <- node.getTime(0)
    12     if t_from < t_next
    13       res <- res ⊗ queryRec(node.getChild(),
       => FIBA-5: res <- res ⊗ queryRec(node.getChild(0),
    14             t_from,
    15             t_next <= t_to ? +infinity : t_to)
    16   for i in [0, ..., node.arity - 2]
    17     t_i <- node.getTime(i)
    18     if t_from <= t_i and t_i <= t_to
    19       res <- res ⊗ node.getValue(i)
    20     if not node.isLeaf() and i + 1 < node.arity - 2
       => FIBA-4: if not node.isLeaf() and i + 1 < node.arity - 1
    21       t_{i+1} <- node.getTime(i + 1)
    22       if t_i < t_to and t_from < t_{i+1}
    23         res <- res ⊗ queryRec(node.getChild(i + 1),
    24             t_from <= t_i ? -infinity : t_from,
    25             t_{i+1} <= t_to ? +infinity : t_to)
    26   if not node.isLeaf()
    27     t_curr <- node.getTime(node.arity - 2)
    28     if t_curr < t_to
    29       res <- res ⊗ queryRec(node.getChild(node.arity - 1),
    30             t_from <= t_curr ? -infinity : t_from,
    31             t_to)
    32   return res
    """,
    SPELLINGS,
)
