"""Code that a user types into the page: a window, played beside the definition, and a monoid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from swagproof.learn.plays.play import EXACT, is_kept
from swagproof.learn.texts import Text, run_text
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import Monoid, broken_law
from swagproof.models.operations import Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.trace import InputError


@dataclass
class Beside:
    """A user's window beside the definition that it is compared with."""

    own: Any
    model: Any

    def insert(self, *arguments: Any) -> None:
        """Insert into both."""
        self._both("insert", [arguments])

    def evict(self, *arguments: Any) -> None:
        """Evict from both."""
        self._both("evict", [arguments])

    def bulk_insert(self, entries: list[Any]) -> None:
        """Insert into both, at once if the window takes bulks."""
        self._both("insert", [entry if isinstance(entry, tuple) else (entry,) for entry in entries], entries)

    def bulk_evict(self, bound: Any) -> None:
        """Evict from both all entries up to a time, or a number of the oldest."""
        timed = isinstance(self.model, OutOfOrderWindow)
        self._both("evict", [(t,) for t in self.model.times if not bound < t] if timed else [()] * bound, bound)

    def _both(self, name: str, singles: list[Any], bulk: Any = None) -> None:
        """Do this in both, one by one unless the window takes a bulk, and between its bulk marks if it has them."""
        if bulk is not None and hasattr(self.own, f"bulk_{name}"):
            getattr(self.own, f"bulk_{name}")(bulk)
        else:
            has_marks = bulk is not None and name == "insert" and hasattr(self.own, "begin_bulk")
            has_marks = has_marks and hasattr(self.own, "end_bulk")
            if has_marks:
                self.own.begin_bulk()
            for single in singles:
                getattr(self.own, name)(*single)
            if has_marks:
                self.own.end_bulk()
        for single in singles:
            getattr(self.model, name)(*single)

    def __getattr__(self, name: str) -> Any:
        """Return the attribute of the user's window: the definition is not queried."""
        return getattr(self.own, name)


def place_beside(cls: type[Any], window: str, monoid: Monoid[Any]) -> Beside:
    """A new window of this class, and the definition of its kind."""
    return Beside(cls(monoid), FifoWindow(monoid) if window == "fifo" else OutOfOrderWindow(monoid))


def own_monoid(source: str) -> Operation[Any, Any, Any]:
    """Return the custom monoid of a text: a class or an object with identity, combine and samples.

    Raises InputError, also if its samples break a law: an algorithm for monoids is right for nothing else.
    """
    names: dict[str, Any] = {"__name__": "yours"}
    run_text(source, Text.typed(source).files["yours"], names)
    for made in reversed(names.values()):
        monoid: Any = made() if isinstance(made, type) and made.__module__ == "yours" else made
        if hasattr(monoid, "identity") and hasattr(monoid, "combine"):
            break
    else:
        raise InputError("no class with identity and combine was found")
    samples: tuple[Any, ...] = (*getattr(monoid, "samples", []),)
    if not samples:
        raise InputError("give it samples = (...), some stream elements: numbers or texts")
    for each in samples:
        if isinstance(each, int | float) and not is_kept(each):
            raise InputError(f"samples: no browser keeps {each!r} as it is; give numbers up to {EXACT:,}, or texts")
    broken = broken_law(monoid, samples[:8])
    if broken is not None:
        raise InputError(f"it is no monoid: {broken}")
    return Operation(
        "own",
        lift=lambda element: element,
        combine=monoid.combine,
        lower=lambda value: value,
        identity=monoid.identity,
        commutative=False,
        samples=samples,
    )


def find_class(source: str, needs: Sequence[str]) -> tuple[Text, type[Any]]:
    """Return the user's text and the class in it that has these methods.  Raises InputError."""
    names: dict[str, Any] = {"__name__": "yours"}
    text = Text.typed(source)
    run_text(source, text.files["yours"], names)
    classes = [each for each in names.values() if isinstance(each, type) and each.__module__ == "yours"]
    found = [cls for cls in classes if all(hasattr(cls, need) for need in needs)]
    if not found:
        raise InputError(f"no class with the methods {', '.join(needs)} was found")
    return text, found[-1]
