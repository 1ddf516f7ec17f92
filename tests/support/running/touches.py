"""A counter of everything that an operation touches, to find walks over the window that combine and search nothing.

Combine calls do not count a walk that combines nothing, and a search counts the nodes of its own path.  So here the
algorithm's code runs with all its data watched.  An object's attributes, from the window itself to nodes, chunks and
pointers, are counted when they are read and written, and the entries of lists, dicts, sets and deques when they are
read.  A container operation that is not listed counts as touching all entries.

Every attribute or container that is put into a watched one is watched too.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from enum import Enum
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any, Final

_WATCHED: Final = ("swagproof.reference.", "swagproof.models.containers.")
"""The modules whose objects are watched.  The monoid is excluded, because combine calls have counts of their own."""

_ONE: Final[dict[type[Any], frozenset[str]]] = {
    list: frozenset({"__getitem__", "__setitem__", "__len__", "append"}),
    deque: frozenset({"__getitem__", "__setitem__", "__len__", "append", "appendleft", "pop", "popleft"}),
    dict: frozenset({"__getitem__", "__setitem__", "__delitem__", "__contains__", "__len__", "get", "pop"}),
    set: frozenset({"__contains__", "__len__", "add", "discard", "remove"}),
    OrderedDict: frozenset({"__setitem__", "__delitem__", "pop", "popitem", "move_to_end"}),
}
"""The methods that touch one entry of each container, unless given a slice; inherited ones are not repeated."""
_ADDING: Final = frozenset({"extend", "extendleft", "__iadd__"})
"""The methods that touch the entries that they add."""
_EACH: Final = frozenset({"__iter__", "__reversed__", "keys", "values", "items"})
"""The methods that touch entries one by one, as they are requested."""


class Touches:
    """A counter, and the watched classes that add to it."""

    def __init__(self) -> None:
        self.count = 0
        self._containers = {base: self._counted(base) for base in _ONE}
        self._classes: dict[type[Any], type[Any]] = {}

    def watch(self, algorithm: type[Any]) -> type[Any]:
        """Derive a class whose objects count reads and writes, and watch the values put into them."""

        def read(watched: Any, name: str) -> Any:
            self.count += 1
            return object.__getattribute__(watched, name)

        def write(watched: Any, name: str, value: Any) -> None:
            self.count += 1
            object.__setattr__(watched, name, self.keep(value))

        if algorithm not in self._classes:
            body = {"__slots__": (), "__module__": __name__, "__getattribute__": read, "__setattr__": write}
            self._classes[algorithm] = type(algorithm.__name__, (algorithm,), body)
        return self._classes[algorithm]

    def keep(self, value: Any) -> Any:
        """The value, watched if it is an object or a container; a container's entries are touched on creation."""
        kind: type[Any] = type(value)
        if kind in self._containers:
            self.count += len(value)
            of_keys = isinstance(value, dict)
            kept = {key: self.keep(each) for key, each in value.items()} if of_keys else map(self.keep, value)
            return self._containers[kind](kept)
        if isinstance(value, tuple):
            return getattr(kind, "_make", kind)(map(self.keep, value))
        if kind.__module__.startswith(_WATCHED) and not isinstance(value, Enum):
            slots = {name for each in kind.__mro__ for name in getattr(each, "__slots__", ())}
            names = slots | set(getattr(value, "__dict__", ()))
            if names:  # an object without attributes is a mark, like a vacant slot, shared by all windows
                object.__setattr__(value, "__class__", self.watch(kind))
            for name in names:
                setattr(value, name, object.__getattribute__(value, name))
        return value

    def _counted(self, base: type[Any]) -> type[Any]:
        body: dict[str, Any] = {"__slots__": ()}
        for owner in reversed(base.__mro__[:-1]):
            for name, method in vars(owner).items():
                of_all_objects = name in vars(object) and name not in {"__eq__", "__ne__", "__lt__", "__le__"}
                if isinstance(method, MethodDescriptorType | WrapperDescriptorType) and not of_all_objects:
                    one = name in _ONE[owner]
                    body[name] = self._each(method) if name in _EACH else self._whole(base, method, one)
        return type(base.__name__, (base,), body)

    def _each(self, method: Any) -> Callable[[Any], Iterator[Any]]:
        def asked(container: Any) -> Iterator[Any]:
            self.count += 1
            for entry in method(container):
                self.count += 1
                yield entry

        return asked

    def _whole(self, base: type[Any], method: Any, one: bool) -> Callable[..., Any]:
        last = base is list and method.__name__ == "pop"

        def asked(container: Any, *arguments: Any, **named: Any) -> Any:
            self.count += 1
            given = [self.keep(argument) for argument in arguments]
            if (one and not (given and isinstance(given[0], slice))) or (last and not given):
                return method(container, *given, **named)
            before = base.__len__(container)
            answer = method(container, *given, **named)
            after = base.__len__(container)
            self.count += after - before if method.__name__ in _ADDING else max(before, after)
            return answer

        return asked
