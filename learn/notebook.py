"""Pictures of the reference's windows in a notebook: `%load_ext swagproof.learn.notebook`.

    from swagproof.models.operations import CONCATENATION
    from swagproof.reference.in_order.daba import Daba
    window = Daba(CONCATENATION)
    for letter in "abcde":
        window.insert(letter)
    window

The extension registers a drawing function for each algorithm's class and its subclasses, as the reference itself has no
method that draws.
"""

from typing import Any

from swagproof.learn.scenes.gallery import draw, drawing_of
from swagproof.learn.scenes.svg import render_scene
from swagproof.reference.catalogue import COLUMNS


def picture_of(window: Any) -> str:
    """A window as SVG that stands by itself.

    >>> from swagproof.models.operations import CONCATENATION
    >>> from swagproof.reference.in_order.daba import Daba
    >>> picture_of(Daba(CONCATENATION)).startswith("<svg ")
    True
    """
    return render_scene(draw(drawing_of(type(window)), window, {}), alone=True)


def load_ipython_extension(shell: Any) -> None:
    """Make the notebook's shell show pictures from now on; `%load_ext` calls this."""
    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for column in COLUMNS:
        formatter.for_type(column.algorithm, picture_of)
