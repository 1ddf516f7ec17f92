"""The ledger: claims, their checks, and the mutants that each check must reject.

- `claim`: a claim, its controls, and `check_claim`, which checks both.
- `mutants`: mutants, hand-written as edits of the reference's source.
- `theorem`: the verdict of a symbolic proof, from its obligations.
- `refutations`: hints that speed up the refutation of mutants; `cache`: results of earlier runs.
- `second_solver`: confirmation of Z3's answers by cvc5.
- `statements`: the papers' numbered statements; `matrix`: claims by algorithm and aspect.
"""
