"""The fingerprint of code changes exactly if the code that runs may."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from river import compose, linear_model, preprocessing
from sklearn.base import BaseEstimator
from support.importable_learners import Last

import prequential as pq
from prequential.python_object import python_object
from prequential.source_code import SourceCode, source_code

CODE = '''
"""A model."""
import math

import my_helper
from my_helper import Base

RATE = 0.5
LABELS = {"up", "down"}
UNUSED = 1

def weigh(x):
    return RATE * math.exp(my_helper.bend(x))

def unused(x):
    return x

class Part:
    def __call__(self, x):
        return [one for one in (lambda y: y + 1)(x) if one in LABELS]

class Model(Base):
    limit = 3

    def __init__(self):
        self.parts = {"first": [Part()]}

    @property
    def size(self):
        return len(self.parts)

    @staticmethod
    def twice(x):
        return 2 * x

    def learn_one(self, x, y):
        return weigh(x)

    def predict_one(self, x):
        return None
'''
HELPER = """
def bend(x):
    return x * x

class Base:
    def reset(self):
        return 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change within a second
    yield tmp_path
    for name in ("my_model", "my_helper"):
        sys.modules.pop(name, None)


def code(folder: Path, changed: str = CODE, helper: str = HELPER) -> SourceCode:
    """Return the code of the model in files with this text."""
    (folder / "my_model.py").write_text(changed, encoding="utf-8")
    module = ModuleType("my_helper")
    module.__file__ = str(folder / "my_helper.py")
    exec(compile(helper, module.__file__, "exec"), vars(module))
    sys.modules["my_helper"] = module
    cls: Any = python_object("my_model.py:Model", folder)
    return source_code([cls()])


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("return weigh(x)", "return weigh(x) + 1", "my_model.Model.learn_one"),
        ("return None", "return 0", "my_model.Model.predict_one"),
        ("return len(self.parts)", "return 0", "my_model.Model.size"),
        ("return 2 * x", "return 3 * x", "my_model.Model.twice"),
        ("limit = 3", "limit = 4", "my_model.Model"),
        ("y + 1", "y - 1", "my_model.Part.__call__"),
        ("math.exp", "math.log", "my_model.weigh"),
        ("RATE = 0.5", "RATE = 0.6", "my_model.RATE"),
        ('"down"', '"flat"', "my_model.LABELS"),
        ("self, x, y", "self, x, y, z=1", "my_model.Model.learn_one"),
    ],
)
def test_a_change_of_what_the_model_uses_is_named(folder: Path, before: str, after: str, changed: str) -> None:
    assert CODE.count(before) >= 1
    assert code(folder).changes(code(folder, CODE.replace(before, after))) == [f"code of {changed}: changed"]


def test_a_change_in_another_module_that_it_uses_is_named(folder: Path) -> None:
    first = code(folder)
    assert first.changes(code(folder, helper=HELPER.replace("x * x", "x"))) == ["code of my_helper.bend: changed"]
    assert first.changes(code(folder, helper=HELPER.replace("return 1", "return 2"))) == [
        "code of my_helper.Base.reset: changed"
    ]


def test_what_is_added_and_removed_is_named(folder: Path) -> None:
    added = CODE.replace("def predict_one", "def more(self):\n        return 1\n\n    def predict_one")
    assert code(folder).changes(code(folder, added)) == ["code of my_model.Model.more: new"]
    assert code(folder, added).changes(code(folder)) == ["code of my_model.Model.more: gone"]


@pytest.mark.parametrize(
    "same",
    [
        CODE.replace("RATE = 0.5", "RATE  =  0.5  # a comment"),
        "# moved\n\n\n" + CODE,
        CODE.replace("UNUSED = 1", "UNUSED = 2"),
        CODE.replace("def unused(x):\n    return x", "def unused(x):\n    return -x"),
        CODE.replace('{"up", "down"}', '{"down", "up"}'),
    ],
)
def test_comments_layout_and_unused_code_do_not_count(folder: Path, same: str) -> None:
    assert same != CODE
    assert code(folder).changes(code(folder, same)) == []


def test_parts_within_models_of_libraries_count_and_the_library_has_a_version() -> None:
    def twice(x: dict[Any, float]) -> dict[Any, float]:
        return {name: 2 * value for name, value in x.items()}

    model = compose.Pipeline(compose.FuncTransformer(twice), linear_model.LogisticRegression())
    found = source_code([pq.as_learner(model)])
    assert [name.rpartition(".")[2] for name in found.definitions] == ["twice"]
    import river

    assert found.libraries["river"] == river.__version__
    assert not source_code(
        [pq.as_learner(preprocessing.StandardScaler() | linear_model.LogisticRegression())]
    ).definitions


class Mine(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A class of the user that derives from one of a library."""

    def partial_fit(self, X: Any, y: Any) -> None:
        pass

    def predict(self, X: Any) -> list[int]:
        return [0] * len(X)


def test_a_base_class_of_a_library_has_a_version() -> None:
    import sklearn

    found = source_code([Mine()])
    assert f"{__name__}.Mine.predict" in found.definitions
    assert found.libraries["sklearn"] == sklearn.__version__


def test_native_learners_have_no_code_of_the_user() -> None:
    assert source_code([pq.learners.HoeffdingTree(), pq.learners.OnlineBagging()]) == SourceCode()


def test_code_without_a_file_counts_as_in_a_notebook() -> None:
    def made(text: str) -> SourceCode:
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(f"K = 2\ndef helper(x): return x * K\nclass M:\n    def f(self, x): return helper(x) {text}", space)
        return source_code([space["M"]()])

    assert made("").changes(made("")) == []
    assert made("").changes(made("+ 1")) == ["code of __main__.M.f: changed"]
    assert set(made("").definitions) == {"__main__.M", "__main__.M.f", "__main__.helper", "__main__.K"}


def test_fingerprints_are_the_same_in_another_process() -> None:
    import subprocess

    code = (
        "from prequential.source_code import source_code; from support.importable_learners import Last;"
        "print(source_code([Last()]).definitions)"
    )
    words = [sys.executable, "-c", code]
    place = str(Path(__file__).parents[1])
    outputs = {
        subprocess.run(
            words, env={"PYTHONPATH": place, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{source_code([Last()]).definitions}\n"}


def test_a_copy_of_an_object_does_not_change_the_fingerprint_of_its_class() -> None:
    """Python adds ``__slotnames__`` to a class when an object of it is first copied or pickled."""
    import copy

    class Fresh:
        def predict_one(self, x: object) -> object:
            return x

    before = source_code([Fresh()])
    copy.deepcopy(Fresh())
    assert "__slotnames__" in vars(Fresh)
    assert before.changes(source_code([Fresh()])) == []
