"""Judge hostile subjects one after another in one process, and print the outcome of each as a line of JSON.

Run it as a program, `python judging.py python 0 2`: the kind of subjects, and every second of them from the first.
All its descendant processes have a mark in their environment.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

MARK: Final = "SWAGPROOF_HOSTILE"


@dataclass(frozen=True)
class Ended:
    """The outcome of judging a subject."""

    name: str
    outcome: str
    exit_code: int
    sentence: str
    operations: str | None
    seconds: float
    left: int
    """The number of remaining processes."""


def count_left(mark: str, own: int) -> int:
    """Return the number of processes with this mark, except one."""
    wanted, found = f"{MARK}={mark}".encode(), 0
    for place in Path("/proc").glob("[1-9]*/environ"):
        try:
            found += int(place.parent.name) != own and wanted in place.read_bytes().split(b"\0")
        except OSError:  # it has ended
            pass
    return found


def judge_case(case: Any, place: Path) -> tuple[str, int, str, str | None]:
    """Return outcome, exit code, sentence, and the smallest trace."""
    from swagproof.oracle.judge import domains_of, judge
    from swagproof.oracle.programs.program import load_program
    from swagproof.oracle.subject import load_subject
    from swagproof.oracle.trace import InputError
    from swagproof.reports.report import EXIT

    path = place / f"hostile_{len(list(place.iterdir()))}.py"  # with distinct names, because of the bytecode cache
    path.write_text(case.source, encoding="utf-8")
    try:
        if case.kind == "program":
            subject = load_program([sys.executable, "-S", str(path)], timeout=max(case.timeout, 1.0))
        else:
            subject = load_subject(f"{path}:Window", "fifo", case.timeout)
        try:
            verdict = judge(subject, domains_of(subject), effort=case.effort, timeout=case.timeout).verdict
        finally:
            subject.stop()
    except InputError as error:
        return error.outcome, EXIT[error.outcome], str(error), None
    witness = verdict.witness
    return verdict.outcome, verdict.exit_code, verdict.sentence, witness and str(witness.trace)


def judge_all(cases: Sequence[Any]) -> Iterator[Ended]:
    """Yield the outcome of each subject."""
    mark = os.environ[MARK]
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nothing:
        for case in cases:
            began = time.perf_counter()
            with redirect_stderr(nothing):
                outcome, code, sentence, operations = judge_case(case, Path(folder))
            seconds = time.perf_counter() - began
            left = count_left(mark, os.getpid())
            yield Ended(case.name, outcome, code, sentence[:300], operations, round(seconds, 2), left)


def run_plugin(cases: Sequence[Any], place: Path) -> list[Ended]:
    """Judge the cases as test classes in a module of pytest's, one item for each."""
    module = ["from swagproof.oracle.testing.conformance import Conformance"]
    for number, case in enumerate(cases):
        source = case.source.replace("class Window:", f"class Window{number}:")
        module += [source, f"class Test{number}(Conformance):\n    subject, timeout = Window{number}, 1.0\n"]
    path, report, mark = place / "test_hostile_classes.py", place / "report.xml", uuid.uuid4().hex
    path.write_text("\n".join(module), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "short and words",
        f"--junit-xml={report}",
    ]
    done = subprocess.run(
        [*command, "--swagproof-effort=3000", path.name],
        cwd=place, env={**os.environ, MARK: mark}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    left, found = count_left(mark, 0), list[Ended]()
    for item in ElementTree.parse(report).iter("testcase"):
        case = cases[int(item.get("classname", "").rpartition("Test")[2])]
        failure = item.find("failure")
        outcome, sentence = ("conforms", "") if failure is None else ("violated", failure.get("message", ""))
        seconds = float(item.get("time", "0"))
        found.append(Ended(case.name, outcome, done.returncode, sentence[:300], None, round(seconds, 2), left))
    return found


def main() -> None:
    """Judge the subjects that the arguments name."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from support.hostile import listed

    kind, first, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    cases = listed.PYTHON if kind == "python" else listed.PROGRAMS
    for ended in judge_all(cases[first::every]):
        print(json.dumps(vars(ended)), flush=True)


if __name__ == "__main__":
    main()
