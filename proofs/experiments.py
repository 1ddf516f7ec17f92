"""Every cost experiment, in the order in which they are printed."""

from collections.abc import Sequence
from typing import Final

from swagproof.proofs.costs.curves import Experiment
from swagproof.proofs.flat_trees import buffer_curves
from swagproof.proofs.sharing import savings as sharing_cost
from swagproof.proofs.slicing import comparison as slicing_cost
from swagproof.proofs.trees import finger_curves as tree_curves

HISTORIES: Final = "histories"
"""The name of the in-order algorithms' experiment over several kinds of history."""

EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    *tree_curves.EXPERIMENTS,
    *buffer_curves.EXPERIMENTS,
    *slicing_cost.EXPERIMENTS,
    *sharing_cost.EXPERIMENTS,
)


def find(names: Sequence[str]) -> tuple[bool, list[Experiment]]:
    """Return whether the histories are selected, and the experiments with these ids or first parts; all for no name.

    Raises KeyError that lists the valid names.
    """
    known = [HISTORIES, *(experiment.id for experiment in EXPERIMENTS)]
    for name in set(names).difference(known, (id.partition("/")[0] for id in known)):
        raise KeyError(f"no experiment {name!r}; give one of {', '.join(known)}")
    chosen = [e for e in EXPERIMENTS if not names or e.id in names or e.id.partition("/")[0] in names]
    return not names or HISTORIES in names, chosen
