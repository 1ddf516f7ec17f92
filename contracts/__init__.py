"""Invariants, preconditions, postconditions and costs: the predicates that the checked classes name."""

if __name__ != "swagproof.contracts":
    raise ImportError("import swagproof.contracts, not contracts: the rooms are parts of one package")
