"""Shadows of many windows over one stream."""

from typing import Any, ClassVar

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.monoid import A
from swagproof.models.operations import Operation
from swagproof.models.shared import SharedWindows


class SharedShadow(Shadow[A]):
    """The shadow for `class CheckedNaiveStream(SharedShadow[A], NaiveStream[A])`."""

    definition = SharedWindows

    def register(self, size: int) -> None:
        """Register with the algorithm and with the model."""
        self._both("register", size)

    def insert(self, v: Any, /) -> None:
        """Insert into the algorithm and into the model."""
        self._both("insert", v)

    def lookup(self, size: int) -> Any:
        """Look up in the algorithm."""
        return self._ask("lookup", size)


class ValuesShadow(SharedShadow[A]):
    """The shadow for an algorithm without a monoid: only the model has one, and no combine call is counted."""

    operation: ClassVar[Operation[Any, Any, Any]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.model = self.definition(self.operation)
        super(Shadow, self).__init__(*arguments, **options)
