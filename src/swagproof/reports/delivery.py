"""Delivery of a report: to the files that a command's options name, or else to standard output.

    @click.command()
    @report_options("json", "html")
    def judge_it() -> None:
        deliver(Report("conforms", "all is well", {"outcome": "conforms"}))

A file that cannot be written is refused before the command begins.  `-` is standard output; only one report can go
there, and then nothing else is printed there.
"""

import json
import os
import sys
from collections.abc import Callable
from glob import glob
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click

from swagproof.reports import html, junit, markdown, text
from swagproof.reports.report import Report

Command = TypeVar("Command", bound=Callable[..., Any])


class UnwritableError(click.ClickException):
    """A file cannot be written after all."""

    exit_code = 2


def json_text(data: Any) -> str:
    """JSON with a newline at its end; what JSON has no number for must not be in it."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """The value, or null for a float that JSON has no number for."""
    return None if isinstance(value, float) and value - value else value


FORMATS: Final[dict[str, tuple[Callable[[Report], str], str]]] = {
    "json": (lambda report: json_text(report.data), "Write the report as JSON"),
    "junit": (junit.render, "Write the report as JUnit XML, for CI services"),
    "markdown": (markdown.render, "Write the report as Markdown, for a CI job summary"),
    "html": (html.render, "Write the report as a self-contained HTML page"),
}
"""For each option how a report is written, and what it does."""

_TARGETS: Final = "swagproof.reports"
_CLAIMED: Final = "swagproof.outputs"
_MADE: Final = ("out", "checkpoint", "export")
"""Options that name folders of the commands' own."""


def refuse_unwritable(_context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """For an option of click's that names a file: refuse it now if it cannot be written.  `-` is standard output."""
    if value is not None and value != "-":
        path = Path(value)
        target = path if path.exists() else path.absolute().parent
        if path.is_dir() or not target.exists() or not os.access(target, os.W_OK):
            raise click.BadParameter(f"cannot write to {value}", param=parameter)
    return value


def refuse_existing(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """For an option that names a directory to be made: refuse one that is there, or where another output goes."""
    if value is not None and "://" not in value and Path(value).exists():
        raise click.BadParameter(f"{value} exists; give a new directory", param=parameter)
    _claim(context, parameter, value)
    return value


def _note_target(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if refuse_unwritable(context, parameter, value) is not None:
        _claim(context, parameter, value)
        context.meta.setdefault(_TARGETS, {})[str(parameter.name)] = str(value)
    return value


def _find(place: str) -> str:
    """One name of a file, however it is spelled; standard output and what is elsewhere are no files."""
    return place if place == "-" or "://" in place else os.path.realpath(place)


def _claim(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Note where an output goes.  Raises BadParameter where another one does."""
    if value is not None:
        claimed: dict[str, str] = context.meta.setdefault(_CLAIMED, {})
        other = claimed.setdefault(_find(value), str(parameter.name))
        if other != parameter.name:
            raise click.BadParameter(f"--{other} writes to {value}, too", param=parameter)


def refuse_overwriting() -> None:
    """Refuse a report of the running command that would go over a file which it is given, or over one in such a folder.

    Raises click.UsageError.
    """
    context = click.get_current_context()
    claimed: dict[str, str] = context.meta.get(_CLAIMED, {})
    given: set[str] = set()
    for name, value in context.params.items() if claimed else ():
        texts = [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)]
        if name not in (*claimed.values(), *_MADE):
            given |= {_find(place) for text in texts for place in glob(text) or [text.partition(":")[0]] if place}
    for place, option in claimed.items():
        if os.path.isfile(place) and given & {place, *map(str, Path(place).parents)}:
            raise click.UsageError(f"--{option}: {place} is an input file; give another place")


def report_options(*names: str) -> Callable[[Command], Command]:
    """Give a command options to write its report (all of them where none is named); it takes no arguments for them."""

    def decorate(command: Command) -> Command:
        for name in reversed(names or tuple(FORMATS)):
            help_ = f"{FORMATS[name][1]} (- prints it)."
            command = click.option(f"--{name}", metavar="FILE", callback=_note_target, expose_value=False, help=help_)(
                command
            )
        return command

    return decorate


def deliver(report: Report) -> NoReturn:
    """Write the report where the options of the running command say, print it if none takes its place, and exit."""
    context = click.get_current_context()
    write_reports(report)
    if "-" not in context.meta.get(_TARGETS, {}).values():
        # an answer may hold half a surrogate pair
        _print(text.render(report, terminal=text.is_terminal()).encode("utf-8", "backslashreplace"))
    context.exit(report.exit_code)


def _print(content: str | bytes, *, newline: bool = True) -> None:
    """On standard output.  Raises UnwritableError, but where its reader has gone: that changes no verdict."""
    try:
        click.echo(content, nl=newline)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again at the exit
    except OSError as error:
        raise UnwritableError(f"standard output: {error.strerror}") from None


def write_reports(report: Report) -> None:
    """Write the report where the options of the running command say, and print nothing but what goes there."""
    targets: dict[str, str] = click.get_current_context().meta.get(_TARGETS, {})
    for name, target in targets.items():
        write(target, FORMATS[name][0](report), f"--{name}")


def write(target: str, content: str, option: str) -> None:
    """Write a text to a file, or to standard output; `?` for what no text may hold.  Raises UnwritableError."""
    content = content.encode("utf-8", "replace").decode("utf-8")
    if target == "-":
        _print(content, newline=False)
        return
    try:
        Path(target).write_text(content, encoding="utf-8")
    except OSError as error:
        raise UnwritableError(f"{option} {target}: {error.strerror}") from None
