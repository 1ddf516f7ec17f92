"""The symbolic engine: it runs the reference's own code over Z3 terms, along every feasible path.

There is no separate model of an algorithm that could drift from it: the engine runs the reference's source over
symbolic values, and reads its contracts.  Only loops and a few expressions are rewritten (`loops`).

- `paths`: path by path exploration, assumptions and obligations; turns a predicate into one formula.  `obligation`:
  the names of obligations, by which claims select them; `settings`: what a check records, and where it looks first.
- `values`: integers, truth values and partial aggregates.  More kinds of value: `heap` (pointers, deques, stacks),
  `arrays` (arrays, sets, dicts, ranges), `sequences` (lists), `records` (structs, queues) and `nodes` (trees).
- `loops`: the rewriter, which cuts loops at their invariants; `source/` unfolds comprehensions and generators first.
- `run`: the runner, which assumes clauses, runs a method, and shows clauses.
- `language`: the subset of Python that the engine accepts; `gate`: refuses to run anything else.  README.md walks
  through the files in order.
- `source/coverage`: the outcomes of conditions that the paths reached.
- `solver`: every question to Z3, with its limits; `ledger/smt_lib` writes questions as text for other solvers.

The methods to run and their start states are beside the theorems: `in_order/fifo_runs`, `flat_trees/array_runs`,
`trees/step_runs`.
"""
