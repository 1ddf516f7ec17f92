"""The sandbox: a subject runs in a process of its own under a watchdog, and returns plain values."""
