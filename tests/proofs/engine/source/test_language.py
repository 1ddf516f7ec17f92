"""The language of the references: all of them are in it, and code that a run would misinterpret is not."""

import importlib
import linecache
from pathlib import Path as File
from types import ModuleType
from typing import Any

import pytest

from swagproof import models, reference
from swagproof.proofs.engine.language import Unseen, refuse, refuse_code, refuse_module
from swagproof.proofs.engine.source.definitions import module_of
from swagproof.proofs.ledger.mutants import wrong
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.slicing import slices
from swagproof.reference.slicing.slices import Sliced
from swagproof.reference.trees.augmented_tree import AugmentedTree


def names_of(package: ModuleType, *folders: str) -> list[str]:
    """The modules in these folders of a package."""
    root = File(package.__path__[0])
    return [f"{package.__name__}.{folder}.{file.stem}" for folder in folders for file in (root / folder).glob("*.py")]


FAMILIES = ("in_order", "flat_trees", "trees", "sharing", "slicing", "related_work", "windows")


@pytest.mark.parametrize("name", [*names_of(reference, *FAMILIES), *names_of(models, "containers")])
def test_every_reference_is_in_the_language(name: str) -> None:
    importlib.import_module(name)
    refuse_module(module_of(name))


EVERY = "any(is_covered(t, *query) for query in self.queries)"
KEPT = "    {}\n    return".format
METHODS: list[tuple[type, tuple[str, str, str], str]] = [
    (Sliced, ("insert", f"if not {EVERY}:", f"covered = {EVERY[3:]}\n    t = t + 1\n    if not any(covered):"),
     "a generator that is not consumed where it stands"),
    (AugmentedTree, ("split", "sibling = ", "if node is node.parent is node: pass\n    sibling = "),
     "a chain of such comparisons"),
    (AugmentedTree, ("split", "sibling = ", "if node in self.path in node: pass\n    sibling = "),
     "a chain of such comparisons"),
    (DabaLite, ("__init__", "= monoid.identity", "= 0 if monoid.identity is None else monoid.identity"),
     "an identity test here"),
    (Daba, ("query", "    return", KEPT("if len(f'{self.F}') > 1: pass")), "JoinedStr"),
    (Daba, ("query", "    return", KEPT("if '%s' % self.F == '1': pass")), "texts, which format numbers"),
    (Daba, ("query", "    return", KEPT("first, *rest = self.F, self.E")), "starred targets"),
    (Daba, ("query", "    return", KEPT("for first, *rest in self.deque: pass")), "starred targets"),
    (Daba, ("query", "    return", KEPT("try: self.F < 0\n    except TypeError: pass")), "Try"),
    (Daba, ("query", "    return", KEPT("f = self.deque.pop_front; f()")), "self.deque.pop_front without a call"),
    (Daba, ("query", "    return", KEPT("f = self.L; f()")), "the call of a variable"),
    (Daba, ("query", "    return", KEPT("self.deque.push_back(self.deque.pop_front)")),
     "self.deque.pop_front without a call"),
    (Daba, ("query", "    return", KEPT("self.fixup(lambda: self.deque.pop_front())")), "a function that is kept"),
    (Daba, ("query", "    return", KEPT("f = lambda: self.deque.pop_front()")), "a function that is kept"),
    (Daba, ("query", "    return", KEPT("def f(): self.L = self.R")), "a function within"),
    (Daba, ("query", "    return", KEPT("if isinstance(self.F, int): pass")), "the name isinstance"),
    (Daba, ("insert", "v: A", "v: A, seen: list = []"), "a constant that may change"),
]  # fmt: skip


@pytest.mark.parametrize(("algorithm", "edit", "why"), METHODS, ids=[edit[2][-30:] for _, edit, _ in METHODS])
def test_a_method_that_abuses_what_a_run_does_not_observe_is_refused(
    algorithm: type, edit: tuple[str, str, str], why: str
) -> None:
    with pytest.raises(Unseen, match=rf"\.{edit[0]}, line \d+: the engine does not know {why}$"):
        refuse(vars(wrong(why, edit).of(algorithm))[edit[0]], ("__is__", "is_covered"))


def test_a_helper_that_runs_as_it_stands_may_not_ask_for_an_identity() -> None:
    """Check this because a partial aggregate is a value of any monoid, and None may be one."""
    mutant = wrong("a clock of None", ("is_covered", "return ", "if t is None: t = 0\n    return "))
    helper = mutant.rewrite(slices).is_covered
    with pytest.raises(Unseen, match="the engine does not know an identity test here"):
        refuse_code(helper.__code__, slices.__name__)


PLAIN = "class C:\n    def f(self, t):\n        return t + 0\n"
TEXTS = [
    ("from builtins import isinstance as is_of, int as whole\n" + PLAIN, "from builtins import"),
    ("from collections import deque as kept\n" + PLAIN, "from collections import deque as kept"),
    ("import sys\n" + PLAIN, "Import"),
    (PLAIN + "if len(__name__) > 3:\n    C.f = len\n", "If"),
    (PLAIN + "C.f = len\n", "Assign"),
    ("X = len('abc')\n" + PLAIN, "a constant that may change"),
    (PLAIN + "    seen = []\n", "a constant that may change"),
    (PLAIN + "    def __setattr__(self, name, value):\n        pass\n", "the hook __setattr__"),
    (PLAIN + "    def __post_init__(self):\n        pass\n", "the hook __post_init__"),
    (PLAIN + "    def __getattr__(self, name):\n        return 0\n", "the hook __getattr__"),
    ("class B:\n    def __setattr__(self, name, value):\n        pass\n\n" + PLAIN.replace("C:", "C(B):"),
     "the hook __setattr__"),
    (PLAIN.replace("C:", "C(int):"), "the base int"),
    (PLAIN.replace("C:", "C(metaclass=type):"), "ClassDef"),
    ("from functools import cache\n" + PLAIN, "from functools import cache"),
    ("def twice(g):\n    return g\n\n" + PLAIN.replace("    def", "    @twice\n    def"), "how this is defined"),
]  # fmt: skip


def keep(text: str) -> str:
    """The name of a file with this text."""
    file = f"<language, {hash(text):x}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    return file


@pytest.mark.parametrize(("text", "why"), TEXTS, ids=[why for _, why in TEXTS])
def test_a_module_is_definitions_constants_and_imports_and_its_classes_have_no_hooks(text: str, why: str) -> None:
    refuse_module(module_of("swagproof.reference.made", keep(PLAIN)))
    with pytest.raises(Unseen, match=rf"line \d+: the engine does not know {why}"):
        refuse_module(module_of("swagproof.reference.made", keep(text)))


def test_no_method_runs_if_its_module_is_not_in_the_language() -> None:
    text = "def evict(self) -> None:\n    self.F = self.F\n\nDaba.evict = evict\n"
    names: dict[str, Any] = {"__name__": "swagproof.reference.in_order.daba", "Daba": Daba}
    exec(compile(text.partition("\n\n")[0], keep(text), "exec"), names)
    with pytest.raises(Unseen, match="line 4: the engine does not know Assign"):
        refuse(names["evict"])
