"""Replication: one experiment with several seeds, each an ordinary run, below one directory."""
