"""Where Spark's Python workers come from on this machine: what they all need is imported before they are.

Spark forks each worker from one process, which has imported next to nothing; so each imports Arrow and what it judges
with by itself, half a second of a start for each.  It is told to start this module in place of its own, and this one
imports what it is told to, and goes on as Spark's own does.
"""

import gc
import os
from importlib import import_module

from pyspark.daemon import manager

from swagproof.pipeline.session import WORKERS

if __name__ == "__main__":
    for name in os.environ[WORKERS].split(","):
        import_module(name)
    gc.collect()
    gc.freeze()
    manager()
