"""Record Flink's treatment of late events: `python tests/support/elsewhere/record_flink.py JARS`, with a JDK.

JARS is a folder with Flink's jars: `pip download --no-deps apache-flink-libraries==2.3.0`, and from that wheel, which
is a zip file, pyflink/lib.  tests/pipeline/audit/test_elsewhere.py judges the recording.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from drawn import HERE, SEEDS, Recorded, make_events, write

OPENED: Final = [f"--add-opens=java.base/{it}=ALL-UNNAMED" for it in ("java.lang", "java.util")]


def run_flink(jars: Path, events: list[list[Any]]) -> Recorded:
    with TemporaryDirectory() as place:
        path = f"{place}:{jars}/*"
        lines = Path(place) / "events.csv"
        lines.write_text("".join(f"{key},{time},{value}\n" for key, time, value in events))
        subprocess.run(["javac", "-d", place, "-cp", path, str(HERE / "Windows.java")], check=True)
        ran = subprocess.run(
            ["java", *OPENED, "-cp", path, "Windows", str(lines)], check=True, capture_output=True, text=True
        )
    found: Recorded = {}
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
    write("flink", dist.stem.replace("flink-dist-", "Flink "), [run_flink(at, make_events(seed)) for seed in SEEDS])
