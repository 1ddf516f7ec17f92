if __name__ != "swagproof.pipeline":
    raise ImportError("import swagproof.pipeline, not pipeline: the rooms are parts of one package")
