"""Benchmarks of judging: compared with running the subject and the reference alone, or with a pipe's throughput."""
