if __name__ != "swagproof.models":
    raise ImportError("import swagproof.models, not models: the rooms are parts of one package")
