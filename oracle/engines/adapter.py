"""A base class for an engine's aggregates: one class for each aggregate."""

from typing import Any, ClassVar, Self, cast


class Adapter:
    """The base class of an engine's aggregates: an engine derives from it, and each aggregate from the engine."""

    monoids: ClassVar[tuple[str, ...]]
    """The aggregate's name for `--monoid`; several if it is judged as each."""
    aggregate: ClassVar[str]
    """The aggregate's name in the engine."""

    @classmethod
    def of(cls, name: str, monoid: str, aggregate: str, /, **settings: Any) -> type[Self]:
        """Return a class with this name for one aggregate; `settings` are further class attributes."""
        fields = {"__module__": cls.__module__, "__doc__": f"`{aggregate}`, judged as {monoid}."}
        made = type(name, (cls,), {**fields, "aggregate": aggregate, "monoids": (monoid,), **settings})
        return cast("type[Self]", made)
