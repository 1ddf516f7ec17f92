"""An engine's aggregates: one class for each, which differ in what the aggregate is called, there and here."""

from typing import Any, ClassVar, Self, cast


class Adapter:
    """The base class of an engine's aggregates: an engine derives from it, and each aggregate derives from the
    engine."""

    monoids: ClassVar[tuple[str, ...]]
    """The aggregate, as `--monoid` has it; more than one where it is judged as either."""
    aggregate: ClassVar[str]
    """The same as the engine has it."""

    @classmethod
    def of(cls, name: str, monoid: str, aggregate: str, /, **settings: Any) -> type[Self]:
        """The class of this name, for one aggregate; settings are class attributes besides."""
        fields = {"__module__": cls.__module__, "__doc__": f"`{aggregate}`, judged as {monoid}."}
        made = type(name, (cls,), {**fields, "aggregate": aggregate, "monoids": (monoid,), **settings})
        return cast("type[Self]", made)
