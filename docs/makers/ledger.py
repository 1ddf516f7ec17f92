"""Compare a run of the ledger with the pinned one: `python docs/makers/ledger.py RUN`.

A check that quietly examines less still holds.  So `proofs/ledger.txt` pins each claim in one line: its id, kind, scope
and verdict, the number of mutants that it rejects, and its counts (states, obligations, streams ...).

    swagproof prove --json RUN
    python docs/makers/ledger.py RUN            prints the differences, with exit code 1
    python docs/makers/ledger.py RUN --write    pins the run

Times and solver statistics are not compared.
"""

import argparse
import json
import sys
from collections import Counter
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

PINNED: Final = Path(__file__).resolve().parent.parent.parent / "proofs" / "ledger.txt"
SEPARATOR: Final = " | "
SPENT: Final = frozenset(
    {"questions", "solver_seconds", "slowest_question", "z3_rlimit", "z3_max_memory_mb", "crosshair_seconds", "cvc5"}
)
"""The cost statistics of a check."""


def list_counts(statistics: dict[str, Any]) -> dict[str, int | float]:
    """Return the counts of a check, with the number of mutants by result."""
    counts = {name: number for name, number in statistics.items() if name not in SPENT | {"fates"}}
    fates = Counter(fate.partition(" by ")[0].partition(":")[0] for fate in statistics.get("fates", {}).values())
    return {**counts, **dict(sorted(fates.items()))}


def write_line(row: dict[str, Any]) -> str:
    """Return the line that pins a claim."""
    rejected = sum(control["verdict"] == "fails" for control in row["control"])
    counts = ", ".join(f"{name} {number}" for name, number in list_counts(row["statistics"]).items())
    cells = (row["id"], row["kind"], row["scope"], row["verdict"], f"rejects {rejected}", counts)
    return SEPARATOR.join(filter(None, cells))


def read_counts() -> dict[str, dict[str, float]]:
    """Return the pinned counts of each claim, by its id."""
    found: dict[str, dict[str, float]] = {}
    for line in PINNED.read_text(encoding="utf-8").splitlines():
        id, _kind, _scope, _verdict, *counts = line.split(SEPARATOR)
        pairs = (each.rsplit(" ", 1) for each in ", ".join(counts).split(", "))
        found[id] = {name: float(number) if "." in number else int(number) for name, number in pairs}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare a run of `swagproof prove --json` with the pinned ledger.")
    parser.add_argument("run", type=Path)
    parser.add_argument("--write", action="store_true", help="pin the run")
    arguments = parser.parse_args()
    run = [write_line(row) for row in json.loads(arguments.run.read_text(encoding="utf-8"))]
    if arguments.write:
        PINNED.write_text("\n".join(run) + "\n", encoding="utf-8")
        return 0
    pinned = PINNED.read_text(encoding="utf-8").splitlines()
    difference = [*unified_diff(pinned, run, "pinned", "run", n=0, lineterm="")]
    print("\n".join(difference) or f"{len(run)} claims, as pinned")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
