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
"""Rows from which on a JVM that has to sort them is done sooner if it compiles its code well."""

Tell: TypeAlias = Callable[[str], None]
"""Says what is under way."""


@contextmanager
def tell_tasks(spark: "SparkSession", tell: Tell) -> Generator[None]:
    """Tell how many tasks of Spark's stages are done, twice a second."""
    done = threading.Event()

    def watch() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not done.wait(0.5):
            try:
                stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            except Exception:  # the session is going
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

    Where nothing is asked for, Spark is started only for work that it does sooner: at least `pays` rows, on more than
    one core.
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
    """Return what Spark, or a Python worker of its, had to say, without its stack; and of which file, where it read
    one."""
    lines = [line.strip().removeprefix(": ").removeprefix("Caused by: ") for line in str(error).splitlines()]
    lines = [line for line in lines if line]
    named = [line for line in lines if line.split(":")[0].split(".")[-1].endswith(("Error", "Exception"))]
    cause = (named or lines or [type(error).__name__])[-1]
    unread = re.search(r"\[FAILED_READ_FILE\S* .*? file (\S+?)\.?\s+SQLSTATE", str(error))
    return cause if unread is None else f"{unquote(unread[1]).removeprefix('file://')}: {cause}"


class SettingError(click.ClickException):
    """An option is no NAME=VALUE."""

    exit_code = 2


def read_settings(_context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """The pairs of an option that is given as NAME=VALUE.  Raises SettingError."""
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise SettingError(f"{option.opts[0]} {name or equals}: write NAME=VALUE")
    return {name: value for name, _, value in pairs}


conf_option: Final = click.option(
    "--conf", multiple=True, metavar="NAME=VALUE", callback=read_settings, help="A Spark setting; may be repeated."
)
"""Gives a command Spark's settings, as `conf`."""


def spark_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--spark`, `--master`, `--conf` and `--verbose`.

    They are `on_spark` (None where it is not said), `master`, `conf` and `verbose`.
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
