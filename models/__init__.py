"""Definitions: monoids, operations, kinds of windows, each as a plain list."""

if __name__ != "swagproof.models":
    raise ImportError("import swagproof.models, not models: the rooms are parts of one package")
