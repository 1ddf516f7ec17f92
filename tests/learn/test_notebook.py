"""In a notebook a window of the reference shows its picture."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from swagproof.learn.notebook import load_ipython_extension
from swagproof.models.operations import CONCATENATION
from swagproof.reference.in_order.daba import CheckedDaba, Daba
from swagproof.reference.trees.fiba import Fiba


class Formatter:
    """IPython's formatter interface: a function for a class, and for its subclasses."""

    def __init__(self) -> None:
        self.printers: dict[type[Any], Callable[[Any], str]] = {}

    def for_type(self, cls: type[Any], function: Callable[[Any], str]) -> None:
        self.printers[cls] = function

    def __call__(self, value: Any) -> str | None:
        return next((self.printers[cls](value) for cls in type(value).__mro__ if cls in self.printers), None)


@pytest.mark.parametrize("cls", [Daba, CheckedDaba, Fiba])
def test_a_window_is_shown_and_carries_its_styles(cls: type[Any]) -> None:
    formatter = Formatter()
    load_ipython_extension(SimpleNamespace(display_formatter=SimpleNamespace(formatters={"image/svg+xml": formatter})))
    window = cls(CONCATENATION)
    for time, letter in enumerate("abc"):
        window.insert(*([time] if cls is Fiba else []), letter)
    shown = formatter(window)
    assert shown is not None
    root = ElementTree.fromstring(shown)
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert {"a", "b", "c"} <= {*texts}
    assert any(each.tag.endswith("style") for each in root.iter())
    assert formatter("another object") is None
