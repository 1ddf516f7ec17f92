"""Names of obligations and of checks, in parts that say what fails, so that no text must be parsed."""

from typing import Final

RAISES: Final = "raises"
"""The clause of an obligation that fails because the code raises an error."""
COST: Final = "cost"
"""The place of obligations about cost alone."""


class Obligation(str):
    """The name of an obligation, `place: clause`, with its parts, by which claims select obligations."""

    clause: str
    """The contract's clause, or the sentence to show."""
    place: str
    """The loop or call at which it is shown; empty for the operation itself."""

    def __new__(cls, clause: str, place: str = "", text: str = "") -> "Obligation":
        """Return the name of a clause at a place, with an optional text that replaces `place: clause`."""
        made = super().__new__(cls, text or (f"{place}: {clause}" if place else clause))
        made.clause, made.place = clause, place
        return made

    @classmethod
    def of(cls, name: str) -> "Obligation":
        """Return a name as an obligation; plain text is a clause of the operation itself."""
        return name if isinstance(name, Obligation) else cls(name)
