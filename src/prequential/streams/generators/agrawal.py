"""Agrawal's loan applicants."""

from __future__ import annotations

from prequential import _native
from prequential.streams.generators.generator import Generator, Maker, checked_between, checked_share
from prequential.streams.schema import Feature, Schema

_SCHEMA = Schema(
    (
        *(Feature("salary"), Feature("commission"), Feature("age")),
        Feature("elevel", tuple(f"level{k}" for k in range(5))),
        Feature("car", tuple(f"car{k + 1}" for k in range(20))),
        Feature("zipcode", tuple(f"zipcode{k + 1}" for k in range(9))),
        *(Feature("hvalue"), Feature("hyears"), Feature("loan")),
    ),
    ("groupA", "groupB"),
)


class Agrawal(Generator):
    """Loan applicants with nine features, classified by one of ten rules.

    The class is determined first; then salary, commission, age, value and years of the house, and loan are perturbed at
    random by up to ``perturbation`` of their range. A record depends only on the seed and its index, so skipping is
    free. The Bayes error is 0 without perturbation, and unknown otherwise. A perturbed house value is cut at 135,000,
    as in MOA, although houses are worth up to ten times that.

    Parameters
    ----------
    concept
        The rule, 1 to 10.
    perturbation
        Largest perturbation of a feature, as a share of its range, in [0, 1].
    seed
        Seed of the records.

    References
    ----------
    Agrawal, Imielinski and Swami, "Database mining: a performance perspective", IEEE Transactions on Knowledge and
    Data Engineering 5(6), 1993.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.Agrawal(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (9, ('groupA', 'groupB'))
    """

    parameters = ("concept", "perturbation")

    def __init__(self, concept: int = 1, *, perturbation: float = 0.05, seed: int = 1) -> None:
        self.concept = checked_between(concept, "concept", "Agrawal", 1, 10)
        self.perturbation = checked_share(perturbation, "perturbation", "Agrawal")
        self.bayes_error = 0.0 if self.perturbation == 0 else None
        super().__init__(_SCHEMA, seed)

    def _maker(self) -> Maker:
        return _native.Agrawal(self.seed, self.concept, self.perturbation)
