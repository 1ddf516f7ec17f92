"""In a notebook a window of the reference shows its picture: `%load_ext swagproof.learn.notebook`.

    from swagproof.models.operations import CONCATENATION
    from swagproof.reference.in_order.daba import Daba
    window = Daba(CONCATENATION)
    for letter in "abcde":
        window.insert(letter)
    window

The reference has no method for it: nothing that draws is below what is proved.  So the notebook is told which function
draws which class; whatever is derived from one, a wrong variant or a checked class, is drawn as well.
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
