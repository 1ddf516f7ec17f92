"""Run a command up to its report, with one-line input errors and exit codes for every outcome."""

import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, NoReturn

import click

from swagproof.models.windows.window import WindowError
from swagproof.oracle.sandbox.apart import OurCode, run_apart
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.trace import InputError
from swagproof.reports.delivery import deliver, refuse_overwriting, write_reports
from swagproof.reports.extras import explain_missing
from swagproof.reports.report import EXIT, Outcome, Report

INTERRUPTED: Final = "Interrupted: no verdict."

TERMINATED: Final = 143
"""The exit code on SIGTERM, as in a shell."""


def run_and_report(produce: Callable[[], Report], interrupted: str = INTERRUPTED) -> NoReturn:
    """Deliver the report, and exit with its code.  `interrupted` is the message on Ctrl-C."""
    refuse_overwriting()
    with _ending_without_verdict(interrupted):
        try:
            report = produce()
        except WindowError as error:
            _end(2, "error", str(error), f"Error: {error}")
        except OSError as error:
            said = f"{error.filename or ''}: {error.strerror}"
            _end(2, "error", said, f"Error: {said}")
        except (InputError, click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:
            if missing := explain_missing(error):
                _end(2, "error", missing, f"Error: {missing}")
            # a bug in swagproof, which must not look like a verdict
            traceback.print_exc()
            said = f"{type(error).__name__}: {error}"
            _end(2, "error", said, "Error: this is a mistake in swagproof, not in the subject")
    deliver(report)


@contextmanager
def _ending_without_verdict(interrupted: str) -> Generator[None]:
    """End the command on an input error, or on a signal such as from a CI job's time limit."""
    try:
        yield
    except InputError as error:
        _end(EXIT[error.outcome], error.outcome, str(error), f"Error: {error}")
    except KeyboardInterrupt:
        _end(130, "unknown", "it was interrupted", interrupted)
    except SystemExit as ended:
        if ended.code == TERMINATED:
            _end(TERMINATED, "unknown", "it was terminated", "Terminated: no verdict.")
        raise


CALL: Final = 10.0
"""Seconds that a call of a custom monoid may take, unless the command sets a limit."""

ROOM: Final = 1 << 40
"""The memory limit in bytes of a process that starts Spark."""


def run_and_report_apart(
    produce: Callable[[], Report], timeout: float = CALL, memory: int = MEMORY, interrupted: str = INTERRUPTED
) -> NoReturn:
    """Do the same in a child process, for commands that run the user's code on the judge's side."""
    refuse_overwriting()
    context = click.get_current_context()

    def run() -> int:
        ours = OurCode()

        def guarded() -> Report:
            try:
                report = produce()
            except Exception as error:
                ours.refuse_changes(error)
                raise
            ours.refuse_changes()
            return report

        try:
            with context.scope(cleanup=False):
                run_and_report(guarded)
        except click.exceptions.Exit as ended:
            return ended.exit_code
        except click.ClickException as error:
            error.show()
            return error.exit_code

    with _ending_without_verdict(interrupted):
        printed, code = run_apart(run, timeout, memory)
    if printed:
        click.echo(printed, nl=False)
    context.exit(code)


def _end(code: int, outcome: Outcome, sentence: str, said: str) -> NoReturn:
    """End without a verdict: write the requested reports nonetheless, with the reason."""
    click.echo(said, err=True)
    write_reports(Report(outcome, sentence, {"outcome": outcome, "sentence": sentence}))
    click.get_current_context().exit(code)
