"""Running a command to its report, whatever comes between: one line for what cannot be used, and the exit codes."""

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
"""The code that the command ends with on SIGTERM, as a shell has it."""


def run_and_report(produce: Callable[[], Report], interrupted: str = INTERRUPTED) -> NoReturn:
    """Deliver the report, and exit as it says.  `interrupted` is what is said on Ctrl-C."""
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
            # a mistake of ours, which must not look like a verdict
            traceback.print_exc()
            said = f"{type(error).__name__}: {error}"
            _end(2, "error", said, "Error: this is a mistake in swagproof, not in the subject")
    deliver(report)


@contextmanager
def _ending_without_verdict(interrupted: str) -> Generator[None]:
    """End the command where the input cannot be used, or a signal such as a CI job's time limit ended it."""
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
"""Seconds that a call of the user's own monoid may take, where no command says."""

ROOM: Final = 1 << 40
"""Bytes that a process may take which Spark's are started from."""


def run_and_report_apart(
    produce: Callable[[], Report], timeout: float = CALL, memory: int = MEMORY, interrupted: str = INTERRUPTED
) -> NoReturn:
    """The same where code of the user's own runs on the judge's side: in a process of its own."""
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
    """Without a verdict: the reports that were asked for are written all the same, and say why."""
    click.echo(said, err=True)
    write_reports(Report(outcome, sentence, {"outcome": outcome, "sentence": sentence}))
    click.get_current_context().exit(code)
