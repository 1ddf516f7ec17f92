"""The papers' listings as supplied, in this project's notation; the code of `reference/` is held against them.

A tag `[Fig.7 l.62]` at a line of code names a listing and a line of it.  What follows without a tag belongs to the tag
above it, so that nothing in a transcribed function goes unaccounted for; what a paper leaves open is tagged `[ours]`.
"""

from typing import Final

from swagproof.reference.listings import tangwongsan_2015 as general
from swagproof.reference.listings import tangwongsan_2018 as out_of_order
from swagproof.reference.listings import tangwongsan_2021 as in_order
from swagproof.reference.listings import wang_2005 as sharing
from swagproof.reference.listings.listing import Listing

LISTINGS: Final[dict[str, tuple[Listing, ...]]] = {
    "Two-Stacks": in_order.TWO_STACKS,
    "Two-Stacks Lite": in_order.TWO_STACKS_LITE,
    "DABA": in_order.DABA,
    "DABA Lite": in_order.DABA_LITE,
    "B-tree": (out_of_order.FIG_10,),
    "FiBA": (out_of_order.FIG_7, out_of_order.FIG_8, out_of_order.FIG_10),
    "FlatFAT": (general.ALG_1, general.ALG_2, general.ALG_3),
    "STREAM": sharing.STREAM,
    "TimeGram": sharing.TIMEGRAM,
    "OrderedSharing": sharing.ORDERED_SHARING,
}
"""Algorithm -> its listings.  The others are given in prose."""
