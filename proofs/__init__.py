"""Claims about the references, with their proofs, explorations and mutants."""

if __name__ != "swagproof.proofs":
    raise ImportError("import swagproof.proofs, not proofs: the rooms are parts of one package")
