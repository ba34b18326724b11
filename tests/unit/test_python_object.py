"""The only learner of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from prequential.errors import InputError
from prequential.python_object import only_learner

CLASS = """
class Mine:
    def predict_one(self, x):
        return None

    def learn_one(self, x, y):
        pass
"""


def found(tmp_path: Path, text: str) -> tuple[str, str]:
    (tmp_path / "model_of_a_test.py").write_text(text)
    name, learner = only_learner("model_of_a_test.py", tmp_path)
    return name, learner.__name__ if isinstance(learner, type) else type(learner).__name__


def test_a_class_is_found_among_imports_and_other_names(tmp_path: Path) -> None:
    text = "import json\nfrom river.naive_bayes import GaussianNB\nSIZE = 3\ndef helper(x):\n    return x\n" + CLASS
    assert found(tmp_path, text) == ("Mine", "Mine")


def test_a_class_that_needs_arguments_is_no_learner_but_its_objects_are(tmp_path: Path) -> None:
    text = CLASS.replace("    def predict_one", "    def __init__(self, rate):\n        pass\n\n    def predict_one")
    assert found(tmp_path, f"{text}\nmodel = Mine(0.1)\n") == ("model", "Mine")
    assert found(tmp_path, f"{text}\ndef make():\n    return Mine(0.1)\n") == ("make", "Mine")


def test_an_object_of_another_library_is_found(tmp_path: Path) -> None:
    text = "from river.naive_bayes import GaussianNB\nmodel = GaussianNB()\n_hidden = GaussianNB()\n"
    assert found(tmp_path, text) == ("model", "GaussianNB")


def test_several_are_listed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has 2 learners: Mine, model\. Say which, such as model_of_a_test.py:Mine"):
        found(tmp_path, f"{CLASS}\nmodel = Mine()\n")
    with pytest.raises(InputError, match="has 2 functions that may return one: one, two"):
        found(tmp_path, "def one():\n    pass\n\ndef two():\n    pass\n")


def test_a_file_without_a_learner_is_refused_with_its_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no learner: .* It has: x, helper\."):
        found(tmp_path, "x = 1\ndef helper(y):\n    return y\n")
    with pytest.raises(InputError, match="importing it failed: ZeroDivisionError"):
        found(tmp_path, "1 / 0\n")
    with pytest.raises(InputError, match="calling it failed: ZeroDivisionError"):
        found(tmp_path, "def make():\n    return 1 / 0\n")
