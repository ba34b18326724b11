"""Whole numbers as codes for the ids of records, which may be text."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential._native import Waiting
from prequential.types import IntArray

MOST_FORGOTTEN = 100_000
"""Ids that are kept although no record with them waits."""


class IdCodes:
    """Codes for ids of any type; ids that are whole numbers are their own codes."""

    def __init__(self) -> None:
        self._codes: dict[object, int] = {}
        self._names: dict[int, object] = {}
        self._unsigned = False

    def encode(self, ids: npt.NDArray[Any]) -> IntArray:
        """Return the codes of some ids."""
        if ids.dtype == np.uint64:  # ids of 2^63 and more have codes below 0
            self._unsigned = True
            return np.ascontiguousarray(ids).view(np.int64)
        if ids.dtype.kind in "iu":
            return np.ascontiguousarray(ids, dtype=np.int64)
        codes, names = self._codes, self._names
        out = np.empty(len(ids), dtype=np.int64)
        for i, name in enumerate(ids.tolist()):
            code = codes.get(name)
            if code is None:
                code = _code(name)
                while code in names:  # two ids with one code, about once in 10^13 for a million ids
                    code += 1
                codes[name], names[code] = code, name
            out[i] = code
        return out

    def decode(self, code: int) -> object:
        """Return the id of a code."""
        return self._names.get(int(code), int(code) % 2**64 if self._unsigned else int(code))

    def prune(self, waiting: Waiting) -> None:
        """Remove ids that the store of waiting records no longer holds, once they are the majority."""
        if len(self._codes) > 2 * waiting.n_known + MOST_FORGOTTEN:
            alive = {int(code) for code in waiting.known()}
            self._names = {code: name for code, name in self._names.items() if code in alive}
            self._codes = {name: code for code, name in self._names.items()}

    def state(self) -> list[Any]:
        """Return the whole state."""
        return [self._unsigned, list(self._names), list(self._names.values())]

    def restore(self, state: list[Any]) -> None:
        """Restore from ``state()``."""
        self._unsigned, codes, names = state
        self._names = dict(zip(codes, names, strict=True))
        self._codes = {name: code for code, name in self._names.items()}


def _code(name: object) -> int:
    """Return a number for an id that is the same whenever the id is seen: the models of a log may still know it."""
    return int.from_bytes(blake2b(str(name).encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1
