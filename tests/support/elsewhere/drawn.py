"""The events given to other engines, and the file of their recorded results."""

import json
import random
import re
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
SEEDS: Final = (1, 2)
Recorded = dict[str, list[list[Any]]]
"""The results of each job in their order: key, start and end in milliseconds, answer."""


def make_events(seed: int, n: int = 200) -> list[list[Any]]:
    """Return key, time in milliseconds and value in arrival order, a third of them late by up to 45 s."""
    draw, now = random.Random(seed), 1000
    events: list[list[Any]] = []
    for _ in range(n):
        now += draw.choice((0, 1, 2, 3))
        late = draw.randint(0, 45) if draw.random() < 0.35 else 0
        events.append([draw.choice("ab"), 1000 * (now - late), draw.randint(1, 99)])
    return events


def read(engine: str) -> list[dict[str, Any]]:
    """Read the runs of an engine: events and results."""
    runs: list[dict[str, Any]] = json.loads((HERE / f"{engine}.json").read_text())["runs"]
    return runs


def write(engine: str, version: str, runs: list[Recorded]) -> None:
    """Write the runs, with several events or results on a line."""
    recorded = [{"events": make_events(seed), "results": run} for seed, run in zip(SEEDS, runs, strict=True)]
    text = json.dumps({"engine": version, "runs": recorded})
    (HERE / f"{engine}.json").write_text(re.sub(r"(.{90,}?\]), ", r"\1,\n", text) + "\n")
