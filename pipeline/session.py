"""A Spark session, on this machine unless a master is named, that leaves nothing behind when its block ends.

`swagproof.pipeline.jvm` chooses the JVM.

The logs of Spark and the JVM go to a file that is removed with the session, unless `verbose` is set; errors reach
Python as exceptions.  The session, its JVM and the Python workers are stopped when the block ends, on an exception, on
Ctrl-C and on SIGTERM.  If this process is killed, the JVM ends because its standard input closes.
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
"""Options for a local JVM that does little but plan: optimised compilation and parallel garbage collection would cost
more than they save."""

DAEMON: Final = "swagproof.pipeline.daemon"

WORKERS: Final = "SWAGPROOF_WORKERS"
"""The environment variable that lists the modules that workers import first, separated by commas."""

NEEDED: Final = ("pyarrow", "pyspark.worker", "pyspark.sql.pandas.serializers")

SHIPPED: Final = ("swagproof", "icontract", "asttokens", "typing_extensions")
"""Pure Python packages that workers on other machines need; sent to them if the master is not local."""

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
    """Drop some records of the root logger."""

    def wanted(record: logging.LogRecord) -> bool:
        return not unwanted(record)

    root = logging.getLogger()
    root.addFilter(wanted)
    try:
        yield
    finally:
        root.removeFilter(wanted)


class _Signals:
    """Handlers of Ctrl-C and SIGTERM that end the JVM at once, and then unwind the stack.

    The order matters: while the stack unwinds, pyspark uses the interrupted connection for its clean-up, and would wait
    until the job ends.
    """

    def __init__(self) -> None:
        self.proc: subprocess.Popen[bytes] | None = None
        self.raised: BaseException | None = None
        self._before: dict[int, Any] = {}

    def heed(self) -> None:
        """Install the handlers, unless a signal is ignored or SIGTERM has one; also after Spark replaced them."""
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
        if self.raised is not None:  # instead of pyspark's error about a JVM that has ended
            raise self.raised from None


def make_settings(
    master: str, name: str, verbose: bool, config: Mapping[str, str] | None, *, light: bool
) -> dict[str, str]:
    """Return the settings of a session; see `session`."""
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
    """Return whether a master runs on this machine."""
    return re.fullmatch(r"local(\[.*\])?", master) is not None


def _cores(master: str) -> int:
    """Return how many tasks run at once on a local master."""
    number = re.match(r"local\[(\d+)", master)
    return int(number[1]) if number else 1 if master == "local" else os.cpu_count() or 1


def _find_complaint(log: Path | None) -> str:
    """Return the last line of a log that reports an error, otherwise its last line; empty if there is no log."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log and log.exists() else []
    said = [line.strip() for line in lines if re.search(r"error|exception|could not", line, re.IGNORECASE)]
    return (said or lines or [""])[-1]


def _shut(proc: "subprocess.Popen[bytes]", patience: float = PATIENCE) -> None:
    """End a JVM by closing its standard input; kill it if that fails."""
    if proc.stdin:
        with suppress(OSError):
            proc.stdin.close()
    try:
        proc.wait(patience)
    except subprocess.TimeoutExpired:
        proc.kill()
        proc.wait()


def _ship(spark: "SparkSession", aside: Path) -> None:
    """Send this package, and the pure Python packages it imports, to workers on other machines."""
    archive = aside / "shipped.zip"
    with zipfile.ZipFile(archive, "w") as shipped:
        for name in (*SHIPPED, *SHIPPED_IF_THERE):
            spec = find_spec(name)
            if spec is None and name in SHIPPED_IF_THERE:
                continue
            if spec is None or spec.origin is None:
                raise InputError(f"{name} is not installed: workers need it")
            if not spec.submodule_search_locations:  # once imported, six claims to be a package without locations
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
    """Return a name such as path.py:NAME that workers can load too; the file is sent to workers on other machines."""
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
    """Run a Spark session for the length of a block; one at a time per process.

    `master` is `local[*]`, `local[N]` or a cluster's URL. `verbose` lets Spark's log through to standard error.
    `config` has further settings of Spark, which override ours. `light` is for jobs whose rows stay out of a local JVM.
    `workers` lists modules that Python workers import when they start. Dates and times are in UTC, state is kept in
    RocksDB, and Python workers run this interpreter unless `PYSPARK_PYTHON` names another.

    Raises InputError, of one line, if Spark or Java is missing, a session is already running, or the master cannot be
    reached.
    """
    try:
        import_module("pyarrow")  # the format in which workers exchange rows
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
        if not verbose:  # py4j logs every interrupt to the root logger
            stack.enter_context(_without(lambda record: "py4j" in record.pathname))
        log = None if verbose else aside / "spark.log"
        output: dict[str, Any] = {"stdout": 2}  # keeps Spark's output out of ours
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
    """Have the JVM remove our folder when it ends, in case this process is killed."""
    context: Any = spark.sparkContext
    jvm = context._jvm  # the only access to the JVM's hooks
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
    """Discard the gateway that pyspark keeps; a later session would use it to reach a JVM that has ended."""
    import pyspark
    import pyspark.sql

    context: Any = pyspark.SparkContext
    context._gateway = context._jvm = context._active_spark_context = None
    sessions: Any = pyspark.sql.SparkSession
    sessions._instantiatedSession = None
