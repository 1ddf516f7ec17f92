"""Adapters: data that says how to call a subject, and what it answers.

A typical class has `push`, `pop` and `aggregate`, takes `(combine, identity)` or a size, evicts by itself, and answers
`None` for an empty window.  A wrapper for each class would be code between judge and subject, and might be wrong
itself.  So an `Adapter` is a plain value of strings and numbers, which can be printed, sent to another process and
written on a command line; `swagproof.oracle.adapting.calls` makes all calls.  The class may carry it as an attribute
`adapter`: an `Adapter`, or a dict of its fields.  Command-line options replace fields.

`make` lists the constructor arguments, separated by commas: `monoid` (an object with `identity` and `combine`),
`combine`, `identity`, `lift`, `lower`, `remove`, `size` (a window over the newest elements), `span` (a window over
time: entries with a time above the newest time less the span), `span-1` (the same, if both ends of the span belong to
the window), or a JSON literal.  Each may be a keyword argument: `initial=identity`.  `nothing` means no arguments.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from swagproof.oracle.trace import InputError, decode

WORDS: Final = ("monoid", "combine", "identity", "lift", "lower", "remove", "size", "span", "span-1")
"""The arguments that a constructor can be given."""

EMPTY: Final = {"identity": None, "raises": None, "anything": None}
"""The results that an adapter can declare for an empty window, besides a value: the identity, an exception, or
anything."""

_FLOATS: Final = ("nan", "inf", "-inf")

RANGES: Final = ("ordered", "any", "unbounded")
"""The range queries to try: ordered ones only; reversed ones, too; infinite ones, too."""

NUMBERS: Final = ("any", "int64", "int32", "doubles")
"""The numbers that a subject computes with: integers of any size; signed integers of 64 or 32 bits; 64-bit floats,
which represent integers up to 2^53.  The search inserts no larger number, and no part of a window has a larger sum."""


@dataclass(frozen=True)
class Adapter:
    """The calling convention of a subject.  Raises InputError if a field is invalid.

    >>> Adapter(methods={"insert": "push", "evict": "pop"}, make="combine, initial=identity").arguments
    ((None, 'combine'), ('initial', 'identity'))
    """

    methods: Mapping[str, str] = field(default_factory=dict[str, str])
    """The subject's own name for each operation: a method, or a property for an operation without arguments.

    `evict_before` replaces `bulk_evict` of all entries up to a time; that method leaves entries at the time itself.
    """
    make: str = "monoid"
    """The arguments of the constructor."""
    empty: str = "identity"
    """The result for an empty window: `identity`, `raises`, `anything`, or a value as JSON, `nan`, `inf` or `-inf`."""
    lowered: bool = False
    """True if it takes raw stream elements and answers lowered aggregates: a mean, not a sum and a count."""
    ranges: str = "any"
    """The range queries to try, one of `RANGES`."""
    numbers: str | None = None
    """The numbers that it computes with, one of `NUMBERS`.  By default, numbers of any size if it is given a monoid,
    and of 64 bits if it computes one fixed function."""
    claims: str | None = None
    """The cost theorem to check, as `--claims` takes it."""
    alive: int | None = None
    """The number of live windows: with 1 there is only one; with 2, each judged window has a second one next to it;
    with more, there are idle ones, too.  By default, some traces run with 3."""

    capacity: int | None = None
    """The most elements that a window may hold; no trace exceeds it."""

    def __post_init__(self) -> None:
        for what, right in (
            ("methods", isinstance(self.methods, Mapping) and all(map(_is_name, self.methods.values()))),  # pyright: ignore[reportUnnecessaryIsInstance]  # users give it
            ("make", isinstance(self.make, str)),  # pyright: ignore[reportUnnecessaryIsInstance]  # users give it
            ("empty", isinstance(self.empty, str)),  # pyright: ignore[reportUnnecessaryIsInstance]  # users give it
            ("lowered", isinstance(self.lowered, bool)),  # pyright: ignore[reportUnnecessaryIsInstance]  # users give it
            ("ranges", self.ranges in RANGES),
            ("numbers", self.numbers in (None, *NUMBERS)),
            ("claims", self.claims is None or isinstance(self.claims, str)),  # pyright: ignore[reportUnnecessaryIsInstance]  # users give it
            ("alive", self.alive is None or (type(self.alive) is int and 1 <= self.alive <= 64)),
            ("capacity", self.capacity is None or (type(self.capacity) is int and self.capacity >= 1)),
        ):
            if not right:
                raise InputError(f"adapter: field {what}: it cannot be {getattr(self, what)!r}; {_EXPECTED[what]}")
        for _ in self.arguments:
            pass
        _ = self.sentinel

    @property
    def arguments(self) -> tuple[tuple[str | None, str], ...]:
        """The constructor arguments: for each its keyword, or None, and its word or JSON literal."""
        if self.make.strip() == "nothing":
            return ()
        made: list[tuple[str | None, str]] = []
        for part in _split(self.make):
            found = re.fullmatch(r"(?:([A-Za-z_]\w*)\s*=\s*)?(.+)", part)
            if found is None or not (found[2] in WORDS or _is_literal(found[2])):
                raise InputError(
                    f"adapter: field make: {part!r} is none of {', '.join(WORDS)}, nothing or a JSON literal"
                )
            made.append((found[1], found[2]))
        return tuple(made)

    @property
    def sentinel(self) -> Any:
        """Return the declared result for an empty window, if it is a value."""
        if self.empty in EMPTY:
            return None
        if self.empty in _FLOATS:
            return float(self.empty)
        try:
            return decode(json.loads(self.empty))
        except ValueError as error:
            said = f"{', '.join((*EMPTY, *_FLOATS))} or a JSON value"
            raise InputError(f"adapter: field empty: {self.empty!r} is none of {said} ({error})") from None

    def to_json(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, as JSON; `Adapter(**fields)` restores the adapter.

        >>> Adapter(empty="raises").to_json()
        {'empty': 'raises'}
        """
        usual = asdict(Adapter())
        return {name: value for name, value in asdict(self).items() if value != usual[name]}

    @classmethod
    def read(cls, given: Any, where: str, **options: Any) -> "Adapter":
        """Return the adapter that a class declares, as an adapter or a dict of its fields; `options` replace fields.

        Raises InputError that names the field.
        """
        declared = given.to_json() if isinstance(given, Adapter) else given
        if not isinstance(declared, Mapping):
            raise InputError(f"{where}: its attribute adapter must be an Adapter, or a dict of its fields")
        made: dict[str, Any] = {**declared, **options}
        known = [each.name for each in fields(cls)]
        for name in made:
            if name not in known:
                raise InputError(f"{where}: its adapter has a field {name!r}, none of {', '.join(known)}")
        try:
            return cls(**made)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None


_EXPECTED: Final = {
    "methods": "write {'insert': 'push'}, say",
    "make": "write 'combine, identity', say",
    "empty": "write 'identity', 'raises', 'anything', 'nan', 'null' or a JSON value",
    "lowered": "it is True or False",
    "ranges": f"it is one of {', '.join(RANGES)}",
    "numbers": f"it is one of {', '.join(NUMBERS)}",
    "claims": "it names a theorem, as --claims does",
    "alive": "it is a number of windows, from 1 to 64",
    "capacity": "it is a number of elements, 1 or more",
}


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and text.isidentifier()


def _is_literal(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _split(text: str) -> list[str]:
    """Split text at the commas outside brackets and quotes.

    >>> _split('combine, [1, 2], name="a,b"')
    ['combine', '[1, 2]', 'name="a,b"']
    """
    parts = re.findall(r'(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}|[^,])+', text)
    return [part.strip() for part in parts if part.strip()]


def methods_of(text: str) -> dict[str, str]:
    """Parse the value of `--methods`.

    >>> methods_of("insert=push, evict=pop")
    {'insert': 'push', 'evict': 'pop'}
    """
    pairs = [part.partition("=") for part in text.replace(" ", "").split(",")]
    for ours, _, theirs in pairs:
        if not (_is_name(ours) and _is_name(theirs)):
            raise InputError(f"--methods {text}: write NAME=YOURS, as in insert=push,evict=pop,query=aggregate")
    return {ours: theirs for ours, _, theirs in pairs}


def spell_options(adapter: Mapping[str, Any]) -> list[str]:
    """Return the command-line options for the fields of an adapter.

    >>> spell_options({"methods": {"insert": "push"}, "lowered": True, "alive": 2})
    ['--methods', 'insert=push', '--lowered', '--alive', '2']
    """
    words: list[str] = []
    for name, value in adapter.items():
        text = ",".join(map("=".join, value.items())) if isinstance(value, Mapping) else str(value)
        words += [f"--{name}"] if value is True else [f"--{name}", text]
    return words
