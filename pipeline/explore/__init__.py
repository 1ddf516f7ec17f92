"""Explorations and campaigns in shards, on Spark."""
