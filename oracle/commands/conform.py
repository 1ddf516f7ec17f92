"""`swagproof conform SUBJECT`: the command line of the oracle."""

import json
import math
import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from swagproof.oracle.claims import Claimant
from swagproof.oracle.commands.adapter_options import adapter_options
from swagproof.oracle.commands.running import run_and_report, run_and_report_apart
from swagproof.oracle.judge import domains_of, judge, replay
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.plan import operations_of
from swagproof.oracle.programs.program import load_program, short_trace
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.sandbox.watchdog import LEAST_MEMORY, MEMORY
from swagproof.oracle.subject import Subject, load_monoid, load_subject
from swagproof.oracle.trace import InputError, Trace, parse
from swagproof.oracle.vectors.reading import judge_by
from swagproof.oracle.verdict import long_integers
from swagproof.reports.delivery import refuse_unwritable, report_options, write
from swagproof.reports.help import LongCommand
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report


def _show(line: str) -> None:
    click.echo(line, err=True)


@contextmanager
def _load(
    spec: str | None,
    program: str | None,
    window: str | None,
    own: list[str],
    timeout: float,
    memory: int,
    show: bool,
    adapter: dict[str, Any],
) -> Generator[Subject]:
    """Yield the subject: a class, or a program, which is ended afterwards."""
    if (spec is None) is (program is None):
        raise InputError("give either SUBJECT, path/to/file.py:Class, or --exec COMMAND")
    if program is not None:
        numbers = adapter.get("numbers")
        if refused := adapter.keys() - {"numbers"}:
            raise InputError(
                f"--{min(refused)}: applies to classes only; a program announces its features (see PROTOCOL.md)"
            )
        subject = load_program(program, window, timeout, own, _show if show else None, memory, numbers)
    else:
        assert spec is not None
        if window is None:
            raise InputError(f"{spec}: which kind of window? Add --window, one of {', '.join(KINDS)}")
        if show:
            raise InputError("--show: requires a program; give --exec")
        subject = load_subject(spec, window, timeout, memory, **adapter)
    try:
        yield subject
    finally:
        subject.stop()


def _choose_trace(text: str | None, names: tuple[str, ...], subject: Subject) -> tuple[Trace, str]:
    """Return the trace to replay, by default a short one, and the name of its monoid."""
    window = subject.window
    if text is None:
        name = (*names, *(subject.monoids or ()))[0]
        return short_trace(subject, load_monoid(name)), name
    if text.endswith(".json"):
        trace = Trace.read(Path(text))
        if trace.window != window:
            raise InputError(f"--trace {text}: its window is {trace.window}, not {window}")
        if names and names != (trace.monoid,):
            raise InputError(f"--trace {text}: its monoid is {trace.monoid}, not {', '.join(names)}")
        if ":" in trace.monoid and not names:  # a file must not choose the code to run
            raise InputError(f"--trace {text} names code to run: if you trust it, add --monoid {trace.monoid}")
        return trace, trace.monoid
    chosen = names or subject.monoids or ("concatenation",)
    if len(chosen) != 1:
        raise InputError(f"--trace: over which monoid? Add --monoid, one of {', '.join(chosen)}")
    return Trace(parse(text, window), chosen[0], window), chosen[0]


def _judge(
    subject: Subject,
    *,
    timeout: float,
    more: Sequence[str],
    show: bool,
    monoids: tuple[str, ...],
    trace: str | None,
    vectors: str | None,
    seed: int | None,
    effort: str,
    budget: float | None,
) -> Judgement:
    """Run one trace, or vectors, or search; `more` has options for the replay command."""
    if trace is not None or show:
        what, name = _choose_trace(trace, monoids, subject)
        domain = domains_of(subject, (name,))[0]
        return replay(subject, domain, what, timeout=timeout, more=more)
    operations = operations_of(effort, subject.window)
    with show_progress("", work=operations if vectors is None else None) as progress:
        search: dict[str, Any] = {
            "seed": random.SystemRandom().randrange(2**32) if seed is None else seed,
            "budget": budget,
            "timeout": timeout,
            "more": more,
            "watcher": lambda what, coverage: progress.tell(what, coverage.work),
        }
        if vectors is not None:
            return judge_by(Path(vectors), subject, monoids, **search)
        search["effort"] = operations
        return judge(subject, domains_of(subject, monoids), **search)


@click.command(
    cls=LongCommand,
    common=("--exec", "--window", "--monoid", "--methods", "--lowered", "--claims", "--vectors", "--trace", "--seed",
            "--effort", "--show", "--json", "--help-all"),
)  # fmt: skip
@click.argument("subject", required=False)
@click.option("--exec", "program", metavar="COMMAND", help="Judge a program that speaks the line protocol.")
@click.option("--show", is_flag=True, help="Print the dialogue with the program for a short trace, or --trace.")
@click.option("--window", type=click.Choice(tuple(KINDS)), help="The kind of window; not needed with --exec.")
@click.option("--monoid", "monoids", multiple=True, metavar="NAME", help="A monoid to judge it over; may be repeated.")
@adapter_options
@click.option("--trace", metavar="TRACE", help="Run only this trace: operations, or a .json file.")
@click.option("--vectors", metavar="PLACE", help="Run only these test vectors: a file or a directory.")
@click.option("--claims", metavar="THEOREM", help="Compare combine calls with a theorem: daba, two-stacks, fiba, ...")
@click.option("--save", metavar="FILE", callback=refuse_unwritable, help="Write the failing trace to this JSON file.")
@report_options()
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the search; drawn and printed if not given.")
@click.option(
    "--effort",
    metavar="EFFORT",
    default="default",
    help="How much to try: small, default, large, or a number of operations.",
)
@click.option(
    "--budget", type=click.FloatRange(min=0), help="Time limit of the search, in seconds; 300 at the default effort."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="Time limit of one operation, in seconds.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=LEAST_MEMORY),
    default=MEMORY >> 20,
    show_default=True,
    help="Memory limit of each process of the subject, in megabytes.",
)
@long_integers()
def conform(
    subject: str | None,
    program: str | None,
    window: str | None,
    claims: str | None,
    save: str | None,
    timeout: float,
    memory: int,
    adapter: dict[str, Any],
    **options: Any,
) -> None:
    """Judge an implementation of a sliding window.

    SUBJECT is path/to/file.py:Class or package.module:Class.  The class is constructed with a monoid, an object with
    identity and combine(a, b).  A class that computes one fixed function declares it: monoids = ("sum",).  The kind of
    --window decides which methods the class needs:

    \b
    fifo          insert(v), evict(), query(); v is a value of the monoid (a partial aggregate)
    out-of-order  insert(t, v), evict(t), query(), optionally range_query(t_from, t_to); times are integers of any sign
    time          span(length), insert(t, v), query(), optionally advance(t)
    shared        register(size), insert(v), lookup(size): many windows over one stream
    frame         frame(unit, start, end), insert(t, v), results(); v is a plain value: for batch engines

    Adapters for several engines are in swagproof.oracle.engines.

    COMMAND starts a program in any language, without a shell.  The program reads operations on standard input and
    answers queries on standard output, one line each.  oracle/programs/PROTOCOL.md defines this protocol.

    The verdict is "conforms", with how much was tried; "violated", with the smallest failing trace found and the
    command that replays it; "broken"; or "unknown".  "Conforms" is not a proof.  NAME is a built-in aggregation, or a
    custom one as path.py:NAME.

    THEOREM bounds the combine calls of each operation.  The calls of a class are counted in its monoid; a program
    counts its own calls.  For fifo: daba, daba-lite, two-stacks, two-stacks-lite, reactive-aggregator,
    base-intervals, flat-fit, slick-deque, subtract-on-evict, recalculate; for out-of-order: fiba, b-tree (fiba:8 has
    min-arity 8); for shared: stream.  A theorem that the subject declares is checked without the option.

    A class with other method names, constructor arguments or answers needs no wrapper.  Describe it by --methods,
    --make, --empty, --lowered, --capacity and --ranges, or by its attribute adapter, a dict of these.  The
    manual's page "Judge a class with another interface" explains them.

    EFFORT is counted in operations, not in time, so the same seed and effort give the same verdict on any machine,
    unless --budget ends the search.  The default depends on the kind of window; small is a fifth of the
    default, large ten times the default.  The verdict is unknown if fewer than 100 answers were checked, or if windows
    held fewer than 3 elements and the search played fewer than 10,000 operations.

    --memory limits the subject's memory.  The verdict is "violated" if an operation of a class raises MemoryError,
    "broken" if a program ends because of the limit.

    Exit codes: 0 conforms, 1 violated, 2 usage or input error, 3 unknown, 4 broken (the subject crashed, hung, exited
    or broke the protocol), 130 interrupted, 143 terminated.

    \b
    Examples:
      swagproof conform mine.py:Window --window fifo
      swagproof conform --exec './window --fast' --show

    \b
    Further examples:
      swagproof conform mine.py:Tree --window out-of-order
      swagproof conform mine.py:Window --window fifo --claims daba
      swagproof conform swagproof.oracle.engines.duckdb_frames:Sum --window frame
      swagproof conform mine.py:Window --window fifo --monoid concatenation --trace 'insert "a", evict, query'
      swagproof conform mine.py:Tree --window out-of-order --monoid sum --trace 'insert 3 1, evict 3, range_query 1 4'
    """
    named = options["monoids"]

    def produce() -> Report:
        if not math.isfinite((options["budget"] or 0.0) + timeout):
            raise InputError("--budget, --timeout: give a number of seconds")
        own = [name for name in named if ":" in name]
        with _load(subject, program, window, own, timeout, memory << 20, options["show"], adapter) as loaded:
            more = ["--timeout", f"{timeout:g}"] if timeout != 10.0 else []
            more += ["--memory", str(memory)] if memory != MEMORY >> 20 else []
            claimed = claims or loaded.adapter.claims
            if claimed is None:
                judgement = _judge(loaded, timeout=timeout, more=more, **options)
            else:
                more += ["--claims", claimed] if claims else []
                claimant = Claimant.of(loaded, claimed)
                judgement = claimant.conclude(_judge(claimant.subject, timeout=timeout, more=more, **options))
        witness = judgement.verdict.witness
        if save is not None and witness is not None:
            write(save, json.dumps(witness.trace.to_json()) + "\n", "--save")
        return judgement.report()

    if any(":" in name for name in named):
        run_and_report_apart(produce, timeout)
    run_and_report(produce)
