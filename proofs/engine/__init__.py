"""A symbolic engine that runs the reference's own code over Z3 terms, along every feasible path.

The engine runs the reference's source over symbolic values and reads its contracts.  There is no second model of an
algorithm that could drift from the code.  Only loops and a few expressions are rewritten (`loops`).

- `paths`: explores path by path, with assumptions and obligations; turns a predicate into one formula.  `obligation`:
  names of obligations, by which claims select them.  `settings`: what a check records, and where it searches first.
- `values`: integers, truth values and partial aggregates.  More kinds of value: `arrays` (arrays, sets, dicts, lists
  that are only read or change at their ends), `heap` (deques with pointers, stacks), `sequences` (lists that change
  anywhere), `records` (structs, queues) and `nodes` (trees).
- `loops`: the rewriter, which cuts loops at their invariants; `source/` unfolds comprehensions and generators first.
- `run`: the runner, which assumes clauses, runs a method, and shows clauses.
- `language`: the subset of Python that the engine accepts; `gate`: refuses to run anything else.  README.md describes
  the files in order.
- `source/coverage`: the outcomes of conditions that the paths reached.
- `solver`: every question to Z3, with its limits; `ledger/smt_lib` writes questions as text for other solvers.

The methods to run and their start states are in the modules of the theorems: `in_order/fifo_runs`,
`flat_trees/array_runs`, `trees/step_runs`.
"""
