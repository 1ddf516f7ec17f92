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
    """What a command tells while it works."""

    def __init__(self, progress: "Progress | None" = None, task: "TaskID | None" = None, seconds: bool = False) -> None:
        self._progress, self._task, self._seconds = progress, task, seconds

    def advance(self) -> None:
        """One more is done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task)

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each of which is done once it is there."""
        for item in items:
            self.advance()
            yield item

    def tell(self, text: str) -> None:
        """This is under way."""
        if self._progress is not None and self._task is not None:
            elapsed = self._progress.tasks[0].elapsed if self._seconds else None
            self._progress.update(self._task, description=text, completed=elapsed)


@contextmanager
def show_progress(what: str, *, count: int | None = None, seconds: float | None = None) -> Generator[Watched]:
    """A line that says what is under way, with a bar where it is known how many there are, or how long it takes."""
    if not sys.stderr.isatty():
        yield Watched()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = [BarColumn()] if count is not None or seconds is not None else []
    columns = (SpinnerColumn(), *bar, *([MofNCompleteColumn()] if count is not None else []), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as progress:
        yield Watched(progress, progress.add_task(what, total=seconds if count is None else count), seconds is not None)
