"""A record of the project's promises as data, and its comparison.

    python benchmarks/baseline.py record --ledger LEDGER --mutants MUTANTS PART...
    python benchmarks/baseline.py compare --ledger LEDGER --run --planted FOLDER PART...

Without a PART all parts are meant.  A part is a file `benchmarks/baseline/PART.jsonl`, one item a line, sorted by id:

    claims    the content of `swagproof prove --json LEDGER`: statement, kind, scope, source, verdict, rejected mutants
    mutants   each mutant and what rejects it: from LEDGER, `swagproof mutants --json MUTANTS`, and the tables of edits
    subjects  the verdict of `swagproof conform` on each wrong, hostile, wild and right implementation
    audit     the verdict of `swagproof audit` on each right job and each job with a fault
    papers    each statement that a paper numbers, and the claims about it
    api       stable names with their signatures; commands with their options and exit codes
    manual    the console blocks of the README and the manual

`compare` lists lost, changed and gained items, and ends with exit code 1 if one is lost or changed.  A line
`PART ID: reason` of `benchmarks/baseline/reasons.txt` accepts a difference (`*` is any text, the
reason has no colon).

`--run` judges every subject and audits every job again, with seed 0; without it, subjects are compared with the
committed tables, and jobs by name.  The inputs of the planted faults left the repository with tests/support/faults,
which made them; `--planted FOLDER` names the folder that has them.
"""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "benchmarks" / "baseline"
IMPORTED: Final = [str(ROOT / it) for it in ("tests", "tests/subjects", "tests/oracle/wild", "docs/makers")]
sys.path[:0] = IMPORTED

Item = dict[str, Any]
Items = dict[str, Item]


@dataclass(frozen=True)
class Sources:
    """The outputs of long commands, and the checks to run again."""

    ledger: Path | None
    mutants: Path | None
    planted: Path | None
    run: bool

    def read(self, option: str, command: str) -> list[Item]:
        """Return the output of a command as JSON.  Raises UsageError if the option is missing."""
        path: Path | None = getattr(self, option)
        if path is None:
            raise click.UsageError(f"this part needs --{option} FILE, written by: swagproof {command} --json FILE")
        rows: list[Item] = json.loads(path.read_text(encoding="utf-8"))
        return rows


def collect_claims(sources: Sources) -> Items:
    """Return each claim with its statement, kind, scope, source, verdict and the mutants that it rejects."""
    fields = ("algorithm", "statement", "kind", "scope", "not_covered", "deep", "source", "compared", "code", "verdict")
    return {
        claim["id"]: {
            **{name: claim[name] for name in fields},
            "rejects": sorted(each["name"] for each in claim["control"] if each["verdict"] == "fails"),
        }
        for claim in sources.read("ledger", "prove --fresh")
    }


def collect_mutants(sources: Sources) -> Items:
    """Return each mutant with the claims that reject it, and its changed lines if they are data."""
    items: Items = {}
    for claim in sources.read("ledger", "prove --fresh"):
        for control in claim["control"]:
            id = f"control/{claim['algorithm']}/{control['name']}"
            items.setdefault(id, {"rejected_by": []})["rejected_by"].append(claim["id"])
        for change, fate in claim["statistics"].get("fates", {}).items():
            items[f"generated/{claim['id']}/{change}"] = {"fate": re.split(r"[:;]", fate)[0]}
    for mutant in sources.read("mutants", "mutants"):
        items[f"mutant/{mutant['algorithm']}/{mutant['name']}"] = {
            "changes": mutant["changes"],
            "hidden": mutant["hidden"],
            "rejected_by": [by for by in ("proof", "contract") if mutant[by]],
        }
    for edit in importlib.import_module("support.edits").all_edits():
        items[f"edit/{edit.algorithm}/{edit.name}"] = {
            "mistake": edit.mistake,
            "file": edit.file,
            "changes": [[change.within, *change.old, "->", *change.new] for change in edit.changes],
            "claim": edit.row,
            "outcome": edit.outcome,
        }
    return items


def call(arguments: list[str]) -> Item:
    """Return outcome and exit code of a command of swagproof that reports as JSON."""
    command = [sys.executable, "-m", "swagproof", *arguments, "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(IMPORTED)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    outcome = json.loads(done.stdout)["outcome"] if done.stdout else "error"
    return {"outcome": outcome, "exit_code": done.returncode}


def call_all(commands: dict[str, list[str]]) -> Items:
    """Run commands, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(commands, pool.map(call, commands.values()), strict=True))


def read_rows(page: str) -> list[list[str]]:
    """Return the cells of each row of a page's tables."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    return [re.split(r" \| ", line[2:].removesuffix(" |")) for line in lines if line.startswith("| ")]


EXIT_CODES: Final = {"conforms": 0, "violated": 1, "error": 2, "unknown": 3}
RIGHT: Final = {f"right_{kind.replace('-', '_')}": kind for kind in ("out-of-order", "shared", "time", "frame")}
"""The files of right implementations and their kinds of windows, in addition to right.py."""
WRAPPED: Final = ("timegram", "ordered-sharing")
"""References without the methods of a window; right implementations of those files wrap them."""


def list_conform_commands() -> dict[str, list[str]]:
    """Return the command that judges each wrong, wild and right implementation."""
    caught, wild = importlib.import_module("caught"), importlib.import_module("wild")
    places = {f"caught/{file}:{name}": (f"tests/subjects/{file}.py:{name}", caught.KINDS[file])
              for file, name, _ in caught.list_wrong()}  # fmt: skip
    for file, kind in [("right", "fifo"), *RIGHT.items()]:
        for name, made in vars(importlib.import_module(file)).items():
            if hasattr(made, "insert") and made.__module__ == file and name[0] != "_":
                places[f"right/{file}:{name}"] = (f"tests/subjects/{file}.py:{name}", kind)
    for entry in importlib.import_module("swagproof.reference.catalogue").CATALOGUE:
        if entry.kind in ("fifo", "out of order", "shared") and entry.slug not in WRAPPED:
            place = f"{entry.algorithm.__module__}:{entry.algorithm.__qualname__}"
            places[f"reference/{entry.slug}"] = (place, entry.kind.replace(" ", "-"))
    commands = {id: ["conform", place, "--window", kind] for id, (place, kind) in places.items()}
    commands["reference/subtract-on-evict"] += ["--monoid", "sum"]
    commands["reference/slick-deque"] += ["--monoid", "max"]
    for file, kind in wild.KINDS.items():
        path = f"tests/oracle/wild/{file}.py"
        for name in (made.__name__ for made in wild.list_defects(file)):
            for twin in ("", ".right"):
                program = ["--exec", f"{sys.executable} {path} {name} {twin[1:]}"]
                words = program if kind == "program" else [f"{path}:{name}{twin}", "--window", kind]
                commands[f"wild/{file}:{name}{twin}"] = ["conform", *words]
    return {id: [*words, "--seed", "0"] for id, words in commands.items()}


def collect_subjects(sources: Sources) -> Items:
    """Return outcome and exit code of each implementation: from the committed tables, or judged again."""
    commands, items = list_conform_commands(), Items()
    if sources.run:
        hostile = importlib.import_module("hostile")
        for kind in ("python", "program", "pytest"):
            for each in hostile.judge_plugin() if kind == "pytest" else hostile.judge_kind(kind):
                items[f"hostile/{kind}/{each['name']}"] = {key: each[key] for key in ("outcome", "exit_code")}
        return items | call_all(commands)
    rows = {
        cells[0].strip("`"): cells
        for page in ("docs/manual/evidence/caught.md", "docs/manual/evidence/wild.md")
        for cells in read_rows(page)
    }
    for id in commands:
        right, row = id.startswith(("right/", "reference/")) or id.endswith(".right"), rows.get(id.rpartition(":")[2])
        wrong = "unknown" if row is None else "error" if row[2] == "hung" else "violated"
        outcome = "conforms" if right else wrong
        items[id] = {"outcome": outcome, "exit_code": EXIT_CODES[outcome]}
    for name, kind, outcome, code, *_ in read_rows("docs/manual/evidence/hostile.md"):
        if code.isdecimal():
            items[f"hostile/{kind.lower()}/{name}"] = {"outcome": outcome, "exit_code": int(code)}
    return items


def collect_audit(sources: Sources) -> Items:
    """Return the outcome of the audit of each right job and of each job with a fault."""
    right, wrong = (importlib.import_module(f"support.jobs.{name}") for name in ("right", "wrong"))
    wild = importlib.import_module("wild")
    jobs = {f"job/{job.engine}: {job.name}": (job, "conforms") for job in right.RIGHT}
    jobs |= {f"job with a mistake/{job.name}": (job, "violated") for job in wrong.WRONG}
    groups = wild.group_jobs()
    items = {id: {"outcome": outcome} for id, (_, outcome) in jobs.items()}
    for made in (made for group in groups.values() for made in group):
        items[f"wild job/{made.__name__}"] = {"outcome": "violated"}
        items[f"wild job/{made.__name__}.right"] = {"outcome": "conforms"}
    if sources.run:
        with tempfile.TemporaryDirectory() as place:
            world = importlib.import_module("support.jobs.job").World.draw(11, Path(place))
            outcomes = {code: outcome for outcome, code in EXIT_CODES.items()}
            for id, (job, _) in jobs.items():
                items[id] = {"outcome": outcomes[world.run(job)[0]]}
        for (window, late), group in groups.items():
            found = wild.audit_jobs(window, json.loads(late), group).findings
            for made in group:
                for name in (made.__name__, f"{made.__name__}.right"):
                    items[f"wild job/{name}"] = {"outcome": "violated" if found.get(name) else "conforms"}
    return items | read_planted(sources.planted, sources.run)


def read_planted(folder: Path | None, run: bool) -> Items:
    """Return the outcomes of the planted faults: those recorded here, those that a folder states, or audited again.

    A line of `cases.jsonl` in the folder is a case: name, files of events and results, options of the command, outcome.
    """
    if folder is None:
        return {id: item for id, item in read_part("audit").items() if id.startswith("planted/")}
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {f"planted/{case['name']}": case for case in map(json.loads, lines)}
    if run:
        for case in cases.values():
            case["options"] += [f"--{name}={folder / case[name]}" for name in ("events", "results")]
        cases = call_all({id: ["audit", *case["options"]] for id, case in cases.items()})
    return {id: {"outcome": case["outcome"]} for id, case in cases.items()}


# Papers, interface, manual


def collect_papers(sources: Sources) -> Items:
    """Return each statement that a paper numbers, with the claims about it or the reason for having none."""
    items: Items = {}
    for cells in read_rows("proofs/LEDGER.md"):
        if len(cells) == 3 and cells[0] not in ("paper", "---"):
            claims = re.findall(r"`([^`]+)`", cells[2])
            items[f"{cells[0]}, {cells[1]}"] = {"claims": claims} if claims else {"none": cells[2].strip("*")}
    return items


def collect_api(sources: Sources) -> Items:
    """Return the stable names with their signatures, and the commands with their options and exit codes."""
    package, cli, items = importlib.import_module("swagproof"), importlib.import_module("swagproof.cli"), Items()
    for name in package.__all__:
        value = getattr(package, name)
        items[f"swagproof.{name}"] = _describe(value)
        if inspect.isclass(value):
            members = {n for n in dir(value) if n[0] != "_"} - set(dir(Exception))
            items |= {f"swagproof.{name}.{n}": _describe(getattr(value, n)) for n in members}
    (group,) = (each for each in vars(cli).values() if isinstance(each, click.Group))
    for name in group.commands:
        command = group.resolve_command(click.Context(group), [name])[1]
        assert command is not None
        codes = re.search(r"Exit codes:(.*?)\.\s", inspect.cleandoc(command.help or "") + "\n", re.DOTALL)
        items[f"command {name}"] = {"exit_codes": " ".join(codes[1].split()) if codes else ""}
        for parameter in command.params:
            told = parameter.to_info_dict()
            items[f"command {name} {' '.join(parameter.opts)}"] = {
                **{key: True for key in ("required", "multiple", "is_flag") if told.get(key)},
                "type": [*told["type"].get("choices", ())] or told["type"]["name"],
                **({"default": told["default"]} if isinstance(told.get("default"), str | int | float) else {}),
            }
    return items


def _describe(value: object) -> Item:
    if callable(value):
        try:
            return {"signature": re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))}
        except ValueError:
            return {"signature": "?"}
    return {"keys": sorted(map(str, value))} if isinstance(value, dict) else {"type": type(value).__name__}


def collect_manual(sources: Sources) -> Items:
    """Return the commands that the README and the manual show, with the outputs printed there."""
    items: Items = {}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs" / "manual").rglob("*.md"))]:
        for block in re.findall(r"```console\n\$ (.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            command, _, output = block.partition("\n")
            items[f"{path.relative_to(ROOT).as_posix()}: {command}"] = {"output": output.splitlines()}
    return items


_COLLECTED: Final = (
    collect_claims, collect_mutants, collect_subjects, collect_audit, collect_papers, collect_api, collect_manual
)  # fmt: skip
PARTS: Final[dict[str, Callable[[Sources], Items]]] = {it.__name__.removeprefix("collect_"): it for it in _COLLECTED}


# Recording and comparing


def read_part(part: str) -> Items:
    """Return the recorded items of a part, if any."""
    path = FOLDER / f"{part}.jsonl"
    items: list[Item] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {item.pop("id"): item for item in items}


def write_part(part: str, items: Items) -> None:
    """Record the items of a part."""
    lines = (json.dumps({"id": id, **items[id]}, ensure_ascii=False) + "\n" for id in sorted(items))
    (FOLDER / f"{part}.jsonl").write_text("".join(lines), encoding="utf-8")


def list_differences(before: Items, after: Items) -> Iterable[tuple[str, str, str]]:
    """Return (`lost`, `changed` or `gained`, id, details); a list of claims or mutants that only grows is gained."""
    yield from (("lost", id, "") for id in before if id not in after)
    yield from (("gained", id, "") for id in after if id not in before)
    for id in before.keys() & after.keys():
        for field in (before[id].keys() | after[id].keys()) - {"shown_by"}:  # histories of edits went with their tests
            was, now = before[id].get(field), after[id].get(field)
            if field in ("rejects", "rejected_by", "claims") and was and now:
                lost, gained = [each for each in was if each not in now], [each for each in now if each not in was]
                if lost or gained:
                    yield "changed" if lost else "gained", id, f"{field}: lost {lost}, gained {gained}"
            elif was != now:
                yield "changed", id, f"{field}: was {was!r}, is {now!r}"


def find_reason(difference: str) -> str:
    """Return the reason for accepting a difference, `PART ID`, or ""."""
    lines = (line.rpartition(": ") for line in (FOLDER / "reasons.txt").read_text(encoding="utf-8").splitlines())
    patterns = ((re.escape(pattern).replace(r"\*", ".*"), reason) for pattern, _, reason in lines if pattern)
    return next((reason for pattern, reason in patterns if re.fullmatch(pattern, difference)), "")


@click.command()
@click.argument("action", type=click.Choice(["record", "compare"]))
@click.argument("parts", nargs=-1, type=click.Choice([*PARTS]), metavar="PART...")
@click.option("--ledger", type=click.Path(exists=True, path_type=Path), help="Output of `swagproof prove --json`.")
@click.option("--mutants", type=click.Path(exists=True, path_type=Path), help="Output of `swagproof mutants --json`.")
@click.option("--planted", type=click.Path(exists=True, path_type=Path), help="Folder of the planted faults' inputs.")
@click.option("--run", is_flag=True, help="Judge all subjects and audit all jobs again.")
def main(action: str, parts: tuple[str, ...], **sources: Any) -> None:
    """Record what the project promises, or list what is lost, changed and gained since."""
    failed = False
    for part in parts or PARTS:
        before, after = read_part(part), PARTS[part](Sources(**sources))
        if action == "record":
            write_part(part, after)
            click.echo(f"{part}: {len(after)} items")
            continue
        differences = sorted(list_differences(before, after))
        for kind, id, details in differences:
            reason = find_reason(f"{part} {id}")
            failed = failed or (kind != "gained" and not reason)
            click.echo(f"{part}: {kind}: {id}{details and ': '}{details}{reason and f' (accepted: {reason})'}")
        click.echo(f"{part}: {len(before)} items recorded, {len(after)} now, {len(differences)} differences")
    sys.exit(failed)


if __name__ == "__main__":
    main()
