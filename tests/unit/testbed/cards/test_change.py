"""Two cards of a learner, compared on the same records."""

from __future__ import annotations

import numpy as np
import pytest
from unit.testbed.cards.made_up import NAMES, noisy, results

from prequential.testbed.cards.change import changes
from prequential.types import IntArray


def before(stream: str) -> IntArray:
    return noisy(9, len(stream))


def after(stream: str) -> IntArray:
    return np.maximum(before(stream) - 3, 0) if stream == "NSGT" else before(stream)


def test_a_better_error_is_found_on_its_stream_only() -> None:
    found = {one.key: one for one in changes(results({"mine": after}), results({"mine": before}))}
    assert found["error NSGT"].verdict == "better"
    assert found["error NSGT"].difference.p_value == pytest.approx(2 / 2**10)
    assert found["error NSPC"].verdict == ""
    assert found["error NSPC"].difference.mean == 0.0
    assert found["NSGT-F less NSGT"].verdict == "worse"  # the other stream has not become better


def test_a_difference_of_regrets_is_listed_once() -> None:
    keys = [one.key for one in changes(results({"mine": after}), results({"mine": before}))]
    assert len(keys) == len(set(keys))
    assert "error NSGT" in keys
    assert "regret NSGT" not in keys


def test_only_what_has_the_same_records_is_compared() -> None:
    now = results({"mine": after})
    assert changes(now, results({"mine": before}, digest="other")) == ()
    found = changes(now, results({"mine": before}, streams=("NSGT",)))
    assert [one.key for one in found] == ["error NSGT"]


def test_seeds_are_paired_by_their_numbers() -> None:
    """A card of other seeds, in another order, is compared on those that both have."""
    now, last = results({"mine": after}), results({"mine": before})
    turned = last.of_seeds([9, 3, 1, 2, 5, 6, 4, 10])
    (found,) = (one for one in changes(now, turned) if one.key == "error NSGT")
    rows = [k - 1 for k in range(1, 11) if k in turned.seeds]
    expected = now.errors("mine", "NSGT").values[rows] - last.errors("mine", "NSGT").values[rows]
    assert found.difference.mean == pytest.approx(expected.mean(), rel=1e-12)
    assert len(found.now.values) == 8


def test_a_recovery_is_compared_without_a_test() -> None:
    found = {one.key: one for one in changes(results({"mine": after}), results({"mine": before}))}
    assert np.isnan(found["recovery NSPC-A"].difference.p_value)
    assert "there is no test" in found["recovery NSPC-A"].difference.reason
    assert set(NAMES) == {key.split()[1] for key in found if key.startswith("error ")}
