from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prequential.learners.adapters.parameters import as_json


class Thing:
    pass


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([1.5, 2.5]), [1.5, 2.5]),
        (math.nan, "nan"),
        ({3: (1, None)}, {"3": [1, None]}),
        ({"b", "a"}, ["a", "b"]),
        (Thing, f"{__name__}.Thing"),
        (Thing(), f"{__name__}.Thing"),
        (np.sum, "numpy.sum"),
    ],
)
def test_values_become_json_types(value: Any, expected: Any) -> None:
    assert as_json(value) == expected


@given(st.recursive(st.none() | st.floats() | st.integers() | st.text(), lambda s: st.lists(s) | st.tuples(s, s)))
def test_every_value_can_be_written_as_json(value: Any) -> None:
    json.dumps(as_json(value), allow_nan=False)
