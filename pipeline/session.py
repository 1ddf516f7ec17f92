"""One Spark session: on this machine unless a master is named, and gone without trace when its block ends.

Which JVM: see `swagproof.pipeline.jvm`.

Spark's and the JVM's own words go to a file that is removed with the session, unless they are asked for: errors reach
Python as exceptions.  What is started is stopped: the session, its JVM and with it the Python workers, when the block
ends, on an exception, on Ctrl-C and on SIGTERM.  Should this process be killed outright, the JVM notices that its
standard input closes, and goes too.
"""

import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from swagproof.oracle.trace import InputError
from swagproof.pipeline.jvm import find_jvm, home_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE: Final = 30.0
"""Seconds that a JVM may take to end."""

ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"

LIGHT: Final = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -XX:-UsePerfData"
"""A JVM on this machine that does little but plan: to compile its code well, and to collect garbage on many threads,
costs more than it saves."""

DAEMON: Final = "swagproof.pipeline.daemon"

WORKERS: Final = "SWAGPROOF_WORKERS"
"""The variable of the environment that tells it which modules workers need, with commas between."""

NEEDED: Final = ("pyarrow", "pyspark.worker", "pyspark.sql.pandas.serializers")

SHIPPED: Final = ("swagproof", "icontract", "asttokens", "typing_extensions")
"""Pure Python that workers on other machines need; sent along where the master is not local."""

SHIPPED_IF_THERE: Final = ("six",)
"""A module that older versions of asttokens import."""


@contextmanager
def _environment(values: Mapping[str, str]) -> Generator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _without(unwanted: Callable[[logging.LogRecord], bool]) -> Generator[None]:
    """Drop some records of the root logger's own."""

    def wanted(record: logging.LogRecord) -> bool:
        return not unwanted(record)

    root = logging.getLogger()
    root.addFilter(wanted)
    try:
        yield
    finally:
        root.removeFilter(wanted)


class _Signals:
    """Ctrl-C and SIGTERM end the JVM at once, and then unwind the stack.

    In this order: on its way up pyspark tidies up through the very connection that was interrupted, and would wait
    there for as long as the job takes.
    """

    def __init__(self) -> None:
        self.proc: subprocess.Popen[bytes] | None = None
        self.raised: BaseException | None = None
        self._before: dict[int, Any] = {}

    def heed(self) -> None:
        """Take the two signals, where nobody ignores them, or heeds SIGTERM already; also back from Spark."""
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                before = self._before.setdefault(number, signal.getsignal(number))
                if before is signal.SIG_DFL or (number == signal.SIGINT and before is not signal.SIG_IGN):
                    signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: FrameType | None) -> NoReturn:
        self.raised = KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)
        if self.proc is not None:
            self.proc.terminate()
        raise self.raised

    def __enter__(self) -> Self:
        self.heed()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self.raised is not None:  # rather than what pyspark has to say of a JVM that is gone
            raise self.raised from None


def make_settings(
    master: str, name: str, verbose: bool, config: Mapping[str, str] | None, *, light: bool
) -> dict[str, str]:
    """The settings of a session; see `session`."""
    settings = {
        "spark.master": master,
        "spark.app.name": name,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "INFO" if verbose else "ERROR",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
    }
    if is_local(master):
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": str(2 * _cores(master)),
        }
        if light:
            settings[JAVA_OPTIONS] = LIGHT
    return settings | dict(config or {})


def is_local(master: str) -> bool:
    """Return whether a master is on this machine."""
    return re.fullmatch(r"local(\[.*\])?", master) is not None


def _cores(master: str) -> int:
    """Return how many tasks run at once on a local master."""
    number = re.match(r"local\[(\d+)", master)
    return int(number[1]) if number else 1 if master == "local" else os.cpu_count() or 1


def _find_complaint(log: Path | None) -> str:
    """The last line that says what is wrong, from a log; empty where there is none."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log and log.exists() else []
    said = [line.strip() for line in lines if re.search(r"error|exception|could not", line, re.IGNORECASE)]
    return (said or lines or [""])[-1]


def _shut(proc: "subprocess.Popen[bytes]", patience: float = PATIENCE) -> None:
    """End a JVM: it goes when its standard input closes, and is made to go when it does not."""
    if proc.stdin:
        with suppress(OSError):
            proc.stdin.close()
    try:
        proc.wait(patience)
    except subprocess.TimeoutExpired:
        proc.kill()
        proc.wait()


def _ship(spark: "SparkSession", aside: Path) -> None:
    """Send our own package, and the pure Python it imports, to workers on other machines."""
    archive = aside / "shipped.zip"
    with zipfile.ZipFile(archive, "w") as shipped:
        for name in (*SHIPPED, *SHIPPED_IF_THERE):
            spec = find_spec(name)
            if spec is None and name in SHIPPED_IF_THERE:
                continue
            if spec is None or spec.origin is None:
                raise InputError(f"{name} is not installed: workers need it")
            if not spec.submodule_search_locations:  # six, once it is imported, says that it is a package of nothing
                shipped.write(spec.origin, Path(spec.origin).name)
                continue
            root = Path(spec.origin).parent
            for folder, _, files in os.walk(root, followlinks=True):  # a room may be a link
                for file in files:
                    if file.endswith((".py", ".typed")):
                        path = Path(folder) / file
                        shipped.write(path, Path(name) / path.relative_to(root))
    spark.sparkContext.addPyFile(str(archive))


def importable(spark: "SparkSession", spec: str) -> str:
    """A name such as path.py:NAME, such that workers can load it too: on another machine, they are sent the file."""
    place, colon, name = spec.rpartition(":")
    if not colon or not place.endswith(".py"):
        return spec
    path = Path(place).resolve()
    if is_local(str(spark.sparkContext.master)):
        return f"{path}:{name}"
    spark.sparkContext.addPyFile(str(path))
    return f"{path.stem}:{name}"


@contextmanager
def session(
    master: str = "local[*]",
    name: str = "swagproof",
    *,
    verbose: bool = False,
    config: Mapping[str, str] | None = None,
    light: bool = False,
    workers: Sequence[str] = (),
) -> Generator["SparkSession"]:
    """A Spark session for the length of a block; one at a time in a process.

    `master` is `local[*]`, `local[N]` or a cluster's URL; `verbose` lets Spark's log through to standard error;
    `config` are further settings of Spark, which win over ours; `light` is for jobs whose rows stay out of the JVM,
    where that is on this machine; `workers` are modules that Python workers have there before they are told what to do.
    Dates and times are in UTC, state is kept in RocksDB, Python workers run this very interpreter unless
    `PYSPARK_PYTHON` names another.

    Raises InputError, of one line, where Spark or Java is missing, a session is running already, or the master cannot
    be reached.
    """
    try:
        import_module("pyarrow")  # what the workers exchange rows with
        from py4j.protocol import Py4JError
        from pyspark import SparkConf, SparkContext, java_gateway
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputError(f"Spark is not installed ({error}): pip install 'swagproof[spark]'") from None
    if master.startswith("sc:") or "SPARK_REMOTE" in os.environ:
        raise InputError(
            "Spark Connect is not supported: results are published, and Python is sent along, by the driver's own JVM; "
            "give --master local[*] or a cluster's own URL, such as spark://host:7077, and unset SPARK_REMOTE"
        )
    if SparkSession.getActiveSession() is not None:
        raise InputError("a Spark session is running in this process: stop it first")
    with ExitStack() as stack:
        aside = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="swagproof-", ignore_cleanup_errors=True)))
        signals = stack.enter_context(_Signals())
        jvm = find_jvm()
        settings = make_settings(master, name, verbose, config, light=light)
        if is_local(master) and "PYSPARK_PYTHON" not in os.environ:
            settings.setdefault("spark.python.daemon.module", DAEMON)
        stack.enter_context(
            _environment(
                {
                    "JAVA_HOME": str(home_for(jvm, aside)),
                    "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
                    "PYSPARK_DRIVER_PYTHON": sys.executable,
                    WORKERS: ",".join((*NEEDED, *workers)),
                }
            )
        )
        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        if not verbose:  # py4j tells the root logger of every interrupt
            stack.enter_context(_without(lambda record: "py4j" in record.pathname))
        log = None if verbose else aside / "spark.log"
        output: dict[str, Any] = {"stdout": 2}  # what Spark prints is never ours
        if log is not None:
            written = stack.enter_context(log.open("wb"))
            output = {"stdout": written, "stderr": written}
        stack.callback(_forget)
        try:
            launcher: Any = java_gateway  # has no types
            gateway = launcher.launch_gateway(conf, output)
            signals.proc = gateway.proc
            stack.callback(_shut, gateway.proc)
            stack.callback(_hang_up, gateway)
            spark = SparkSession(SparkContext(conf=conf, gateway=gateway))
        except (PySparkException, Py4JError, OSError) as error:
            said = _find_complaint(log) or " ".join(str(error).split())
            raise InputError(f"Spark did not start on {master} with Java {jvm.version} ({jvm.found}): {said}") from None
        signals.heed()
        stack.callback(_stop, spark, signals)
        _remove_with(spark, aside)
        if not is_local(master):
            _ship(spark, aside)
        yield spark


def _remove_with(spark: "SparkSession", aside: Path) -> None:
    """Have the JVM remove our folder when it ends: should this process be killed, nobody else does."""
    context: Any = spark.sparkContext
    jvm = context._jvm  # the one way to the JVM's own hooks
    jvm.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(jvm.java.io.File(str(aside)))


def _stop(spark: "SparkSession", signals: _Signals) -> None:
    if signals.raised is not None:
        return
    with suppress(Exception):  # its JVM may be gone
        for query in spark.streams.active:
            query.stop()
    with suppress(Exception):
        spark.stop()


def _hang_up(gateway: Any) -> None:
    with suppress(Exception):  # its JVM may be gone
        gateway.shutdown()


def _forget() -> None:
    """Let go of the gateway, which pyspark keeps for ever: a later session would talk to a JVM that has ended."""
    import pyspark
    import pyspark.sql

    context: Any = pyspark.SparkContext
    context._gateway = context._jvm = context._active_spark_context = None
    sessions: Any = pyspark.sql.SparkSession
    sessions._instantiatedSession = None
