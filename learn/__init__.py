"""The explorer of the algorithms in a browser, with lectures."""

if __name__ != "swagproof.learn":
    raise ImportError("import swagproof.learn, not learn: the rooms are parts of one package")
