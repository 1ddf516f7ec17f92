"""Hypotheses that are tried: each may be another step of the job."""
