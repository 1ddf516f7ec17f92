"""JUnit XML, in the shape that Jenkins, GitLab and the actions for GitHub read.

A suite for the subject; in it a test case for each phase of the search over each monoid, or one for the verdict as a
whole where there was no search.  A violation is a `failure`, anything else that is not `conforms` an `error`; both
hold the report.  What was not reached because the search ended at a failure has no test case.
"""

import re
from typing import Final
from xml.etree import ElementTree

from swagproof.oracle.reports.content import Content

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold."""


def render(content: Content) -> str:
    """The document."""
    cases = _cases(content)
    failing = 0 if content.outcome == "conforms" else 1
    counts = {
        "tests": str(len(cases)),
        "failures": str(failing if content.outcome == "violated" else 0),
        "errors": str(failing if content.outcome != "violated" else 0),
        "skipped": "0",
        "time": f"{content.data.get('seconds') or 0:.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": "swagproof", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(content.subject or content.format), **counts})
    properties = ElementTree.SubElement(suite, "properties")
    for name in ("window", "seed", "budget"):
        if content.data.get(name) is not None:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(str(content.data[name])))
    window = str(content.data.get("window") or "")
    for name, fails in cases:
        of = ".".join(part for part in ("swagproof", window, content.subject) if part)
        dotted = _clean(of.replace(".py:", ":").replace("/", "."))
        case = ElementTree.SubElement(suite, "testcase", classname=dotted, name=_clean(name))
        if fails:
            kind = "failure" if content.outcome == "violated" else "error"
            failure = ElementTree.SubElement(
                case, kind, message=_clean(content.sentence), type=str(_diagnosis(content))
            )
            failure.text = _clean(content.text())
    if not failing:
        ElementTree.SubElement(suite, "system-out").text = _clean(content.text())
    ElementTree.indent(root)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


def _cases(content: Content) -> list[tuple[str, bool]]:
    """The name of each test case, and whether it is the one that fails."""
    failing = content.outcome != "conforms"
    cells = content.data.get("cells") or []
    names = [f"{cell['phase']} over {cell['monoid']}" for cell in cells]
    if not names:
        return [(content.format.removeprefix("swagproof-"), failing)]
    monoid = (content.data.get("witness") or {}).get("monoid")
    failed = f"{cells[-1]['phase']} over {monoid}"  # the search ends with the phase that fails
    return [(name, failing and name == (failed if failed in names else names[-1])) for name in names]


def _diagnosis(content: Content) -> str:
    return _clean(str((content.data.get("witness") or {}).get("diagnosis") or content.outcome))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
