"""Record the treatment of late events by Bytewax and Beam: `python tests/support/elsewhere/record_python.py ENGINE`.

Use a separate environment: `pip install bytewax==0.21.1 apache-beam==2.77.0`.  Beam runs in its direct runner, over a
TestStream whose watermark is ten seconds behind the latest time and moves before each event; Bytewax has an event clock
that waits as long.  tests/pipeline/audit/test_elsewhere.py judges the recording.
"""

import builtins
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.metadata import version
from typing import Any

from drawn import SEEDS, Recorded, make_events, write

DELAY = 10_000
SHELF = "shown_to_be_recorded"
SHOWN: list[list[Any]] = []
"""The input of Beam's last step."""


def load(*names: str) -> list[Any]:
    """Return modules that exist only in the recording environment."""
    return [import_module(name) for name in names]


def at(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def to_milliseconds(time: datetime) -> int:
    return round(time.timestamp() * 1000)


def run_bytewax(events: list[list[Any]]) -> Recorded:
    operators, windowing, dataflow, testing = load(
        "bytewax.operators", "bytewax.operators.windowing", "bytewax.dataflow", "bytewax.testing"
    )
    second, epoch = timedelta(seconds=1), datetime(1970, 1, 1, tzinfo=UTC)
    ways = {
        "tumbling 10s": windowing.TumblingWindower(length=10 * second, align_to=epoch),
        "sliding 20s every 10s": windowing.SlidingWindower(length=20 * second, offset=10 * second, align_to=epoch),
        "session 5s touching": windowing.SessionWindower(gap=5 * second),
    }
    found: Recorded = {}
    for name, windower in ways.items():
        clock = windowing.EventClock(
            ts_getter=lambda event: at(event[1]),
            wait_for_system_duration=timedelta(milliseconds=DELAY),
            now_getter=lambda: datetime(2000, 1, 1, tzinfo=UTC),
        )
        flow, came, windows = dataflow.Dataflow("windows"), list[Any](), list[Any]()
        keyed = operators.input(
            "in", flow, testing.TestingSource([(event[0], event) for event in events], batch_size=1)
        )
        cut = windowing.collect_window("cut", keyed, clock, windower, ordered=False)
        operators.output("out", cut.down, testing.TestingSink(came))
        operators.output("named", cut.meta, testing.TestingSink(windows))
        testing.run_main(flow)
        named = {(key, number): window for key, (number, window) in windows}
        found[name] = [
            [
                key,
                *(to_milliseconds(it) for it in (named[key, n].open_time, named[key, n].close_time)),
                sum(event[2] for event in held),
            ]
            for key, (n, held) in came
        ]
    return found


def run_beam(events: list[list[Any]]) -> Recorded:
    beam, window, trigger, options, testing, times = load(
        "apache_beam", "apache_beam.transforms.window", "apache_beam.transforms.trigger",
        "apache_beam.options.pipeline_options", "apache_beam.testing.test_stream", "apache_beam.utils.timestamp",
    )  # fmt: skip

    class Show(beam.DoFn):
        def process(self, pair: Any, window: Any = beam.DoFn.WindowParam) -> Any:
            import builtins  # the step is pickled, and runs in a copy of this module

            getattr(builtins, SHELF).append(
                [pair[0], *(it.micros // 1000 for it in (window.start, window.end)), pair[1]]
            )
            yield pair

    setattr(builtins, SHELF, SHOWN)
    late = trigger.AfterWatermark(late=trigger.AfterCount(1))
    early = trigger.AfterWatermark(early=trigger.AfterCount(2), late=trigger.AfterCount(1))
    fixed, sliding = window.FixedWindows(10), window.SlidingWindows(20, 10)
    ways: dict[str, tuple[Any, Any, int]] = {
        "tumbling 10s, drop": (fixed, trigger.DefaultTrigger(), 0),
        "sliding 20s every 10s, drop": (sliding, trigger.DefaultTrigger(), 0),
        "tumbling 10s, update": (fixed, late, 15),
        "sliding 20s every 10s, update": (sliding, late, 15),
        "tumbling 10s, early": (fixed, early, 15),
    }
    found: Recorded = {}
    for name, (windows, when, lateness) in ways.items():
        SHOWN.clear()
        source, latest, mark = testing.TestStream(), None, None
        for key, time, value in events:
            if latest is not None and (mark is None or latest - DELAY > mark):
                mark = latest - DELAY
                source = source.advance_watermark_to(times.Timestamp(micros=1000 * mark))
            source = source.add_elements([window.TimestampedValue((key, value), times.Timestamp(micros=1000 * time))])
            latest = time if latest is None else max(latest, time)
        runner = "apache_beam.runners.direct.direct_runner.BundleBasedDirectRunner"
        streaming = options.PipelineOptions([f"--runner={runner}", "--streaming"])
        cut = beam.WindowInto(
            windows,
            trigger=when,
            accumulation_mode=trigger.AccumulationMode.ACCUMULATING,
            allowed_lateness=times.Duration(seconds=lateness),
        )
        with beam.Pipeline(options=streaming) as pipeline:
            shown = pipeline | source.advance_watermark_to_infinity() | cut | beam.CombinePerKey(sum)
            _ = shown | beam.ParDo(Show())
        found[name] = [list(row) for row in SHOWN]
    return found


ENGINES: dict[str, tuple[str, Callable[[list[list[Any]]], Recorded]]] = {
    "bytewax": ("bytewax", run_bytewax),
    "beam": ("apache-beam", run_beam),
}

if __name__ == "__main__":
    (asked,) = sys.argv[1:]
    package, run = ENGINES[asked]
    write(asked, f"{asked} {version(package)}", [run(make_events(seed)) for seed in SEEDS])
