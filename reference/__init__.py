"""The algorithms, transcribed line by line from the papers, with their contracts."""

if __name__ != "swagproof.reference":
    raise ImportError("import swagproof.reference, not reference: the rooms are parts of one package")
