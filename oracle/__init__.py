"""The oracle: check implementations of sliding-window aggregation in any language."""

if __name__ != "swagproof.oracle":
    raise ImportError("import swagproof.oracle, not oracle: the rooms are parts of one package")
