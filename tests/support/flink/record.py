"""Record what Flink makes of late events: `python tests/support/flink/record.py JARS`, where a JDK is.

JARS is a folder with Flink's jars: `pip download --no-deps apache-flink-libraries==2.3.0`, and of that wheel, which is
a zip file, pyflink/lib.  What is recorded beside this file is judged by tests/pipeline/audit/test_flink.py.
"""

import json
import random
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

HERE: Final = Path(__file__).parent
RECORDED: Final = HERE / "recorded.json"
SEEDS: Final = (1, 2)
OPENED: Final = [f"--add-opens=java.base/{it}=ALL-UNNAMED" for it in ("java.lang", "java.util")]


def make_events(seed: int, n: int = 200) -> list[list[Any]]:
    """Key, time in milliseconds and value, in the order of arrival, a third of them late by up to 45 s."""
    draw, now = random.Random(seed), 1000
    events: list[list[Any]] = []
    for _ in range(n):
        now += draw.choice((0, 1, 2, 3))
        late = draw.randint(0, 45) if draw.random() < 0.35 else 0
        events.append([draw.choice("ab"), 1000 * (now - late), draw.randint(1, 99)])
    return events


def run_flink(jars: Path, events: list[list[Any]]) -> dict[str, list[list[Any]]]:
    """Of each job its results, in the order in which they came: key, start and end in milliseconds, answer."""
    with TemporaryDirectory() as place:
        path = f"{place}:{jars}/*"
        lines = Path(place) / "events.csv"
        lines.write_text("".join(f"{key},{time},{value}\n" for key, time, value in events))
        subprocess.run(["javac", "-d", place, "-cp", path, str(HERE / "Windows.java")], check=True)
        ran = subprocess.run(
            ["java", *OPENED, "-cp", path, "Windows", str(lines)], check=True, capture_output=True, text=True
        )
    found: dict[str, list[list[Any]]] = {}
    for said in ran.stdout.splitlines():
        if (read := re.fullmatch(r"RESULT (.*): (?:\+I\[)?(.*?)\]?", said)) is not None:
            key, start, end, answer = read[2].split(", ")
            bounds = [int(it) if it.isdigit() else to_milliseconds(it) for it in (start, end)]
            found.setdefault(read[1], []).append([key, *bounds, None if answer == "null" else int(answer)])
    return found


def to_milliseconds(time: str) -> int:
    return int(datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp()) * 1000


if __name__ == "__main__":
    (at,) = (Path(it) for it in sys.argv[1:])
    (dist,) = at.glob("flink-dist-*.jar")
    drawn = [make_events(seed) for seed in SEEDS]
    recorded = [{"events": events, "results": run_flink(at, events)} for events in drawn]
    text = json.dumps({"engine": dist.stem.replace("flink-dist-", "Flink "), "runs": recorded})
    RECORDED.write_text(text.replace("], [", "],\n[").replace("]], ", "]],\n") + "\n")
