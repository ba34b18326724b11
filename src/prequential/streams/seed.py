"""Seeds of random draws."""

from __future__ import annotations

import hashlib

from prequential.arguments import checked_whole
from prequential.errors import ParameterError


def checked_seed(value: object, name: str, caller: str) -> int:
    """Return a seed, a whole number of at most 64 bits."""
    seed = checked_whole(value, name, caller)
    if seed >= 2**64:
        raise ParameterError(name, caller, "a whole number below 2^64", value)
    return seed


def another_seed(own: int, seed: object) -> int:
    """Return a seed derived from two others by a hash.

    Examples
    --------
    >>> another_seed(1, 2) == another_seed(2, 1)
    False
    """
    given = checked_seed(seed, "seed", "reseeded")
    return int.from_bytes(hashlib.blake2b(f"{own}:{given}".encode(), digest_size=8).digest())
