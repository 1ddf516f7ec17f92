"""A replacement for the daemon of Spark's local Python workers, which imports the shared modules before it forks.

Spark forks each worker from one process that has imported almost nothing, so each worker imports Arrow and the judge
itself, which takes half a second per worker.  Spark is configured to start this module in place of its own daemon: it
imports the modules named in the environment, and then runs Spark's daemon.
"""

import gc
import os
from importlib import import_module

from pyspark.daemon import manager

from swagproof.pipeline.batches import import_readers
from swagproof.pipeline.session import WORKERS

if __name__ == "__main__":
    import_readers()
    for name in os.environ[WORKERS].split(","):
        import_module(name)
    gc.collect()
    gc.freeze()
    manager()
