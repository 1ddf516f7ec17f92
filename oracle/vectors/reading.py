"""Reading test vectors: held against their own ids, against the reference, and then against a subject.

A file that is broken is refused in one line that names file, line and field.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.domains.width import narrowest
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.plan import Watcher
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Trace, read_json
from swagproof.oracle.vectors.written import (
    SCHEMA,
    USUAL,
    Vector,
    Vectors,
    aggregation,
    answer_queries,
    identity_of,
    portable,
)
from swagproof.oracle.verdict import Verdict
from swagproof.oracle.window import TIMES, WINDOWS

_FIELDS: Final = ("format", "version", "window", "monoid", "seed", "aggregation", "encoding", "flags", "vectors")
_OF_A_VECTOR: Final = ("id", "flags", "comment", "operations", "answers")


def _object(data: Any) -> dict[str, Any]:
    return {**data} if isinstance(data, dict) else {}


def _same(one: Any, two: Any) -> bool:
    """Return whether two values are equal as JSON, where 1, 1.0 and true are three."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


def _complete(fields: dict[str, Any], names: Sequence[str], optional: Sequence[str], where: str) -> None:
    """Raise InputError unless these are the fields, and no others."""
    for name in names:
        if name not in fields:
            raise InputError(f"{where}: field {name}: it is missing")
    for name in fields:
        if name not in (*names, *optional):
            raise InputError(
                f"{where}: field {name}: there is no such field; expected {', '.join((*names, *optional))}"
            )


def _list(data: Any) -> list[Any] | None:
    return [*data] if isinstance(data, list) else None


def read(path: Path) -> Vectors:
    """Read a file of vectors and hold its answers against the reference.

    Raises InputError that names file, line and field.
    """
    text, data = read_json(path, twice="an object has the field {} twice")
    fields = _object(data)
    if fields.get("format") != "swagproof-vectors" or not _same(fields.get("version"), 1):
        raise InputError(f'{path}: fields format, version: expected "swagproof-vectors" and 1')
    window, monoid, seed = fields.get("window"), fields.get("monoid"), fields.get("seed")
    if not isinstance(window, str) or window not in KINDS:
        raise InputError(f"{path}: field window: {json.dumps(window)} is none of {', '.join(KINDS)}")
    if not isinstance(monoid, str):
        raise InputError(f"{path}: field monoid: expected a name, found {json.dumps(monoid)}")
    if type(seed) is not int or seed < 0:
        raise InputError(f"{path}: field seed: expected a whole number, found {json.dumps(seed)}")
    try:
        domain = domain_of(monoid)
    except InputError as error:
        raise InputError(f"{path}: field monoid: {str(error).removeprefix('--monoid ')}") from None
    vectors, flags = _list(fields.get("vectors")), fields.get("flags")
    if vectors is None:
        raise InputError(f"{path}: field vectors: expected a list")
    if not isinstance(flags, dict):
        raise InputError(f"{path}: field flags: expected an object that describes each flag")
    _complete(fields, _FIELDS, (), str(path))
    if not all(isinstance(line, str) for line in _list(fields["encoding"]) or (None,)):
        raise InputError(f"{path}: field encoding: expected a list of strings")
    for flag, told in _object(flags).items():
        if not all(isinstance(_object(told).get(name), str) for name in ("bug", "description")):
            raise InputError(f"{path}: field flags.{flag}: expected an object with the strings bug and description")
    stated, right = _object(fields["aggregation"]), aggregation(domain)
    for name in ("identity", "lifts", "combines"):
        if not _same(stated.get(name), right[name]):
            raise InputError(f"{path}: field aggregation.{name}: it differs from that of {monoid}")
    if not vectors:
        raise InputError(f"{path}: field vectors: it is empty")
    reader = _Reader(path, text, window, domain, frozenset(_object(flags)))
    found: dict[str, Vector] = {}
    for at, item in enumerate(vectors):
        vector = reader.vector(at, item)
        if vector.id in found:
            raise InputError(f"{path}: vectors[{at}].id: {vector.id} is also the id of an earlier vector")
        found[vector.id] = vector
    return Vectors(window, monoid, seed, tuple(found.values()))


@dataclass(frozen=True)
class _Reader:
    """Reads the vectors of one file."""

    path: Path
    text: str
    window: str
    domain: Domain
    flags: frozenset[str]

    def vector(self, at: int, item: Any) -> Vector:
        fields = _object(item)
        id = fields.get("id")
        if not isinstance(id, str):
            raise InputError(f"{self.path}: vectors[{at}].id: expected a string, found {json.dumps(id)}")
        where = f"{self.path}: line {self._line(id)}: vectors[{at}]"
        for name in ("flags", "operations", "answers"):
            if not isinstance(fields.get(name), list):
                raise InputError(f"{where}.{name}: expected a list, found {json.dumps(fields.get(name))}")
        if not isinstance(fields.get("comment"), str):
            raise InputError(f"{where}.comment: expected a string, found {json.dumps(fields.get('comment'))}")
        _complete(fields, _OF_A_VECTOR, ("within", "numbers"), where)
        if not fields["flags"] or not fields["operations"]:
            raise InputError(f"{where}.{'operations' if fields['flags'] else 'flags'}: it is empty")
        for flag in fields["flags"]:
            if not isinstance(flag, str) or flag not in self.flags:
                raise InputError(f"{where}.flags: {json.dumps(flag)} is none of those that the file describes")
        operations = [
            one for n, raw in enumerate(fields["operations"]) for one in self._each(raw, f"{where}.operations[{n}]")
        ]
        trace = Trace.from_json(
            {
                "format": "swagproof-trace",
                "version": 1,
                "window": self.window,
                "monoid": self.domain.name,
                "operations": operations,
            },
            where,
        )
        own = identity_of(self.window, self.domain.name, trace.steps)
        if id != own:
            raise InputError(f"{where}.id: {id} does not belong to these operations, whose id is {own}")
        within = self._compare(trace, fields["answers"], fields.get("within"), where)
        numbers = narrowest(self.domain.name, trace.steps, WINDOWS[self.window])
        if fields.get("numbers", numbers) != numbers:
            raise InputError(f"{where}.numbers: expected {json.dumps(numbers)}, found {json.dumps(fields['numbers'])}")
        flags, answers = tuple(fields["flags"]), tuple(fields["answers"])
        return Vector(id, flags, fields["comment"], trace.steps, answers, within, numbers)

    def _line(self, id: str) -> int:
        return self.text.count("\n", 0, max(0, self.text.find(json.dumps(id)))) + 1

    def _each(self, raw: Any, where: str) -> Iterator[list[Any]]:
        """The operations that an entry stands for."""
        if not isinstance(raw, dict):
            yield raw
            return
        fields = _object(raw)
        rounds, later, block = fields.get("repeat"), fields.get("later", 0), _list(fields.get("operations"))
        if type(rounds) is not int or not 1 <= rounds <= 10**6:
            raise InputError(
                f"{where}.repeat: expected a number of rounds from 1 to 1000000, found {json.dumps(rounds)}"
            )
        if type(later) is not int:
            raise InputError(f"{where}.later: expected a whole number, found {json.dumps(later)}")
        if not block or not all(_list(one) for one in block):
            raise InputError(f"{where}.operations: expected a list of operations")
        takes = WINDOWS[self.window].operations
        for number in range(rounds):
            for name, *arguments in block:
                kinds = takes.get(name, ()) if isinstance(name, str) else ()
                yield [
                    name,
                    *(
                        x + number * later if later and at < len(kinds) and kinds[at] in TIMES and type(x) is int else x
                        for at, x in enumerate(arguments)
                    ),
                ]

    def _compare(
        self, trace: Trace, answers: Sequence[Any], within: Any, where: str
    ) -> tuple[float | None, ...] | None:
        """Return how far the answers may be off, once they and that are known to be the reference's."""
        try:
            right = list(answer_queries(trace.steps, self.window, self.domain))
        except Exception as error:  # its elements may be none of the aggregation's
            raise InputError(f"{where}.operations: {self.domain.name} raised {type(error).__name__}: {error}") from None
        if len(answers) != len(right):
            raise InputError(f"{where}.answers: {len(answers)} answers to {len(right)} queries")
        for at, (given, (answer, _)) in enumerate(zip(answers, right, strict=True)):
            if not _same(given, portable(answer)):
                said = f"{json.dumps(given)}, but the reference answers {json.dumps(portable(answer))}"
                raise InputError(f"{where}.answers[{at}]: {said}")
        bounds = tuple(bound for _, bound in right)
        if not any(bound is not None for bound in bounds):
            if within is not None:
                raise InputError(f"{where}.within: answers over {self.domain.name} are exact here; leave it out")
            return None
        if not _same(within, list(bounds)):
            raise InputError(f"{where}.within: expected {json.dumps(list(bounds))[:200]}")
        return bounds


def read_all(place: Path, window: str = "") -> list[tuple[Path, Vectors]]:
    """Read a file of vectors, or those of a directory: all, or by their names those of one kind of window.

    Raises InputError as `read` does, or when there is none.
    """
    if not place.is_dir():
        return [(place, read(place))]
    paths = sorted((path for path in place.glob(f"{window}*.json") if path.name != SCHEMA), key=_place)
    if not paths:
        raise InputError(f"{place}: no files of vectors here; swagproof vectors {place} writes them")
    return [(path, read(path)) for path in paths]


def _place(path: Path) -> tuple[int, str]:
    """Those first that tell most."""
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

    Vectors of other kinds of window are left out, and so are those over aggregations that it does not name (or that are
    not among `monoids`, where some are given), those that use an operation that it lacks, and those whose sums need
    wider numbers than it computes with: the sentence counts the last.  When the seconds of `budget` do not suffice for
    all the others the verdict is unknown.  Raises InputError when none is left, or a file is broken.
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
