"""The request for an audit, as its options state it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.due.engines import PROFILES, apply_profile
from swagproof.pipeline.audit.findings import SHOW
from swagproof.pipeline.audit.judging import Empty
from swagproof.pipeline.audit.policy import Lateness
from swagproof.pipeline.audit.rules import Summation
from swagproof.pipeline.audit.tables import Nulls, Table

TimeUnit: TypeAlias = Literal["s", "ms", "us", "ns"]


@dataclass(frozen=True)
class Request(Lateness):
    """A request for an audit: the tables, their columns, and the definition that the job was to compute."""

    events: Table
    results: Table
    window: str
    aggregate: str
    time: str
    key: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    arrival: str | None = None
    result: str = "result"
    result_key: tuple[str, ...] = ()
    window_start: str | None = None
    window_end: str | None = None
    window_end_less: str | None = None
    """The difference between a window's end and its name, where that is not 0."""
    result_time: str | None = None
    result_arrival: str | None = None
    version: str | None = None
    retraction: str | None = None
    time_unit: TimeUnit | None = None
    nulls: Nulls = "refuse"
    early: bool = False
    """True if results come before their window is over."""
    batch: str | None = None
    allow_bad_rows: bool = False
    allow_undecided: bool = False
    empty: Empty = "absent"
    summation: Summation | None = None
    rounding: str | None = None
    """The rounding of answers, as `swagproof.pipeline.audit.rules.Rounding` reads it."""
    from_: str | None = None
    """The time after which windows end that are judged."""
    to: str | None = None
    """The last time at which they end."""
    sample_keys: int | None = None
    """The number of keys that are judged."""
    seed: int = 0
    """The seed that chooses these keys."""
    show: int = SHOW
    """The number of findings of each kind that are examined and shown."""
    diagnosis: bool = True
    """True if findings are diagnosed."""
    columnwise: bool = True
    """True if sums, counts and extremes may be computed column by column, and the reference judges a sample."""
    profile: str | None = None
    """The name that `engine` had, if it was that of a profile."""


OPTIONS: Final = {
    name: kind for name, kind in get_type_hints(Request).items() if name not in ("events", "results", "profile")
}
"""The options of an audit, by the names of their fields, and their types."""


def make_request(events: Table, results: Table, options: Mapping[str, Any]) -> Request:
    """Make a request of options, named as the fields are; a text stands for a tuple of one.

    Raises TypeError for a name that there is not, with the nearest, and InputError for a value that an option has not.
    """
    options, profile = apply_profile(options)
    checked: dict[str, Any] = {"profile": profile}
    for name, value in options.items():
        if name not in OPTIONS:
            nearest = get_close_matches(name.replace("-", "_"), OPTIONS, 1, cutoff=0.5)
            raise TypeError(f"audit has no option {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else ""))
        checked[name] = _check_option(name, value, OPTIONS[name])
    return Request(events, results, **checked)


def _check_option(name: str, value: Any, kind: Any) -> Any:
    option = f"--{name.rstrip('_').replace('_', '-')}"
    value = value.isoformat() if isinstance(value, date) else value
    inside = get_args(kind) if get_origin(kind) is UnionType or NoneType in get_args(kind) else (kind,)
    if value is None and NoneType in inside:
        return None
    if kind == tuple[str, ...]:
        texts: tuple[Any, ...] = tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)
        if not all(isinstance(text, str) for text in texts):
            raise InputError(f"{option}: {value!r} is not a column name or a list of them")
        return texts
    choices = [choice for one in inside if get_origin(one) is Literal for choice in get_args(one)]
    if choices and value not in choices:
        choices += PROFILES if name == "engine" else ()
        raise InputError(f"{option}: {value!r} is none of {', '.join(map(repr, choices))}")
    plain = tuple(one for one in inside if isinstance(one, type))
    if not choices and (not isinstance(value, plain) or (isinstance(value, bool) and bool not in plain)):
        raise InputError(f"{option}: {value!r} is not {' or '.join(_KINDS[one] for one in plain if one in _KINDS)}")
    return value


_KINDS: Final = {str: "a text", bool: "True or False", int: "an integer"}
