"""Bounded histories of mutants, which CrossHair must refute: see `swagproof.proofs.operations.history_laws`.

There is a law for each mutant whose table names the claim (`daba/histories`).  A mutant whose answers stay correct is
played under contracts.  Mutants are made when the module is imported, because CrossHair cannot run the code that makes
them.  No other module imports this one, so a reference that lacks a mutant's text can still be proved.
"""

from swagproof.contracts.visible import enforced
from swagproof.proofs.ledger.mutants import Mutant, controls_of
from swagproof.proofs.operations.history_laws import (
    PLAYED,
    TIMED_STEP,
    Law,
    Played,
    make_law,
    name_law,
    play_at_times,
)


def _of_mutant(played: Played, mutant: Mutant) -> Law:
    algorithm = played.column.algorithm
    if mutant.name in played.shown_at_times:
        return make_law(mutant.of(algorithm), play_at_times, played.times, TIMED_STEP)
    if mutant.hidden:
        made = mutant.checked(algorithm, enforced(played.column.checked))
        return make_law(made, played.play, played.checked, played.step)
    return make_law(mutant.of(algorithm), played.play, played.longest, played.step)


for _played in PLAYED.values():
    for _mutant in controls_of(f"{_played.column.slug}/histories"):
        globals()[name_law(_played.name, _mutant.name)] = _of_mutant(_played, _mutant)
