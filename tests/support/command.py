"""`swagproof conform` as tests run it: in this process, its verdict read from its JSON."""

import json
from typing import Any

from click.testing import CliRunner, Result

from swagproof.oracle.commands.conform import conform as command
from swagproof.reports.report import EXIT


def conform(*words: object) -> Result:
    """The command with these words."""
    return CliRunner().invoke(command, [str(word) for word in words])


def verdict(*words: object) -> dict[str, Any]:
    """Return what the command writes as JSON; its exit code says the same."""
    result = conform(*words, "--json", "-")
    data: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == EXIT[data["outcome"]]
    return data


def assert_refused(result: Result, message: str, code: int = 2) -> None:
    """Wrong usage or input, or a subject that is broken (4): it is named, and nothing else is said."""
    assert message in result.stderr
    assert (result.exit_code, result.stdout) == (code, "")
    assert "Traceback" not in result.stderr
