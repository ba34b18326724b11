from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from river import linear_model, naive_bayes
from river.compat import convert_river_to_sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier

from prequential.errors import InputError, MissingExtraError, ParameterError
from prequential.learners.adapters import as_learner
from prequential.learners.adapters.plain import OneByOneLearner
from prequential.learners.adapters.river import RiverLearner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.learners.majority_class import MajorityClass


class LastLabel:
    label = None

    def predict_one(self, x: Any) -> Any:
        return self.label

    def learn_one(self, x: Any, y: Any) -> None:
        self.label = y


class Demanding(LastLabel):
    def __init__(self, memory: Any) -> None:
        self.memory = memory


class MyBayes(naive_bayes.GaussianNB):  # type: ignore[misc]  # River has no types here
    pass


def test_a_learner_is_returned_unchanged() -> None:
    learner = RiverLearner(naive_bayes.GaussianNB())
    assert as_learner(learner) is learner


@pytest.mark.parametrize(
    ("obj", "kind"),
    [
        (naive_bayes.GaussianNB(), RiverLearner),
        (naive_bayes.GaussianNB, RiverLearner),
        (MyBayes(), RiverLearner),
        (linear_model.LinearRegression(), RiverLearner),
        (SGDClassifier(), SklearnLearner),
        (SGDClassifier, SklearnLearner),
        (convert_river_to_sklearn(naive_bayes.GaussianNB()), SklearnLearner),
        (LastLabel(), OneByOneLearner),
        (LastLabel, OneByOneLearner),
    ],
)
def test_every_library_has_its_adapter(obj: Any, kind: Any) -> None:
    assert type(as_learner(obj)) is kind


def test_a_class_that_needs_arguments_is_refused() -> None:
    with pytest.raises(InputError, match=r"Demanding is a class that needs arguments \(memory\)"):
        as_learner(Demanding)


def test_an_estimator_that_cannot_learn_a_stream_is_refused() -> None:
    with pytest.raises(ParameterError, match="partial_fit"):
        as_learner(RandomForestClassifier())


def test_names_are_looked_up_in_the_catalogue() -> None:
    learner = as_learner("majority_class:window_size=10")
    assert isinstance(learner, MajorityClass)
    assert learner.window_size == 10


def test_no_library_is_imported_for_a_plain_object() -> None:
    code = (
        "import sys\n"
        "from prequential.learners.adapters import as_learner\n"
        "class A:\n"
        "    def predict_one(self, x): ...\n"
        "    def learn_one(self, x, y): ...\n"
        "as_learner(A())\n"
        "print([m for m in ('river', 'sklearn', 'capymoa', 'jpype') if m in sys.modules])\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_a_missing_extra_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "river", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'prequential\[river\]'"):
        RiverLearner(object())
