"""Progress on a terminal's standard error, and silence in a pipe.

One helper for all commands, so that what counts, what takes so many seconds and what only says what it does look alike;
rich is not imported where nobody looks.
"""

import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")


class Watched:
    """A command's progress while it works."""

    def __init__(self, progress: "Progress | None" = None, task: "TaskID | None" = None) -> None:
        self._progress, self._task = progress, task

    def advance(self) -> None:
        """One more is done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task)

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each of which is done once it is there."""
        for item in items:
            self.advance()
            yield item

    def tell(self, text: str, done: float | None = None) -> None:
        """This is under way, and so much of the work is done."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=text, completed=done)


@contextmanager
def show_progress(what: str, *, count: int | None = None, work: float | None = None) -> Generator[Watched]:
    """A line that says what is under way, with a bar where it is known how many there are, or how much work it is."""
    if not sys.stderr.isatty():
        yield Watched()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = [BarColumn()] if count is not None or work is not None else []
    columns = (SpinnerColumn(), *bar, *([MofNCompleteColumn()] if count is not None else []), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as progress:
        yield Watched(progress, progress.add_task(what, total=work if count is None else count))
