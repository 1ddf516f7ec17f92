"""Test vectors as files: histories with their right answers, for a consumer in any language.

`swagproof vectors DIR` writes a file for each kind of window and each aggregation, and the JSON Schema that describes
them (`vectors.schema.json`, also in this directory).  A consumer needs nothing else: it builds a window for each
vector, runs its operations, and compares the answer of each query with the next of `answers`.

    {"format": "swagproof-vectors", "version": 1, "window": "fifo", "monoid": "concatenation", "seed": 0,
     "aggregation": {"elements": ..., "combine": ..., "identity": "", "lifts": [...], "combines": [...]},
     "encoding": [...], "flags": {"short words": {"bug": "operands swapped", ...}, ...},
     "vectors": [{"id": "fifo-concatenation-5f0c7d9a31", "flags": ["short words"], "comment": "every sequence of ...",
                  "operations": [["insert", "a"], ["insert", "b"], ["query"]], "answers": ["ab"]}, ...]}

Answers are partial aggregates (of a `frame`, lowered ones), and come from the reference that `conform` checks against.
An id depends only on window, aggregation and operations, so it does not change when vectors are added.  Every flag of a
vector names the bug that it targets.

Integers that a 64-bit float does not represent are `{"int": "9007199254740993"}`; all other values are written as in
traces (`swagproof.oracle.trace`).  If answers may be rounded, `within` has the allowed error of each; null if it must
be equal.

Vectors that add up (`sum`) stay within 64-bit integers, whichever elements of a window are added; `numbers` names the
narrowest range that holds them: `int32`, `doubles` (integers up to 2^53) or `int64`.  `wide-sum` goes beyond.
"""

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.domains.width import INT64, addend_of, narrowest
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.trace import InputError, Step, asks, encode, take
from swagproof.oracle.vectors.drafts import FLAGS, Draft, drafts
from swagproof.oracle.window import FRAME, WINDOWS

SCHEMA: Final = "vectors.schema.json"
"""The name of the JSON Schema's file."""

USUAL: Final[Mapping[str, tuple[str, str]]] = {
    "concatenation": ("strings, as they are", "the older string, then the newer"),
    "count": ("anything; its value is 1", "the sum"),
    "sum": ("whole numbers, as they are; all sums stay within 64 bits", "the sum"),
    "wide-sum": ("whole numbers of up to 64 bits, as they are", "the sum, which may need more bits"),
    "float-sum": ("64-bit floats, as they are", "the sum, which may be rounded"),
    "min": ("whole numbers, as they are", "the lesser; null is the identity"),
    "max": ("whole numbers, as they are", "the greater; null is the identity"),
    "max-count": ("a whole number e; its value is (e, 1)", "(maximum, how often it occurs); (null, 0) is the identity"),
    "arg-max": ("(measure, argument), as they are", "the one of greater measure, the older of equals"),
    "affine": (
        "(slope, shift), modulo 2^61 - 1",
        "the map x -> slope x + shift, the older first: (a, b) and (c, d) give (a c, c b + d), modulo 2^61 - 1",
    ),
    "matrix": ("2x2 matrices, row by row, as they are", "the product, the older on the left"),
    "mutable-collect": ("whole numbers e; the value is the list [e]", "the older list, then the newer, in a new list"),
}
"""The usual aggregations: their elements, with their values, and how two values combine."""

_ENCODING: Final = (
    '{"tuple": [...]} is a tuple; a list is a list; null, true, numbers and strings are themselves.',
    'A whole number outside of -(2^53 - 1) .. 2^53 - 1 is {"int": "its digits"}.',
    '{"float": "nan"}, {"float": "inf"} and {"float": "-inf"} are what JSON has no number for.',
    "Answers are in the order of the queries; `within` is how far each may be off, null where it must be equal.",
    "Keep the answers that a window gave, and compare them once more in the end: they must not change later.",
)

_SAFE: Final = 2**53 - 1


@dataclass(frozen=True)
class Vector:
    """A history and its right answers."""

    id: str
    flags: tuple[str, ...]
    comment: str
    steps: tuple[Step, ...]
    answers: tuple[Any, ...]
    """The right answers as JSON, one for each query."""
    within: tuple[float | None, ...] | None
    """The allowed error of each answer, if answers may be rounded."""
    numbers: str | None = None
    """The narrowest numbers, as `--numbers` takes them, for its elements and their sums, if it adds."""


@dataclass(frozen=True)
class Vectors:
    """Vectors for one kind of window over one aggregation."""

    window: str
    monoid: str
    seed: int
    vectors: tuple[Vector, ...]

    @property
    def file(self) -> str:
        """The file's usual name."""
        return f"{self.window}-{self.monoid}.json"

    def text(self) -> str:
        """The file's text: one line for each vector."""
        used = [flag for flag in FLAGS if any(flag in vector.flags for vector in self.vectors)]
        head: dict[str, Any] = {
            "format": "swagproof-vectors",
            "version": 1,
            "window": self.window,
            "monoid": self.monoid,
            "seed": self.seed,
            "aggregation": aggregation(domain_of(self.monoid)),
            "encoding": list(_ENCODING),
            "flags": {flag: dict(zip(("bug", "description"), FLAGS[flag], strict=True)) for flag in used},
        }
        lines = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
        vectors = [f"  {json.dumps(vector_json(vector))}" for vector in self.vectors]
        return "\n".join(["{", *lines, ' "vectors": [', ",\n".join(vectors), " ]", "}"]) + "\n"


def aggregation(domain: Domain) -> dict[str, Any]:
    """Return a description of the aggregation, for a reader in any language."""
    operation = domain.operation
    elements, combine = USUAL.get(domain.name, ("see lifts", "see combines"))
    letters = domain.orders[0][:4]
    values = [domain.lifted(letter) for letter in letters]
    pairs = [*itertools.pairwise(values), (reduce(operation.combine, values), operation.identity)]
    return {
        "elements": elements,
        "combine": combine,
        "identity": portable(operation.identity),
        "lifts": [[portable(letter), portable(domain.lifted(letter))] for letter in letters],
        "combines": [[portable(a), portable(b), portable(operation.combine(a, b))] for a, b in pairs],
    }


def portable(value: Any) -> Any:
    """Encode a value as JSON that loses nothing if every number is a 64-bit float.

    >>> from swagproof.oracle.trace import decode
    >>> portable((2**53, [1.5, -(2**63)])), decode(portable(2**64)) == 2**64
    ({'tuple': [{'int': '9007199254740992'}, [1.5, {'int': '-9223372036854775808'}]]}, True)
    """

    def carried(data: Any) -> Any:
        if type(data) is int:
            return data if -_SAFE <= data <= _SAFE else {"int": str(data)}
        if isinstance(data, list):
            return [carried(item) for item in data]  # pyright: ignore[reportUnknownVariableType]  # JSON
        if isinstance(data, dict):
            return {name: carried(item) for name, item in cast("dict[str, Any]", data).items()}
        return data

    return carried(encode(value))


def vector_json(vector: Vector) -> dict[str, Any]:
    """Return the object for a vector in a file."""
    within = {} if vector.within is None else {"within": list(vector.within)}
    numbers = {} if vector.numbers is None else {"numbers": vector.numbers}
    return {
        "id": vector.id,
        "flags": list(vector.flags),
        "comment": vector.comment,
        **numbers,
        "operations": [[step.name, *map(portable, step.arguments)] for step in vector.steps],
        "answers": list(vector.answers),
        **within,
    }


def identity_of(window: str, monoid: str, steps: Iterable[Step]) -> str:
    """Return the id of a vector: its file's name, and ten digits of a digest of its operations."""
    written = [[step.name, *map(portable, step.arguments)] for step in steps]
    digest = hashlib.sha256(json.dumps(written, separators=(",", ":")).encode()).hexdigest()
    return f"{window}-{monoid}-{digest[:10]}"


def make(window: str, monoid: str, seed: int = 0) -> Vectors:
    """Make the vectors of a kind of window over an aggregation.  Raises InputError for an unknown name."""
    domain = domain_of(monoid)
    addend = addend_of(monoid)
    found: dict[str, Vector] = {}
    for draft in drafts(window, domain, seed):
        if addend is not None:  # most programs add in 64 bits; `wide-sum` is for those that have more
            draft = replace(draft, steps=[*replace(INT64, addend=addend).fit(draft.steps, WINDOWS[window])])
        id = identity_of(window, monoid, draft.steps)
        if (known := found.get(id)) is None:
            found[id] = answer_draft(draft, window, domain)
        else:
            found[id] = replace(known, flags=tuple(dict.fromkeys((*known.flags, *draft.flags))))
    return Vectors(window, monoid, seed, tuple(found.values()))


def answer_draft(draft: Draft, window: str, domain: Domain) -> Vector:
    """Make the vector of a draft: with its id, its right answers, and the numbers that it needs."""
    answers = list(answer_queries(draft.steps, window, domain))
    within = tuple(bound for _, bound in answers)
    return Vector(
        identity_of(window, domain.name, draft.steps),
        draft.flags,
        draft.comment,
        tuple(draft.steps),
        tuple(portable(answer) for answer, _ in answers),
        within if any(bound is not None for bound in within) else None,
        narrowest(domain.name, draft.steps, WINDOWS[window]),
    )


def answer_queries(steps: Iterable[Step], window: str, domain: Domain) -> Iterator[tuple[Any, float | None]]:
    """Yield the right answer to each query, and its allowed error."""
    rule = KINDS[window].adapt(domain).rule
    reference: Any = KINDS[window].expected(rule.mirror)
    for step in steps:
        answer = take(reference, step, rule.mirror.lift)
        if asks(step):
            yield rule.round_exact(answer), _bound(rule.round_exact(answer), rule.allowed(answer))


def _bound(shown: Any, allowed: float | None) -> float | None:
    """Return the allowed error of a float (or of each in a list) relative to its rounded value: slightly more than
    relative to the exact one."""
    floats = [x for x in (shown if isinstance(shown, list) else [shown]) if isinstance(x, float) and math.isfinite(x)]
    if allowed is None or not floats or not math.isfinite(allowed):
        return None
    return math.nextafter(allowed + math.ulp(max(map(abs, floats))) / 2, math.inf) if allowed else 0.0


def write_all(place: Path, windows: Sequence[str], monoids: Sequence[str], seed: int = 0) -> list[Vectors]:
    """Write the files of these windows and aggregations, and the schema, into a new or existing directory.

    Raises InputError if they cannot be written.
    """
    made = [make(window, monoid, seed) for window in windows for monoid in monoids or usual(window)]
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / SCHEMA).write_text(schema_text(), encoding="utf-8")
        for vectors in made:
            (place / vectors.file).write_text(vectors.text(), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}") from None
    return made


def usual(window: str) -> list[str]:
    """Return the default aggregations for the vectors of a kind of window."""
    return list(KINDS[window].domains if window == FRAME.name else USUAL)


def schema_text() -> str:
    """Return the JSON Schema of a vector file."""
    return (resources.files("swagproof.oracle.vectors") / SCHEMA).read_text(encoding="utf-8")
