"""Runs on disk: trace, manifest, directory. Reports and comparisons read nothing else."""
