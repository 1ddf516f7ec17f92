"""The table of hostile subjects, and what comes of each.  `python docs/makers/hostile.py` writes it anew."""

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

PAGE: Final = ROOT / "oracle" / "HOSTILE.md"
JUDGING: Final = ROOT / "tests" / "support" / "hostile" / "judging.py"

HEAD: Final = """# Hostile subjects, and what comes of each

Each is a right window that does what its name says, at its second insert unless another place is named. What is judged
runs in a watched process of its own, so that each ends in a verdict with its smallest trace and exit code, and no
process is left. *Seconds* are those of one run on two shared cores, minimising included, with a time limit of 0.4 s
for an operation; of test classes the exit code is that of one run of those that fail, or of those that pass.
`python docs/makers/hostile.py` writes this page anew; a test runs all of them.

What is not defended against: a subject that looks for the judge's process by itself and kills or traces it, or kills
all that its user runs (`kill -1`); one that computes right answers with this package. A class in a test module, or one
that is handed to `judge`, is forked with its interpreter: threads that a library has started before are missing behind
the wall. Polars does not survive that: what hangs in a call of it after it was used is an input error that says so, and
`swagproof conform path.py:Class` judges it, in a process that has not used it.
"""


def judge_kind(kind: str) -> list[dict[str, Any]]:
    """Return what came of the subjects of this kind."""
    environment = {**os.environ, "SWAGPROOF_HOSTILE": uuid.uuid4().hex}
    command = [sys.executable, str(JUDGING), kind, "0", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge_plugin() -> list[dict[str, Any]]:
    """The same of classes in test modules: those that fail in one run of pytest, those that pass in another."""
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
    argparse.ArgumentParser(description="Judge every hostile subject, and write oracle/HOSTILE.md anew.").parse_args()
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
