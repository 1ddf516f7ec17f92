"""`swagproof check-state ALGORITHM FILE`: the command line of `swagproof.oracle.states.check`."""

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

import click

from swagproof.oracle.commands.running import run_and_report
from swagproof.oracle.pictures import of_state
from swagproof.oracle.states.check import FORMATS, Clause, check, outcome_of, state_of
from swagproof.oracle.trace import InputError, read_json
from swagproof.reports.delivery import report_options
from swagproof.reports.report import Block, Report, Table

_SENTENCES: Final = {
    "conforms": "every clause holds",
    "violated": "{} of {} clauses broken",
    "unknown": "no clause is broken, but {} of {} could not be judged",
}


def _judge(algorithm: str, file: str) -> Report:
    _, data = read_json(file, twice="the field {} is there twice")
    if isinstance(data, dict) and "algorithm" not in data:
        data = {"algorithm": algorithm, **data}
    form, state = state_of(data, file)
    if form.algorithm != algorithm:
        raise InputError(f"{file}: field algorithm: it is {form.algorithm}, not {algorithm}")
    clauses = check(form, state)
    outcome = outcome_of(clauses)
    of_interest = [clause for clause in clauses if clause.outcome == ("broken" if outcome == "violated" else "unknown")]
    sentence = f"{algorithm}: {_SENTENCES[outcome].format(len(of_interest), len(clauses))}"
    records = [asdict(clause) for clause in clauses]
    content = {
        "format": "swagproof-state-verdict",
        "version": 1,
        "outcome": outcome,
        "sentence": sentence,
        "subject": file,
        "algorithm": algorithm,
        "clauses": records,
    }
    picture = of_state(form.algorithm, state) if outcome == "violated" else None
    table = Table.of_records("clauses", records, tuple(_describe(clauses)))
    drawn = (table,) if picture is None else (table, Block("", f"\n{picture}"))
    return Report(outcome, sentence, content, file, drawn)


def _describe(clauses: Sequence[Clause]) -> Iterator[str]:
    width = max(len(clause.name) for clause in clauses) + 2
    for clause in clauses:
        yield f"{clause.outcome:<9}{clause.name:<{width}}{clause.formula}"
        if clause.why is not None:
            yield f"{'':<{9 + width}}{clause.why}"


def formats() -> str:
    """Every format: its fields, and an example of a state that holds.

    >>> print(formats().partition(":")[0])
    two-stacks
    """
    parts: list[str] = []
    for form in FORMATS.values():
        width = max(map(len, (*form.fields, "window"))) + 2
        without = "not known: values are not judged" if form.algorithm.endswith("-lite") else "what the state holds"
        fields = {**form.fields, "window": f"{form.content.says} [{without}]"}
        lines = [f"{form.algorithm}: {form.column.name}"]
        for name, what in fields.items():
            lines += textwrap.wrap(
                what, 110 - width, initial_indent=f"  {name:<{width}}", subsequent_indent=" " * (width + 2)
            )
        example = {"algorithm": form.algorithm, "monoid": "concatenation", **form.example}
        lines += [
            "  example",
            *textwrap.wrap(json.dumps(example), 110, initial_indent="    ", subsequent_indent="    "),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _print_formats(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(formats())
        context.exit(0)


@click.command("check-state")
@click.argument("algorithm", type=click.Choice(tuple(FORMATS)))
@click.argument("file")
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_formats,
    help="Print each algorithm's state format, with an example.",
)
@report_options()
def check_state(algorithm: str, file: str) -> None:
    """Check a dumped state against an algorithm's invariants.

    FILE is a JSON object that your implementation has written; - is standard input.  The command prints each clause of
    the paper's invariants: it holds; it is broken, with the values that break it; or it is unknown, because the state
    lacks a field that the clause needs.  --formats prints the fields of each algorithm's state.

    Exit codes: 0 every clause holds, 1 a clause is broken, 2 usage or input error, 3 no clause is broken but some are
    unknown.

    \b
    Example:
      echo '{"monoid": "sum", "deque": [3, 2, 9], "B": 2, "aggB": 4, "window": [1, 2, 4]}' |
        swagproof check-state two-stacks-lite -
    """
    run_and_report(lambda: _judge(algorithm, file))
