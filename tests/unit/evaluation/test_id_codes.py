"""Codes of ids."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.evaluation import id_codes
from prequential.evaluation.id_codes import IdCodes


def test_two_ids_with_one_code_stay_two_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_codes, "_code", lambda name: 7)
    codes = IdCodes()
    names = np.array(["a", "b", "c"], dtype=object)
    found = codes.encode(names)
    assert len(set(found.tolist())) == 3
    assert [codes.decode(code) for code in found] == ["a", "b", "c"]
    assert codes.encode(names).tolist() == found.tolist()


def test_whole_numbers_are_their_own_codes() -> None:
    codes = IdCodes()
    assert codes.encode(np.array([5, -3])).tolist() == [5, -3]
    assert codes.decode(-3) == -3
    large = np.array([2**64 - 1, 2**63, 0], dtype=np.uint64)
    assert [codes.decode(code) for code in codes.encode(large)] == [2**64 - 1, 2**63, 0]


def test_codes_depend_on_the_id_alone_and_survive_a_save_point() -> None:
    codes, other = IdCodes(), IdCodes()
    first = codes.encode(np.array(["x", "y"], dtype=object))
    assert other.encode(np.array(["y", "x"], dtype=object)).tolist() == first[::-1].tolist()
    restored = IdCodes()
    restored.restore(codes.state())
    assert [restored.decode(code) for code in first] == ["x", "y"]
