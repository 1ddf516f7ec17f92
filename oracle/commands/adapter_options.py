"""The options that declare a subject's calling convention, as fields of its adapter."""

import functools
from collections.abc import Callable
from typing import Any, Final

import click

from swagproof.oracle.adapting.declared import NUMBERS, RANGES, methods_of
from swagproof.oracle.trace import InputError

_OPTIONS: Final = (
    click.option("--methods", metavar="NAMES", help="Other method names: insert=push,evict=pop,query=top."),
    click.option("--make", metavar="ARGUMENTS", help="Constructor arguments: nothing, 'combine, identity', size, ..."),
    click.option("--empty", metavar="ANSWER", help="Result for an empty window: raises, anything, nan, null, a value."),
    click.option("--lowered", is_flag=True, help="Elements and answers are plain values, not partial aggregates."),
    click.option(
        "--ranges", type=click.Choice(RANGES), help="Ranges to query; any: also reversed; unbounded: also infinite."
    ),
    click.option(
        "--numbers", type=click.Choice(NUMBERS), help="The subject's arithmetic; no sum of a window exceeds its limits."
    ),
    click.option("--capacity", type=click.IntRange(1), help="The most elements that a window may hold."),
    click.option("--alive", type=click.IntRange(1, 64), help="Live instances of the class; 1: never two at a time."),
)

_FIELDS: Final = ("methods", "make", "empty", "lowered", "ranges", "numbers", "capacity", "alive")


def adapter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of an adapter to a command, which gets the given ones as a dict of fields, `adapter`."""

    @functools.wraps(command)
    def collected(*arguments: Any, **options: Any) -> Any:
        given = {name: options.pop(name) for name in _FIELDS}
        adapter = {name: value for name, value in given.items() if value not in (None, False)}
        if "methods" in adapter:
            try:
                adapter["methods"] = methods_of(adapter["methods"])
            except InputError as error:
                raise click.UsageError(str(error)) from None
        return command(*arguments, adapter=adapter, **options)

    return functools.reduce(lambda made, option: option(made), reversed(_OPTIONS), collected)
