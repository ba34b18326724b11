"""The type I and type II experiment: how often significance tests reject when the truth is known."""
