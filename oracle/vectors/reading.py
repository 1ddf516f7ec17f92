"""Reading test vectors: check their ids and answers against the reference, and play them on a subject.

A broken file is an error of one line that names file, line and field.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.plan import Watcher
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Trace, read_json
from swagproof.oracle.vectors.drafts import Draft
from swagproof.oracle.vectors.written import (
    SCHEMA,
    USUAL,
    Vector,
    Vectors,
    aggregation,
    answer_draft,
    vector_json,
)
from swagproof.oracle.verdict import Verdict

Checks: TypeAlias = Mapping[str, tuple[Callable[[Any], bool], str]]
"""For each field of an object the test of its value, and a description of valid values."""


def _is_text(data: Any) -> bool:
    return isinstance(data, str)


def _is_list(data: Any) -> bool:
    return isinstance(data, list)


def _are_texts(data: Any) -> bool:
    return isinstance(data, list) and all(map(_is_text, data))  # pyright: ignore[reportUnknownArgumentType]  # JSON


def _describes(data: Any) -> bool:
    return isinstance(data, dict) and all(_is_text(data.get(name)) for name in ("bug", "description"))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]  # JSON


_FILE: Final[Checks] = {
    "format": (lambda data: data == "swagproof-vectors", '"swagproof-vectors"'),
    "version": (lambda data: type(data) is int and data == 1, "1"),
    "window": (lambda data: _is_text(data) and data in KINDS, f"one of {', '.join(KINDS)}"),
    "monoid": (_is_text, "a name"),
    "seed": (lambda data: type(data) is int and data >= 0, "a whole number"),
    "aggregation": (lambda data: isinstance(data, dict), "an object"),
    "encoding": (_are_texts, "a list of strings"),
    "flags": (
        lambda data: isinstance(data, dict) and all(map(_describes, data.values())),  # pyright: ignore[reportUnknownMemberType]  # JSON
        "an object that describes each flag by the strings bug and description",
    ),
    "vectors": (lambda data: _is_list(data) and data != [], "a list that is not empty"),
}
_VECTOR: Final[Checks] = {
    "id": (_is_text, "a string"),
    "flags": (lambda data: _are_texts(data) and data != [], "a list of flags"),
    "comment": (_is_text, "a string"),
    "operations": (lambda data: _is_list(data) and data != [], "a list of operations"),
    "answers": (_is_list, "a list"),
}


def _check(data: Any, checks: Checks, where: str, optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of an object.  Raises InputError unless it has these fields, and they pass their tests."""
    fields: dict[str, Any] = data if isinstance(data, dict) else {}
    for name in fields:
        if name not in (*checks, *optional):
            raise InputError(
                f"{where}: field {name}: there is no such field; expected {', '.join((*checks, *optional))}"
            )
    for name, (passes, expected) in checks.items():
        if name not in fields:
            raise InputError(f"{where}: field {name}: it is missing")
        if not passes(fields[name]):
            raise InputError(f"{where}: field {name}: expected {expected}, found {json.dumps(fields[name])[:200]}")
    return fields


def _compare(found: Any, right: Any, where: str) -> None:
    """Raise InputError that names the first place where two values differ as JSON; 1, 1.0 and true all differ."""
    if isinstance(found, list) and isinstance(right, list) and len(found) == len(right):  # pyright: ignore[reportUnknownArgumentType]  # JSON
        for at, (one, other) in enumerate(zip(found, right, strict=True)):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON
            _compare(one, other, f"{where}[{at}]")
    elif json.dumps(found, sort_keys=True) != json.dumps(right, sort_keys=True):
        raise InputError(f"{where}: expected {json.dumps(right)[:200]}, found {json.dumps(found)[:200]}")


def read(path: Path) -> Vectors:
    """Read a file of vectors and compare its answers with the reference's.

    Raises InputError that names file, line and field.
    """
    text, data = read_json(path, twice="an object has the field {} twice")
    fields = _check(data, _FILE, str(path))
    try:
        domain = domain_of(fields["monoid"])
    except InputError as error:
        raise InputError(f"{path}: field monoid: {str(error).removeprefix('--monoid ')}") from None
    right = aggregation(domain)
    for name in ("identity", "lifts", "combines"):
        _compare(fields["aggregation"].get(name), right[name], f"{path}: field aggregation.{name}")
    found: dict[str, Vector] = {}
    for at, item in enumerate(fields["vectors"]):
        id = item.get("id") if isinstance(item, dict) else None
        line = text.count("\n", 0, max(0, text.find(json.dumps(id)))) + 1
        where = f"{path}: line {line}: vectors[{at}]"
        vector = _read_vector(item, fields["window"], domain, fields["flags"], where)
        if vector.id in found:
            raise InputError(f"{where}.id: {vector.id} is also the id of an earlier vector")
        found[vector.id] = vector
    return Vectors(fields["window"], domain.name, fields["seed"], tuple(found.values()))


def _read_vector(item: Any, window: str, domain: Domain, flags: Mapping[str, Any], where: str) -> Vector:
    fields = _check(item, _VECTOR, where, ("within", "numbers"))
    for flag in fields["flags"]:
        if flag not in flags:
            raise InputError(f"{where}.flags: {json.dumps(flag)} is none of those that the file describes")
    whole = {"format": "swagproof-trace", "version": 1, "window": window, "monoid": domain.name}
    steps = Trace.from_json({**whole, "operations": fields["operations"]}, where).steps
    try:
        vector = answer_draft(Draft(tuple(fields["flags"]), fields["comment"], [*steps]), window, domain)
    except Exception as error:  # its elements may not fit the aggregation
        raise InputError(f"{where}.operations: {domain.name} raised {type(error).__name__}: {error}") from None
    right = vector_json(vector)
    fields = {"within": None, "numbers": right.get("numbers"), **fields}
    for name in ("id", "answers", "within", "numbers"):
        _compare(fields[name], right.get(name), f"{where}.{name}")
    return vector


def read_all(place: Path, window: str = "") -> list[tuple[Path, Vectors]]:
    """Read a file of vectors, or those of a directory: all, or those whose names begin with a kind of window.

    Raises InputError as `read` does, or if there is none.
    """
    if not place.is_dir():
        return [(place, read(place))]
    paths = sorted((path for path in place.glob(f"{window}*.json") if path.name != SCHEMA), key=_place)
    if not paths:
        raise InputError(f"{place}: no files of vectors here; swagproof vectors {place} writes them")
    return [(path, read(path)) for path in paths]


def _place(path: Path) -> tuple[int, str]:
    """Return a sort key that puts the most revealing aggregations first."""
    names = [at for at, name in enumerate(USUAL) if path.stem.endswith(f"-{name}")]
    return min(names, default=len(USUAL)), path.name


def judge_by(
    place: Path,
    subject: Subject,
    monoids: Sequence[str] = (),
    *,
    seed: int = 0,
    budget: float | None = None,
    timeout: float = 10.0,
    more: Sequence[str] = (),
    watcher: Watcher = lambda _phase, _tried: None,
) -> Judgement:
    """Run a file of vectors, or those of a directory, on a subject, and report as `conform` does.

    Skipped are vectors of other kinds of window, over aggregations that the subject does not name (or that are not
    among `monoids`, if given), with an operation that it lacks, and with sums that need wider numbers than it has; the
    sentence counts the last.  If the `budget` in seconds does not suffice for all the others, the verdict is unknown.
    Raises InputError if none is left, or a file is broken.
    """
    usable: list[tuple[Domain, Vector]] = []
    wider = 0
    for _, vectors in read_all(place, subject.window):
        wanted = vectors.monoid in monoids if monoids else subject.monoids is None or vectors.monoid in subject.monoids
        if vectors.window == subject.window and wanted:
            domain = subject.over(domain_of(vectors.monoid))
            offered = [each for each in vectors.vectors if all(step.name in subject.methods for step in each.steps)]
            fitting = [each for each in offered if subject.takes(each.steps, domain)]
            wider += len(offered) - len(fitting)
            usable += [(domain, each) for each in fitting]
    if not usable:
        over = ", ".join(monoids or subject.monoids or ("any aggregation",))
        raise InputError(f"--vectors {place}: none for a {subject.window} window over {over}")
    attempts = (
        Attempt(domain, f"vector {vector.id} ({', '.join(vector.flags)})", vector.steps) for domain, vector in usable
    )
    report = judge(
        subject,
        list({domain.name: domain for domain, _ in usable}.values()),
        seed=seed,
        budget=budget,
        timeout=timeout,
        more=more,
        watcher=watcher,
        plan=lambda: [Phase("vectors", 1.0, attempts)],
    )
    if report.verdict.outcome != "conforms":
        return report
    without = f"; {wider:,} need wider numbers than it computes with, see --numbers" if wider else ""
    sentence = f"on all {len(usable):,} vectors it agrees with the reference{without}"
    return replace(report, verdict=Verdict("conforms", sentence))
