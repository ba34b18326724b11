"""Mixtures as TOML: read, written, and refused with all their faults."""

from __future__ import annotations

from pathlib import Path

import pytest

import prequential as pq
from prequential.errors import InputError, PlanError
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.toml import nine, read_mixture
from prequential.testbed.transform import Transform

OWN = """
name = "mine"
n_records = 500

[[class]]
name = "A"
weight = 2

[[class.gaussian]]
centre = [0, 0]
variances = [1, 2]
rotation = 30

[[class.gaussian.transform]]
begin = 100
duration = 50
move = [1, 1]
rotate = [[0, 1, 45]]

[[class]]
name = "B"

[[class.gaussian]]
centre = [3, 3]
variances = [1, 1]
start = 20
"""


def saved(place: Path, text: str) -> Path:
    path = place / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_as_it_says(tmp_path: Path) -> None:
    transform = Transform(100, 150, move=[1, 1], rotate=45)
    expected = Mixture(
        name="mine",
        n_records=500,
        classes=[
            MixtureClass("A", [Gaussian([0, 0], [1, 2], rotation=30, transforms=[transform])], weight=2),
            MixtureClass("B", [Gaussian([3, 3], [1, 1], start=20)]),
        ],
    )
    path = saved(tmp_path, OWN)
    assert read_mixture(path) == expected
    assert pq.testbed.mixture(path) == pq.testbed.mixture(str(path)) == pq.testbed.stream(path).mixture == expected


def test_a_file_without_a_name_is_called_as_the_file(tmp_path: Path) -> None:
    assert read_mixture(saved(tmp_path, OWN.replace('name = "mine"', ""))).name == "own"


@pytest.mark.parametrize("name", nine())
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    assert read_mixture(saved(tmp_path, nine()[name].to_toml())) == nine()[name]


def test_planes_in_more_dimensions_are_read_back(tmp_path: Path) -> None:
    gaussian = Gaussian(
        [0, 0, 0],
        [1, 2, 3],
        rotation=[[0, 2, 45], [1, 2, 10]],
        transforms=[Transform(5, 9, turn=[[1, 2, 90]], about=[1, 1, 1], scale=[1, 2, 3]), Transform(9, weight=0.0)],
    )
    still = MixtureClass("B", [Gaussian([0, 0, 0], [1, 1, 1])])
    mixture = Mixture(classes=[MixtureClass("A", [gaussian]), still], n_records=50, name="m", summary="turns")
    assert read_mixture(saved(tmp_path, mixture.to_toml())) == mixture


def test_all_faults_of_a_file_are_reported_together(tmp_path: Path) -> None:
    text = (
        OWN.replace("rotation = 30", "rotaton = 30")
        .replace("variances = [1, 1]", "variances = [1, -1]\nweight = -3")
        .replace("duration = 50", "duration = 50\nend = 200")
        .replace("n_records = 500", "n_records = 500\nzzz = 3")
    )
    with pytest.raises(PlanError) as refused:
        read_mixture(saved(tmp_path, text))
    message = str(refused.value)
    assert "own.toml: 5 faults" in message
    assert "class A, gaussian 1: unknown parameter 'rotaton'. Did you mean 'rotation'?" in message
    assert "class A, gaussian 1, transform 1: give 'end' or 'duration', not both." in message
    assert "class B, gaussian 1: The 'variances' parameter of Gaussian must be numbers above 0" in message
    assert "class B, gaussian 1: The 'weight' parameter of Gaussian must be a finite number of at least 0" in message
    assert "unknown parameter 'zzz'. Accepted: class, n_records, name, summary." in message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("n_records = 500", "", "n_records is missing."),
        ("n_records = 500", "n_records = 0", "at least 1. Got 0"),
        ("duration = 50", "duration = -1", "duration must be a whole number of at least 0, not -1."),
        ("centre = [3, 3]", "", "class B, gaussian 1: centre is missing."),
        ("centre = [3, 3]", "centre = [3, 3, 3]", "3 numbers, as 'centre' has"),
        ('name = "B"', 'name = "A"', "distinct names"),
        ("begin = 100", "begin = 'soon'", "class A, gaussian 1, transform 1: The 'begin' parameter"),
        ("begin = 100", "", "class A, gaussian 1, transform 1: begin is missing."),
        ("move = [1, 1]", "mov = [1, 1]", "Did you mean 'move'? Accepted: begin, end, move"),
        ("weight = 2", "weight = 0\nstart = 3", "class A: unknown parameter 'start'."),
        ("[[class]]", "[[clas]]", "unknown parameter 'clas'. Did you mean 'class'?"),
        ("n_records = 500", "n_records = ", "not TOML"),
    ],
)
def test_a_fault_has_its_place_and_what_is_accepted(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(PlanError) as refused:
        read_mixture(saved(tmp_path, OWN.replace(old, new)))
    assert message in str(refused.value)


def test_classes_must_be_tables(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="class must be a list of tables"):
        read_mixture(saved(tmp_path, "n_records = 10\nclass = 3"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.toml does not exist"):
        read_mixture(tmp_path / "gone.toml")


@pytest.mark.parametrize(("name", "near"), [("NSGT_F", "NSGT-F"), ("nscx", "NSCX"), ("NSPCA", "NSPC-A")])
def test_an_unknown_name_gets_a_suggestion(name: str, near: str) -> None:
    with pytest.raises(InputError, match=f"Did you mean '{near}'"):
        pq.testbed.stream(name)
    with pytest.raises(InputError, match=r"or the path of a \.toml file"):
        pq.testbed.mixture("whatever")
