"""Adapter for CapyMOA's classifiers and regressors, most of which run in MOA on the Java virtual machine."""

from __future__ import annotations

import copy
import gzip
import inspect
from tempfile import NamedTemporaryFile
from typing import Any, Self

from prequential.arguments import checked_call
from prequential.errors import InputError, LearnerError, MissingExtraError, ParameterError
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import takes
from prequential.learners.adapters.parameters import as_json
from prequential.learners.adapters.record import RecordLearner
from prequential.learners.contract import Clock
from prequential.saved import pack, unpack
from prequential.streams.schema import Schema
from prequential.types import FloatArray


@checked_call
class CapymoaLearner(RecordLearner[FloatArray]):
    """A CapyMOA classifier or regressor.

    - A new model is built for every run, from its class and parameters; an object you pass is never trained.
    - ``random_seed`` is the seed of the run, unless you set one (for an object: one other than the default).
    - A record is predicted without its label, so no learner can look at it.
    - A missing prediction is an abstention: None, no votes, or votes that are all zero. (CapyMOA's own evaluators count
      it as class 0, or as the number 0.)
    - MOA's learners get the weight with the instance; other learners refuse any weight but 1.
    - MOA must know all classes and nominal values before it learns: later ones are refused.
    - Do not fork a process after the Java virtual machine has started in it: start workers with ``spawn``.

    Parameters
    ----------
    learner
        A class of ``capymoa.classifier`` or ``capymoa.regressor``, or an object of one.
    **params
        Arguments of the class.

    Examples
    --------
    >>> from capymoa.classifier import NaiveBayes                     # doctest: +SKIP
    >>> CapymoaLearner(NaiveBayes)                                    # doctest: +SKIP
    """

    def __init__(self, learner: Any, **params: Any) -> None:
        try:
            from capymoa.base import Classifier, Regressor
        except ImportError as error:
            raise MissingExtraError("CapymoaLearner", "capymoa") from error
        cls = learner if isinstance(learner, type) else type(learner)
        if not issubclass(cls, Classifier | Regressor):
            raise ParameterError("learner", "CapymoaLearner", "a CapyMOA classifier or regressor", learner)
        self._class = cls
        self._classifies = issubclass(cls, Classifier)
        self._params = params if learner is cls else _parameters(learner) | params
        self._n_learned = 0
        self._seed = 0
        self.model: Any = None

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        if self._classifies != (schema.task == "classification"):
            kind = "classifier" if self._classifies else "regressor"
            raise InputError(f"{self._class.__name__} is a {kind}, but the stream is for {schema.task}.")
        learner = copy.copy(self)
        learner.clock = Clock()
        learner._seed = seed
        learner._build(schema)
        return learner

    def _build(self, schema: Schema) -> None:
        self.schema = schema
        self._moa_schema = moa_schema(schema)
        params = {name: _copied(value) for name, value in self._params.items()}
        if takes(self._class, "random_seed"):
            params.setdefault("random_seed", self._seed)
        self.model = self._class(schema=self._moa_schema, **params)
        self._n_learned = 0

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values; after the first record is learned they are refused."""
        grown = schema.n_classes > self.schema.n_classes or schema.cardinalities != self.schema.cardinalities
        if grown and self._n_learned:
            raise LearnerError(
                f"New classes or nominal values appeared after {self._n_learned} records, but"
                f" {self._class.__name__} of CapyMOA must know all of them before it learns. Declare them beforehand."
            )
        if grown:
            self._build(schema)
        self.schema = schema

    def record(self, row: FloatArray) -> FloatArray:
        """Return the row; the Java instance is created twice, without the label and with it."""
        return row

    def score_record(self, record: FloatArray, out: FloatArray) -> None:
        """Write the probabilities or the number, if the model predicts."""
        from capymoa.base import MOARegressor
        from capymoa.core import Instance

        instance = Instance.from_array(self._moa_schema, record)
        if self._classifies:
            shares = self.model.predict_proba(instance)
            if shares is not None and len(shares):
                out[:] = shares[: len(out)]
            return
        if type(self.model).predict is MOARegressor.predict:  # it turns "no votes" into the number 0
            votes = self.model.moa_learner.getVotesForInstance(instance.java_instance)
            guess = votes[0] if len(votes) else None
        else:
            guess = self.model.predict(instance)
        if guess is not None:
            out[0] = guess

    def takes_weight(self) -> bool:
        """Return whether the model is MOA's, whose instances have weights."""
        return hasattr(self.model, "moa_learner")

    def learn_record(self, record: FloatArray, label: float, weight: float) -> None:
        """Learn one record."""
        from capymoa.core import LabeledInstance, RegressionInstance

        kind = LabeledInstance if self._classifies else RegressionInstance
        instance = kind.from_array(self._moa_schema, record, label)
        if weight != 1:
            if not self.takes_weight():
                raise LearnerError(f"{self._class.__name__} takes no weight, but a record has weight {weight:g}.")
            instance.java_instance.setWeight(weight)
        self.model.train(instance)
        self._n_learned += 1

    @property
    def learns_unlabelled(self) -> bool:
        """Whether the model is one of ``capymoa.ssl``."""
        return hasattr(self.model, "train_on_unlabeled")

    def learn_unlabelled_record(self, record: FloatArray) -> None:
        """Learn one record without its label."""
        from capymoa.core import Instance

        self.model.train_on_unlabeled(Instance.from_array(self._moa_schema, record))
        self._n_learned += 1

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes; for a model in Java, the size of its serialized form."""
        moa_learner = getattr(self.model, "moa_learner", None)
        return deep_size(self.model) if moa_learner is None else int(_serialized(moa_learner).size())

    def to_bytes(self) -> bytes:
        """Return the learned state; for a model in Java, its serialized form."""
        moa_learner = getattr(self.model, "moa_learner", None)
        if moa_learner is None:
            return super().to_bytes()
        return pack({"java": bytes(_serialized(moa_learner).toByteArray()), "n_learned": self._n_learned})

    def load_bytes(self, state: bytes) -> None:
        """Restore the state from ``to_bytes``; reading a serialized Java object runs code, as a pickle does."""
        if not hasattr(self.model, "moa_learner"):
            super().load_bytes(state)
            return
        saved = unpack(state)
        self.model.moa_learner = _deserialized(saved["java"])
        self._n_learned = saved["n_learned"]

    def describe(self) -> dict[str, object]:
        """Return the name of the class, the version of CapyMOA and the parameters."""
        import capymoa

        return {
            "learner": self._class.__name__,
            "library": f"capymoa {capymoa.__version__}",
            "parameters": as_json(self._params),
        }


def moa_schema(schema: Schema) -> Any:
    """Return CapyMOA's form of a schema.

    Values and classes are named by their codes, because MOA's must be text and ours can have any type.
    """
    from capymoa.stream import Schema as MoaSchema

    names = [feature.name for feature in schema.features]
    target = schema.target
    while target in names:
        target += "_"
    categories = {
        feature.name: [str(code) for code in range(len(feature.values))]
        for feature in schema.features
        if feature.values is not None
    }
    if schema.classes is not None:
        categories[target] = [str(code) for code in range(schema.n_classes)]
    return MoaSchema.from_custom([*names, target], target, categories)


def _parameters(learner: Any) -> dict[str, Any]:
    """Return the parameters of an object, without the schema and without a default seed."""
    if not hasattr(learner, "_params"):
        raise InputError(
            "This version of CapyMOA does not expose the parameters of an object. Pass the class:"
            f" CapymoaLearner({type(learner).__name__}, …)."
        )
    params = {name: value for name, value in learner._params.items() if name != "schema"}
    seed = inspect.signature(type(learner)).parameters.get("random_seed")
    if seed is not None and params.get("random_seed") == seed.default:
        del params["random_seed"]
    return params


def _copied(value: Any) -> Any:
    """Return a copy of a parameter that the model could train; others unchanged."""
    if hasattr(value, "partial_fit"):
        from sklearn.base import clone

        return clone(value)
    return value.copy() if hasattr(value, "getOptions") and hasattr(value, "copy") else value


def _serialized(java_object: Any) -> Any:
    """Return a Java byte stream with the serialized form of an object."""
    from jpype import JClass

    memory = JClass("java.io.ByteArrayOutputStream")()
    writer = JClass("java.io.ObjectOutputStream")(memory)
    writer.writeObject(java_object)
    writer.flush()
    return memory


def _deserialized(state: bytes) -> Any:
    """Return a Java object from bytes; MOA reads it, because only MOA's class loader knows its classes."""
    from jpype import JClass

    with NamedTemporaryFile(suffix=".gz") as file:
        file.write(gzip.compress(state, compresslevel=1))
        file.flush()
        return JClass("moa.core.SerializeUtils").readFromFile(JClass("java.io.File")(file.name))
