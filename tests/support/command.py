"""`swagproof conform` for tests: it runs in this process, and its verdict is read from its JSON."""

import json
from typing import Any

from click.testing import CliRunner, Result

from swagproof.oracle.commands.conform import conform as command
from swagproof.reports.report import EXIT


def conform(*words: object) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(command, [str(word) for word in words])


def verdict(*words: object) -> dict[str, Any]:
    """Return the JSON of the command, whose exit code must agree."""
    result = conform(*words, "--json", "-")
    data: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == EXIT[data["outcome"]]
    return data


def assert_refused(result: Result, message: str, code: int = 2) -> None:
    """Check that the command reports wrong usage or input, or a broken subject (4), and nothing else."""
    assert message in result.stderr
    assert (result.exit_code, result.stdout) == (code, "")
    assert "Traceback" not in result.stderr
