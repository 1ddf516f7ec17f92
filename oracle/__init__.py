"""The judge of implementations in any language."""

if __name__ != "swagproof.oracle":
    raise ImportError("import swagproof.oracle, not oracle: the rooms are parts of one package")
