"""State as bytes: trees of plain values and arrays, which are read without running code.

Only objects of user code and other libraries are pickled. Reading a pickle runs code, so pickles are only read from
files that this package has written.
"""

from __future__ import annotations

import json
import pickle
import struct
from typing import Any

import numpy as np

from prequential.errors import InputError
from prequential.wording import one_line

_MAGIC = b"PQST"
_VERSION = 1
_HEAD = struct.Struct("<4sIQ")
_BYTES, _ARRAY = "\0bytes", "\0array"


class UnsavableError(InputError):
    """An object that cannot be saved."""


def pack(tree: Any) -> bytes:
    """Encode a tree of dictionaries (with text as keys), lists, text, numbers, bytes and arrays as bytes.

    Raises
    ------
    UnsavableError
        For any other object.

    Examples
    --------
    >>> unpack(pack({"n": 3, "mean": 0.1, "counts": np.arange(2), "model": b"..."}))
    {'n': 3, 'mean': 0.1, 'counts': array([0, 1]), 'model': b'...'}
    """
    blobs: list[bytes] = []

    def encode(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray) and value.dtype.kind != "O":
            blobs.append(np.ascontiguousarray(value).tobytes())
            return {_ARRAY: [value.dtype.str, list(value.shape), len(blobs[-1])]}
        if isinstance(value, bytes):
            blobs.append(value)
            return {_BYTES: len(value)}
        raise UnsavableError(f"a {type(value).__name__} cannot be saved: {value!r}")

    head = json.dumps(tree, default=encode, separators=(",", ":")).encode()
    return b"".join([_HEAD.pack(_MAGIC, _VERSION, len(head)), head, *blobs])


def unpack(data: bytes) -> Any:
    """Decode bytes from ``pack``; tuples are returned as lists.

    Raises
    ------
    ValueError
        If the bytes are damaged or from a newer version.
    """
    if len(data) < _HEAD.size:
        raise ValueError("damaged state: it ends too early")
    magic, version, n_head = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("not a saved state")
    if version > _VERSION:
        raise ValueError(f"saved by a newer version of prequential (format {version})")
    at = _HEAD.size + n_head

    def decode(value: dict[str, Any]) -> Any:
        nonlocal at
        if _BYTES not in value and _ARRAY not in value:
            return value
        dtype, shape, n = value.get(_ARRAY, (None, None, value.get(_BYTES)))
        blob = data[at : at + n]
        if len(blob) < n:
            raise ValueError("damaged state: it ends too early")
        at += n
        return blob if dtype is None else np.frombuffer(blob, dtype).reshape(shape).copy()

    try:
        return json.loads(data[_HEAD.size : _HEAD.size + n_head], object_hook=decode)
    except (TypeError, SyntaxError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ValueError(f"damaged state: {one_line(error)}") from None


def pickled(value: Any, what: str) -> bytes:
    """Pickle an object of user code or another library; ``what`` names it in the error.

    Raises
    ------
    UnsavableError
        If it cannot be pickled.
    """
    try:
        return pickle.dumps(value, protocol=5)
    except Exception as error:  # such objects may raise anything
        raise UnsavableError(f"{what} cannot be pickled ({type(error).__name__}: {error})") from error
