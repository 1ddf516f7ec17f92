"""The entry point that Hypothesis runs when it is imported (group `hypothesis`): strategies for our types.

It imports nothing at module level: Hypothesis is still being imported, and must work even if swagproof does not.

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
    """Register strategies for traces and aggregations with Hypothesis.  If that fails, warns and never raises."""
    try:
        from hypothesis import strategies as st

        from swagproof.models.operations import Operation
        from swagproof.oracle.trace import Trace

        st.register_type_strategy(Trace, _traces)
        st.register_type_strategy(Operation, _operations)
    except Exception as error:  # whatever it is, other tests must not fail because of it
        warnings.warn(
            f"swagproof: Hypothesis cannot draw its types: {type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
