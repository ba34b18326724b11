"""The numbers of the eight properties, on synthetic curves."""

from __future__ import annotations

import numpy as np
import pytest
from unit.testbed.cards.made_up import NAMES, flat, results

from prequential.runs.failure import Failure
from prequential.testbed.cards.property import PROPERTIES
from prequential.types import IntArray

READINGS = {reading.key: reading for one in PROPERTIES for reading in one.readings}


def mine(stream: str) -> IntArray:
    counts = flat({name: 3 + k for k, name in enumerate(NAMES)}[stream])
    if stream == "NSLC":
        counts[:, 100:200] = 11
    if stream == "NSGT-I":
        counts[:, :50], counts[:, 50:100], counts[:, 100:150], counts[:, 150:200] = 2, 12, 22, 4
    if stream == "NSPC-A":
        counts[:, 100:110] = 29
    return counts


def value(key: str) -> float:
    return results({"mine": mine}).reading(READINGS[key], "mine").mean


def test_there_are_eight_properties_of_which_every_stream_has_a_part() -> None:
    assert len(PROPERTIES) == 8
    assert {stream for reading in READINGS.values() for stream in reading.streams} == set(NAMES)
    assert len(READINGS) == sum(len(one.readings) for one in PROPERTIES)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("regret NSGT", (3 - 1) * 200 / 10_001),
        ("regret NSGR", (5 - 1) * 200 / 10_001),
        ("regret NSPC", (8 - 1) * 200 / 10_001),
        ("regret NSCX", (11 - 1) * 200 / 10_001),
        ("regret NSLC", (0.5 * 6 + 0.5 * 11 - 1) * 200 / 10_001),
        ("regret NSLC from 5000", (11 - 1) * 100 / 5001),
        ("memory NSGT-I", (7 - 13) / 50),
        ("memory NSGT-I from 2500", (12 - 4) / 50),
        ("regret NSPC-A from 5000", ((29 - 1) * 10 + (9 - 1) * 90) / 5001),
        ("peak NSPC-A", (29 - 9) / 50),
        ("recovery NSPC-A", 1000),
        ("peak NSGR", 0),
        ("recovery NSGR", 0),
        ("NSGT-F less NSGT", (4 - 3) * 200 / 10_001),
        ("NSGT-5D less NSGT", (10 - 3) * 200 / 10_001),
    ],
)
def test_a_number_is_what_its_formula_says(key: str, expected: float) -> None:
    assert value(key) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_every_number_was_looked_at() -> None:
    (mark,) = test_a_number_is_what_its_formula_says.pytestmark  # type: ignore[attr-defined]  # set by pytest
    assert {key for key, _ in mark.args[1]} == set(READINGS)


def test_a_stream_that_is_not_there_makes_a_number_undefined() -> None:
    card = results({"mine": mine}, streams=("NSGT", "NSPC"))
    found = card.reading(READINGS["NSGT-F less NSGT"], "mine")
    assert np.isnan(found.mean)
    assert found.why == "the card has no NSGT-F"
    assert not np.isnan(card.reading(READINGS["regret NSGT"], "mine").mean)


def test_a_failure_makes_numbers_of_its_stream_undefined_and_no_others() -> None:
    card = results({"mine": mine}, failed={"NSGT": Failure(77, "ValueError: no", "")})
    undefined = {key for key, one in READINGS.items() if np.isnan(card.reading(one, "mine").mean)}
    assert undefined == {"regret NSGT", "NSGT-F less NSGT", "NSGT-5D less NSGT"}
    why = card.reading(READINGS["NSGT-F less NSGT"], "mine").why
    assert why == "NSGT: failed at record 77 of 1 of 10 seeds: ValueError: no"


def test_the_optimum_itself_has_no_regret_and_no_inertia() -> None:
    card = results({"optimal": lambda stream: flat(1)})
    assert [card.reading(one, "optimal").mean for one in READINGS.values()] == [0.0] * len(READINGS)
