"""JUnit XML, in the form that Jenkins, GitLab and GitHub actions read.

The subject is a suite.  Each phase of the search over each monoid is a test case; without a search, the whole verdict
is one test case.  A violation is a `failure`, any other outcome except `conforms` an `error`; both contain the report.
Phases that were not reached because the search ended at a failure have no test case.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from xml.etree import ElementTree

from swagproof.reports import text
from swagproof.reports.report import Report

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids."""


def render(report: Report) -> str:
    """Return the document."""
    data: Mapping[str, Any] = report.data
    cases = _cases(report.outcome, data)
    failing = 0 if report.outcome in ("conforms", "done") else 1
    counts = {
        "tests": str(len(cases)),
        "failures": str(failing if report.outcome == "violated" else 0),
        "errors": str(failing if report.outcome != "violated" else 0),
        "skipped": "0",
        "time": f"{data.get('seconds') or 0:.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": "swagproof", **counts})
    name = _clean(report.subject or str(data.get("format", "verdict")))
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **counts})
    properties = ElementTree.SubElement(suite, "properties")
    for name in ("window", "seed", "effort", "budget"):
        if data.get(name) is not None:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(str(data[name])))
    of = ".".join(part for part in ("swagproof", str(data.get("window") or ""), report.subject) if part)
    dotted = _clean(of.replace(".py:", ":").replace("/", "."))
    said = _clean(text.render(report, brief=True))
    for name, fails in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=dotted, name=_clean(name))
        if fails:
            kind = "failure" if report.outcome == "violated" else "error"
            diagnosis = _clean(str((data.get("witness") or {}).get("diagnosis") or report.outcome))
            ElementTree.SubElement(case, kind, message=_clean(report.sentence), type=diagnosis).text = said
    if not failing:
        ElementTree.SubElement(suite, "system-out").text = said
    ElementTree.indent(root)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


def _cases(outcome: str, data: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the name of each test case, and whether it is the one that fails."""
    failing = outcome not in ("conforms", "done")
    cells = data.get("cells") or []
    names = [f"{cell['phase']} over {cell['monoid']}" for cell in cells]
    if not names:
        return [(str(data.get("format", "verdict")).removeprefix("swagproof-"), failing)]
    monoid = (data.get("witness") or {}).get("monoid")
    failed = f"{cells[-1]['phase']} over {monoid}"  # the last cell is the one that fails
    return [(name, failing and name == (failed if failed in names else names[-1])) for name in names]


def _clean(content: str) -> str:
    return _NO_XML.sub("\ufffd", content)
