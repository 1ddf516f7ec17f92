"""The entry point that Hypothesis runs when it is imported (group `hypothesis`): strategies for our types.

It imports nothing by itself: Hypothesis is still being imported then, and must be able to be whatever is wrong with us.

>>> from hypothesis import find, strategies as st
>>> from swagproof.oracle.trace import Trace
>>> print(find(st.from_type(Trace), lambda trace: trace.window == "fifo" and "evict" in str(trace)))
insert "a", evict, query
"""

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def _traces(_type: Any) -> "SearchStrategy[Any]":
    from hypothesis import strategies as st

    from swagproof.oracle.testing.strategies import traces
    from swagproof.oracle.window import WINDOWS

    return st.sampled_from(tuple(WINDOWS)).flatmap(traces)


def _operations(_type: Any) -> "SearchStrategy[Any]":
    from swagproof.oracle.testing.strategies import operations

    return operations()


def register() -> None:
    """Tell Hypothesis how to draw traces and aggregations.  Warns, and never raises, where that fails."""
    try:
        from hypothesis import strategies as st

        from swagproof.models.operations import Operation
        from swagproof.oracle.trace import Trace

        st.register_type_strategy(Trace, _traces)
        st.register_type_strategy(Operation, _operations)
    except Exception as error:  # whatever it is, other people's tests must not fail for it
        warnings.warn(
            f"swagproof: Hypothesis cannot draw its types: {type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
