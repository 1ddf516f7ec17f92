"""The arithmetic of windows in time and by count, proved for all integers by running its own code symbolically.

The code of `swagproof.reference.windows.windowing.Windowing` (or a mutant of it) is compared with the inequalities of
`swagproof.models.windows`.  An aligned end is origin + k * slide, with k an arbitrary integer.  Times that are
Fractions are integers in a small enough unit, so the theorems hold for them, too.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.windows.window import Closed, Count, Time, Window, bounds, is_inside, is_over
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.operations.division import Multiples, Whole
from swagproof.reference.windows.windowing import Windowing

CLOSED: Final[tuple[Closed, ...]] = ("left", "right", "both")


class WindowCase:
    """A windowing library of unknown range, slide and origin, an unknown time, and an arbitrary aligned end."""

    def __init__(self, path: Path, closed: Closed, mutant: Mutant | None, *, by_count: bool = False) -> None:
        self.path = path
        self.windowing: Any = object.__new__(Windowing if mutant is None else mutant.of(Windowing))
        multiples = Multiples()
        self.t, self.origin, self.range, self.slide = (
            Whole(path.fresh(name), path, multiples) for name in ("t", "origin", "range", "slide")
        )
        path.assume(z3.And(self.range.term > 0, self.slide.term > 0))
        self.window: Any = object.__new__(Window)
        fields = {
            "range": _measure(Count if by_count else Time, self.range),
            "slide": _measure(Count if by_count else Time, self.slide),
            "origin": self.origin,
            "closed": closed,
            "idle": None,
            "late": "refuse",
        }
        for name, value in fields.items():
            object.__setattr__(self.window, name, value)
        self.windowing.window = self.window
        path.example = lambda model: ", ".join(
            f"{name} = {model.eval(value.term, model_completion=True)}"
            for name, value in (("t", self.t), ("range", self.range), ("slide", self.slide), ("origin", self.origin))
        )

    def aligned(self) -> SymbolicInt:
        """An arbitrary time at which the slide may trigger."""
        end: SymbolicInt = self.origin + SymbolicInt(self.path.fresh("k")) * self.slide
        return end

    def show(self, obligation: str, claim: Callable[[], Any]) -> None:
        """State a Python predicate over the unknowns as an obligation."""
        self.path.show(obligation, formula(claim))

    def suppose(self, fact: Callable[[], Any]) -> None:
        """Assume a fact on this path."""
        self.path.assume(formula(fact))


def _measure(kind: type[Any], amount: Any) -> Any:
    measure = object.__new__(kind)
    object.__setattr__(measure, "n" if kind is Count else "span", amount)
    return measure


def _least_end(case: WindowCase) -> SymbolicInt:
    """Return the next end, after showing its properties."""
    end = case.windowing.next_end(case.t)
    other = case.aligned()
    case.show("the end is aligned", lambda: (end - case.origin) % case.slide == 0)
    case.show("the end has not passed", lambda: not is_over(case.window, end, case.t))
    case.show("the end before it has", lambda: is_over(case.window, end - case.slide, case.t))
    case.show("no aligned end before it has not", lambda: other >= end or is_over(case.window, other, case.t))
    return end  # type: ignore[no-any-return]  # of a mutant's method


def _expires(case: WindowCase) -> None:
    end = SymbolicInt(case.path.fresh("end"))
    later = SymbolicInt(case.path.fresh("later"))
    case.suppose(lambda: not is_over(case.window, end, case.t) and later >= end)
    gone = bool(case.windowing.expired(case.t, end))
    held = is_inside(case.window, case.t, end - case.range, end)
    case.path.show("held just where it has not expired", z3.BoolVal(held != gone))
    if gone:
        case.show("expired for good", lambda: not is_inside(case.window, case.t, later - case.range, later))


def _skips(case: WindowCase) -> None:
    end, other = _least_end(case), case.aligned()
    case.show("lemma: of two aligned ends", lambda: other >= end or is_over(case.window, other, case.t))
    if case.windowing.expired(case.t, end):
        case.show("no window holds it", lambda: not is_inside(case.window, case.t, other - case.range, other))


def _tumbles(case: WindowCase) -> None:
    case.suppose(lambda: case.range == case.slide)
    end, k = case.windowing.next_end(case.t), SymbolicInt(case.path.fresh("k"))
    other = end + k * case.slide
    case.show("the next window holds it", lambda: is_inside(case.window, case.t, end - case.range, end))
    case.show("no other window does", lambda: k == 0 or not is_inside(case.window, case.t, other - case.range, other))


def _overlaps(case: WindowCase) -> None:
    whole = SymbolicInt(case.path.fresh("whole"))
    i = SymbolicInt(case.path.fresh("i"))
    case.suppose(lambda: case.range == whole * case.slide and i >= 0)
    end = case.windowing.next_end(case.t)
    case.show("the next end is less than a slide ahead", lambda: end - case.slide <= case.t and case.t <= end)
    case.show("products grow", lambda: i >= whole or i * case.slide <= (whole - 1) * case.slide)
    case.show("products do not fall", lambda: i < whole or i * case.slide >= whole * case.slide)
    it = end + i * case.slide
    case.show(
        "in the next range / slide windows", lambda: i >= whole or is_inside(case.window, case.t, it - case.range, it)
    )
    case.show("and in no later one", lambda: i < whole or not is_inside(case.window, case.t, it - case.range, it))


def _numbers(case: WindowCase) -> None:
    case.suppose(lambda: case.origin >= 1 and case.t >= 1)
    k = SymbolicInt(case.path.fresh("k"))
    number = case.windowing.next_number(case.t)
    passed = (case.origin - case.t) // case.slide
    case.slide.multiples.note(case.slide.term, (-passed).term)  # number - origin is a multiple of the slide
    case.show("not before the element", lambda: number >= case.t)
    case.show("it triggers", lambda: number >= case.origin and (number - case.origin) % case.slide == 0)
    other = case.origin + k * case.slide
    case.suppose(lambda: k >= 0)
    case.show("none before it does", lambda: other < case.t or other >= number)


Statement = tuple[tuple[Closed, ...], Callable[[WindowCase], None], bool]
"""The ways to close the ends, the statement for each, and True if windows are by count."""

ONE_END: Final[tuple[Closed, ...]] = ("left", "right")
ENDS: Final[tuple[Statement, ...]] = (
    (CLOSED, _skips, False),
    (CLOSED, _expires, False),
    (("right",), _numbers, True),
)
"""Statements about the next end, the expired elements, the skipped elements, and the next number."""
TUMBLING: Final[tuple[Statement, ...]] = ((ONE_END, _tumbles, False), (ONE_END, _overlaps, False))
"""Statements about the number of windows that an element is in."""
TUMBLING_WITH_BOTH_ENDS: Final[tuple[Statement, ...]] = ((("both",), _tumbles, False),)
"""The statement as printed in section 2.1, which does not hold (erratum WIN-1)."""


def prove(statements: Sequence[Statement], mutant: Mutant | None = None) -> Outcome:
    """Prove statements about the reference, or refute them for a mutant."""
    report = Exploration()
    for closings, statement, by_count in statements:
        for closed in closings:
            report.merge(explore(partial(_run, statement, closed, mutant, by_count)))
    return conclude(report)


def _run(
    statement: Callable[[WindowCase], None], closed: Closed, mutant: Mutant | None, by_count: bool, path: Path
) -> None:
    statement(WindowCase(path, closed, mutant, by_count=by_count))


Bounds = Callable[[Any, Any, Any], tuple[Any, Any]]


def cql_bounds(of: Bounds = bounds) -> Outcome:
    """Prove that tau_e is the last end aligned to range and not after tau, and that it lags by less than a slide."""

    def statement(path: Path) -> None:
        case = WindowCase(path, "both", None)
        tau_b, tau_e = of(case.t, case.range, case.slide)
        case.show("the window is as long as its range", lambda: tau_e - tau_b == case.range)
        case.show("it begins at a multiple of the slide", lambda: tau_b % case.slide == 0)
        case.show("it never reaches beyond tau", lambda: tau_e <= case.t)
        case.show("it lags by less than a slide", lambda: case.t - tau_e < case.slide)
        k = SymbolicInt(path.fresh("k"))
        other = case.range + k * case.slide
        case.show("it is the last that has ended", lambda: other > case.t or other <= tau_e)
        case.show("before tau = range it begins below 0", lambda: case.t >= case.range or tau_b < 0)

    return conclude(explore(statement))


def bounds_rounded_up(tau: Any, range: Any, slide: Any) -> tuple[Any, Any]:
    """A mutant: section 2.1 with a ceiling in place of the floor."""
    tau_b = tau - range - (tau - range) % slide + slide
    return tau_b, tau_b + range


def bounds_at_tau(tau: Any, range: Any, slide: Any) -> tuple[Any, Any]:
    """A mutant: section 2.1 with the slide applied to the end."""
    tau_e = tau // slide * slide
    return tau_e - range, tau_e
