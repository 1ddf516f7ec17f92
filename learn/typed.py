"""A window class that a user types into the page, played together with the definition."""

from collections.abc import Sequence
from typing import Any

from swagproof.learn.texts import Text
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import Monoid
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.trace import InputError


class Beside:
    """A user's window with the definition that it is compared with."""

    def __init__(self, cls: type[Any], window: str, monoid: Monoid[Any]) -> None:
        self.own = cls(monoid)
        self.model: Any = FifoWindow(monoid) if window == "fifo" else OutOfOrderWindow(monoid)

    def insert(self, *arguments: Any) -> None:
        """Insert into both."""
        self.own.insert(*arguments)
        self.model.insert(*arguments)

    def evict(self, *arguments: Any) -> None:
        """Evict from both."""
        self.own.evict(*arguments)
        self.model.evict(*arguments)

    def __getattr__(self, name: str) -> Any:
        """Return the attribute of the user's window: the definition is not queried."""
        return getattr(self.own, name)


def find_class(source: str, needs: Sequence[str]) -> tuple[Text, type[Any]]:
    """Return the user's text and the class in it that has these methods.  Raises InputError."""
    text = Text.typed(source)
    classes = [each for each in text.namespace.values() if isinstance(each, type) and each.__module__ == "yours"]
    found = [cls for cls in classes if all(hasattr(cls, need) for need in needs)]
    if not found:
        raise InputError(f"no class with the methods {', '.join(needs)} was found")
    return text, found[-1]
