"""Profiles of engines: the options that one name stands for; options that are given come first.

The rules of lateness of Spark and Flink are no profiles but engines of the watermark: see
`swagproof.pipeline.audit.policy`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from swagproof.pipeline.audit.rules import Summation


@dataclass(frozen=True)
class Profile:
    """The rules of an engine, as options."""

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    window: Mapping[str, str] = field(default_factory=dict[str, str])
    """The words that a window of this kind has at its end, by its first word."""
    floats: Summation | None = None
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
"""By name.  `kafka-streams` shows each update, `beam` accumulates panes; the manual's page of options by engine has the
cases that a profile does not cover."""


def apply_profile(options: Mapping[str, Any]) -> dict[str, Any]:
    """Put the options that a profile stands for in the place of its name; those that are given come first."""
    name = options.get("engine")
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        return dict(options)
    rest = {key: value for key, value in options.items() if key != "engine"}
    window = rest.get("window")
    spelled = {"window": profile.spell(window)} if isinstance(window, str) else {}
    return {**profile.options, **rest, **spelled, "profile": name}
