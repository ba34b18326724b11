"""State as bytes: damage is an error, and never another exception."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.saved import pack, unpack

TREE = {"n": 3, "weights": np.arange(6.0).reshape(2, 3), "model": b"state"}


@pytest.mark.parametrize(
    ("text", "other"),
    [(b"<f8", b"<s8"), (b"<f8", b"<f,"), (b"<f8", b"<i9"), (b"[2,3]", b"[2,9]"), (b"[2,3]", b"[2,x]"), (b"48", b"99")],
)
def test_a_damaged_state_is_an_error(text: bytes, other: bytes) -> None:
    whole = pack(TREE)
    assert np.array_equal(unpack(whole)["weights"], TREE["weights"])  # type: ignore[arg-type]  # an array
    assert text in whole
    with pytest.raises(ValueError, match=r".") as caught:
        unpack(whole.replace(text, other))
    assert "\n" not in str(caught.value)


def test_a_state_that_ends_too_early_is_an_error() -> None:
    whole = pack(TREE)
    for end in range(len(whole)):
        with pytest.raises(ValueError, match=r"."):
            unpack(whole[:end])
