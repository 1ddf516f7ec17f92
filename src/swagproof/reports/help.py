"""Two levels of help: `--help` fits a screen; `--help-all` adds the rules and all options by group."""

import inspect
from collections.abc import Iterator, Sequence, Set
from typing import Any, Final

import click

_ALL: Final = "swagproof.help_all"

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Columns of the results": ("--result", "--result-key", "--window-start", "--window-end", "--window-end-less",
                               "--result-time", "--result-arrival", "--version", "--retraction"),
    "Values and arithmetic": ("--time-unit", "--nulls", "--empty", "--summation", "--rounding", "--numbers"),
    "Late events": ("--late", "--late-by", "--lateness", "--batch", "--watermark-per-key", "--watermark-lag",
                    "--watermark-column", "--upstream", "--idle", "--progress", "--early", "--complete", "--patience"),
    "A part of the results": ("--from", "--to", "--sample-keys", "--seed"),
    "The class": ("--make", "--ranges", "--capacity", "--alive"),
    "Limits": ("--budget", "--timeout", "--memory"),
    "Reports and files": ("--save", "--out", "--quarantine", "--junit", "--markdown", "--html"),
    "Spark": ("--spark", "--master", "--conf", "--verbose"),
}  # fmt: skip
"""Headings of `--help-all`, with the options of each."""


def _show_all(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


class LongCommand(click.Command):
    """A command with many options, whose `--help` shows only the common ones.

    `--help` shows the first two paragraphs of the help text, a table that follows them, and the paragraph that begins
    with "Examples".
    """

    def __init__(self, *args: Any, common: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.common = frozenset(common)
        self.params.append(
            click.Option(["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
                         help="Show all options and rules, and exit.")
        )  # fmt: skip

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summary, the common options and the examples, or everything for `--help-all`."""
        if _ALL in ctx.meta:
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        paragraphs = inspect.cleandoc(self.help or "").split("\n\n")
        table = [paragraphs[2]] if len(paragraphs) > 2 and paragraphs[2].startswith("\b\n") else []
        for paragraph in (*paragraphs[:2], *table):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(paragraph)
        with formatter.section("Common options"):
            formatter.write_dl(records := [*self._records(ctx, self.common)])
        for paragraph in paragraphs:
            if paragraph.replace("\b", "").lstrip().startswith("Examples"):
                formatter.write_paragraph()
                formatter.write(paragraph.replace("\b\n", "") + "\n")
        formatter.write_paragraph()
        more = sum(isinstance(param, click.Option) for param in self.params) - len(records)
        formatter.write(f"{ctx.command_path} --help-all shows {more} more options, and the rules.\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options: the common ones, then the others by group."""
        groups = {"Common options": self.common, **{name: {*each} - self.common for name, each in GROUPS.items()}}
        rest = {name for param in self.get_params(ctx) for name in param.opts}.difference(*groups.values())
        for heading, names in {**groups, "Other options": rest}.items():
            if records := [*self._records(ctx, names)]:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _records(self, ctx: click.Context, names: Set[str]) -> Iterator[tuple[str, str]]:
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and not names.isdisjoint(param.opts):
                yield from filter(None, [param.get_help_record(ctx)])
