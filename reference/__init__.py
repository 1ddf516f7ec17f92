"""The algorithms, line by line as the papers print them, with their contracts."""

if __name__ != "swagproof.reference":
    raise ImportError("import swagproof.reference, not reference: the rooms are parts of one package")
