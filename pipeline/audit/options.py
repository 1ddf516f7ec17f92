"""The options of an audit, declared once for the command line, the job file and the call from Python.

The module names engines: those whose watermark rules the audit follows, and profiles that set options. Each field of
`Request` is an option: its name with `-` for `_`, its type and choices, its default, and its help. The module imports
neither Arrow nor NumPy, because `--help` needs the declaration.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import date
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from swagproof.models.windows.lateness import Late, SessionRule
from swagproof.oracle.trace import InputError

Empty: TypeAlias = Literal["absent", "null", "zero", "any"]
"""A job's result for a window without a value: no row, and NULL where it has events, as in SQL; NULL (or NaN); 0, or
the aggregation's other empty value: 1, the empty text or list; any of these."""
LateBy: TypeAlias = Literal["window", "time"]
"""The criterion by which an event is late: the end of a window, or its own time."""
Nulls: TypeAlias = Literal["refuse", "skip", "ignore"]
Summation: TypeAlias = Literal["float32", "running", "squares"]
"""The summation of floats, if not in doubles with each sum computed from its own values."""
TimeUnit: TypeAlias = Literal["s", "ms", "us", "ns"]
SHOW: Final = 3
"""The default number of findings of each kind that text shows, and of events of each."""


Engine: TypeAlias = Literal["spark", "spark-single", "flink", "flink-sql"]


class EngineRule(NamedTuple):
    """The behaviour of an engine that users cannot choose."""

    lag: int
    """The lag of the watermark, in steps of its clock."""
    by_batch: bool
    sessions: SessionRule
    milliseconds: bool = False
    """True if its watermark is kept in milliseconds, and begins at 0."""
    ahead: int = 0
    """The amount by which its watermark is ahead of the latest time less the delay, in milliseconds."""


ENGINES: Final[dict[Engine, EngineRule]] = {
    "spark": EngineRule(2, True, "at end", milliseconds=True),
    "spark-single": EngineRule(1, True, "at end", milliseconds=True),
    "flink": EngineRule(1, False, "merged"),
    "flink-sql": EngineRule(1, False, "merged", ahead=1),
}
"""Spark with its default settings, where a row is late by the watermark of the batch before (SPARK-40925); Spark with
`spark.sql.streaming.statefulOperator.allowMultiple=false`; Flink's DataStream API, whose watermark is a millisecond
less than the latest time less the delay, just as a window's last time is before its end; Flink's SQL, without this
millisecond."""


@dataclass(frozen=True)
class Profile:
    """The rules of an engine, as options."""

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    window: Mapping[str, str] = field(default_factory=dict[str, str])
    """The clauses to append to a window, by its first word."""
    floats: Summation | None = None
    """The summation of floats in windows that overlap, and in frames."""

    def spell(self, window: str) -> str:
        """Return the window with the engine's clauses.

        >>> PROFILES["polars"].spell("sliding 24h every 6h")
        'sliding 24h every 6h from first'
        """
        words = self.window.get(window.split(" ", 1)[0], "")
        return window if not words or words.split()[0] in window.split() else f"{window} {words}"


PROFILES: Final = {
    "spark-batch": Profile(window={"session": "touching"}),
    "kafka-streams": Profile({"watermark": "0", "late": "update", "early": True}),
    "beam": Profile({"late": "update", "lateness": "1us"}),
    "bytewax": Profile(
        {"watermark_per_key": True, "late_by": "time", "window_end": ""}, window={"session": "touching"}
    ),
    "polars": Profile(window={"sliding": "from first", "range": "closed right"}, floats="running"),
    "pandas": Profile({"empty": "any"}, window={"range": "closed right to row"}, floats="running"),
}
"""The profiles by name.  `kafka-streams` emits each update, `beam` accumulates panes; the manual's page of options by
engine has the cases that a profile does not cover."""

NAMES: Final = (*ENGINES, *PROFILES)
"""The possible values of `engine`."""


def apply_profile(options: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Replace the name of a profile by its options; explicit options take precedence.

    Returns the options and the name, or None if `engine` names no profile.
    """
    name = options.get("engine")
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        return dict(options), None
    rest = {key: value for key, value in options.items() if key != "engine"}
    window = rest.get("window")
    spelled = {"window": profile.spell(window)} if isinstance(window, str) else {}
    return {**profile.options, **rest, **spelled}, name


def _option(help_: str, metavar: str | None = None, default: Any = None, **more: Any) -> Any:
    """Declare an option with its help; `more` is `least` and `most` of an integer."""
    return field(default=default, metadata={"help": help_, "metavar": metavar, **more})


def _needed(help_: str, metavar: str) -> dict[str, str]:
    return {"help": help_, "metavar": metavar}


@dataclass(frozen=True, kw_only=True)
class Lateness:
    """The options about late events."""

    late: Late = _option("What the job does with late events.", default="drop")
    late_by: LateBy = _option(
        "The time to compare with the watermark: the window's end, or the event's own time (if an operator before the "
        "windows drops late events, such as Spark's dropDuplicates).",
        default="window",
    )
    watermark: str | None = _option("How far the watermark is behind the latest event time.", "SPAN")
    watermark_per_key: bool = _option("Each key has its own watermark.", default=False)
    engine: Engine | None = _option(
        f"The rules of an engine: {', '.join(NAMES)}; other options take precedence.", "NAME"
    )
    watermark_lag: str | None = _option(
        "The watermark lags behind the events by A to B arrival (or batch) numbers; A is at least 1.", "A..B"
    )
    upstream: str | None = _option("The partition of an event; the watermark is the minimum over partitions.", "COLUMN")
    idle: str | None = _option("Ignore a partition that has sent nothing for this span of --arrival.", "SPAN")
    watermark_column: str | None = _option("The watermark when the event arrived, as the job recorded it.", "COLUMN")
    progress: str | None = _option("Spark's StreamingQueryProgress, one JSON object a line; needs --batch.", "FILE")
    lateness: str | None = _option("How long after its end a window accepts late events.  [default: no limit]", "SPAN")
    complete: bool = _option("Also expect results of windows that the watermark has not passed.", default=False)


@dataclass(frozen=True)
class Request(Lateness):
    """A request for an audit: the tables, their columns, and the intended definition of the results."""

    events: Any
    results: Any
    """Both tables: `swagproof.pipeline.audit.tables.Table`, which the command line does not import."""
    window: str = field(metadata=_needed("The windows, such as 'sliding 1h every 10m'; see --help-all.", "WINDOW"))
    aggregate: str = field(
        metadata=_needed("A built-in aggregation (see --help-all), or a custom one as path.py:NAME.", "NAME")
    )
    time: str = field(metadata=_needed("The event time.", "COLUMN"))
    key: tuple[str, ...] = _option("A column of the key; may be repeated.", "COLUMN", ())
    value: tuple[str, ...] = _option("The column to aggregate; if repeated, values are tuples.", "COLUMN", ())
    arrival: str | None = _option("The order in which events arrived; it also orders events of equal time.", "COLUMN")
    result: str = _option("The result's value.  [default: result]", "COLUMN", "result")
    result_key: tuple[str, ...] = _option("The key in the results.  [default: as in --key]", "COLUMN", ())
    window_start: str | None = _option(
        "The window's start; for a count window, the number of its first event.  [default: window_start]", "COLUMN"
    )
    window_end: str | None = _option(
        "The window's end; for a count window, the number of its last event. Start or end suffices (the end for "
        "`count 10 every 5`); '' means there is no such column.  [default: window_end]",
        "COLUMN",
    )
    window_end_less: str | None = _option(
        "How far the end column is before the window's end: 1ms for Flink's rowtime.", "SPAN"
    )
    result_time: str | None = _option("Frames: the row's time.  [default: as in --time]", "COLUMN")
    result_arrival: str | None = _option("Frames: the row's arrival number.  [default: as in --arrival]", "COLUMN")
    version: str | None = _option("The order of several results for one window.", "COLUMN")
    retraction: str | None = _option("Marks a result that retracts an earlier one: true, -1, -U, -D.", "COLUMN")
    time_unit: TimeUnit | None = _option("Unit of integer times since the epoch.")
    nulls: Nulls = _option(
        "An event without a value is a bad row (refuse), is left out (skip), or adds nothing, as in SQL (ignore).",
        default="refuse",
    )
    early: bool = _option("The job also writes results before a window ends; see --version.", default=False)
    batch: str | None = _option("The micro-batch of an event; the watermark moves between batches.", "COLUMN")
    allow_bad_rows: bool = _option("Give a verdict although some rows could not be used.", default=False)
    allow_undecided: bool = _option("Give a verdict although the watermark leaves some results open.", default=False)
    empty: Empty = _option("What the job writes for a window without a value.", default="absent")
    summation: Summation | None = _option("How the job adds floats, if not in doubles from the window's own values.")
    rounding: str | None = _option(
        "The job rounds its results to DIGITS after the point; HOW is half-up, half-even, down, floor or ceiling; "
        "without HOW a tie may go either way.",
        "DIGITS [HOW]",
    )
    from_: str | None = _option("Judge only windows that end after this time, even if they begin before it.", "TIME")
    to: str | None = _option("Judge only windows that end at this time or before.", "TIME")
    sample_keys: int | None = _option("Judge only N keys, drawn by --seed.", "N", least=1)
    seed: int = _option("Seed of --sample-keys.", default=0)
    show: int = _option("Findings to show of each kind, and events of each finding.", default=SHOW, least=1, most=100)
    diagnosis: bool = _option("Search for a diagnosis and hints.", default=True)
    columnwise: bool = _option(
        "Compute exact sums, counts and extremes column by column; the reference judges a sample of these results, and "
        "all keys with findings.",
        default=True,
    )
    profile: str | None = None
    """The value of `engine`, if it was a profile."""


class Option(NamedTuple):
    """The declaration of an option."""

    flag: str
    types: tuple[type, ...]
    choices: tuple[str, ...]
    """The possible values; empty if any value is allowed."""
    several: bool
    required: bool
    default: Any
    about: Mapping[str, Any]
    """`help` and `metavar`; for an integer also `least` and `most`."""


def _list_options() -> dict[str, Option]:
    hints = get_type_hints(Request)
    found: dict[str, Option] = {}
    late = {one.name for one in fields(Lateness)}
    for one in sorted(fields(Request), key=lambda one: (one.default is not MISSING, one.name in late)):
        if "help" in one.metadata:
            kind = hints[one.name]
            inside = get_args(kind) if get_origin(kind) is UnionType or NoneType in get_args(kind) else (kind,)
            choices = tuple(choice for each in inside if get_origin(each) is Literal for choice in get_args(each))
            found[one.name] = Option(
                f"--{one.name.rstrip('_').replace('_', '-')}",
                tuple(each for each in inside if isinstance(each, type)),
                NAMES if one.name == "engine" else choices,
                kind == tuple[str, ...],
                one.default is MISSING,
                one.default,
                one.metadata,
            )
    return found


OPTIONS: Final = _list_options()
"""The options by field name: required ones first, those about late events last."""


def make_request(events: Any, results: Any, options: Mapping[str, Any]) -> Request:
    """Make a request from options, named like its fields; a string is allowed for a tuple of one.

    Raises TypeError for an unknown name, suggesting the nearest, and InputError for an invalid value.
    """
    checked: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            nearest = get_close_matches(name.replace("-", "_"), OPTIONS, 1, cutoff=0.5)
            raise TypeError(f"audit has no option {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else ""))
        checked[name] = _check(OPTIONS[name], value.isoformat() if isinstance(value, date) else value)
    chosen, profile = apply_profile(checked)
    return Request(events, results, **chosen, profile=profile)


def _check(option: Option, value: Any) -> Any:
    if value is None and NoneType in option.types:
        return None
    if option.several:
        texts: tuple[Any, ...] = tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)
        if not all(isinstance(text, str) for text in texts):
            raise InputError(f"{option.flag}: {value!r} is not a column name or a list of them")
        return texts
    if option.choices:
        if value not in option.choices:
            raise InputError(f"{option.flag}: {value!r} is none of {', '.join(map(repr, option.choices))}")
    elif not isinstance(value, option.types) or (isinstance(value, bool) and bool not in option.types):
        said = " or ".join(_KINDS[one] for one in option.types if one in _KINDS)
        raise InputError(f"{option.flag}: {value!r} is not {said}")
    elif not option.about.get("least", value) <= value <= option.about.get("most", value):
        raise InputError(f"{option.flag}: {value!r} is out of range")
    return value


_KINDS: Final = {str: "a text", bool: "True or False", int: "an integer"}
