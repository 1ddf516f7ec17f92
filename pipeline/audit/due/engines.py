"""Engines by name: the rules of those whose watermarks the audit follows, and profiles that stand for options.

Neither Arrow nor NumPy is imported here: the command line lists the names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.windows.lateness import SessionRule

if TYPE_CHECKING:
    from swagproof.pipeline.audit.rules import Summation

Engine: TypeAlias = Literal["spark", "spark-single", "flink", "flink-sql"]


class EngineRule(NamedTuple):
    """The decisions of an engine that its user does not make."""

    lag: int
    """In steps of its clock."""
    by_batch: bool
    sessions: SessionRule
    milliseconds: bool = False
    """True if its watermark is kept in milliseconds, and begins at 0."""
    ahead: int = 0
    """The milliseconds by which its watermark is ahead of the latest time less the delay."""


ENGINES: Final[dict[Engine, EngineRule]] = {
    "spark": EngineRule(2, True, "at end", milliseconds=True),
    "spark-single": EngineRule(1, True, "at end", milliseconds=True),
    "flink": EngineRule(1, False, "merged"),
    "flink-sql": EngineRule(1, False, "merged", ahead=1),
}
"""Spark with its default settings, where a row is late by the watermark of the batch before (SPARK-40925); Spark with
`spark.sql.streaming.statefulOperator.allowMultiple=false`; Flink's DataStream API, whose watermark is a millisecond
behind latest time and delay, as a window's last time is behind its end; Flink's SQL, whose watermark is not."""


@dataclass(frozen=True)
class Profile:
    """The rules of an engine, as options."""

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    window: Mapping[str, str] = field(default_factory=dict[str, str])
    """The words that a window of this kind has at its end, by its first word."""
    floats: "Summation | None" = None
    """The summation of floats in windows that overlap, and in frames."""

    def spell(self, window: str) -> str:
        """Return the window as the engine has it.

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
"""The profiles by name.  `kafka-streams` shows each update, `beam` accumulates panes; the manual's page of options by
engine has the cases that a profile does not cover."""

NAMES: Final = (*ENGINES, *PROFILES)
"""The names that `engine` may have."""


def apply_profile(options: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Put the options that a profile stands for in the place of its name; those that are given come first.

    Returns the options and the name, or None where `engine` names no profile.
    """
    name = options.get("engine")
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        return dict(options), None
    rest = {key: value for key, value in options.items() if key != "engine"}
    window = rest.get("window")
    spelled = {"window": profile.spell(window)} if isinstance(window, str) else {}
    return {**profile.options, **rest, **spelled}, name
