"""No state but the objects': what two objects of a reference share, looked at over all references of the catalogue.

Every other row is about one object, made anew.  It says nothing of the next one if objects share what changes: by a
default argument, an attribute of the class, a name of the module.  So of every algorithm, all of its module is read:
defaults, what classes keep, and what functions name, must never change.  And two objects are made and used, one after
the other; from neither may anything be reached that changes and that the other reaches too, by identity, through
attributes, slots, containers, and what functions keep.
"""

import dis
import inspect
import itertools
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, Final

from swagproof.models.operations import CONCATENATION, MAX, SUM, Operation
from swagproof.models.windows.window import Count, Event, Window
from swagproof.proofs.engine.language import is_constant
from swagproof.proofs.ledger.claim import OURS, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.reference import catalogue
from swagproof.reference.catalogue import CATALOGUE, Entry
from swagproof.reference.slicing.cutty import CountMarks

# What a module keeps


def shared_by_module(module: Any) -> Iterator[str]:
    """What the functions and classes of a module could share between objects, and what changes."""
    for name, member in vars(module).items():
        if getattr(member, "__module__", None) != module.__name__ or name.startswith("Checked"):
            continue  # another module's; or a class under contracts, which icontract has made
        if inspect.isclass(member):
            yield from _shared_by_class(member)
        elif not isinstance(member, FunctionType):
            if not _never_changes(member):
                yield f"{name} of the module"
        else:
            yield from _shared_by_function(member, name)


def _shared_by_class(cls: type) -> Iterator[str]:
    for name, member in vars(cls).items():
        place = f"{cls.__name__}.{name}"
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        if isinstance(member, property):
            for part in filter(None, (member.fget, member.fset, member.fdel)):
                yield from _shared_by_function(part, place)
        elif isinstance(member, FunctionType):
            yield from _shared_by_function(member, place)
        elif not name.startswith("__") and name not in ("_abc_impl", "_is_protocol", "_fields", "_field_defaults"):
            if not _never_changes(member):
                yield f"{place} of the class"


def _shared_by_function(function: Any, place: str) -> Iterator[str]:
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType):
        yield f"what {place} is"
        return
    if function.__code__.co_filename == "<string>" or function.__module__ in ("typing", "collections"):
        return  # made by `dataclass` or `NamedTuple`, or a protocol's own
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        if not _never_changes(value):
            yield f"a default of {place}"
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
        for before, now in itertools.pairwise(dis.get_instructions(code)):
            if now.opname == "STORE_GLOBAL" or (now.opname == "STORE_ATTR" and before.opname == "LOAD_GLOBAL"):
                yield f"{now.argval}, which {place} assigns"
        for name in STATEFUL.intersection(code.co_names):
            yield f"what {place} does by {name}"
        for name in code.co_names:
            if name in function.__globals__ and not _never_changes(function.__globals__[name]):
                yield f"{name}, which {place} names"


STATEFUL: Final = frozenset({"__class__", "__dict__", "globals", "setattr", "vars"})
"""Names by which a class or a module can be written to."""


def _never_changes(value: Any) -> bool:
    """Whether a value never changes, or is one of Python's or the project's own: a function, a class, a module."""
    kinds = (ModuleType, FunctionType, BuiltinFunctionType, MemberDescriptorType, GetSetDescriptorType, type)
    mark = type(value).__qualname__ in ("Infinity", "_tuplegetter")
    typing = type(value).__module__ in ("typing", "types", "re", "builtins") and not isinstance(
        value, list | dict | set | bytearray
    )
    return isinstance(value, kinds) or is_constant(value) or mark or typing or _holds_nothing(value)


def _holds_nothing(value: Any) -> bool:
    """Whether nothing has been written to it: a mark, which is asked for what it is."""
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    if isinstance(value, Enum):
        return True
    contains = isinstance(value, dict | list | set | deque | bytearray)
    return not (slots or contains or getattr(value, "__dict__", None))


# What two objects reach


def reached(*roots: Any) -> dict[int, Any]:
    """All that can be reached from objects and that changes, by identity."""
    found: dict[int, Any] = {}
    work = list(roots)
    while work:
        value = work.pop()
        if id(value) in found or isinstance(value, type | ModuleType | Operation):
            continue
        if not (is_constant(value) or _holds_nothing(value)):
            found[id(value)] = value
        work += list_parts(value)
    return found


def list_parts(value: Any) -> list[Any]:
    """What an object holds."""
    if isinstance(value, dict | OrderedDict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset | deque):
        return list(value)
    if isinstance(value, MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        return [*cells, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    held = [getattr(value, name) for name in slots if hasattr(value, name)]
    return [*held, *getattr(value, "__dict__", {}).values()]


# How an object of each algorithm is used

Life = Callable[[type[Any], Any], Any]
"""Makes an object of the class, over an operation, and uses it so that all that it keeps is there."""


def _fifo(made: type[Any], operation: Any) -> Any:
    window = made(operation)
    for v in operation.samples[:3] * 3:
        window.insert(v)
        window.query()
    for _ in range(4):
        window.evict()
    return window


def _in_time(made: type[Any], operation: Any) -> Any:
    tree = made(operation)
    for t, v in enumerate("abcdefghijklmnop"):
        tree.insert(t, v)
    for t in (0, 15, 7):
        tree.evict(t)
    return tree


def _any_order(made: type[Any], operation: Any) -> Any:
    window = made(operation)
    tickets = [window.insert(v) for v in "abcdefgh"]
    for ticket in (tickets[3], tickets[0], tickets[7]):
        window.evict(ticket)
    return window


def _places(made: type[Any], operation: Any) -> Any:
    tree = made(operation, list("abcd"))
    tree.update([(2, "B"), (4, "D")])
    return tree


def _sliced(made: type[Any], operation: Any) -> Any:
    slices = made(operation, [(5, 3), (4, 2)])
    for t, v in enumerate("abcdefg"):
        slices.insert(t, v)
    return slices


def _cut(made: type[Any], operation: Any) -> Any:
    cutty = made(operation, [CountMarks(5, 2)])
    for v in "abcdefg":
        cutty.insert(Event(None, v), v)
    return cutty


def _sessions(made: type[Any], operation: Any) -> Any:
    slicing = made(operation, [(4, 2)], [3], commutative=False)
    for t, v in enumerate("abcdefg"):
        slicing.insert(2 * t, v)
    return slicing


def _shared(made: type[Any], operation: Any) -> Any:
    return _look_up(made(operation), "abcdefg")


def _look_up(shared: Any, values: Sequence[Any]) -> Any:
    for size in (1, 3, 5):
        shared.register(size)
    for v in values:
        shared.insert(v)
    return shared


def _steps(made: type[Any], operation: Any) -> Any:
    windowing = made(Window(Count(3), Count(1)))
    for key, v in zip("xyxyx", "abcde", strict=True):
        list(windowing.feed(Event(None, v, key)))
    return windowing


def _rows(made: type[Any], operation: Any) -> Any:
    aggregate = made(Window(Count(3), Count(1)), operation)
    list(aggregate.process(Event(None, v, key) for key, v in zip("xyxyx", "abcde", strict=True)))
    return aggregate


OF_KIND: Final[dict[str, Life]] = {
    "fifo": _fifo, "out of order": _in_time, "any order": _any_order, "places": _places,
    "operator": _sliced, "shared": _shared,
}  # fmt: skip
OTHERWISE: Final[dict[Entry, Life]] = {
    catalogue.CUTTY: _cut,
    catalogue.STREAM_SLICING: _sessions,
    catalogue.TIMEGRAM: lambda made, operation: _look_up(made(-10, 10, buckets=5), (3, -10, -9, 5, 2, 7, -3)),
    catalogue.ORDERED_SHARING: lambda made, operation: _look_up(made(), (3, 1, 4, 1, 5, 9, 2)),
    catalogue.WINDOWING: _steps,
    catalogue.AGGREGATE: _rows,
}


def shares(entry: Entry, variant: Variant | None = None) -> Iterator[str]:
    """What two objects of an algorithm, or of a wrong variant of it, share or could share."""
    module = entry.module if variant is None else variant.rewrite(entry.module)
    names = entry.module if variant is None else ModuleOf(module, entry.module.__name__)
    yield from shared_by_module(names)
    operation = SUM if entry.subtracts else MAX if entry is catalogue.SLICK_DEQUE else CONCATENATION
    live = OTHERWISE.get(entry, OF_KIND[entry.kind])
    made = getattr(module, entry.algorithm.__name__)
    classes = [member for member in vars(names).values() if inspect.isclass(member)]
    before = [dict(vars(cls)) for cls in classes]
    one, other = reached(live(made, operation)), reached(live(made, operation))
    for cls, kept in zip(classes, before, strict=True):
        if cls.__module__ == entry.module.__name__ and dict(vars(cls)) != kept:
            yield f"what is written to {cls.__name__}"
    for found in sorted({type(one[key]).__name__ for key in one.keys() & other.keys()}):
        yield f"a {found}"
    if len(one) < 2:
        yield "nothing that was reached"
    yield from shared_by_module(names)  # what was a mark may have been written to


class ModuleOf:
    """The names of a module that a wrong variant makes, as those of a module."""

    def __init__(self, names: Any, name: str) -> None:
        self.__dict__.update(vars(names), __name__=name)


def apart(entries: Sequence[tuple[Entry, Variant | None]]) -> Outcome:
    """Whether no two objects of these share what changes."""
    for entry, variant in entries:
        found = next(shares(entry, variant), None)
        if found is not None:
            return Outcome("fails", f"{entry.name}: objects share {found}")
    return Outcome("holds", f"{len(entries)} algorithms")


def _rejects(entry: Entry, name: str, *edits: tuple[str, str, str]) -> Control:
    return Control(f"{entry.name}: {name}", partial(apart, [(entry, wrong(name, *edits))]))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="objects/apart",
        statement="Two objects of an algorithm share nothing that changes, whatever was done with them before: no "
        "default, attribute of a class or name of a module that it uses ever changes.",
        source=cite(OURS),
        algorithm="every reference",
        kind="exhaustive",
        engine="run",
        scope="every algorithm of the catalogue: every function and class of its module; two objects after one history",
        code="reference.catalogue: CATALOGUE",
        check=partial(apart, [(entry, None) for entry in CATALOGUE]),
        controls=(
            _rejects(
                catalogue.TWO_STACKS,
                "a stack is a default",
                ("TwoStacks.__init__", "monoid: Monoid[A]", "monoid: Monoid[A], F: Stack[Element[A]] = Stack()"),
                ("TwoStacks.__init__", "self.F: Stack[Element[A]] = Stack()", "self.F = F"),
            ),
            _rejects(
                catalogue.STREAM,
                "queues are a default of register",
                ("NaiveStream.register", "size: int", "size: int, queue: deque[A] = deque()"),
                ("NaiveStream.register", "Query(size, deque(), deque())", "Query(size, deque(), queue)"),
            ),
            _rejects(
                catalogue.STREAM,
                "the registry is the class's",
                ("NaiveStream", "    def __init__(self, monoid: Monoid[A])",
                 "    registry = Registry()\n\n    def __init__(self, monoid: Monoid[A])"),
                ("NaiveStream", "        self.registry = Registry()\n", ""),
            ),
            _rejects(
                catalogue.PANES,
                "the length of panes is the class's",
                ("Panes.__init__", "self.length = gcd", "Panes.length = gcd"),
            ),
            _rejects(
                catalogue.FIBA,
                "the tree's arity is its class's",
                ("Fiba.__init__", "AugmentedTree.__init__(self, monoid, min_arity)",
                 "AugmentedTree.__init__(self, monoid, min_arity); type(self).max_arity = self.max_arity"),
            ),
            _rejects(
                catalogue.DABA,
                "the deque is kept by the constructor",
                ("Daba.__init__", "self.deque: ChunkedDeque[Element[A]] = ChunkedDeque()",
                 "self.deque = Daba.__init__.__dict__.setdefault('deque', ChunkedDeque())"),
            ),
            _rejects(
                catalogue.FLAT_FIT,
                "what is kept is a list of the module's",
                ("FlatFit", "class FlatFit", "KEPT = []\n\n\nclass FlatFit"),
                ("FlatFit", "self.monoid = monoid", "self.monoid = monoid\n        KEPT.append(monoid)"),
            ),
        ),
        not_covered="what was handed in: two windows over one operation share it",
    ),
)  # fmt: skip
