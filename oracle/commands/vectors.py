"""`swagproof vectors PLACE`: write test vectors, or check files of them."""

from pathlib import Path
from typing import Any

import click

from swagproof.oracle.domain import names
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.trace import InputError
from swagproof.oracle.vectors.reading import read_all
from swagproof.oracle.vectors.written import SCHEMA, Vectors, write_all
from swagproof.reports.delivery import json_text, refuse_unwritable, write


def _told(file: str, vectors: Vectors) -> dict[str, Any]:
    return {
        "file": file,
        "window": vectors.window,
        "monoid": vectors.monoid,
        "vectors": len(vectors.vectors),
        "operations": sum(len(vector.steps) for vector in vectors.vectors),
        "answers": sum(len(vector.answers) for vector in vectors.vectors),
    }


@click.command()
@click.argument("place", type=click.Path(path_type=Path))
@click.option("--window", "windows", type=click.Choice(tuple(KINDS)), multiple=True, help="Only this kind; may repeat.")
@click.option("--monoid", "monoids", type=click.Choice(names()), multiple=True, help="Only over this one; may repeat.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Draws the histories at random.")
@click.option("--check", is_flag=True, help="Check the file, or the directory's files, against the reference instead.")
@click.option(
    "--json", "json_file", metavar="FILE", callback=refuse_unwritable, help="Write the list as JSON (- prints it)."
)
@click.pass_context
def vectors(
    context: click.Context,
    place: Path,
    windows: tuple[str, ...],
    monoids: tuple[str, ...],
    seed: int,
    check: bool,
    json_file: str | None,
) -> None:
    """Write test vectors into the directory PLACE: histories with their right answers, for any language.

    A file for each kind of window and each aggregation, and the JSON Schema that describes them.  Each vector has an
    id that never changes, and flags, each of which names the bug that it hunts.  The same seed gives the same bytes.

    With --check, files are read back: their form, their ids, and every answer against the reference.  A subject is
    judged by vectors with swagproof conform SUBJECT --vectors PLACE.

    Exit codes: 0 written or right, 2 usage or input error (a broken file among them), 130 interrupted.

    \b
    Examples:
      swagproof vectors vectors
      swagproof vectors vectors --window fifo --monoid sum --monoid max
      swagproof vectors vectors/fifo-sum.json --check
    """
    try:
        if check:
            told = [_told(str(path), found) for path, found in read_all(place)]
        else:
            told = [
                _told(str(place / made.file), made) for made in write_all(place, windows or tuple(KINDS), monoids, seed)
            ]
        if json_file is not None:
            write(json_file, json_text({"seed": None if check else seed, "files": told}), "--json")
    except InputError as error:
        click.echo(f"Error: {error}", err=True)
        context.exit(2)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        context.exit(130)
    if json_file == "-":
        return
    for row in told:
        click.echo(
            f"{row['file']}: {row['vectors']:,} vectors, {row['operations']:,} operations, {row['answers']:,} answers"
        )
    click.echo("all answers are the reference's" if check else f"described by {place / SCHEMA}")
