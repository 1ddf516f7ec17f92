"""`swagproof vectors PLACE`: write test vectors, or check files of them."""

from pathlib import Path
from typing import Any

import click

from swagproof.oracle.commands.running import run_and_report
from swagproof.oracle.domain import names
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.vectors.reading import read_all
from swagproof.oracle.vectors.written import SCHEMA, Vectors, write_all
from swagproof.reports.delivery import report_options
from swagproof.reports.report import Block, Report


def _describe(file: str, vectors: Vectors) -> dict[str, Any]:
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
@click.option(
    "--window",
    "windows",
    type=click.Choice(tuple(KINDS)),
    multiple=True,
    help="Only this kind of window; may be repeated.",
)
@click.option(
    "--monoid",
    "monoids",
    type=click.Choice(names()),
    metavar="NAME",
    multiple=True,
    help="Only this monoid, such as sum or max; may be repeated.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random histories.")
@click.option("--check", is_flag=True, help="Check the file or directory PLACE, and write nothing.")
@report_options("json")
def vectors(place: Path, windows: tuple[str, ...], monoids: tuple[str, ...], seed: int, check: bool) -> None:
    """Write test vectors: histories with expected answers.

    The command writes JSON files for any language into the directory PLACE: one for each kind of window and
    aggregation, and the JSON Schema that describes them.  Each vector has an id that never changes, and flags that name
    the mistakes it finds.  The same seed gives the same bytes.

    --check reads files back, and checks their form, their ids and every answer against the reference.  To judge a
    subject by vectors: swagproof conform SUBJECT --vectors PLACE.

    Exit codes: 0 vectors written or right, 2 usage or input error (also an invalid file), 130 interrupted, 143
    terminated.

    \b
    Examples:
      swagproof vectors vectors
      swagproof vectors vectors --window fifo --monoid sum --monoid max
      swagproof vectors vectors/fifo-sum.json --check
    """

    def produce() -> Report:
        if check:
            files = [_describe(str(path), found) for path, found in read_all(place)]
        else:
            made = write_all(place, windows or tuple(KINDS), monoids, seed)
            files = [_describe(str(place / vectors.file), vectors) for vectors in made]
        lines = (
            f"{row['file']}: {row['vectors']:,} vectors, {row['operations']:,} operations, {row['answers']:,} answers"
            for row in files
        )
        sentence = "all answers are the reference's" if check else f"described by {place / SCHEMA}"
        content = {"seed": None if check else seed, "files": files}
        return Report("done", sentence, content, sections=(Block("", "\n".join(lines)),), sentence_last=True)

    run_and_report(produce, interrupted="Interrupted.")
