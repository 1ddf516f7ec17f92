"""Every reference algorithm, with the class under contracts and the contracts: one column of the house each."""

from dataclasses import dataclass
from typing import Any, Final

from swagproof.contracts import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.reference.daba import CheckedDaba, Daba
from swagproof.reference.daba_lite import CheckedDabaLite, DabaLite
from swagproof.reference.recalculate import CheckedRecalculate, Recalculate
from swagproof.reference.subtract_on_evict import CheckedSubtractOnEvict, SubtractOnEvict
from swagproof.reference.two_stacks import CheckedTwoStacks, TwoStacks
from swagproof.reference.two_stacks_lite import CheckedTwoStacksLite, TwoStacksLite


@dataclass(frozen=True)
class Column:
    """An algorithm through the house."""

    name: str
    algorithm: type[Any]
    """The literal transcription, run as it is."""
    checked: type[Any]
    """The same under its contracts."""
    contract: Any
    """The module of its contracts."""

    @property
    def subtracts(self) -> bool:
        """Whether it asks for an operation with `remove`."""
        return self.algorithm is SubtractOnEvict


TWO_STACKS: Final = Column("Two-Stacks", TwoStacks, CheckedTwoStacks, two_stacks)
TWO_STACKS_LITE: Final = Column("Two-Stacks Lite", TwoStacksLite, CheckedTwoStacksLite, two_stacks_lite)
DABA: Final = Column("DABA", Daba, CheckedDaba, daba)
DABA_LITE: Final = Column("DABA Lite", DabaLite, CheckedDabaLite, daba_lite)
RECALCULATE: Final = Column("Recalculate-from-scratch", Recalculate, CheckedRecalculate, recalculate)
SUBTRACT_ON_EVICT: Final = Column("Subtract-on-evict", SubtractOnEvict, CheckedSubtractOnEvict, subtract_on_evict)

FIFO: Final = (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE, RECALCULATE, SUBTRACT_ON_EVICT)
