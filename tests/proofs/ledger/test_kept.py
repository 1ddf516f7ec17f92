"""A kept verdict is one of what is there now: its digest forgets nothing, and what is no verdict is read as none."""

import json
import os
import py_compile
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

import grimp
import pytest
from click.testing import CliRunner

from swagproof.proofs.claims import BY_ID, CLAIMS, settle_all
from swagproof.proofs.commands.prove import prove, report_on
from swagproof.proofs.ledger import dependencies
from swagproof.proofs.ledger.claim import OURS, Claim, Control, Deep, Outcome, Row, cite, settle
from swagproof.proofs.ledger.dependencies import (
    ROOT,
    TABLE,
    Dependencies,
    Unknown,
    changes_others,
    close,
    find_file,
    find_imports,
    list_modules,
    read_imports,
)
from swagproof.proofs.ledger.kept import MOST, Kept
from swagproof.proofs.ledger.loaded_code import PACKAGE
from swagproof.proofs.ledger.refutations import FILE
from swagproof.proofs.ledger.variants import Variant, wrong

HOLDS, FAILS = Outcome("holds", "counted", {"states": 3}), Outcome("fails", "refuted")
ROWS: Final = (
    "DEF-1",
    "array/slots",
    "b-tree/least-max-arity",
    "objects/apart",
    "objects/refused",
    "ordered-sharing/long-runs",
    "ordered-sharing/two-cases",
    "reactive-aggregator/amortised-least",
    "slicing/alternating",
    "slick-deque/touches",
    "stack/list",
    "subtract-on-evict/empty",
    "subtract-on-evict/explored",
    "table-2/invertible",
    "table-2/not-commutative",
    "timegram/ordered",
    "windows/cql-relation",
    "windows/next-number",
)
"""Of each engine and family some that are quick by themselves."""


# What a row depends on.


def test_digests_are_the_same_in_every_process() -> None:
    ask = (
        "from swagproof.proofs.claims import CLAIMS; from swagproof.proofs.ledger.dependencies import Dependencies\n"
        "for claim in CLAIMS: print(Dependencies.of(claim).digest(False))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "2021"}
    said = subprocess.run(
        [sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert said.split() == [Dependencies.of(claim).digest(False) for claim in CLAIMS]


def test_imports_are_read_as_the_house_reads_them() -> None:
    """By another's eyes: grimp sees those of functions too, and none that is computed."""
    graph = grimp.build_graph("swagproof", cache_dir=None, exclude_type_checking_imports=True)
    for module in list_modules():
        read = {name.partition(":")[0] for name in read_imports(module)}
        assert graph.find_modules_directly_imported_by(module) <= read, module


class Executed(NamedTuple):
    """What a row really runs and reads, seen from outside, by a trace function and an audit hook, which know nothing of
    imports.  Processes that a check starts are not seen."""

    verdict: str
    modules: list[str]
    """Modules of this package whose code was run, or read."""
    files: list[str]
    """Other files of it that were opened."""


PLACES: Final = {str(ROOT / room): room for room in os.listdir(ROOT)}
PLACES_IN_FULL: Final = {os.path.realpath(place): room for place, room in PLACES.items()}
"""The rooms may be links: a file has two names."""


def find_within(file: str) -> Path | None:
    """A file's place in the package; None for what is not there, and for what Python makes of it."""
    for place, room in (*PLACES.items(), *PLACES_IN_FULL.items()):
        if file.startswith(place + os.sep):
            within = Path(room, os.path.relpath(file, place))
            return None if within.parent.name == "__pycache__" else within
    return None


def name_module(within: Path) -> str:
    """The module of a file in the package."""
    parts = [PACKAGE, *within.with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def settle_seen(id: str) -> Executed:
    """Settle a row, and say what was seen.  To be called once in a process."""
    run: set[CodeType] = set()
    opened: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        run.add(frame.f_code)

    def hear(event: str, arguments: Any) -> None:
        if event == "open" and isinstance(arguments[0], str):
            opened.add(os.path.abspath(arguments[0]))

    sys.addaudithook(hear)
    threading.settrace(note)
    sys.settrace(note)
    try:
        row = settle(BY_ID[id])
    finally:
        sys.settrace(None)
    sources = {within for file in {code.co_filename for code in run} | opened if (within := find_within(file))}
    modules = {name_module(within) for within in sources if within.suffix == ".py"}
    return Executed(row.verdict, sorted(modules), sorted(str(file) for file in sources if file.suffix != ".py"))


def settle_apart(id: str) -> Executed:
    """The same in a process that has seen no other row: what one has made, another need not run again."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with open(writing, "w", encoding="utf-8") as pipe:
            json.dump(settle_seen(id), pipe)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return Executed(*json.loads(said))


def leave_out(modules: frozenset[str], seen: Executed) -> list[str]:
    """What of a row was run or opened, and is not among what it depends on."""
    return sorted({*seen.modules} - modules) + [file for file in seen.files if file != HINTS]


HINTS = str(Path("proofs", FILE.name))
"""Of which each digest has what is about the row."""


def test_a_digest_changes_with_where_wrong_variants_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = a_claim()
    monkeypatch.setattr(dependencies, "read_hints", dict[str, dict[str, str]])
    before = digest(claim)
    monkeypatch.setattr(dependencies, "read_hints", lambda: {"another": {"wrong": "run 0.1"}})
    assert digest(claim) == before
    monkeypatch.setattr(dependencies, "read_hints", lambda: {claim.id: {"wrong": "run 0.1"}})
    assert digest(claim) != before


@pytest.mark.parametrize("id", ROWS)
def test_what_a_row_runs_and_reads_is_in_its_digest(id: str) -> None:
    seen = settle_apart(id)
    assert seen.verdict == "holds"
    modules = Dependencies.of(BY_ID[id]).modules
    assert leave_out(modules, seen) == []
    for module in seen.modules:
        assert leave_out(modules - {module}, seen) == [module]


def test_files_that_are_opened_are_seen() -> None:
    """The package's own, by either of its names; not what Python has compiled of them."""
    assert find_within(str(ROOT / "proofs" / "found.json")) == Path("proofs", "found.json")
    assert find_within(os.path.realpath(ROOT / "proofs" / "found.json")) == Path("proofs", "found.json")
    assert find_within(str(ROOT / "proofs" / "__pycache__" / "claims.pyc")) is None
    assert name_module(Path("proofs", "engine", "__init__.py")) == "swagproof.proofs.engine"


@pytest.fixture(autouse=True)
def digests_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of these tests have digests, as if tests came from a library."""
    monkeypatch.setitem(dependencies.DISTRIBUTIONS, __name__.partition(".")[0], "pytest")


def checks(limit: int, outcome: Outcome = FAILS) -> Outcome:
    return HOLDS if limit else outcome


def a_claim(limit: int = 8, name: str = "wrong", **others: Any) -> Claim:
    """A row of these tests, whose check holds what a bound is."""
    says: Any = {name: name for name in ("id", "statement", "algorithm", "engine", "scope", "code")}
    says |= {"source": cite(OURS), "kind": "exhaustive", "check": partial(checks, limit)}
    return Claim(**says | {"controls": (Control(name, partial(checks, 0)),), **others})


def within(limit: int) -> Callable[[], Outcome]:
    return lambda: checks(limit)


def rejects(held: object, variant: Variant) -> Outcome:
    return FAILS


def digest(claim: Claim, *, deep: bool = False) -> str:
    return Dependencies.of(claim).digest(deep)


def test_a_digest_changes_with_all_that_a_claim_holds() -> None:
    changed = [
        a_claim(9),
        a_claim(name="also wrong"),
        a_claim(scope="less"),
        a_claim(statement="other words"),
        a_claim(deep=Deep("more", partial(checks, 16))),
        a_claim(check=lambda: checks(8)),
        a_claim(check=partial(checks, 8, outcome=HOLDS)),
        a_claim(check=cache(partial(checks, 8))),
        a_claim(reject=partial(rejects, (wrong("a", ("insert", "old", "new")),))),
        a_claim(reject=partial(rejects, (wrong("a", ("insert", "old", "newer")),))),
        a_claim(reject=partial(rejects, {1, 2})),
        a_claim(reject=partial(rejects, {1, 3})),
        *(a_claim(check=bound) for bound in (within(7), within(9))),
    ]
    assert len({digest(claim) for claim in (a_claim(), *changed)}) == 1 + len(changed)
    assert digest(a_claim()) == digest(a_claim())
    assert digest(a_claim(), deep=True) != digest(a_claim())


def test_a_digest_changes_with_each_file_that_a_row_imports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    claim = BY_ID["two-stacks/empty"]
    before, modules = digest(claim), Dependencies.of(claim).modules
    assert {"swagproof", "swagproof.contracts.in_order.two_stacks", settle.__module__} <= modules
    for changed in modules:
        other = tmp_path / f"{changed}.py"
        other.write_text("changed", encoding="utf-8")
        with monkeypatch.context() as patched:
            patched.setattr(
                dependencies, "find_file", lambda module, c=changed, o=other: o if module == c else find_file(module)
            )
            assert digest(claim) != before, changed
    assert digest(claim) == before


def test_a_digest_changes_with_versions_and_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(a_claim())
    monkeypatch.setenv("ICONTRACT_SLOW", "")
    assert digest(a_claim()) != before
    monkeypatch.undo()
    versions = dependencies.list_versions(frozenset({"z3", "crosshair", "hypothesis", "icontract"}))
    assert versions[0].startswith(f"{sys.implementation.name} {sys.version}")
    named = {line.partition(" ")[0] for line in versions[1:]}
    assert {"z3-solver", "crosshair-tool", "hypothesis", "icontract", "typeshed-client"} <= named, "required ones too"
    monkeypatch.setattr(dependencies, "list_versions", lambda libraries: versions)
    assert digest(a_claim()) != before


def test_what_is_not_known_has_no_digest() -> None:
    with pytest.raises(Unknown, match=r"of the class threading\.Event"):
        digest(a_claim(reject=partial(rejects, threading.Event())))
    with pytest.raises(Unknown, match="the library somewhere"):
        dependencies.list_versions(frozenset({"somewhere"}))


READ: Final = """
import ast, swagproof.models.fifo as fifo
from . import variants
from swagproof.proofs.engine import paths
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from swagproof.proofs import claims
else:
    import fractions
def function():
    try:
        from swagproof.proofs.explorer.walk import walk
    finally:
        import_module("swagproof.models.shared")
"""


def test_imports_anywhere_are_read_and_those_for_type_checkers_are_not() -> None:
    ours = {"models", "models.fifo", "models.shared", "proofs", "proofs.ledger", "proofs.ledger.variants"}
    ours |= {"proofs.engine", "proofs.engine.paths", "proofs.explorer", "proofs.explorer.walk"}
    expected = {"ast", "typing", "fractions", "swagproof", *(f"swagproof.{module}" for module in ours)}
    assert find_imports(READ, "swagproof.proofs.ledger") == expected
    computed = "from importlib import import_module\nimport_module(name)"
    assert list_modules() < close(find_imports(computed, "swagproof.proofs"))


@pytest.mark.parametrize(
    "text",
    [
        "from importlib import import_module as load\nload('swagproof.models.fifo')",
        "import importlib\nload = importlib.import_module",
        "from builtins import __import__ as load",
    ],
)
def test_who_imports_by_another_name_depends_on_every_module(text: str) -> None:
    assert list_modules() < close(find_imports(text, "swagproof.proofs"))


TAKES: Final = "from swagproof.reference.in_order.daba import Daba\n"
MEDDLES: Final = (
    "Daba.query = Daba.pi_F",
    "Daba.query.__code__ = Daba.pi_F.__code__",
    "del Daba.query",
    "class Another:\n    Daba.query = Daba.pi_F",
    "if True:\n    Daba.__annotations__['query'] = None",
    "for Daba.query in (Daba.pi_F,):\n    pass",
    "setattr(Daba, 'query', Daba.pi_F)",
    "vars(Daba)['wrong'] = 1",
    "Daba.__dict__.update()",
    "def patch():\n    Daba.query = Daba.pi_F\npatch()",
)
MINDS_ITS_OWN: Final = (
    "WRONG = [Daba]\nWRONG.append(Daba)\nWRONG[0] = Daba",
    "def patch():\n    Daba.query = Daba.pi_F",
    "class Wrong(Daba):\n    query = Daba.pi_F",
    "import warnings\nwarnings.simplefilter('error')",
)


@pytest.mark.parametrize("text", MEDDLES)
def test_a_module_that_changes_another_as_it_is_loaded_is_told(text: str) -> None:
    assert changes_others(TAKES + text)


@pytest.mark.parametrize("text", MINDS_ITS_OWN)
def test_and_one_that_does_not_is_not(text: str) -> None:
    assert not changes_others(TAKES + text)


def test_every_row_depends_on_what_changes_others(monkeypatch: pytest.MonkeyPatch) -> None:
    other = "swagproof.reference.trees.fiba"
    assert other not in Dependencies.of(BY_ID["daba/answer"]).modules
    monkeypatch.setattr(dependencies, "list_meddlers", lambda: {other})
    assert other in Dependencies.of(BY_ID["daba/answer"]).modules


@pytest.mark.parametrize("text", ["from swagproof import judge", "import swagproof.models", "import swagproof as s"])
def test_who_asks_the_package_for_a_name_depends_on_every_module(text: str) -> None:
    assert list_modules() < close(find_imports(text, "swagproof.proofs"))


def test_who_takes_an_entry_of_the_catalogue_depends_on_what_it_is_made_of() -> None:
    def taken(text: str) -> frozenset[str]:
        return close(find_imports(text, "swagproof.proofs"))

    one = taken("from swagproof.reference.catalogue import DABA")
    assert {TABLE, "swagproof.reference.in_order.daba", "swagproof.contracts.in_order.daba"} <= one
    assert "swagproof.reference.trees.fiba" not in one
    assert "swagproof.reference.trees.fiba" in taken("from swagproof.reference.catalogue import FIBA")
    every = taken("import swagproof.reference.catalogue as all_of_them")
    assert one < taken("from swagproof.reference.catalogue import CATALOGUE") <= every
    assert taken("from swagproof.reference.catalogue import no_name_of_its_own") == every


def test_who_does_not_depends_on_what_it_imports() -> None:
    for text in ("from swagproof import contracts", "import swagproof.models.fifo as fifo"):
        assert len(close(find_imports(text, "swagproof.proofs"))) < 20
    modules = Dependencies.of(BY_ID["daba/invariants"]).modules
    assert not {module for module in modules if module.startswith("swagproof.proofs.slicing")}


# What is kept.


@pytest.fixture
def claim(monkeypatch: pytest.MonkeyPatch) -> Claim:
    """A row that the ledger has for a while."""
    made = a_claim(id="kept/row", deep=Deep("further", partial(checks, 16)))
    monkeypatch.setitem(BY_ID, made.id, made)
    return made


def settle_once(claim: Claim, folder: Path, *, deep: bool = False, fresh: bool = False) -> Row:
    return settle_all([claim], processes=1, deep=deep, kept=Kept(folder, fresh=fresh), report=lambda row: None)[0]


def test_a_row_that_holds_is_kept_and_says_so(claim: Claim, tmp_path: Path) -> None:
    first, second = (settle_once(claim, tmp_path) for _ in range(2))
    assert (first.kept, second.kept) == (False, True)
    assert second == replace(first, kept=True)
    assert {**second.as_json(), "kept": False} == first.as_json()
    told = report_on([second])
    assert told.sentence.endswith("1 kept from earlier runs with the same code: --fresh checks all anew.")
    assert "kept" not in report_on([first]).sentence


def test_deeper_checks_and_fresh_ones_are_their_own(claim: Claim, tmp_path: Path) -> None:
    assert not settle_once(claim, tmp_path).kept
    assert not settle_once(claim, tmp_path, deep=True).kept
    assert settle_once(claim, tmp_path, deep=True).kept
    assert not settle_once(claim, tmp_path, fresh=True).kept
    assert settle_once(claim, tmp_path).kept, "what is fresh is kept too"
    assert settle_once(replace(claim, deep=None), tmp_path, deep=True).kept is False, "another claim"


@pytest.mark.parametrize("outcome", [FAILS, Outcome("unknown", "timed out")])
def test_only_what_holds_is_kept(outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in (
        a_claim(check=lambda: outcome),
        a_claim(controls=()),
        a_claim(controls=[Control("right", partial(checks, 1))]),
    ):
        monkeypatch.setitem(BY_ID, claim.id, claim)
        assert settle_once(claim, tmp_path).verdict != "holds"
        assert not settle_once(claim, tmp_path).kept
    assert [*tmp_path.iterdir()] == []


class Written(NamedTuple):
    """A module of the package that a test writes."""

    name: str
    file: Path

    def write(self, text: str) -> None:
        """Write it anew, with the times that it had: so that Python sees no change where the size is the same."""
        times = self.file.stat()
        self.file.write_text(text, encoding="utf-8")
        os.utime(self.file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def load(self) -> Any:
        return import_module(self.name)

    def runs(self) -> bool:
        """Whether it is what runs, once its digest is made."""
        assert dependencies.find_file(self.name) == self.file
        dependencies.hash_file(self.file)
        return dependencies.is_what_runs([self.name])


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    made = Written(f"{PACKAGE}.row_of_{tmp_path.name}", tmp_path / f"row_of_{tmp_path.name}.py")
    made.file.write_text("LIMIT = 7", encoding="utf-8")
    monkeypatch.setattr(sys.modules[PACKAGE], "__path__", [*sys.modules[PACKAGE].__path__, str(tmp_path)])
    monkeypatch.setattr(dependencies, "find_file", {made.name: made.file}.get)
    py_compile.compile(str(made.file))
    yield made
    sys.modules.pop(made.name, None)


def test_what_is_loaded_of_a_file_is_what_runs(written: Written) -> None:
    assert written.runs(), "before it is loaded"
    assert written.load().LIMIT == 7
    assert written.runs()


def test_what_was_compiled_of_an_earlier_source_is_not_what_runs(written: Written) -> None:
    written.write("LIMIT = 9")
    assert written.load().LIMIT == 7, "Python does not see it"
    assert not written.runs()


def test_nor_is_it_once_nothing_is_left_of_it(written: Written) -> None:
    written.write("LIMIT = 9")
    assert written.load().LIMIT == 7
    shutil.rmtree(written.file.parent / "__pycache__")
    assert not written.runs()


def test_what_another_process_would_load_is_looked_at_too(written: Written) -> None:
    written.write("LIMIT = 9")
    assert not written.runs()


def test_what_is_written_after_it_is_loaded_is_not_what_runs(written: Written) -> None:
    written.load()
    written.file.write_text("LIMIT = 10", encoding="utf-8")
    assert not written.runs()


def test_what_is_written_after_its_digest_is_made_is_not_what_runs(written: Written) -> None:
    written.load()
    assert written.runs()
    other = written.file.with_suffix(".new")
    other.write_text("LIMIT = 7", encoding="utf-8")
    os.utime(other, (0, 0))
    os.replace(other, written.file)
    assert not written.runs(), "not even where it says the same: nobody knows what it said meanwhile"


def test_a_row_of_which_other_code_runs_is_not_kept(
    claim: Claim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dependencies, "find_code", lambda module, file: compile("", file, "exec"))
    dependencies.is_code_of.cache_clear()
    assert settle_once(claim, tmp_path).verdict == "holds"
    assert [*tmp_path.iterdir()] == []
    dependencies.is_code_of.cache_clear()


SPOILED: Final[tuple[Callable[[dict[str, Any]], object], ...]] = (
    lambda entry: entry | {"row": "another/row"},
    lambda entry: entry | {"deep": 0},
    lambda entry: entry | {"seconds": -1.0},
    lambda entry: entry | {"seconds": "1"},
    lambda entry: entry | {"detail": None},
    lambda entry: entry | {"controls": []},
    lambda entry: entry | {"controls": [["wrong", "holds", "refuted"]]},
    lambda entry: entry | {"controls": [["another", "fails", "refuted"]]},
    lambda entry: entry | {"controls": [["wrong", "fails"]]},
    lambda entry: entry | {"controls": [7]},
    lambda entry: entry | {"controls": entry["controls"] * 2},
    lambda entry: entry | {"statistics": [1]},
    lambda entry: entry | {"verdict": "holds"},
    lambda entry: {name: said for name, said in entry.items() if name != "detail"},
    lambda entry: [entry],
    lambda entry: None,
)


def only_file(folder: Path) -> Path:
    (file,) = folder.glob("*/*.json")
    return file


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_file_that_says_anything_else_is_no_verdict(
    spoil: Callable[[Any], object], claim: Claim, tmp_path: Path
) -> None:
    settle_once(claim, tmp_path)
    file = only_file(tmp_path)
    file.write_text(json.dumps(spoil(json.loads(file.read_text(encoding="utf-8")))), encoding="utf-8")
    assert not settle_once(claim, tmp_path).kept
    assert settle_once(claim, tmp_path).kept, "it is written anew"


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"seconds": NaN}', b"__import__('os')"])
def test_a_file_that_is_no_json_is_no_verdict(text: bytes, claim: Claim, tmp_path: Path) -> None:
    settle_once(claim, tmp_path)
    only_file(tmp_path).write_bytes(text)
    assert not settle_once(claim, tmp_path).kept


def test_a_folder_that_cannot_be_written_keeps_nothing(claim: Claim, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for _ in range(2):
        row = settle_once(claim, tmp_path / "file")
        assert (row.verdict, row.kept) == ("holds", False)


def test_old_verdicts_of_a_row_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in range(1, MOST + 4):
        claim = a_claim(limit)
        monkeypatch.setitem(BY_ID, claim.id, claim)
        settle_once(claim, tmp_path)
    assert len([*tmp_path.glob("*/*")]) == MOST


def test_the_command_keeps_rows_and_checks_them_anew_when_asked(tmp_path: Path) -> None:
    def kept(*options: str) -> list[bool]:
        result = CliRunner().invoke(
            prove, ["DEF-1", "stack/list", "--processes", "1", "--kept", str(tmp_path), "--json", "-", *options]
        )
        assert result.exit_code == 0, result.output
        return [row["kept"] for row in json.loads(result.stdout)]

    assert kept() == [False, False]
    assert kept() == [True, True]
    assert kept("--fresh") == [False, False]
    assert kept("--solver", "cvc5") == [False, False]
    assert kept("--explain") == [False, False]
    assert kept("--smt-lib", str(tmp_path / "questions")) == [False, False]
