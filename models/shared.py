"""Definition of many windows over one stream: the stream as a list, with each answer recomputed.

Source: *Aggregate Sharing in Stream Databases* (2005), sections 2, 3.1 and 6.1.  A window is a count of tuples, as in
`Select Max From S(A) [Rows 6]`: at any time it holds the newest `size` tuples of the stream, or all of them while there
are fewer.

Decided here for every implementation, where the paper leaves it open:

- windows are registered before the stream begins (the setup stage of Figure 1); afterwards LateRegistrationError;
- two queries over windows of one size are two queries; an algorithm may use that they have the same answer;
- looking up a window that is not registered raises UnknownWindowError;
- the answer of a window without tuples is that of the empty window, not an error.
"""

from typing import Generic, Protocol, TypeVar

from swagproof.models.monoid import A, Monoid

V_contra = TypeVar("V_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)


class UnknownWindowError(LookupError):
    """A window was looked up that is not registered, or a stream began without windows.  Nothing has changed."""


class LateRegistrationError(RuntimeError):
    """A window was registered after the stream had begun.  Nothing has changed."""


class SharedWindow(Protocol[V_contra, Out_co]):
    """The interface of an implementation of many windows over one stream."""

    def register(self, size: int) -> None:
        """Add a standing query over the newest `size` tuples.  Raises LateRegistrationError, ValueError, TypeError."""
        ...

    def insert(self, v: V_contra, /) -> None:
        """Insert the stream's next tuple.  Raises UnknownWindowError if no window is registered."""
        ...

    def lookup(self, size: int) -> Out_co:
        """Return the answer for the newest `size` tuples.  Raises UnknownWindowError if that size is not registered."""
        ...


class Registry:
    """The registered windows: each size once, in ascending order; registration closes when the stream begins.

    >>> windows = Registry()
    >>> windows.add(6); windows.add(2); windows.add(6); windows.sizes, windows.largest
    ([2, 6], 6)
    >>> windows.known(4)
    Traceback (most recent call last):
    swagproof.models.shared.UnknownWindowError: window 4 is not registered, only 2, 6; do so before the first insert
    """

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.begun = False

    @property
    def largest(self) -> int:
        """The size of the largest window.  Raises IndexError if there is none."""
        return self.sizes[-1]

    def add(self, size: int) -> None:
        """Register a window.  Raises TypeError, ValueError or LateRegistrationError; then nothing has changed."""
        if not isinstance(size, int) or isinstance(size, bool):  # pyright: ignore[reportUnnecessaryIsInstance]  # what is handed in is not checked
            raise TypeError(f"size: {size!r} is no count of tuples; give an int of at least 1")
        if size < 1:
            raise ValueError(f"size: a window of {size} tuples; give at least 1")
        if self.begun:
            raise LateRegistrationError(
                f"register({size}): the stream has begun; register every window before the first insert"
            )
        if size not in self.sizes:
            self.sizes = sorted([*self.sizes, size])

    def begin(self) -> None:
        """Close registration.  Raises UnknownWindowError if there are no windows."""
        if not self.sizes:
            raise UnknownWindowError("insert: no window is registered; register(size) first")
        self.begun = True

    def known(self, size: int) -> int:
        """Return the size if it is registered; otherwise raise UnknownWindowError."""
        if size not in self.sizes:
            sizes = ", ".join(map(str, self.sizes)) or "none"
            raise UnknownWindowError(f"window {size} is not registered, only {sizes}; do so before the first insert")
        return size


class SharedWindows(Generic[A]):
    """The definition of correct answers: the stream as a list, with each product recomputed from it.

    >>> from swagproof.models.operations import MAX
    >>> windows = SharedWindows(MAX)
    >>> windows.register(1); windows.register(3); windows.lookup(3)
    >>> for v in (9, 4, 2, 7):
    ...     windows.insert(v)
    >>> windows.lookup(1), windows.lookup(3), windows.window(3)
    (7, 7, [4, 2, 7])
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.registry = Registry()
        self.values: list[A] = []

    @property
    def size(self) -> int:
        """n, the number of tuples that have arrived."""
        return len(self.values)

    def register(self, size: int) -> None:
        """Add a standing query over the newest `size` tuples."""
        self.registry.add(size)

    def insert(self, v: A, /) -> None:
        """Append the stream's next tuple."""
        self.registry.begin()
        self.values.append(v)

    def window(self, size: int) -> list[A]:
        """The tuples of a registered window, oldest first."""
        return self.values[-self.registry.known(size) :]

    def lookup(self, size: int) -> A:
        """The ordered product of the newest `size` tuples, the identity if there are none.  O(size)."""
        product = self.monoid.identity
        for v in self.window(size):
            product = self.monoid.combine(product, v)
        return product
