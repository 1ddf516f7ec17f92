"""Shared code of the commands on Spark: their options, progress messages, and Spark's errors."""

import os
import re
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import unquote

import click

from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL: Final = "local[*]"

COMPILES: Final = 3_000_000
"""The number of rows to sort from which a JVM with optimised compilation finishes sooner."""

Tell: TypeAlias = Callable[[str], None]
"""A callback for progress messages."""


@contextmanager
def tell_tasks(spark: "SparkSession", tell: Tell) -> Generator[None]:
    """Report the number of finished tasks of Spark's stages, twice a second."""
    done = threading.Event()

    def watch() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not done.wait(0.5):
            try:
                stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            except Exception:  # the session is ending
                return
            tell("; ".join(f"{s.name}: {s.numCompletedTasks} of {s.numTasks} tasks" for s in stages if s) or "Spark")

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def choose_master(
    paths: Sequence[str],
    on_spark: bool | None,
    master: str | None,
    pays: int = sys.maxsize,
    count_rows: Callable[[], int] = lambda: 0,
) -> tuple[str | None, str]:
    """Return the Spark master, None for this process; and a description of the choice.

    Without an option, Spark runs only work that it finishes sooner: at least `pays` rows, on more than one core.
    """
    if on_spark is False and master is not None:
        raise InputError("--no-spark, --master: give one of them")
    if master is not None or on_spark:
        return master or LOCAL, master or LOCAL
    for path in filter(is_remote, paths):
        raise InputError(f"{path}: only Spark reads that; add --spark")
    if on_spark is None and (os.cpu_count() or 1) > 1 and find_spec("pyspark") is not None and count_rows() >= pays:
        return LOCAL, f"{LOCAL}, since there are {pays:,} rows or more; --no-spark for one process"
    return None, "one process"


def name_cause(error: Exception) -> str:
    """Return the message of Spark or its Python worker, without the stack, and the file that it read, if any."""
    lines = [line.strip().removeprefix(": ").removeprefix("Caused by: ") for line in str(error).splitlines()]
    lines = [line for line in lines if line]
    named = [line for line in lines if line.split(":")[0].split(".")[-1].endswith(("Error", "Exception"))]
    cause = (named or lines or [type(error).__name__])[-1]
    unread = re.search(r"\[FAILED_READ_FILE\S* .*? file (\S+?)\.?\s+SQLSTATE", str(error))
    return cause if unread is None else f"{unquote(unread[1]).removeprefix('file://')}: {cause}"


class SettingError(click.ClickException):
    """An option value that is not NAME=VALUE."""

    exit_code = 2


def read_settings(_context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of a NAME=VALUE option.  Raises SettingError."""
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise SettingError(f"{option.opts[0]} {name or equals}: write NAME=VALUE")
    return {name: value for name, _, value in pairs}


conf_option: Final = click.option(
    "--conf", multiple=True, metavar="NAME=VALUE", callback=read_settings, help="A Spark setting; may be repeated."
)
"""The option for Spark's settings, passed as `conf`."""


def spark_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--spark`, `--master`, `--conf` and `--verbose`.

    They are passed as `on_spark` (None without either flag), `master`, `conf` and `verbose`.
    """
    for option in (
        click.option("--verbose", is_flag=True, help="Show Spark's log."),
        conf_option,
        click.option("--master", metavar="URL", help=f"Run on this Spark master.  [default with --spark: {LOCAL}]"),
        click.option(
            "--spark/--no-spark",
            "on_spark",
            default=None,
            help="Run on Spark with all cores of this machine, or in one process.",
        ),
    ):
        command = option(command)
    return command
