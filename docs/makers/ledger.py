"""What the ledger found, pinned: `python docs/makers/ledger.py RUN` holds a run of `swagproof prove --json RUN` to it.

A check that quietly looks at less still holds.  So `proofs/found.json` keeps, for each row, its kind, its scope, the
wrong variants that it rejects, and, where it counts what it looks at, the numbers (states, transitions, streams ...).
Any difference is told, with exit code 1; `--write` pins the run instead.  Times, and what Z3 spent, are not compared.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

PINNED: Final = Path(__file__).resolve().parent.parent.parent / "proofs" / "found.json"
SPENT: Final = frozenset(
    {"questions", "solver_seconds", "slowest_question", "z3_rlimit", "z3_max_memory_mb", "crosshair_seconds", "cvc5"}
)
"""What a row cost.  It says nothing of what was looked at."""


def pin(row: dict[str, Any]) -> dict[str, Any]:
    """What of a row is pinned; of what became of a mutant only whether it was killed, not how."""
    looked_at = {name: number for name, number in row["statistics"].items() if name not in SPENT}
    if "fates" in looked_at:
        looked_at["fates"] = dict(
            sorted(Counter(f.partition(" by ")[0].partition(":")[0] for f in looked_at["fates"].values()).items())
        )
    rejects = sorted(control["name"] for control in row["control"] if control["verdict"] == "fails")
    said = {name: row[name] for name in ("kind", "scope", "not_covered", "verdict")}
    return {**said, "rejects": rejects, **looked_at}


def tell_differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """A line for each row that is not as it was."""
    lines = [f"{id}: is gone" for id in before if id not in after]
    lines += [f"{id}: is new" for id in after if id not in before]
    for id in before.keys() & after.keys():
        was, now = before[id], after[id]
        lines += [
            f"{id}: {name} was {was.get(name)!r}, is {now.get(name)!r}"
            for name in dict.fromkeys([*was, *now])
            if was.get(name) != now.get(name)
        ]
    return sorted(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Hold a run of `swagproof prove --json` to what is pinned.")
    parser.add_argument("run", type=Path)
    parser.add_argument("--write", action="store_true", help="pin the run")
    arguments = parser.parse_args()
    run = {row["id"]: pin(row) for row in json.loads(arguments.run.read_text(encoding="utf-8"))}
    if arguments.write:
        rows = ",\n".join(f"{json.dumps(id)}: {json.dumps(row, ensure_ascii=False)}" for id, row in run.items())
        PINNED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
        return 0
    lines = tell_differences(json.loads(PINNED.read_text(encoding="utf-8")), run)
    print("\n".join(lines) or f"{len(run)} rows, as pinned")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
