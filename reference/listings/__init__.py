"""The papers' listings as they were supplied: which line of which function says what, in this project's notation.

A tag `[DABA l.19]` at a line of a reference file names line 19 of the listing's function of the same name.  A test
checks that every line is transcribed, in order, and that no tag points nowhere.
"""

from typing import Final

from swagproof.reference.listings import tangwongsan_2015 as general
from swagproof.reference.listings import tangwongsan_2018 as out_of_order
from swagproof.reference.listings import tangwongsan_2021 as in_order
from swagproof.reference.listings import wang_2005 as sharing
from swagproof.reference.listings.listing import Listing

LISTINGS: Final[dict[str, Listing]] = {
    **in_order.LISTINGS,
    **out_of_order.LISTINGS,
    **general.LISTINGS,
    **sharing.LISTINGS,
}
"""Algorithm -> its listing."""
