"""Values as they read back from JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_data(description: Mapping[str, object]) -> dict[str, Any]:
    """Return a description as it reads back from a JSON file, for comparison with one that was read.

    Examples
    --------
    >>> json_data({"sizes": (1, 2), "base": ValueError})
    {'sizes': [1, 2], 'base': "<class 'ValueError'>"}
    """
    data: dict[str, Any] = json.loads(json.dumps(description, default=str))
    return data
