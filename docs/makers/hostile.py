"""Make the table of hostile subjects and their verdicts.  `python docs/makers/hostile.py` writes it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any, Final

from tables import ROOT, row, table

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "hostile.md"
JUDGING: Final = ROOT / "tests" / "support" / "hostile" / "judging.py"

HEAD: Final = """# Hostile subjects

This page shows that a subject that exits, crashes or hangs does not stop the oracle. Each subject is a right window
that misbehaves as its name says, at its second insert unless the name says otherwise. Subjects run in their own process
under a watchdog. Each judgement ends with a verdict and the smallest trace, and leaves no process behind.
`python docs/makers/hostile.py` judges all subjects and writes this page again; a test runs all of them.

*Seconds* are those of one run on two shared cores, minimising included, with a time limit of 0.4 s for an operation.
For test classes the exit code is that of pytest: one run has all classes that fail, one has all that pass.

The sandbox does not defend against a subject that looks for the judge's process and kills or traces it, that kills
all processes of its user (`kill -1`), or that computes right answers with this package. A class of a test module,
or one passed to `judge`, runs in a fork of the interpreter, without the threads that a library has started. Polars
does not work after such a fork: a Polars call that hangs is reported as an input error. For such a class use
`swagproof conform path.py:Class`, which starts a new process.
"""


def judge_kind(kind: str) -> list[dict[str, Any]]:
    """Judge the subjects of this kind."""
    environment = {**os.environ, "SWAGPROOF_HOSTILE": uuid.uuid4().hex}
    command = [sys.executable, str(JUDGING), kind, "0", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge_plugin() -> list[dict[str, Any]]:
    """Judge classes in test modules: those that fail in one run of pytest, those that pass in another."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.hostile.judging import run_plugin
    from support.hostile.listed import PLUGIN

    rows: list[dict[str, Any]] = []
    for passes in (False, True):
        with tempfile.TemporaryDirectory() as place:
            run = run_plugin([case for case in PLUGIN if (case.outcome == "conforms") is passes], Path(place))
            rows += [{**vars(it), "outcome": "passed" if it.outcome == "conforms" else "failed"} for it in run]
    return rows


def main() -> None:
    argparse.ArgumentParser(
        description="Judge every hostile subject, and write docs/manual/evidence/hostile.md anew."
    ).parse_args()
    kinds = {"Python": judge_kind("python"), "program": judge_kind("program"), "pytest": judge_plugin()}
    rows = [
        row(
            it["name"],
            kind,
            it["outcome"],
            str(it["exit_code"]),
            f"`{it['operations']}`" if it["operations"] else "",
            f"{it['seconds']:.1f}",
            str(it["left"]),
        )
        for kind, ended in kinds.items()
        for it in ended
    ]
    headings = ("subject", "kind", "verdict", "exit code", "smallest trace", "seconds", "processes left")
    PAGE.write_text(f"{HEAD}\n{table(headings, rows)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
