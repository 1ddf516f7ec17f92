"""Wrong edits of the reference, written by hand: the whole project runs with one changed file.

To test the ledger against a changed file without trusting the code under test, change the file, re-import all modules
that depend on it, and run the claim's own check on the reference.  So an edit may be anywhere (a constructor, a
decorator, a default argument, a function next to the class, the deque), and code that reads sources reads the edited
ones.  Each edit runs in a process of its own, forked from one that has imported the rest, with a time limit.

An edit is written in a table, `tests/proofs/edits/<family>.txt`, as a difference:

    name of the edit, in words [class of the mistake]
    @ evict                            the function, if the lines occur in several
    - a part of the source that occurs once, and the lines that follow; comments at their ends are ignored
    + the replacement; further lines are indented like the first
    ! the/claim fails: the claim whose check rejects it, and the finding; or `refuses`, if the check does not support
      the edit; or `miscounts`, if it visits other states than are pinned; or, for a claim, a check by running
      (`support.running.checks`)
"""

import ast
import gc
import importlib
import importlib.util
import multiprocessing
import pickle
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final

from drawing import read_imports
from support.places import TESTS

ROOT: Final = TESTS.parent
TABLES: Final = TESTS / "proofs" / "edits"


@dataclass(frozen=True)
class Change:
    """A replacement of `old` by `new` in a file, or in one function of it."""

    within: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Edit:
    """A mutant that changes one file, with the claim that rejects it."""

    name: str
    mistake: str
    """The class of the mistake."""
    algorithm: str
    """The algorithm whose claims are checked."""
    file: str
    changes: tuple[Change, ...]
    row: str = ""
    """The claim whose check rejects it, or the check by running."""
    outcome: str = ""
    """The result of that check: `fails`, `refuses` or `miscounts`."""

    @property
    def module(self) -> str:
        """The edited module."""
        return "swagproof." + self.file.removesuffix(".py").replace("/", ".")

    def source(self) -> str:
        """Return the edited file.  Raises ValueError if the file does not contain a line exactly once."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        for change in self.changes:
            text = apply(change, text, self.name)
        return text


def apply(change: Change, text: str, name: str) -> str:
    """Return the text with one change.  Raises ValueError if the old lines do not occur exactly once."""
    begin, end = find_function(text, change.within) if change.within else (0, len(text))
    contracts = text.find("\nclass Checked")  # whose methods have the same names as the algorithm's
    if not change.within and contracts > 0 and text.count(change.old[0]) > text.count(change.old[0], 0, contracts) > 0:
        end = contracts
    part = text[begin:end]
    comment = r"(?:  #[^\n]*)?\n(?P=indent)"
    lines = comment.join(map(re.escape, change.old))
    found = [*re.finditer(rf"(?m)^(?P<indent> *)(?P<before>.*?)(?P<old>{lines})", part)]
    if len(found) != 1 or part.count(change.old[0], *found[0].span()) != 1:
        raise ValueError(f"edit {name!r}: {change.old[0]!r} stands {len(found)} times in {change.within or 'the file'}")
    indent = found[0]["indent"]
    new = "\n".join([change.new[0], *(indent + line for line in change.new[1:])]) if change.new else ""
    return text[: begin + found[0].start("old")] + new + text[begin + found[0].end("old") :]


def find_function(text: str, name: str) -> tuple[int, int]:
    """The bounds of a function, `name` or `Class.name`, with its decorators; `Checked...` classes are skipped."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    node: Any = ast.parse(text)
    for part in name.split("."):
        found = [n for n in _walk(node) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part]
        if len(found) != 1:
            raise ValueError(f"{name}: {len(found)} of that name")
        (node,) = found
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return lines[first - 1], lines[node.end_lineno]


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one, except those in `Checked...` classes."""
    for below in ast.iter_child_nodes(node):
        if not (isinstance(below, ast.ClassDef) and below.name.startswith("Checked")):
            yield below
            yield from _walk(below)


# Tables


def read_table(path: Path) -> Iterator[Edit]:
    """Yield the edits of a table.  `# Algorithm: file` names their algorithm."""
    algorithm = file = ""
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        lines = [line for line in block.split("\n") if not line.startswith("##")]
        if lines and lines[0].startswith("# "):
            algorithm, file = lines.pop(0)[2:].rsplit(": ", 1)
        if lines:
            yield read_edit(lines, algorithm, file)


def read_edit(lines: Sequence[str], algorithm: str, file: str) -> Edit:
    """Read one edit.  Raises ValueError for an invalid line."""
    head = re.fullmatch(r"(.*) \[(.*)\]", lines[0])
    if head is None:
        raise ValueError(f"{lines[0]!r}: give a name and [the class of the mistake]")
    changes: list[tuple[str, list[str], list[str]]] = []
    within = row = outcome = ""
    for line in lines[1:]:
        mark, text = line[:1], line[2:]
        if mark == "@":
            within = text
        elif mark == "-":
            if not changes or changes[-1][2] or changes[-1][0] != within:
                changes.append((within, [], []))
            changes[-1][1].append(text)
        elif mark == "+":
            changes[-1][2].append(text)
        elif mark == "!":
            row, outcome = text.partition(":")[0].split(" ")
        else:
            raise ValueError(f"{head[1]!r}: {line!r} is no line of an edit")
    made = tuple(Change(where, tuple(old), tuple(new)) for where, old, new in changes)
    return Edit(head[1], head[2], algorithm, file, made, row, outcome)


def all_edits() -> list[Edit]:
    """Return the edits of all tables."""
    return [edit for path in sorted(TABLES.glob("*.txt")) for edit in read_table(path)]


# Running


@cache
def importers_of(module: str) -> frozenset[str]:
    """Return the module and all that import it, directly or not."""
    imports = read_imports()
    found, waiting = {module}, [module]
    while waiting:
        one = waiting.pop()
        more = {name for name, others in imports.items() if one in others} - found
        found |= more
        waiting += more
    return frozenset(found)


class _Finder:
    """Finds the edited file in place of the original."""

    def __init__(self, module: str, path: Path) -> None:
        self.module, self.path = module, path

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the specification of the edited module, and of no other."""
        return importlib.util.spec_from_file_location(name, self.path) if name == self.module else None


def put_in_place(edit: Edit, folder: Path) -> None:
    """Replace the original file by the edited one in this process."""
    path = folder / Path(edit.file).name
    path.write_text(edit.source(), encoding="utf-8")
    sys.meta_path.insert(0, _Finder(edit.module, path))  # type: ignore[arg-type]  # it finds
    of_tests = {name for name in sys.modules if name.startswith(CHECKS_BY_RUNNING.rpartition(".")[0] + ".")}
    for name in (importers_of(edit.module) & sys.modules.keys()) | of_tests:
        del sys.modules[name]
        package, _, last = name.rpartition(".")
        if package in sys.modules:
            vars(sys.modules[package]).pop(last, None)


def run_edited(edit: Edit, work: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> Any:
    """Return the result of `work` in a process with the edited file.  Raises TimeoutError if it does not end."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("fork").Process(
            target=_run, args=(edit, Path(folder), theirs, work, arguments)
        )
        process.start()
        theirs.close()
        try:
            if not ours.poll(seconds):
                raise TimeoutError(f"edit {edit.name!r}: no end in {seconds} s")
            return pickle.loads(ours.recv_bytes())
        except EOFError:
            raise RuntimeError(f"edit {edit.name!r}: the process ended with {process.exitcode}") from None
        finally:
            process.kill()
            process.join()


def _run(edit: Edit, folder: Path, answers: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # the process is short-lived, and collection would copy pages shared with its parent
    with suppress(BrokenPipeError):
        try:
            put_in_place(edit, folder)
            found = work(*arguments)
        except Exception as error:
            found = "unknown", f"{type(error).__name__}: {error}"
        answers.send_bytes(pickle.dumps(found))


# Rows

CHECKS_BY_RUNNING: Final = "support.running.checks"


@cache
def modules_of_rows() -> dict[str, str]:
    """Return the module of each claim, checks by running included."""
    claims = importlib.import_module("swagproof.proofs.claims")
    stating = [m for m in sys.modules.values() if m.__name__.startswith("swagproof.proofs.") and hasattr(m, "CLAIMS")]
    rows: dict[str, str] = dict.fromkeys(importlib.import_module(CHECKS_BY_RUNNING).CHECKS, CHECKS_BY_RUNNING)
    for claim in claims.CLAIMS:
        holders = [m.__name__ for m in stating if m is not claims and any(c is claim for c in m.CLAIMS)]
        rows[claim.id] = max(holders, key=len)
    return rows


REJECTS: Final = ("fails", "refuses", "miscounts")
"""The results with which a check rejects an edit."""
REFUSED: Final = ("Unseen", "ValueError", "TypeError", "Unsupported", "LookedAtError")
"""The exceptions with which a check refuses code, or a state, that it does not support."""


def check_row(row: str, module: str, algorithm: str) -> tuple[str, str]:
    """Return the result of a claim's check, or a check by running, on the reference in this process: (`holds`, `fails`,
    `refuses` or `unknown`, the text)."""
    if module == CHECKS_BY_RUNNING:
        return check_by_running(row, algorithm)
    claims = importlib.import_module(module).CLAIMS
    check = next(claim for claim in claims if claim.id == row).check
    try:
        outcome = check()
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return "refuses" if said.startswith(REFUSED) else "unknown", " ".join(said.split())
    verdict: str = outcome.verdict
    if verdict == "unknown":
        if "the engine can run it" in outcome.detail:
            verdict = "refuses"
        elif re.search(r"(\d|transitions), not \(\d", outcome.detail):
            verdict = "miscounts"
    return verdict, " ".join(outcome.detail.split())


def check_by_running(check: str, algorithm: str) -> tuple[str, str]:
    """Return the result of a check by running for an algorithm, in the form of `check_row`."""
    try:
        checks = importlib.import_module(CHECKS_BY_RUNNING)
        entries = [entry for entry in checks.CATALOGUE if entry.name == algorithm] or checks.CATALOGUE[:1]
        words: str = next(filter(None, map(checks.CHECKS[check], entries)), "")
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return "refuses" if said.startswith(REFUSED) else "unknown", " ".join(said.split())
    return ("fails" if words else "holds"), " ".join(words.split())
