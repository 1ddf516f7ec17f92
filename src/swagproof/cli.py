"""The command line: it collects the commands of all rooms and imports only the one that runs.

Commands import large dependencies such as Z3 or Spark.  So the group stores each command's module and the first
sentence of its help, which is all that `swagproof --help` prints.

Exit codes: 0 conforms, 1 violated, 2 usage or input error, 3 unknown, 4 the subject crashed, hung or broke the
protocol, 130 interrupted, 143 terminated.
"""

import atexit
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Final, NoReturn

import click

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "audit": (
        "pipeline.commands.audit",
        "Check a job's windowed results against its input events.",
    ),
    "bench": ("bench", "Measure the cost of contracts and of judging."),
    "conform": ("oracle.commands.conform", "Judge an implementation of a sliding window."),
    "cost": (
        "proofs.commands.cost",
        "Count operations, and compare them with the theorems.",
    ),
    "errata": (
        "proofs.commands.errata",
        "List errata and unclear passages of the papers.",
    ),
    "explore": ("pipeline.commands.explore", "Explore all states of an algorithm."),
    "learn": (
        "learn.commands.learn",
        "Show the algorithms step by step in a browser.",
    ),
    "prove": (
        "proofs.commands.prove",
        "Check all claims, or those NAMED, and print the evidence.",
    ),
    "replay": (
        "pipeline.commands.replay",
        "Judge recorded traces of an implementation.",
    ),
    "stream": (
        "pipeline.commands.stream",
        "Aggregate a stream over windows on Spark, or audit a job.",
    ),
    "mutants": (
        "proofs.commands.list_mutants",
        "List the mutants of each algorithm and what rejects them.",
    ),
    "vectors": (
        "oracle.commands.vectors",
        "Write test vectors: histories with expected answers.",
    ),
}
"""The module of each command, and the first sentence of its help."""


RENAMED: Final = {"variants": "mutants"}
"""Former names of commands, which work until the next version."""


def load_command(name: str) -> click.Command:
    """Import and return the command of this name."""
    command: click.Command = getattr(import_module(f"swagproof.{COMMANDS[name][0]}"), name.replace("-", "_"))
    return command


class _Collected(click.Group):
    """A group that lists commands by their first sentences and imports a command only when it runs."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in RENAMED:
            now = RENAMED[args[0]]
            click.echo(f"swagproof {args[0]} is deprecated: use swagproof {now}", err=True)
            args = [now, *args[1:]]
        name, known, rest = super().resolve_command(ctx, args)
        return name, known and load_command(str(name)), rest


@click.group(
    cls=_Collected,
    commands=[click.Command(name, help=first_sentence) for name, (_, first_sentence) in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="swagproof")
def commands() -> None:
    """The formally checked reference and oracle for sliding-window aggregation."""


def main() -> None:
    """Run the `swagproof` command.  SIGTERM unwinds like Ctrl-C, so that started processes end too.

    Exit code 1 is reserved for verdicts: any other failure, such as an internal error or a full disk, ends with 2.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    _open_streams()
    try:
        code = _run()
    except SystemExit as ended:  # terminated; or raised by click when the reader of its output has gone
        code = 2 if ended.code == 1 else ended.code
    except KeyboardInterrupt:  # while another ending was being reported
        code = 130
    except Exception:
        code = 2
        with suppress(OSError):
            traceback.print_exc()
    _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> NoReturn:
    """End the process with this code before interpreter shutdown unloads Arrow while one of its threads still runs.

    Losing that race is rare, but then a process that has done all its work ends with SIGABRT instead of its code.
    """
    if "pyarrow" in sys.modules and threading.active_count() == 1:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  # there is no public name
            os._exit(code)
    sys.exit(code)


def _run() -> object:
    try:
        return commands.main(standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except ModuleNotFoundError as error:
        from swagproof.reports.extras import explain_missing

        said = explain_missing(error)
        if said is None:
            raise
        click.echo(f"Error: {said}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return 130


def _open_streams() -> None:
    """Redirect closed standard streams to the null device, so that none is missing or reused by a file opened later."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
