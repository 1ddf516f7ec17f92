"""The symbolic engine: the reference's own code, run over Z3's terms along every path.

A second model of an algorithm would be proved in its place, and could drift from it.  So there is none: the reference's
source is run as it stands, over stand-ins, and its contracts are read as they stand.

- `paths`: one path at a time, what is assumed and shown on it, and a predicate as one formula.
- `values`: numbers, truth values, partial aggregates; `heap` (pointers, deque, stack), `arrays` (arrays, sets, ranges),
  `sequences` (lists) and `nodes` (of trees) are further kinds of value.
- `loops`: the one rewriter, which cuts loops, and what a loop may change.
- `run`: the one runner: clauses known, a method run, clauses shown, and what a loop must leave alone.
- `language`: what the engine does not see, and so refuses; `gate`: that nothing is run which was not held to it.
- `coverage`: which outcomes of which conditions were reached.

What is run, and from which states, is said beside the theorems: `in_order/fifo_runs`, `flat_trees/array_runs` and
`trees/step_runs`.
"""
