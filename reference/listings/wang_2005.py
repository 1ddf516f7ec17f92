"""Listings of *Aggregate Sharing in Stream Databases* (2005).

The paper numbers the steps of OrderedSharing and letters those of TimeGram.  Here the lines are counted from 1 in each
function, the heading included.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

LISTINGS: Final[dict[str, Listing]] = {
    "STREAM": {
        "register": {
            1: "for each sliding-window query q_i",
            2: "assign an input queue and an output queue to q_i",
        },
        "insert": {
            1: "Insert(tuple t)",
            2: "for each window in the system",
            3: "store t into the window's input queue",
            4: "remove the oldest tuple from the input queue if necessary",
            5: "update or compute the answer, and stream it out to the output queue",
        },
    },
    "TimeGram": {
        "register": {1: "a) each query is a sliding window Q_i of a size W_i"},
        "__init__": {
            2: "b) find the range [L, R] of the aggregate attribute in the largest window",
            3: "c) uniformly divide [L, R] into K buckets, each of width (R - L) / K",
        },
        "insert": {
            4: "d) put the new tuple's timestamp into the bucket of its value",
            5: "e) if more timestamps are held than the largest window's size, remove the oldest",
        },
        "max": {1: "a) from the last bucket down, the first with a timestamp in W: its [l, r]"},
        "min": {2: "b) from the first bucket up, likewise"},
        "count": {3: "c) for the largest window all timestamps held, else those in W, bucket by bucket"},
        "sum": {4: "d) [sum of L_i count_i, sum of R_i count_i]"},
        "avg": {5: "e) the sum's bounds divided by the number of timestamps"},
    },
    "OrderedSharing": {
        "insert": {
            1: "Insert(Tree t, newValue, currentTime)",
            2: "1. find the largest valid answer w.A in t such that w.A <= newValue",
            3: "2. if w.A does exist",
            4: "a. w.answer <- newValue",
            5: "b. w.ts <- currentTime",
            6: "c. remove all smaller windows r from the tree",
            7: "d. fix the tree if necessary",
            8: "3. otherwise there are no answers to update",
        },
        "lookup": {
            1: "Lookup(Tree t, window w)",
            2: "1. if w is valid",
            3: "a. return the answer for w",
            4: "2. otherwise",
            5: "a. remove all windows smaller than w",
            6: "b. re-calculate the answer for w and all smaller windows",
            7: "c. insert each window that is validated, with the current time, into the tree",
        },
    },
}
