"""Search for false accusations: judge every reference, with fresh seeds, until the time is up.

    python benchmarks/endurance.py --minutes 60

Each turn judges each reference, trees at several arities among them, over monoids drawn by the turn's seed.  It ends at
the first accusation, which is an error in the oracle or in a reference.  The results are sampled, with seeds.  TimeGram
is left out, because its answers are bounds, to within a bucket's width.

Exit codes: 0 none was accused, 1 one was, 2 usage, 130 interrupted (the table is printed all the same).
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final

import click

from swagproof.models.operations import OPERATIONS
from swagproof.oracle.domain import names
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.outcome import Tried
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import Subject
from swagproof.reference.flat_trees.reactive_aggregator_fifo import ReactiveAggregatorFifo
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.in_order.recalculate import Recalculate
from swagproof.reference.in_order.subtract_on_evict import SubtractOnEvict
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite
from swagproof.reference.related_work.flat_fit import FlatFit
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin
from swagproof.reference.sharing.stream_sharing import NaiveStream
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba
from swagproof.reports.text import render

KNOWN: Final = tuple(name for name in names() if name in OPERATIONS or name in ("wide-sum", "float-sum"))
"""The monoids that a reference is judged over."""

MONOIDS: Final = 6
"""The number of these monoids in one turn."""


def _trees(algorithm: Callable[..., Any], name: str) -> Iterator[Subject]:
    for arity in (2, 3, 4, 8):
        yield Subject(f"{name}, min-arity {arity}", partial(algorithm, min_arity=arity), window="out-of-order")


SUBJECTS: Final = (
    Subject("Two-Stacks", TwoStacks[Any]),
    Subject("Two-Stacks Lite", TwoStacksLite[Any]),
    Subject("DABA", Daba[Any]),
    Subject("DABA Lite", DabaLite[Any]),
    Subject("Reactive Aggregator, FIFO", ReactiveAggregatorFifo[Any]),
    Subject("FlatFIT", FlatFit[Any]),
    Subject("Recalculate-from-scratch", Recalculate[Any]),
    Subject(
        "Subtract-on-evict",
        SubtractOnEvict[Any],
        monoids=tuple(name for name, operation in OPERATIONS.items() if operation.remove is not None),
    ),
    Subject("STREAM", NaiveStream[Any], window="shared"),
    Subject("OrderedSharing", lambda _: OrderedSharing[Any](), monoids=("max",), window="shared"),
    Subject("OrderedSharing, min", lambda _: OrderedSharingMin[Any](), monoids=("min",), window="shared"),
    *_trees(Fiba[Any], "FiBA"),
    *_trees(BTree[Any], "B-tree"),
)


@dataclass
class Endured:
    """The verdicts on a reference."""

    subject: str
    verdicts: int = 0
    unknown: int = 0
    """The number of these verdicts for which no answer was checked."""
    tried: Tried = field(default_factory=Tried)


def endure(
    seconds: float, seed: int, effort: int = 500_000, subjects: Sequence[Subject] = SUBJECTS
) -> Iterator[tuple[Endured, Judgement]]:
    """Judge for `seconds`, each reference with `effort` at a time.  Ends after a report that does not conform.

    Yields the subject's verdicts so far after each verdict.
    """
    end = time.monotonic() + seconds
    endured = {subject.name: Endured(subject.name) for subject in subjects}
    for turn in range(seed, sys.maxsize):
        chance = random.Random(f"endurance {turn}")
        for subject in subjects:
            if time.monotonic() >= end:
                return
            known = subject.monoids or KNOWN
            chosen = chance.sample(known, min(MONOIDS, len(known)))
            if subject.monoids is None:
                chosen.insert(0, "concatenation")  # it hides nothing, and its structure is counted
            report = judge(subject, domains_of(subject, chosen), seed=turn, effort=effort)
            entry = endured[subject.name]
            entry.verdicts += 1
            entry.unknown += report.verdict.outcome == "unknown"
            entry.tried.add(report.coverage.total)
            yield entry, report
            if report.verdict.outcome not in ("conforms", "unknown"):
                return


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True)
@click.option("--effort", type=click.IntRange(min=1), default=500_000, show_default=True, help="Operations a verdict.")
@click.option("--seed", type=click.IntRange(min=0), help="Of the first turn; drawn when not given.")
@click.option("--json", "json_file", type=click.File("w"), metavar="FILE", help="Write JSON (-: here).")
@click.pass_context
def main(context: click.Context, minutes: float, effort: int, seed: int | None, json_file: Any) -> None:
    """Judge every reference with fresh seeds for MINUTES, and stop at the first that is accused."""
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    found: dict[str, Endured] = {}
    accused: Judgement | None = None
    code = 0
    try:
        for entry, report in endure(60 * minutes, seed, effort):
            found[entry.subject] = entry
            if sys.stderr.isatty():
                click.echo(f"\r\x1b[Kseed {report.seed}: {entry.subject}: {report.verdict.outcome}", err=True, nl=False)
            if report.verdict.outcome not in ("conforms", "unknown"):
                accused, code = report, 1
    except KeyboardInterrupt:
        code = 130
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    if json_file is not None:
        rows = [asdict(entry) for entry in found.values()]
        content = {"seed": seed, "references": rows, "accused": accused and accused.to_json()}
        click.echo(json.dumps(content, indent=2), json_file)
    if json_file is not sys.stdout:
        for entry in found.values():
            tried = entry.tried
            click.echo(
                f"{entry.subject:<26}{entry.verdicts:>4} verdicts, {tried.traces:,} traces, "
                f"{tried.operations:,} operations, {tried.queries:,} answers checked"
                + (f"; {entry.unknown} verdicts without an answer" if entry.unknown else "")
            )
        click.echo(render(accused.report()) if accused else f"none was accused; the first seed was {seed}")
    context.exit(code)


if __name__ == "__main__":
    main()
