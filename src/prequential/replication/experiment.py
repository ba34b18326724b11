"""The experiment that is repeated: a plan, or a function that makes a run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from prequential.errors import InputError
from prequential.evaluation.evaluate import finite_stream
from prequential.plans.plan import Plan, RunOptions
from prequential.replication.design import Vary
from prequential.runs.directory import RunDirectory

Notes: TypeAlias = list[tuple[type[Warning], str]]
"""The warnings of a run."""


class Experiment(Protocol):
    """Something that makes a run for a seed. It can be sent to another process."""

    @property
    def name(self) -> str:
        """What it is called in the directory."""

    @property
    def n_records(self) -> int | None:
        """Number of records that the replicas of one run process together, if it is known."""

    def run(self, seed: int, options: RunOptions) -> None:
        """Make the run with a seed, or continue it, in the directory that the options name."""


@dataclass(frozen=True, slots=True)
class PlanExperiment:
    """A plan with other seeds."""

    plan: Plan
    vary: Vary
    n_records: int | None = None

    @property
    def name(self) -> str:
        """The stream of the plan."""
        stream = self.plan.rooted().data.get("stream", {})
        return Path(str(stream.get("path", stream.get("type", "a plan")))).name

    def with_seed(self, seed: int) -> Plan:
        """Return the plan of one run."""
        return self.plan.with_seed(
            seed, stream=self.vary in ("both", "stream"), learners=self.vary in ("both", "learners")
        )

    def run(self, seed: int, options: RunOptions) -> None:
        """Run the plan with a seed."""
        self.with_seed(seed).run(**options)

    def checked(self, seed: int) -> PlanExperiment:
        """Return this experiment with the number of its records; raise an error for a plan with faults."""
        checked = self.with_seed(seed).check()
        stream = finite_stream(checked.stream)
        if self.vary == "stream":
            own = Plan({**self.plan.data}, self.plan.source, self.plan.folder).stream()
            if own.reseeded(seed) is own:
                raise InputError(
                    f"vary='stream' (--vary stream): {own.name} has no random draws, so every seed would have the same "
                    "records. Accepted: a generated or changed stream, or vary='learners'."
                )
        n_replicas = len(checked.learners) * len(checked.settings.protocol.folds)
        return PlanExperiment(self.plan, self.vary, None if stream.n_records is None else stream.n_records * n_replicas)


@dataclass(frozen=True, slots=True)
class FunctionExperiment:
    """A function of the user: ``function(seed, **options)`` makes a run."""

    function: Callable[..., object]
    n_records: int | None = None

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def run(self, seed: int, options: RunOptions) -> None:
        """Call the function, and check that it created a run in the directory."""
        given: dict[str, Any] = dict(options)
        self.function(seed, **given)
        directory = Path(str(given["directory"]))
        if not (directory / "manifest.json").is_file():
            raise InputError(
                f"replicate: {self.name}({seed}, **options) did not create a run in options['directory']. Pass the "
                "options on: pq.evaluate(…, seed=seed, **options)."
            )
        RunDirectory.open(directory)


def noted(experiment: Experiment, seed: int, options: RunOptions) -> Notes:
    """Make the run with a seed; return its warnings instead of showing them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        experiment.run(seed, options)
    return list(dict.fromkeys((one.category, str(one.message)) for one in caught))
