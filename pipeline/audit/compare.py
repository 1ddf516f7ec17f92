"""Results that are due beside results that are there: what is missing, extra, wrong, twice, or right but for the late.

| kind | when |
|---|---|
| `missing` | a result is due and none is there |
| `extra` | a result is there and none is due |
| `wrong` | the result for a window is another than the one that is due |
| `duplicate` | a window has more results than one (of one version; that stand after retractions) |
| `late-differing` | one of the first three, but right if late events were treated in another way than the policy says |

Both sides meet in a full outer join on key and window, null-safe.  What agrees to the letter, or lies between two
floats, goes no further than the JVM; the rest is judged in Python by `swagproof.pipeline.audit.rules`.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Sliding, WindowSpec
from swagproof.models.windows.lateness import slack
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind
from swagproof.pipeline.batches import Batch, make_batch, names_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

FindingKind: TypeAlias = Literal["missing", "extra", "wrong", "duplicate", "late-differing"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = ("missing", "extra", "wrong", "duplicate", "late-differing")

FOUND: Final = (
    "kind string, key string, a bigint, b bigint, expected string, low double, high double, got string, number double, "
    "copies bigint, n bigint, n_other bigint, role string, "
    "from_time bigint, from_arrival bigint, to_time bigint, to_arrival bigint, closes bigint, bad string, "
    "choices string, version bigint"
)
"""The columns of a finding before it is told: n events are due, n_other where late ones were treated as `role` says;
kind is `bad` or `tied` for an event that could not be used, and `undecided` where the watermark leaves it open whether
the result is right: it is one of its choices; `empty` for one of nothing, and `excused` for one that is off by no more
than the way in which the job sums allows.  closes: when the watermark has passed the window.  version: which of
several is wrong."""

_OTHERS: Final = ("all", "on-time")


Empty: TypeAlias = Literal["absent", "null", "zero", "any"]
"""What a job writes for a window without a value: no row, and NULL where it has events, as SQL does; NULL (or NaN); 0;
any of these."""

_ZERO: Final = re.compile(r"[+-]?0+(\.0*)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Judge:
    """All that a worker needs to judge a pair of results."""

    aggregation: Aggregation
    kind: Kind
    sparse: bool
    """Whether other roles are given only where they differ from the policy's."""
    roles: tuple[str, ...]
    """Which other roles there are."""
    empty: Empty = "absent"
    window: WindowSpec | None = None
    """For which windows a result of nothing may be."""

    def is_empty(self, it: dict[str, Any], *, a: Any = None, b: Any = None) -> bool:
        """Whether a result says, as the job says it, that there is no value; in this window, where it is named."""
        if (
            isinstance(self.window, Sliding | Calendar)
            and (a is not None or b is not None)
            and not self.window.has(a, b)
        ):
            return False
        number, got = it["number"], it["got"]
        null = got is None and (number is None or number != number)
        zero = number == 0 or (number is None and got is not None and _ZERO.fullmatch(got) is not None)
        return (null and self.empty in ("null", "any")) or (zero and self.empty in ("zero", "any"))


def group_by_window(results: "DataFrame", *, versioned: bool, retractions: bool) -> "DataFrame":
    """One row a key and window: how many results, and the one that stands, or the least and the greatest of several.

    `history`: where more than one was ever said, the JSON list of them, by version where there are versions.
    """
    from pyspark.sql import functions as F

    it = F.struct("got", "number")
    keys = ("key", "a", "b")
    unsaid = F.lit(None).cast("struct<got: string, number: double>")
    no_history = F.lit(None).cast("string").alias("history")

    def history(rows: "Column", several: "Column") -> "Column":
        said = F.to_json(F.array_sort(F.collect_list(rows)), {"ignoreNullFields": "false"})
        return F.when(several, said).alias("history")

    if retractions:
        number = F.when(~F.col("retraction"), F.col("version"))
        net = results.groupBy(*keys, "got", "number").agg(
            F.sum(F.when(F.col("retraction"), -1).otherwise(1)).alias("net"),
            F.min(number).alias("version"),
            F.count(F.when(~F.col("retraction"), True)).alias("times"),
        )
        said = F.when(F.col("times") > 0, F.struct("version", "got", "number"))
        return net.groupBy(*keys).agg(
            F.coalesce(F.sum(F.when(F.col("net") > 0, F.col("net"))), F.lit(0)).alias("copies_got"),
            F.min(F.when(F.col("net") > 0, it)).alias("least"),
            F.max(F.when(F.col("net") > 0, it)).alias("most"),
            F.min(F.when(F.col("net") < 0, it)).alias("unsaid"),
            history(said, F.count(said) > 1),
        )  # fmt: skip
    if versioned:
        return results.groupBy(*keys).agg(
            (F.count(F.lit(1)) - F.count_distinct("version") + 1).alias("copies_got"),
            F.max_by(it, "version").alias("least"),
            F.max_by(it, "version").alias("most"),
            unsaid.alias("unsaid"),
            history(F.struct("version", "got", "number"), F.count_distinct("version") > 1),
        )
    return results.groupBy(*keys).agg(
        F.count(F.lit(1)).alias("copies_got"),
        F.min(it).alias("least"),
        F.max(it).alias("most"),
        unsaid.alias("unsaid"),
        no_history,
    )


def join_sides(expected: "DataFrame", results: "DataFrame", on: tuple[str, ...]) -> "DataFrame":
    """Every result that is due with what is there for it, and what is there alone.

    Only the policy's results meet others; what else `expected` holds comes through alone.
    """
    from pyspark.sql import functions as F

    e, r = expected.alias("e"), results.alias("r")
    same: Column = F.when(F.col("e.role") == "policy", F.col("e.key")) == F.col("r.key")
    for name in on:
        same = same & F.col(f"e.{name}").eqNullSafe(F.col(f"r.{name}"))
    both = e.join(r, same, "full_outer")
    shared = [F.coalesce(F.col(f"e.{name}"), F.col(f"r.{name}")).alias(name) for name in ("key", "a", "b")]
    ours = [F.col(f"e.{name}") for name in expected.columns if name not in ("key", "a", "b")]
    theirs = [F.col(f"r.{name}") for name in ("copies_got", "least", "most", "unsaid", "history")]
    return both.select(*shared, *ours, *theirs)


def agrees_at_once() -> "Column":
    """Whether a pair agrees beyond doubt: one result, and the same to the letter or between the two floats."""
    from pyspark.sql import functions as F

    number = F.col("least.number")
    same = F.col("least.got").eqNullSafe(F.col("expected")) | F.coalesce(
        (number >= F.col("low")) & (number <= F.col("high")), F.lit(False)
    )
    once = (F.col("copies_got") == 1) | (F.col("copies_got") == F.col("copies"))
    several = F.col("unsaid").isNotNull() | F.col("history").isNotNull() | F.col("choices").isNotNull()
    whole = ~several & F.col("least").eqNullSafe(F.col("most"))
    return F.coalesce((F.col("role") == "policy") & F.col("copies_got").isNotNull() & once & whole & same, F.lit(False))


def add_others(pairs: "DataFrame", judge: Judge) -> "DataFrame":
    """What does not agree at once, with what would be due if late events were treated in another way."""
    from pyspark.sql import functions as F

    found = pairs.where(F.col("role").isNull() | ~F.col("role").isin(*_OTHERS))
    for i, role in enumerate(_OTHERS):
        names = ("expected", "low", "high", "n")
        if role not in judge.roles:
            there = F.lit(None).cast("boolean").alias(f"there{i}")
            types = ("string", "double", "double", "bigint")
            found = found.select(
                "*", there, *[F.lit(None).cast(t).alias(f"{n}{i}") for n, t in zip(names, types, strict=True)]
            )
            continue
        other = pairs.where(F.col("role") == role).select(
            *[F.col(name).alias(f"{name}_o") for name in ("key", "a", "b")],
            F.lit(True).alias(f"there{i}"),
            *[F.col(name).alias(f"{name}{i}") for name in names],
        )
        same = F.col("key") == F.col("key_o")
        for name in ("a", "b"):
            same = same & F.col(name).eqNullSafe(F.col(f"{name}_o"))
        found = found.join(other, same, "left").drop("key_o", "a_o", "b_o")
    return found


def closing_time(window: WindowSpec) -> "Column":
    """When the watermark has passed a window that is due: at this time."""
    from pyspark.sql import functions as F

    match window:
        case Frame(unit, _, end):
            return F.col("a") + F.lit(1 + ((end or 0) if unit == "range" else 0))
        case Counted():
            return F.col("to_time") + F.lit(1)
        case _:
            return F.col("b") + F.lit(slack(window))


def make_mapper(judge: Judge) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """The mapper: pairs that did not agree at once to findings, as `FOUND` has them."""
    names = names_of(FOUND)

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            faults = [fault for pair in batch.to_pylist() for fault in find_faults(judge, pair)]
            yield make_batch(FOUND, [[fault.get(name) for name in names] for fault in faults])

    return mapper


def find_faults(judge: Judge, pair: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is wrong about a pair: no finding, one, or more where a window has several results and wrong ones."""
    if pair["role"] in ("bad", "tie"):
        yield {**pair, "kind": "bad" if pair["role"] == "bad" else "tied"}
        return
    copies: int = pair["copies_got"] or 0
    choices = _read_answers(pair["choices"])
    if pair["unsaid"] is not None:
        yield {**pair, **_result(pair["unsaid"]), "kind": "wrong", "role": "retraction"}
    yield from _find_wrong_versions(judge, pair, choices)
    if not copies:
        if pair["role"] is not None:
            undecided = None in choices
            if pair["expected"] is None and pair["n"] is not None and judge.empty == "any":
                yield {**pair, "got": None, "number": None, "kind": "empty", "role": None}
            else:
                yield {**pair, "got": None, **(_undecided(0) if undecided else _explain_missing(judge, pair))}
        return
    least, most = pair["least"], pair["most"]
    told = {**pair, **_result(least), "copies": copies}
    if pair["role"] is None:
        empty = copies == 1 and judge.is_empty(least, a=pair["a"], b=pair["b"])
        yield {**told, "kind": "empty"} if empty else {**told, **_explain_unexpected(judge, pair, least, "extra")}
        return
    if copies == 1 and pair["expected"] is None and not choices and judge.is_empty(least):
        if not _agrees(judge, _due(pair, ""), least):
            yield {**told, "kind": "empty", "role": None}
        return
    right = [choice for choice in choices if choice is not None] or [_due(pair, "")]
    wrong = next((it for it in (least, most) if not any(_agrees(judge, due, it) for due in right)), None)
    if wrong is not None and judge.aggregation.is_excused(_due(pair, ""), wrong["number"]):
        yield {**told, **_result(wrong), "kind": "excused", "role": None}
    elif wrong is not None:
        yield {**told, **_result(wrong), **_explain_unexpected(judge, pair, wrong, "wrong")}
    elif choices:
        yield {**told, **_undecided(copies)}
    allowed: int = pair["copies"]
    if copies > allowed:
        yield {**told, "kind": "duplicate", "role": None}
    elif 1 < copies < allowed:
        yield {**told, "kind": "missing", "role": None}


def _find_wrong_versions(judge: Judge, pair: dict[str, Any], choices: list[Answer | None]) -> Iterator[dict[str, Any]]:
    """Versions before the last that no events which had come by then give, those that they give in another order too.

    Where nothing tells their order, each has to be one of those that may come.
    """
    if pair["history"] is None or pair["role"] is None:
        return
    due = [*_read_answers(pair["versions"]), *(choices or [_due(pair, "")])]
    at = 0
    said: list[dict[str, Any]] = json.loads(pair["history"])
    ordered = all(version["version"] is not None for version in said)
    last = said[-1]["version"]
    for version in said:
        number = version["number"]
        it = {"got": version["got"], "number": None if number is None else float(number)}
        if ordered and version["version"] == last:
            break  # it is judged as the result that stands
        first = at if ordered else 0
        fits = (i for i in range(first, len(due)) if (one := due[i]) is not None and _agrees(judge, one, it))
        found = next(fits, None)
        if found is None:
            yield {**pair, **_result(it), "kind": "wrong", "role": "version", "version": version["version"]}
        else:
            at = found


def _undecided(copies: int) -> dict[str, Any]:
    return {"kind": "undecided", "role": None, "number": None, "copies": copies}


def _read_answers(text: str | None) -> list[Answer | None]:
    return [] if text is None else [None if one is None else Answer(*one) for one in json.loads(text)]


def _result(it: dict[str, Any]) -> dict[str, Any]:
    return {"got": it["got"], "number": it["number"]}


def _due(pair: dict[str, Any], suffix: str) -> Answer:
    slack = pair.get("slack") if not suffix else None
    return Answer(pair[f"expected{suffix}"], pair[f"low{suffix}"], pair[f"high{suffix}"], slack or 0.0)


def _agrees(judge: Judge, due: Answer, it: dict[str, Any]) -> bool:
    return judge.aggregation.agrees(due, it["got"], it["number"], judge.kind)


def _explain_missing(judge: Judge, pair: dict[str, Any]) -> dict[str, Any]:
    """Missing; or nothing would be due if late events were treated in another way."""
    for i, role in enumerate(_OTHERS):
        if role in judge.roles:
            there = pair[f"there{i}"]
            absent = there and pair[f"n{i}"] is None if judge.sparse else not there
            if absent:
                return {"kind": "late-differing", "role": role, "n_other": 0, "number": None, "copies": 0}
    return {"kind": "missing", "role": None, "number": None, "copies": 0}


def _explain_unexpected(judge: Judge, pair: dict[str, Any], it: dict[str, Any], kind: FindingKind) -> dict[str, Any]:
    """Of this kind; or right if late events were treated in another way."""
    for i, role in enumerate(_OTHERS):
        if pair[f"there{i}"] and pair[f"n{i}"] is not None and _agrees(judge, _due(pair, str(i)), it):
            return {"kind": "late-differing", "role": role, "n_other": pair[f"n{i}"]}
    return {"kind": kind, "role": None}


def is_sparse(window: WindowSpec) -> bool:
    """Whether other roles than the policy's are given only where they differ (see `audit.expected`)."""
    return isinstance(window, Sliding | Calendar)
