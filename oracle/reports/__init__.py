"""A verdict as a file: JSON, JUnit XML, Markdown and HTML, all from the JSON object that stands for it.

Any object with `outcome` and `sentence` will do, whatever else it holds (see `swagproof.oracle.reports.judgement`
for what `conform` gives): what is not known here is shown as it is, under its own name, so that nothing is lost.

A command has the four options with `@report_options`, and writes with `write_reports(data)`:

    @click.command()
    @report_options
    def judge_it() -> None:
        if not write_reports(report.to_json()):
            click.echo(report.text())

A file that cannot be written is refused before the command begins.  `-` is standard output; one report can go there,
and then stands alone.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from swagproof.oracle.reports import html, junit, markdown
from swagproof.oracle.reports.content import Content
from swagproof.reports.delivery import json_text, refuse_unwritable, write

Command = TypeVar("Command", bound=Callable[..., Any])


FORMATS: Final[Mapping[str, tuple[Callable[[Mapping[str, Any]], str], str]]] = {
    "json": (json_text, "Write the verdict as JSON"),
    "junit": (lambda data: junit.render(Content.of(data)), "Write it as JUnit XML, as CI services read it"),
    "markdown": (lambda data: markdown.render(Content.of(data)), "Write it as Markdown, as for a job's summary"),
    "html": (lambda data: html.render(Content.of(data)), "Write it as one HTML page that needs nothing else"),
}
"""For each option how a verdict is written, and what it does."""

_TARGETS: Final = "swagproof.reports"


def _note(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if refuse_unwritable(context, parameter, value) is not None:
        targets: dict[str, str] = context.meta.setdefault(_TARGETS, {})
        if value in targets.values():
            raise click.BadParameter(f"{value} is where another report goes", param=parameter)
        targets[str(parameter.name)] = str(value)
    return value


def report_options(command: Command) -> Command:
    """Give a command the options `--json`, `--junit`, `--markdown` and `--html`; it takes no arguments for them."""
    for name, (_, what) in reversed(list(FORMATS.items())):
        option = click.option(
            f"--{name}", metavar="FILE", callback=_note, expose_value=False, help=f"{what} (- prints it)."
        )
        command = option(command)
    return command


def write_reports(data: Mapping[str, Any]) -> bool:
    """Write what the options of the running command ask for.  Whether one of them took standard output.

    Raises UnwritableError when a file cannot be written after all.
    """
    targets: dict[str, str] = click.get_current_context().meta.get(_TARGETS, {})
    for name, target in targets.items():
        write(target, FORMATS[name][0](data), f"--{name}")
    return "-" in targets.values()
