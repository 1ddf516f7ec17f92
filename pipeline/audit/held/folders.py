"""Which files of a folder are a table's."""

import json
from pathlib import Path
from typing import Any, Final

from swagproof.oracle.trace import InputError

_COMMITTED: Final = "_spark_metadata"
"""The log of Spark's file sink: a file that it does not name is of a micro-batch that was not done, and is there again
under another name."""

_LOGGED: Final = {"_delta_log": "Delta", ".hoodie": "Hudi", "metadata/*.metadata.json": "Iceberg"}
"""What keeps a log of its files that is not read here: some of those that are there may have been replaced."""


def list_files(folder: Path, option: str) -> list[str]:
    """The files in a folder, in the order of their names, but for hidden ones; of what Spark's file sink has written,
    those that its log names.

    Raises InputError for a table of a format that has another log, and for a file that is named and is not there.
    """
    for log, format_ in _LOGGED.items():
        if any(folder.glob(log)):
            raise InputError(
                f"{option} {folder}: a table of {format_}, some of whose files it may have replaced; "
                "write what it holds as plain Parquet, and give that"
            )
    inside = (file for file in folder.rglob("*") if file.is_file())
    files = {file for file in inside if not any(part[0] in "._" for part in file.relative_to(folder).parts)}
    if (folder / _COMMITTED).is_dir():
        names = _read_committed(folder / _COMMITTED, option)
        if lacking := sorted(names - {file.name for file in files}):
            raise InputError(f"{option} {folder}: {lacking[0]} is not there, which its {_COMMITTED} names")
        files = {file for file in files if file.name in names}
    return sorted(map(str, files))


def _read_committed(log: Path, option: str) -> set[str]:
    """The names of the files of all micro-batches that are done: of the last compact log, and those after it.

    Each has a version in its first line, and then a JSON object a line, with the path of a file and what became of it.
    The names are unique, as Spark makes them; the paths are of where the folder was when it was written.
    """
    logs = {int(file.stem): file for file in log.iterdir() if file.stem.isdigit() and file.suffix in ("", ".compact")}
    compact = max((batch for batch, file in logs.items() if file.suffix), default=-1)
    names: dict[str, bool] = {}
    for batch in sorted(batch for batch in logs if batch >= compact):
        lines = logs[batch].read_text(encoding="utf-8").splitlines()
        try:
            entries: list[dict[str, Any]] = [json.loads(line) for line in lines[1:]]
            names |= {Path(entry["path"]).name: entry.get("action", "add") == "add" for entry in entries}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{option} {logs[batch]}: no log of Spark's file sink") from None
    return {name for name, is_there in names.items() if is_there}
