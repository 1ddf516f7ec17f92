"""Delivery of a report to the files that a command's options name, or by default to standard output.

    @click.command()
    @report_options("json", "html")
    def judge_it() -> None:
        deliver(Report("conforms", "all is well", {"outcome": "conforms"}))

A file that cannot be written is refused before the command begins.  `-` is standard output: only one report can go
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
    """A file that passed the early check cannot be written."""

    exit_code = 2


def json_text(data: Any) -> str:
    """Serialise to JSON with a final newline.  Raises ValueError for NaN and infinities."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """Return the value, or None for NaN and infinities, which JSON cannot represent."""
    return None if isinstance(value, float) and value - value else value


FORMATS: Final[dict[str, tuple[Callable[[Report], str], str]]] = {
    "json": (lambda report: json_text(report.data), "Write the report as JSON"),
    "junit": (junit.render, "Write the report as JUnit XML, for CI services"),
    "markdown": (markdown.render, "Write the report as Markdown, for a CI job summary"),
    "html": (html.render, "Write the report as a self-contained HTML page"),
}
"""The renderer and the help text of each option."""

_TARGETS: Final = "swagproof.reports"
_CLAIMED: Final = "swagproof.outputs"
_MADE: Final = ("out", "checkpoint", "export")
"""Options that name directories that the command itself creates."""


def refuse_unwritable(_context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Check, as a click callback, that a file can be written.  `-` is standard output."""
    if value is not None and value != "-":
        path = Path(value)
        target = path if path.exists() else path.absolute().parent
        if path.is_dir() or not target.exists() or not os.access(target, os.W_OK):
            raise click.BadParameter(f"cannot write to {value}", param=parameter)
    return value


def refuse_existing(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Check, as a click callback, that a directory to be created does not exist and is no other option's output."""
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
    """Return the canonical path of a file; leave `-` and URLs unchanged."""
    return place if place == "-" or "://" in place else os.path.realpath(place)


def _claim(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Record the target of an output.  Raises BadParameter if another option writes to it."""
    if value is not None:
        claimed: dict[str, str] = context.meta.setdefault(_CLAIMED, {})
        other = claimed.setdefault(_find(value), str(parameter.name))
        if other != parameter.name:
            raise click.BadParameter(f"--{other} writes to {value}, too", param=parameter)


def refuse_overwriting() -> None:
    """Refuse a report that would overwrite an input file, or a file in an input directory, of the running command.

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
    """Add report options, by default all, to a command; its function gets no arguments for them."""

    def decorate(command: Command) -> Command:
        for name in reversed(names or tuple(FORMATS)):
            help_ = f"{FORMATS[name][1]} (- prints it)."
            command = click.option(f"--{name}", metavar="FILE", callback=_note_target, expose_value=False, help=help_)(
                command
            )
        return command

    return decorate


def deliver(report: Report) -> NoReturn:
    """Write the report to the targets of the running command, print it if none is standard output, and exit."""
    context = click.get_current_context()
    write_reports(report)
    if "-" not in context.meta.get(_TARGETS, {}).values():
        # a subject's answer may contain a lone surrogate
        _print(text.render(report, terminal=text.is_terminal()).encode("utf-8", "backslashreplace"))
    context.exit(report.exit_code)


def _print(content: str | bytes, *, newline: bool = True) -> None:
    """Print to standard output.  Raises UnwritableError, except for a closed pipe, which changes no verdict."""
    try:
        click.echo(content, nl=newline)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # do not flush the rest again at exit
    except OSError as error:
        raise UnwritableError(f"standard output: {error.strerror}") from None


def write_reports(report: Report) -> None:
    """Write the report to the targets of the running command; print only a report whose target is standard output."""
    targets: dict[str, str] = click.get_current_context().meta.get(_TARGETS, {})
    for name, target in targets.items():
        write(target, FORMATS[name][0](report), f"--{name}")


def write(target: str, content: str, option: str) -> None:
    """Write text to a file or to standard output, with `?` for lone surrogates.  Raises UnwritableError."""
    content = content.encode("utf-8", "replace").decode("utf-8")
    if target == "-":
        _print(content, newline=False)
        return
    try:
        Path(target).write_text(content, encoding="utf-8")
    except OSError as error:
        raise UnwritableError(f"{option} {target}: {error.strerror}") from None
