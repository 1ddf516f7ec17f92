"""Running a command to its report, whatever comes between: one line for what cannot be used, and the exit codes."""

from collections.abc import Callable
from typing import NoReturn

import click

from swagproof.models.windows.window import WindowError
from swagproof.oracle.trace import InputError
from swagproof.reports.delivery import deliver
from swagproof.reports.report import Report


def run_and_report(produce: Callable[[], Report], interrupted: str = "Interrupted: no verdict.") -> NoReturn:
    """Deliver the report, and exit as it says.  `interrupted` is what is said on Ctrl-C."""
    context = click.get_current_context()
    try:
        report = produce()
    except (InputError, WindowError) as error:
        click.echo(f"Error: {error}", err=True)
        context.exit(2)
    except OSError as error:
        click.echo(f"Error: {error.filename or ''}: {error.strerror}", err=True)
        context.exit(2)
    except KeyboardInterrupt:
        click.echo(interrupted, err=True)
        context.exit(130)
    deliver(report)
