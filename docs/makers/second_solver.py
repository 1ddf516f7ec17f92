"""Pinned results of a second solver: `python docs/makers/second_solver.py RUN` compares a run of cvc5 with them.

The default run of `prove` asks Z3 alone, so the ledger reports cvc5's results from a run of its own, with its version:

    swagproof prove --solver cvc5 --json RUN
    python docs/makers/second_solver.py RUN --write

The script reports every difference, with exit code 1: in the numbers of a claim, in the set of claims, and in the other
data of the run.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from swagproof.proofs.ledger.second_solver import SOLVERS

PINNED: Final = Path(__file__).resolve().parent.parent.parent / "proofs" / "second_solver.json"
NUMBERS: Final = ("asked", "confirmed", "open", "refuted")


def pin(rows: list[dict[str, Any]], name: str = "cvc5") -> dict[str, Any]:
    """Return the pinned part of a run: for each claim, the numbers of answers that were confirmed, left open and
    refuted, and their total."""
    found = {row["id"]: row["statistics"][name] for row in rows if name in row["statistics"]}
    return {
        "solver": name,
        "version": SOLVERS[name].version,
        "rows": {id: {number: said[number] for number in NUMBERS} for id, said in found.items()},
    }


def read() -> dict[str, Any]:
    """Return the pinned results."""
    pinned: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return pinned


def tell_differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return a line for each claim, and for the solver, that differs."""
    was = {"solver": f"{before['solver']} {before['version']}", **before["rows"]}
    now = {"solver": f"{after['solver']} {after['version']}", **after["rows"]}
    return [f"{id}: was {was.get(id)}, is {now.get(id)}" for id in sorted({*was, *now}) if was.get(id) != now.get(id)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Hold a run of `swagproof prove --solver cvc5 --json` to the pinned.")
    parser.add_argument("run", type=Path)
    parser.add_argument("--write", action="store_true", help="pin the run")
    arguments = parser.parse_args()
    run = pin(json.loads(arguments.run.read_text(encoding="utf-8")))
    if arguments.write:
        rows = ",\n".join(f"{json.dumps(id)}: {json.dumps(said)}" for id, said in run["rows"].items())
        of = {name: run[name] for name in ("solver", "version")}
        PINNED.write_text(f'{json.dumps(of)[:-1]}, "rows": {{\n{rows}\n}}}}\n', encoding="utf-8")
        return 0
    lines = tell_differences(read(), run)
    print("\n".join(lines) or f"{len(run['rows'])} rows, as pinned")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
