"""Benchmarks: ratios to peers in one run, never timed tests."""
