if __name__ != "swagproof.pipeline":
    raise ImportError("import swagproof.pipeline, not pipeline: the rooms are parts of one package")


def is_remote(path: str) -> bool:
    """Whether a path is a URL, such as `s3a://bucket/logs`: then it is Spark that reads and writes there."""
    return "://" in path
