"""A cache of the results of earlier runs with the same source and the same tools.

One digest covers the whole package and the versions of Python and of the checking tools.  Results are stored by digest,
so none is found after a change of the source or the tools.

Limit: the folder is trusted as much as the code.  Anyone who can write to it can make a claim hold.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import platformdirs

from swagproof.proofs.ledger.claim import Claim, ClaimResult

PACKAGE: Final = Path(__file__).parents[2]
TOOLS: Final = ("z3-solver", "crosshair-tool", "icontract")
MOST: Final = 4
"""The most digests whose results are kept, for example for other branches."""


def digest_source() -> str:
    """Return the digest of the source and tables, of Python and the tools, and of the contracts' switch."""
    settings = (sys.version, sys.flags.optimize, os.environ.get("ICONTRACT_SLOW"), *map(_find_version, TOOLS))
    found = hashlib.sha256(repr(settings).encode())
    for folder, folders, files in os.walk(PACKAGE, followlinks=True):
        folders.sort()
        for file in (Path(folder, name) for name in sorted(files) if name.endswith((".py", ".toml", ".txt"))):
            text = hashlib.sha256(file.read_bytes()).hexdigest()
            found.update(f"{file.relative_to(PACKAGE)} {text}\n".encode())
    return found.hexdigest()


def _find_version(tool: str) -> str:
    try:
        return version(tool)
    except PackageNotFoundError:
        return "not installed"


def find_folder() -> Path:
    """Return the user's cache folder of this program."""
    return platformdirs.user_cache_path("swagproof", appauthor=False)


class Cache:
    """Results as JSON, by name.  A folder that cannot be read or written keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digest = digest_source()

    def read(self, name: str) -> Any:
        """Return the result stored under a name for the same digest, or None."""
        try:
            return json.loads((self._folder / self._digest / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, name: str, result: Any) -> None:
        """Store a result, unless the source has changed since this cache was opened."""
        if digest_source() != self._digest:
            return
        place = self._folder / self._digest / f"{name}.json"
        new = place.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(result), encoding="utf-8")
            new.replace(place)
            for old in sorted(self._folder.iterdir(), key=lambda each: each.stat().st_mtime)[:-MOST]:
                shutil.rmtree(old, ignore_errors=True)


def read_rows(cache: Cache, claims: Iterable[Claim], deep: bool) -> dict[str, ClaimResult]:
    """Return the cached results of these claims, by id."""
    entries: dict[str, Any] = cache.read("rows") or {}
    found: dict[str, ClaimResult] = {}
    for claim in claims:
        went_deep = deep and claim.deep is not None
        entry = entries.get(_name(claim, went_deep))
        if entry is not None:
            controls = tuple((name, verdict, how) for name, verdict, how in entry["controls"])
            found[claim.id] = ClaimResult(
                claim, "holds", entry["detail"], entry["seconds"], controls, entry["statistics"], went_deep, cached=True
            )
    return found


def keep_rows(cache: Cache, rows: Iterable[ClaimResult]) -> None:
    """Store the results of a complete run that hold, in addition to those of earlier runs."""
    entries: dict[str, Any] = cache.read("rows") or {}
    for row in rows:
        if row.verdict == "holds" and not row.cached:
            kept = {name: getattr(row, name) for name in ("detail", "seconds", "controls", "statistics")}
            entries[_name(row.claim, row.deep)] = kept
    cache.write("rows", entries)


def _name(claim: Claim, deep: bool) -> str:
    return f"{claim.id} --deep" if deep else claim.id
