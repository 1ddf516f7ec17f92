"""All of these faults, and those beside them."""

from typing import Final

from support.faults.planted import Plant
from support.faults.shared.aliased import ALIASED, BESIDE_ALIASED
from support.faults.shared.parted import BESIDE_PARTED, PARTED
from support.faults.shared.relapsed import BESIDE_RELAPSED, RELAPSED
from support.faults.shared.repeated import BESIDE_REPEATED, REPEATED
from support.faults.shared.tied import BESIDE_TIED, TIED
from support.faults.shared.usual import BESIDE_USUAL, NEAR_USUAL, USUAL
from support.faults.shared.vacant import BESIDE_VACANT, VACANT

SHARED: Final = (*REPEATED, *PARTED, *RELAPSED, *ALIASED, *TIED, *VACANT, *USUAL)
BESIDE_SHARED: Final[dict[str, Plant]] = (
    BESIDE_REPEATED | BESIDE_PARTED | BESIDE_RELAPSED | BESIDE_ALIASED | BESIDE_TIED | BESIDE_VACANT | BESIDE_USUAL
)
NEAR_SHARED: Final[dict[str, Plant]] = NEAR_USUAL
