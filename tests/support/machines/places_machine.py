"""The state machine of a fixed number of places: any of them are written at once, and every query is made."""

from collections.abc import Callable, Sequence
from typing import Any

from swagproof.models.any_order import Places
from swagproof.models.operations import Operation
from swagproof.oracle.testing.machine import ELEMENTS, Machine, initialize, rule, st, with_subject
from swagproof.oracle.window import FIFO


class PlacesMachine(Machine):
    """Updates of any places, in any order, between queries of prefixes, suffixes and the whole.

    `make` builds the implementation with an operation and the values of its 1, 2, 4, ... places.
    """

    kind = FIFO  # no kind of window; no adapter reads it
    model_of = Places
    height = 0

    def begin(self) -> tuple[Any, Any, list[Any]]:
        """Return a tree over 2^height of the operation's samples, and its model."""
        values = [self.sample(number, self.operation.samples[0]) for number in range(2**self.height)]
        handed, lifted = map(self.domain.handed, values), map(self.lifted, values)
        return self.build(self.operation, list(handed)), Places(self.domain.rule.mirror, list(lifted)), []

    @initialize(height=st.integers(0, 6))
    def begin_with_a_height(self, height: int) -> None:
        """Begin with more places."""
        self.height = height
        self.subject, self.model, self.spare = self.begin()

    @rule(element=ELEMENTS, data=st.data())
    def update(self, element: Any, data: st.DataObject) -> None:
        """Write some places, or none, in any order."""
        self.write(data.draw(st.lists(st.integers(1, self.model.size), unique=True)), element)

    @rule(element=ELEMENTS)
    def update_all(self, element: Any) -> None:
        """Write all places, the last first."""
        self.write(range(self.model.size, 0, -1), element)

    @rule(element=ELEMENTS)
    def update_ends(self, element: Any) -> None:
        """Write the first and the last place."""
        self.write(sorted({1, self.model.size}), element)

    @rule(number=st.integers(0, 63))
    def ask(self, number: int) -> None:
        """Query a prefix, and the suffix that begins where it ends."""
        i = number % self.model.size + 1
        self.compare(f"prefix({i})", self.subject.prefix(i), self.model.product(1, i))
        self.compare(f"suffix({i})", self.subject.suffix(i), self.model.product(i, self.model.size))

    @rule()
    def query(self) -> None:
        """Query the aggregate of all places."""
        self.compare("aggregate()", self.subject.aggregate(), self.model.product(1, self.model.size))

    def write(self, places: Sequence[int], element: Any) -> None:
        """Write these places, the element to the first and samples to the others."""
        values = [self.sample(number, element) for number in range(len(places))]
        self.subject.update(list(zip(places, map(self.handed, values), strict=True)))
        self.model.update(list(zip(places, map(self.lifted, values), strict=True)))

    def empty(self) -> None:
        """Query each prefix and suffix, because places do not leave."""
        for number in range(self.model.size):
            self.ask(number)


def places_machine(
    make: Callable[..., Any], operation: Operation[Any, Any, Any], *, longest: int = 300
) -> type[PlacesMachine]:
    """Return the machine for the implementation that `make` builds with the operation and the values of the places."""
    return with_subject(PlacesMachine, make, operation, longest=longest)
