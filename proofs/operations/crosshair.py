"""Checks of laws by CrossHair, whose counterexamples are replayed.

CrossHair runs a function on symbolic arguments, path by path.  It runs in a process of its own, with the linear-time
contracts on, which this process starts once and ends.  A counterexample counts only if the function fails on it in
plain Python: CrossHair reports spurious ones, on tuples of any length and on strings.  A call that does not fail in
this process is replayed in the other.

A law is a module's function with a PEP 316 contract `post: _`, and `pre:` lines if needed, which returns whether it
holds.  See `swagproof.proofs.operations.laws`.
"""

import ast
import importlib
import inspect
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias

from crosshair.condition_parser import Conditions, Pep316Parser
from crosshair.fnutil import FunctionInfo

from swagproof.proofs.explorer.workers import Worker
from swagproof.proofs.ledger import claim

Outcome: TypeAlias = Literal["confirmed", "not confirmed", "refuted", "unmet precondition", "error"]

GRAVITY: Final[tuple[Outcome, ...]] = ("confirmed", "not confirmed", "unmet precondition", "refuted", "error")
"""Outcomes from good to bad; of several for one law, the worst is reported."""


@dataclass(frozen=True)
class CrossHairResult:
    """CrossHair's result for one law."""

    target: str
    """The law's dotted name."""
    outcome: Outcome
    """The outcome.  `refuted` requires a counterexample that fails in the replay; other problems are an `error`."""
    message: str
    """CrossHair's message, and the result of replaying a counterexample."""
    seconds: float
    """The wall time."""


class TargetError(ValueError):
    """An exception for a target that is not a law: it does not exist, or its contract is not of the form `post: _`."""


class Law:
    """A function with a contract.  Raises TargetError for anything else."""

    def __init__(self, target: str) -> None:
        module, _, name = target.rpartition(".")
        try:
            loaded = importlib.import_module(module)
        except (ImportError, ValueError) as error:
            raise TargetError(f"{target}: {error}") from error
        conditions = _conditions(loaded, name)
        if conditions is None:
            raise TargetError(f"{target} is no function with a contract")
        if [post.expr_source.strip() for post in conditions.post] not in (["_"], ["__return__"]):
            raise TargetError(f"{target}: the contract of a law is `post: _`")
        self.target = target
        self.function: Callable[..., object] = vars(loaded)[name]
        self.conditions = conditions

    def fails_on(self, call: str) -> str | None:
        """Return the failure of the law when called as in this text, e.g. `law(0, (1, None))`; None if it holds.

        Only literals are read from the text, never expressions.  Raises ValueError for others, and for arguments that
        do not meet the precondition.
        """
        arguments = inspect.signature(self.function).bind(*literals(call))
        for pre in self.conditions.pre:
            if pre.evaluate is None or not pre.evaluate({**self.function.__globals__, **arguments.arguments}):
                raise ValueError(f"the precondition {pre.expr_source.strip()} is not met")
        try:
            held = self.function(*arguments.args)
        except Exception as error:  # any exception of a law refutes it
            return f"raises {error!r}"
        return None if held else f"gives {held!r}"


def _conditions(module: ModuleType, name: str) -> Conditions | None:
    member = vars(module).get(name)
    if not inspect.isfunction(member):
        return None
    conditions = Pep316Parser().get_fn_conditions(FunctionInfo.from_module(module, name))
    return conditions if conditions is not None and conditions.has_any() else None


def literals(call: str) -> list[Any]:
    """Return the arguments of a call, given as text.  Raises ValueError unless they are literals.

    CrossHair names a value that occurs twice (`v1:=`), and writes NaN and infinity as calls of float.

    >>> literals("law(v1:=(), v1, -2, {'a': None}, float('inf'))")
    [(), (), -2, {'a': None}, inf]
    """
    try:
        tree = ast.parse(call, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{call} is no call") from error
    if not isinstance(tree, ast.Call) or tree.keywords:
        raise ValueError(f"{call} is no call with plain arguments")
    named: dict[str, Any] = {}

    def value(node: ast.expr) -> Any:
        match node:
            case ast.NamedExpr(target=ast.Name(id=name), value=of):
                named[name] = value(of)
                return named[name]
            case ast.Name(id=name) if name in named:
                return named[name]
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
                return float(text)
            case ast.Tuple(elts=nodes):
                return tuple(value(each) for each in nodes)
            case ast.List(elts=nodes):
                return [value(each) for each in nodes]
            case _:
                return ast.literal_eval(node)

    return [value(argument) for argument in tree.args]


_CALL: Final = re.compile(r"when calling (?P<call>.*?\))(?: \(which returns .*\))?$", re.DOTALL)
_INFORMED: Final[Mapping[str, Outcome]] = {
    "CONFIRMED": "confirmed",
    "CANNOT_CONFIRM": "not confirmed",
    "PRE_UNSAT": "unmet precondition",
}
"""CrossHair's states of a law without a counterexample."""


def judge(law: Law, state: str, text: str) -> tuple[Outcome, str]:
    """Return the outcome of one message of CrossHair, and its text with the result of a replay."""
    if state in _INFORMED:
        return _INFORMED[state], text
    found = _CALL.search(text)
    if found is None:
        return "error", text
    call = found["call"]
    try:
        failure = law.fails_on(call) or WORKER.run(_replay, law.target, call, limit=60)
    except (ValueError, TypeError) as error:
        return "not confirmed", f"{text}; this counterexample cannot be replayed: {error}"
    if failure is None:
        return "not confirmed", f"{text}; spurious: the law holds when it is called so"
    return "refuted", f"{call} {failure}"


def _replay(target: str, call: str) -> str | None:
    return Law(target).fails_on(call)


WORKER: Final = Worker(full=True)
"""The process in which CrossHair runs."""


def analyse(target: str, per_condition_timeout: float) -> list[tuple[str, str]]:
    """Run CrossHair on a law in this process, and return its messages as (state, text)."""
    # CrossHair switches icontract's checks off in the process that imports these
    from crosshair.core_and_libs import analyze_function, run_checkables
    from crosshair.options import AnalysisKind, AnalysisOptionSet

    options = AnalysisOptionSet(
        analysis_kind=[AnalysisKind.PEP316],
        report_all=True,
        per_condition_timeout=per_condition_timeout,
        per_path_timeout=per_condition_timeout / 3,
    )
    module, _, name = target.rpartition(".")
    law = FunctionInfo.from_module(importlib.import_module(module), name)
    return [(each.state.name, each.message) for each in run_checkables(analyze_function(law, options))]


def check(targets: Sequence[str], *, per_condition_timeout: float = 10.0) -> list[CrossHairResult]:
    """Check these laws (dotted names) with CrossHair, and return the results in their order.

    It takes at most `per_condition_timeout` seconds of processor time for each law.  Its process is killed if it
    exceeds three times that by the clock, or when this process is interrupted.  Raises TargetError.
    """
    asked = [Law(target) for target in targets]

    def result(law: Law) -> CrossHairResult:
        begun = time.monotonic()
        try:
            messages = WORKER.run(analyse, law.target, per_condition_timeout, limit=30 + 3 * per_condition_timeout)
            told = [judge(law, *message) for message in messages]
        except Exception as error:  # of CrossHair, or the end of its process
            told = [("error", f"{type(error).__name__}: {error}")]
        silence: tuple[Outcome, str] = "error", "CrossHair said nothing about this law"
        outcome, message = max(told or [silence], key=lambda verdict: GRAVITY.index(verdict[0]))
        return CrossHairResult(law.target, outcome, message, time.monotonic() - begun)

    return [result(law) for law in asked]


def conclude(results: Sequence[CrossHairResult]) -> claim.Outcome:
    """Return the outcome of a claim about these laws, which holds only if CrossHair confirmed all over all paths."""
    if not results:
        return claim.Outcome("unknown", "no law of that kind")
    refuted = [result.message for result in results if result.outcome == "refuted"]
    others = [
        f"{result.target.rpartition('.')[2]}: {result.message}"
        for result in results
        if result.outcome not in ("confirmed", "refuted")
    ]
    verdict: claim.Verdict = "fails" if refuted else "unknown" if others else "holds"
    said = "; ".join(refuted + others) or f"{len(results)} laws confirmed over all paths"
    seconds = {"crosshair_seconds": round(sum(result.seconds for result in results), 1)}
    return claim.Outcome(verdict, said, seconds, "confirmation")
