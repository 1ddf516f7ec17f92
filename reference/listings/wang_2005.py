"""Listings of *Aggregate Sharing in Stream Databases* (2005): steps in prose, each with its translation to code.

The paper prints no code.  A step is its prose, shortened; below the arrow is our translation.  The check compares the
code with the translation; only a reader can compare the translation with the prose.  Only three are compared as
printed: line 6 of Figure 1, and steps 2a and 2b of section 6.3.2.1.

The lines of Figure 1 are counted from 1; those that name a stage or end a block have no tag.  The other steps have the
numbers and letters of their section, the heading 0.  Step f of section 3.2.2 is an invariant (`held` in
`contracts/sharing/timegram.py`).  The paper passes tree and time to functions; here they are attributes.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

STREAM: Final = (
    Listing(
        "Fig.1",
        """
         2 for each sliding-window query q_i
           => fun register(size)
         3 assign an input queue and an output queue to q_i
           => queries.append(Query(size, deque(), deque()))
         6 fun insert(t)
         7 for each window in the system
           => for query in queries
         8 store t into the window's input queue
           => query.inputQueue.append(t)
         9 remove the oldest tuple from the input queue if necessary
           => if len(query.inputQueue) > query.size query.inputQueue.popleft()
        10 update or compute the answer, and stream it out to the output queue
           => query.outputQueue.append(product(query.inputQueue))
        """,
        {},
    ),
)

TIMEGRAM: Final = (
    Listing(
        "Sec.3.2.2",
        """
        a each query is a sliding window Q_i of a size W_i
          => fun register(size)
        b find the range [L, R] of the aggregate attribute in the largest window
          => low, high <- exact('low', low), exact('high', high)
        c uniformly divide [L, R] into K buckets, each of width (R - L) / K
          => width <- (high - low) / buckets
        d put the new tuple's timestamp into the bucket of its value
          => index <- bucketOf(value), bucketAt(index).timestamps.append(now), homes.append(index)
        e if more timestamps are held than the largest window's size, remove the oldest
          => if len(homes) > registry.largest removeOldest()
        """,
        {},
    ),
    Listing(
        "Sec.3.2.3",
        """
        a max: from the last bucket down, the first with a timestamp in W: its [l, r]
          => for bucket in reversed(buckets) if belonging(bucket, window) > 0 return boundaries(bucket.index),
          => return null
        b min: from the first bucket up, likewise
          => for bucket in buckets if belonging(bucket, window) > 0 return boundaries(bucket.index), return null
        c count: for the largest window all timestamps held, else those in W, bucket by bucket
          => if registry.known(window) = registry.largest return len(homes),
          => return sum((belonging(bucket, window) for bucket in buckets))
        d sum: [sum of L_i count_i, sum of R_i count_i]
          => a <- b <- low - low, for bucket in buckets left, right <- boundaries(bucket.index),
          => count <- belonging(bucket, window), a, b <- a + left * count, b + right * count, return a, b
        e avg: the sum's bounds divided by the number of timestamps
          => TG-4: a, b <- sum(window), count <- count(window),
          => if count > 0 return (a / count, b / count) else return null
        """,
        {},
    ),
)

ORDERED_SHARING: Final = (
    Listing(
        "Sec.6.3.2.1",
        """
        0 fun insert(t, newValue, currentTime)
          => fun insert(newValue)
        1   find the largest valid answer w.A in t such that w.A <= newValue
            => OS-5: w <- largestValid(newValue)
        2   if w.A does exist
            => if w != null
        2a    w.answer <- newValue
        2b    w.ts <- currentTime
        2c    remove all smaller windows r from the tree
              => removeUpTo(w.size - 1)
        2d    fix the tree if necessary
              => fix(w)
        3   otherwise there are no answers to update
            =>
        """,
        {},
    ),
    Listing(
        "Sec.6.3.2.2",
        """
        0 fun lookup(t, w)
          => fun lookup(size)
        1   if w is valid
            => w <- windows[registry.known(size)], holder <- valid(w), if holder != null
        1a    return answer for w
              => return holder.answer
        2   otherwise
            => if currentTime > 0
        2a    remove all windows smaller than w
              => OS-3: removeUpTo(w.size)
        2b    re-calculate the answer for w and all smaller windows
              => validated <- recalculate(w)
        2c    insert each window that is validated, with the current time, into the tree
              => OS-1: for each in validated tree.insert(each, before(each)), return w.answer
        """,
        {},
    ),
)
