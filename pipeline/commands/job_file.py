"""The file of an audit: the options of `swagproof audit` as TOML.

Keys are the options' names; `key` and others that may be repeated take a text or a list.  Options on the command line
take precedence.  Paths are relative to the file.
"""

import json
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import click

from swagproof.models.windows.window import WindowError
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.reports.extras import explain_missing

JOB: Final = "job.toml"
"""The file that `--init` writes."""

_PLACES: Final = frozenset(
    ("events", "results", "out", "quarantine", "progress", "json", "html", "junit", "markdown")
)  # fmt: skip
"""Options that name files."""


def read_job(context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Use the options of a file as the defaults of the command.  Raises UsageError for an unknown option."""
    if value is None:
        return None
    path = Path(value)
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.UsageError(f"{value}: {error.strerror}; --init EVENTS RESULTS writes a job file") from None
    except UnicodeDecodeError:
        said = "is not a TOML file; name tables with --events and --results, or write one with --init EVENTS RESULTS"
        raise click.UsageError(f"{value}: {said}") from None
    except ValueError as error:
        raise click.UsageError(f"{value}: {error}") from None
    options = {
        name[2:]: option
        for option in context.command.params
        for name in option.opts
        if name.startswith("--") and name not in ("--help", "--help-all", "--init")
    }
    chosen: dict[str, Any] = {}
    for key, given in found.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            nearest = get_close_matches(key.replace("_", "-"), options, 1, cutoff=0.5)
            said = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise click.UsageError(f"{value}: there is no option {key!r}{said}")
        if isinstance(given, dict) or isinstance(given, list) > option.multiple:
            raise click.UsageError(f"{value}: {key}: {given!r} is not a value of --{option.opts[0][2:]}")
        values = [_place(path.parent, key, one) for one in (given if isinstance(given, list) else [given])]
        chosen[str(option.name)] = values if option.multiple else values[0]
    context.default_map = chosen
    return value


def _place(folder: Path, key: str, given: Any) -> Any:
    """Return an option's value, with paths relative to the file."""
    if not isinstance(given, str) or given == "-" or is_remote(given):
        return given
    return str(folder / given) if key in _PLACES or (key == "aggregate" and ":" in given) else given


def init_job(context: click.Context, _parameter: click.Parameter, value: tuple[str, str] | None) -> None:
    """Write a file with guesses, and exit.  Raises UsageError if the file exists, or the tables cannot be read."""
    if value is None:
        return
    if Path(JOB).exists():
        raise click.UsageError(f"--init: {JOB} exists; rename it")
    try:
        from swagproof.pipeline.audit.guessing import guess_job

        guesses = guess_job(*value)
    except (InputError, WindowError) as error:
        raise click.UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        raise click.UsageError(explain_missing(error) or str(error)) from None
    lines = [f"# swagproof audit {JOB}: guesses from the first rows; check each, and edit it"]
    for guess in guesses:
        mark = "" if guess.sure else "# "
        comment = f"  # {guess.comment}" if guess.comment else ""
        lines.append(f"{mark}{guess.key} = {json.dumps(guess.value, ensure_ascii=False)}{comment}")
    Path(JOB).write_text("\n".join(lines) + "\n", encoding="utf-8")
    click.echo(f"wrote {JOB}; check it, then run: swagproof audit {JOB}")
    context.exit(0)
