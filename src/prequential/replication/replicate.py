"""Repeat an experiment with several seeds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from prequential.arguments import checked_call
from prequential.engines.choice import SMALL_PYTHON
from prequential.engines.cluster import n_cores
from prequential.engines.sending import why_not_sendable
from prequential.errors import InputError, ParameterError
from prequential.evaluation.execution import SAVE_SECONDS, EngineLike, Execution
from prequential.evaluation.progress import Meter
from prequential.plans.plan import Plan, RunOptions
from prequential.replication.design import Design, ReplicationDirectory, Vary, check_vary, checked_seeds
from prequential.replication.experiment import Experiment, FunctionExperiment, Notes, PlanExperiment, noted
from prequential.replication.processes import in_processes
from prequential.replication.replication import Replication
from prequential.stopping import raise_if_stopped, stoppable
from prequential.user_warning import warn_user


@checked_call
def replicate(
    experiment: Plan | str | Path | Callable[..., object],
    seeds: int | Sequence[int] | None = None,
    *,
    vary: Vary | None = None,
    directory: str | Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    accept_changes: bool = False,
    save_seconds: float | None = SAVE_SECONDS,
    progress: bool | None = None,
    engine: EngineLike = "auto",
    workers: int | None = None,
) -> Replication:
    """Repeat an experiment with several seeds: one run per seed, all below one directory.

    Results of one seed are one draw: another stream of the same kind, or other draws of a learner, give others. The
    means, standard deviations and tests of a replication say what holds beyond one draw.

    Parameters
    ----------
    experiment
        A `Plan`, or the path of one. Or a function ``experiment(seed, **options)`` that calls ``pq.evaluate``,
        ``pq.detect`` or another function of this package with ``seed=seed, **options`` and a stream of its own, for
        example ``stream.reseeded(seed)``; the options are ``directory``, ``resume``, ``save_seconds`` and so on.
    seeds
        A number n for the seeds 1 to n, or a list of seeds. By default the plan's ``seeds``.
    vary
        What a seed changes in a plan. ``"stream"``: the draws of the stream, by ``stream.reseeded(seed)``; a file stays
        as it is. ``"learners"``: the seed of the run, on which learners and the protocol depend. ``"both"``, the
        default. A function decides for itself.
    directory
        Directory of the replication, by default a temporary one: ``replication.json``, the plan, and the directories of
        the runs, ``seed-1`` and so on, each of which ``pq.load`` opens.
    overwrite
        Whether to replace the replication in ``directory``.
    resume
        Whether to continue the replication in ``directory``: finished runs are kept, an interrupted run continues from
        its last save point, the others start. There may be more seeds than before.
    accept_changes, save_seconds
        As in ``evaluate``.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    engine
        Where the runs are computed; results do not depend on it. ``"processes"``: several runs at once, each complete
        in one process; a function must be defined in a module. ``"serial"``: one run after the other. ``"threads"``,
        ``"ray"`` and ``pq.engines.Ray(address=…)``: one run after the other, with their replicas there. ``"auto"``:
        the plan's, or processes for a plan with enough records, if there are several cores.
    workers
        Number of processes, threads or actors; by default the plan's, or the number of cores.

    Returns
    -------
    Replication
        ``table()`` has means ± standard deviations, ``tests()`` the paired tests over seeds, ``ranks()`` Friedman's and
        Nemenyi's tests, ``detections()`` the delays of drift detectors, ``plot()`` and ``figure()`` curves with bands.

    Raises
    ------
    InputError, StorageError, KeyboardInterrupt
        For bad input, a disk error or Ctrl-C. With a ``directory``, finished runs are in it, and ``resume=True``
        continues.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = {"type": "SEA", "n": 2000}
    >>> plan = pq.Plan({"stream": stream, "learner": ["naive_bayes", "no_change"], "metrics": ["accuracy"]})
    >>> found = pq.replicate(plan, seeds=6, engine="serial")
    >>> print(found.table(forgetting="cumulative").to_markdown(digits=3).splitlines()[2].split("|")[2].strip())
    **0.874 ± 0.006**
    """
    repeated, asked = _experiment(experiment, vary)
    if isinstance(repeated, PlanExperiment):
        own = repeated.plan.data
        engine = own.get("engine", "auto") if engine == "auto" else engine
        workers = own.get("workers") if workers is None else workers
        save_seconds = own.get("save_seconds", SAVE_SECONDS) if save_seconds == SAVE_SECONDS else save_seconds
    Execution(
        caller="replicate",
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        accept_changes=accept_changes,
        save_seconds=save_seconds,
        engine=engine,
        workers=workers,
    ).check()
    chosen = seeds if seeds is not None else asked
    if chosen is None:
        raise ParameterError("seeds", "replicate", "a number of seeds such as 10, or a list of seeds", None)
    design = Design(repeated.name, checked_seeds(chosen), getattr(repeated, "vary", ""))
    plan, seen = None, set[tuple[type[Warning], str]]()
    if isinstance(repeated, PlanExperiment):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            repeated = repeated.checked(design.seeds[0])  # before anything is written
        _show([(one.category, str(one.message)) for one in caught], seen)
        plan = replace(repeated.plan.rooted(), data={**repeated.plan.rooted().data, **_keys(design)}).to_toml()
    temporary = TemporaryDirectory(prefix="prequential-") if directory is None else None
    try:
        home = ReplicationDirectory(Path(temporary.name) / "replication" if temporary is not None else str(directory))
        design = home.begin(design, plan, overwrite=overwrite, resume=resume)
        options = {
            seed: _options(home.run_path(seed), resume=resume, accept_changes=accept_changes, save_seconds=save_seconds)
            for seed in design.seeds
        }
        with stoppable(), Meter(repeated.name, len(options), show=progress, unit="runs") as meter:
            for seed, notes in _runs(repeated, options, engine, workers):
                _show(notes, seen, seed)
                meter.advance(1)
    except BaseException:
        if temporary is not None:
            temporary.cleanup()
        raise
    return Replication(home.path, temporary)


def _experiment(given: Any, vary: Vary | None) -> tuple[PlanExperiment | FunctionExperiment, int | None]:
    """Return the experiment, and the seeds that its plan has."""
    if isinstance(given, str | Path):
        given = Plan.from_toml(given)
    if isinstance(given, Plan):
        chosen = vary or given.data.get("vary", "both")
        check_vary(chosen)
        return PlanExperiment(given, chosen), given.data.get("seeds")
    if not callable(given):
        raise ParameterError(
            "experiment", "replicate", "a plan, the path of one, or a function experiment(seed, **options)", given
        )
    if vary is not None:
        raise InputError(
            "replicate: vary= may only be given with a plan. A function decides itself what to do with the seed: "
            "stream.reseeded(seed), seed=seed."
        )
    return FunctionExperiment(given), None


def _options(directory: Path, *, resume: bool, accept_changes: bool, save_seconds: float | None) -> RunOptions:
    """Return the options of one run; one that has not started is not resumed."""
    resume = resume and directory.exists()
    return {
        "directory": directory,
        "resume": resume,
        "accept_changes": accept_changes and resume,
        "save_seconds": save_seconds,
        "progress": False,
    }


def _keys(design: Design) -> dict[str, Any]:
    """Return the keys of a plan that say how it is repeated."""
    n = len(design.seeds)
    numbered = design.seeds == tuple(range(1, n + 1))
    return {"vary": design.vary, **({"seeds": n} if numbered else {})}


def _show(notes: Notes, seen: set[tuple[type[Warning], str]], seed: int | None = None) -> None:
    """Issue warnings, each once for all seeds."""
    for category, text in notes:
        if (category, text) not in seen:
            seen.add((category, text))
            warn_user(text if seed is None else f"Seed {seed}: {text}", category)


def _runs(
    experiment: PlanExperiment | FunctionExperiment,
    options: Mapping[int, RunOptions],
    engine: EngineLike,
    workers: int | None,
) -> Iterator[tuple[int, Notes]]:
    n_workers = min(len(options), n_cores() if workers is None else int(workers))
    if engine == "processes" or (engine == "auto" and _is_worth_it(experiment, len(options), n_workers)):
        alone: Mapping[int, RunOptions] = {
            seed: cast(RunOptions, {**one, "engine": "serial", "workers": None}) for seed, one in options.items()
        }
        yield from in_processes(experiment, alone, n_workers)
        return
    for seed, one in options.items():
        raise_if_stopped()
        yield seed, noted(experiment, seed, cast(RunOptions, {**one, "engine": engine, "workers": workers}))


def _is_worth_it(experiment: Experiment, n_seeds: int, n_workers: int) -> bool:
    """Return whether processes save more time than they cost."""
    n = experiment.n_records
    return n_workers > 1 and n is not None and n * n_seeds >= SMALL_PYTHON and not why_not_sendable(experiment)
