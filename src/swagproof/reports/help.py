"""Two levels of help: `--help` fits a screen, `--help-all` lists every option and rule."""

import inspect
from collections.abc import Sequence
from typing import Any, Final

import click

_ALL: Final = "swagproof.help_all"


def _show_all(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


class LongCommand(click.Command):
    """A command with many options, of which `--help` shows those that most people use.

    The help text is paragraphs, of which the first two, a table after them, and the one that begins with "Examples" are
    shown.
    """

    def __init__(self, *args: Any, common: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.common = frozenset(common)
        self.params.append(
            click.Option(["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
                         help="Show all options and rules, and exit.")
        )  # fmt: skip

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summary, the common options and the examples; or everything."""
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
        records = [
            record
            for param in self.get_params(ctx)
            if self.common.intersection(param.opts) and (record := param.get_help_record(ctx)) is not None
        ]
        with formatter.section("Common options"):
            formatter.write_dl(records)
        for paragraph in paragraphs:
            if paragraph.replace("\b", "").lstrip().startswith("Examples"):
                formatter.write_paragraph()
                formatter.write(paragraph.replace("\b\n", "") + "\n")
        formatter.write_paragraph()
        more = len(self.params) - len(records)
        formatter.write(f"{ctx.command_path} --help-all shows {more} more options, and the rules.\n")
