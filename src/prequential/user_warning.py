"""Warnings that point at the line of the user's code, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings

_PACKAGE = __name__.partition(".")[0]


def warn_user(message: str, category: type[Warning]) -> None:
    """Issue a warning at the first caller outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_ours(str(frame.f_globals.get("__name__", ""))):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    """Whether a frame belongs to this package, or to the library between two of its frames."""
    return module in (_PACKAGE, "contextlib", "functools") or module.startswith(f"{_PACKAGE}.")
