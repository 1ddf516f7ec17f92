"""The trees of the reference, recompiled to run over symbolic nodes."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from swagproof.contracts.clause import Loops
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.run import Runnable
from swagproof.proofs.engine.source.coverage import Condition
from swagproof.proofs.engine.source.methods import source_of
from swagproof.proofs.ledger.mutants import Mutant


@dataclass(frozen=True, eq=False)
class StandIn:
    """The symbolic environment in which a tree and its nodes are run."""

    methods: tuple[str, ...]
    """Methods to run unchanged, as `Class.method` for one class only; the others come from `node` and `tree`."""
    names: Mapping[str, Any]
    loops: Loops
    node: type[Any]
    """The base of the nodes."""
    tree: type[Any] = object


@lru_cache(maxsize=64)
def make_runnable(algorithm: type[Any], mutant: Mutant | None, over: StandIn) -> Runnable:
    """Return the tree and its nodes over symbolic values.  Raises ValueError if the mutant's old text is missing."""
    tree, nodes = (
        [cls for cls in made.__mro__ if cls.__module__.startswith("swagproof.reference")]
        for made in (algorithm, algorithm.Node)
    )
    members = {
        (cls, name): member
        for cls in (*reversed(nodes), *reversed(tree))
        for name, member in vars(cls).items()
        if {name, f"{cls.__name__}.{name}"}.intersection(over.methods)
    }
    sources = {key: source_of(getattr(member, "fget", member)) for key, member in members.items()}
    for edit in mutant.edits if mutant else ():
        places = [key for key, text in sources.items() if key[1] == edit.method and text.count(edit.old) == 1]
        if not places:
            raise ValueError(f"mutant {mutant.name if mutant else ''!r}: {edit.old!r} is not in {edit.method}, once")
        sources[places[-1]] = sources[places[-1]].replace(edit.old, edit.new)
    made: dict[Any, type[Any]] = {}
    for cls in (*reversed(nodes), *reversed(tree)):
        bases = tuple(made[base] for base in cls.__bases__ if base in made)
        made[cls] = type(cls.__name__, bases or (over.tree if cls in tree else over.node,), {})
    conditions: list[Condition] = []
    for (cls, name), member in members.items():
        function, text = getattr(member, "fget", member), sources[cls, name]
        known = {n: made[g] for n, g in function.__globals__.items() if inspect.isclass(g) and g in made}
        text = _name_base(text, cls)
        as_written = [n for n, loop in enumerate(over.loops.get(name, ())) if loop is None]
        method, noted = rewrite(function, {**over.names, **known}, source=text, as_written=as_written)
        setattr(made[cls], name, property(method) if isinstance(member, property) else method)
        conditions += noted
    made[algorithm].Node = made[algorithm.Node]
    return Runnable(made[algorithm], tuple(conditions))


def _name_base(text: str, cls: type) -> str:
    """Rewrite `super().split(node)` to `AugmentedTree.split(self, node)`, because each class has one base."""
    base = cls.__mro__[1].__name__
    return re.sub(r"super\(\)\.(\w+)\((\)?)", lambda call: f"{base}.{call[1]}(self" + (")" if call[2] else ", "), text)
