"""The comparison with the recorded baseline reports what is lost and what has changed."""

import pytest
from baseline import PARTS, list_differences, main, read_part
from click.testing import CliRunner

RECORDED = {"a": {"kind": "proved", "rejects": ["x", "y"]}, "b": {"kind": "proved", "rejects": []}}
CHANGES = {
    "a claim is gone": ({"a": RECORDED["a"]}, "lost"),
    "a claim is demoted": ({**RECORDED, "b": {"kind": "sampled", "rejects": []}}, "changed"),
    "a mutant is no longer rejected": ({**RECORDED, "a": {"kind": "proved", "rejects": ["x"]}}, "changed"),
    "one more mutant is rejected": ({**RECORDED, "a": {"kind": "proved", "rejects": ["x", "y", "z"]}}, "gained"),
    "a claim is new": ({**RECORDED, "c": RECORDED["a"]}, "gained"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_difference_is_listed(change: str) -> None:
    after, kind = CHANGES[change]
    assert [each[0] for each in list_differences(RECORDED, after)] == [kind]
    assert not [*list_differences(RECORDED, RECORDED)]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_recorded_and_sorted(part: str) -> None:
    assert [*read_part(part)] == sorted(read_part(part))
    assert len(read_part(part)) > 20


def test_the_exit_code_is_1_where_something_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict(read_part("papers"))
    monkeypatch.setitem(PARTS, "papers", lambda sources: found)
    assert CliRunner().invoke(main, ["compare", "papers"]).exit_code == 0
    lost, _ = found.popitem()
    done = CliRunner().invoke(main, ["compare", "papers"])
    assert (done.exit_code, f"papers: lost: {lost}" in done.output) == (1, True)


def test_a_part_that_needs_the_output_of_a_command_names_it() -> None:
    done = CliRunner().invoke(main, ["compare", "claims"])
    assert done.exit_code == 2
    assert "--ledger FILE, written by: swagproof prove" in done.output
