"""The explorer as a static site: the same pages, with Python in a web worker instead of a server.

Python is Pyodide, from an unpacked npm package (`npm pack pyodide`). The site contains this
installation's source and the distributions that it imports, so it shows what `swagproof learn` shows here.
"""

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from swagproof.learn.lectures.pages import render_pages
from swagproof.learn.serving.server import site
from swagproof.learn.written import TABLES, read_table
from swagproof.oracle.trace import InputError

RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a web worker loads."""

LEFT_OUT: Final = ("proofs", "pipeline", "learn/serving", "learn/commands", "learn/tables.py", "oracle/engines")
"""The rooms that no session imports: proofs, streaming, servers and engines."""

DEPENDENCIES: Final = ("icontract", "click")
"""The packages that the source imports; their own dependencies are added."""


def export(place: Path, runtime: Path, manual: str | None = None) -> int:
    """Write the site into a folder, with links to the manual at `manual`, and return its size in bytes.

    Raises InputError.
    """
    missing = [name for name in RUNTIME if not (runtime / name).is_file()]
    if missing:
        raise InputError(f"{runtime}: there is no {missing[0]}; give the folder of an unpacked npm package pyodide")
    place.mkdir(parents=True, exist_ok=True)
    for file in site().iterdir():
        if file.is_file() and not file.name.endswith(".json"):  # tables are in Python's archive
            (place / file.name).write_bytes(file.read_bytes())
    explorer = (place / "explorer.html").read_text(encoding="utf-8")
    (place / "lectures").mkdir(exist_ok=True)
    for name, page in {**render_pages(manual), "explorer.html": explorer}.items():
        page = page.replace(
            '<meta name="python" content="server">',
            '<meta name="python" content="worker">\n<meta name="pyodide" content="./pyodide/">',
        )
        (place / name).write_text(page, encoding="utf-8")
    (place / "pyodide").mkdir(exist_ok=True)
    for name in RUNTIME:
        shutil.copyfile(runtime / name, place / "pyodide" / name)
    with zipfile.ZipFile(place / "swagproof.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(dict(_list_source()).items()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED, 9)
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def _list_source() -> Iterator[tuple[str, bytes]]:
    """Yield the source, with the explorer's tables, and the distributions that it imports."""
    yield from _walk(files("swagproof"), "")
    for name in TABLES:
        yield f"swagproof/learn/site/{name}.json", json.dumps(read_table(name)).encode()
    waiting, seen = [*DEPENDENCIES], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        found = distribution(name)
        waiting += [re.split(r"[^\w.-]", each)[0] for each in found.requires or [] if ";" not in each]
        for file in found.files or []:
            if file.suffix == ".py" and ".." not in file.parts:
                yield file.as_posix(), file.read_binary()


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        inner = f"{path}{each.name}"
        if inner.startswith(LEFT_OUT) or each.name == "__pycache__":
            continue
        if each.is_dir():
            yield from _walk(each, f"{inner}/")
        elif inner.endswith((".py", ".css", ".json", ".toml")):
            yield f"swagproof/{inner}", each.read_bytes()
