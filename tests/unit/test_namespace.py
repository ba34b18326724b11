"""What a user sees of the package: names, and what a wrong name is answered."""

from __future__ import annotations

import copy
import importlib
import pickle
from pathlib import Path
from types import ModuleType

import pytest
from support import user_script

import prequential as pq
from prequential.namespace import PUBLIC, Suggesting

LIST = Path(__file__).with_name("public_names.txt")
N_DOCUMENTED = 235
"""Names in the lists ``__all__`` of the same modules at commit 7404fe3, and the seven functions of calculators."""


def public_names() -> list[str]:
    return sorted(
        f"{place.replace('prequential', 'pq', 1)}.{name}"
        for place in PUBLIC
        for name in dir(importlib.import_module(place))
    )


def test_the_public_names_are_those_of_the_list() -> None:
    """A new public name is a promise: add it to the list on purpose."""
    assert LIST.read_text(encoding="utf-8").split() == public_names()


def test_a_typed_script_uses_every_public_name() -> None:
    text = Path(user_script.__file__).read_text(encoding="utf-8")
    assert [one for one in public_names() if f"    {one},\n" not in text] == []
    assert 0.5 < user_script.main() <= 1


def test_the_public_face_has_not_grown_by_more_than_a_fifth() -> None:
    assert len(public_names()) <= 1.2 * N_DOCUMENTED


@pytest.mark.parametrize("place", PUBLIC)
def test_a_module_lists_public_names_only(place: str) -> None:
    module = importlib.import_module(place)
    assert dir(module) == sorted(module.__all__)
    for name in dir(module):
        assert not name.startswith("_")
        found = getattr(module, name)
        if isinstance(found, ModuleType):
            assert found.__name__ in PUBLIC, f"{place}.{name} is a module of the implementation"


def test_what_has_moved_is_found() -> None:
    for name, place in (("ADWIN", "pq.drift.ADWIN"), ("KNN", "pq.learners.KNN"), ("mcnemar", "pq.comparisons.mcnemar")):
        with pytest.raises(AttributeError, match=f"It is {place}"):
            getattr(pq, name)
    with pytest.raises(AttributeError, match=r"It is pq\.learners\.DriftReset"):
        getattr(pq.drift, "DriftReset")  # noqa: B009  # mypy knows that it is not there


def test_an_unknown_name_gets_the_closest_one() -> None:
    with pytest.raises(pq.UnknownNameError, match="Did you mean 'evaluate'"):
        getattr(pq, "evalute")  # noqa: B009  # mypy knows that it is not there
    assert not hasattr(pq, "__wrapped__")


class Broken(Suggesting):
    @property
    def size(self) -> int:
        raise AttributeError("the disk is gone")


def test_a_property_that_fails_keeps_its_own_error() -> None:
    with pytest.raises(AttributeError, match="the disk is gone"):
        _ = Broken().size


def test_objects_that_suggest_names_can_be_copied_and_pickled() -> None:
    for one in (pq.learners.KNN(n_neighbors=3), pq.drift.DDM(level=2)):
        assert repr(copy.deepcopy(one)) == repr(one) == repr(pickle.loads(pickle.dumps(one)))
    schema = pq.Schema.numeric(2, ["a", "b"])
    assert copy.deepcopy(schema) == schema == pickle.loads(pickle.dumps(schema))
