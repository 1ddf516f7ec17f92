"""The wall: what is judged runs in a process of its own, watched by another, and what comes back is plain values."""
