"""Running a command to its report, whatever comes between: one line for what cannot be used, and the exit codes."""

from collections.abc import Callable
from typing import Any

import click

from swagproof.models.windows.window import WindowError
from swagproof.oracle.reports import write_reports
from swagproof.oracle.trace import InputError


def run_and_report(context: click.Context, judged: Callable[[], Any], interrupted: str = "no verdict") -> None:
    """Print the report, and exit as it says.  `interrupted` is what Ctrl-C means."""
    try:
        report = judged()
        alone = write_reports(report.to_json())
    except (InputError, WindowError) as error:
        click.echo(f"Error: {error}", err=True)
        context.exit(2)
    except OSError as error:
        click.echo(f"Error: {error.filename or ''}: {error.strerror}", err=True)
        context.exit(2)
    except KeyboardInterrupt:
        click.echo(f"Interrupted: {interrupted}.", err=True)
        context.exit(130)
    if not alone:
        click.echo(report.text().encode("utf-8", "backslashreplace"))  # an answer may hold half a surrogate pair
    context.exit(report.exit_code)
