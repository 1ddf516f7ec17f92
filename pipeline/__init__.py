"""The audit of windowed jobs, on one machine or on Spark; replay and streams."""

import re
from pathlib import Path

if __name__ != "swagproof.pipeline":
    raise ImportError("import swagproof.pipeline, not pipeline: the rooms are parts of one package")


def is_remote(path: str) -> bool:
    """Return whether a path is a URL, such as `s3a://bucket/logs`, which only Spark can read and write."""
    return "://" in path


def spell_path(path: str) -> str:
    """Return a path for Spark, with pattern characters escaped if the path exists."""
    if is_remote(path) or not Path(path).exists():
        return path
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", str(Path(path).resolve()))
