"""Start a run: create its manifest, directory, engine, recorder and driver, the same way for every caller.

If a run is interrupted, what was computed is saved and marked as partial.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from prequential.engines.choice import make_engine
from prequential.engines.engine import Engine
from prequential.errors import InputError, PrequentialError, StorageError
from prequential.evaluation.driver import Driver
from prequential.evaluation.execution import Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.progress import Meter
from prequential.evaluation.recorder import Recorder
from prequential.evaluation.resume import changes_of_code, previous_manifest, resume_from, warn_of_changed_files
from prequential.evaluation.run import Run
from prequential.evaluation.saving import NotResumableWarning, SavePointWriter
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest, Status
from prequential.stopping import steps, stoppable
from prequential.streams.data_warning import DataWarning
from prequential.user_warning import warn_user


class LearnerFailedWarning(UserWarning):
    """A learner failed during the run; the others continued.

    Examples
    --------
    >>> import warnings
    >>> import prequential as pq
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", pq.LearnerFailedWarning)  # an error instead of a warning
    """


def carry_out(experiment: Experiment, execution: Execution) -> Run:
    """Carry out an experiment, or resume it.

    Raises
    ------
    InputError, StorageError, KeyboardInterrupt
        The attribute ``run`` of the exception has what was computed before.
    """
    manifest = experiment.manifest()
    if execution.resume:
        assert execution.directory is not None
        previous = previous_manifest(Path(execution.directory), manifest, accept_changes=execution.accept_changes)
        if previous is not None and previous.finished:
            home = RunDirectory.open(execution.directory)
            home.save_points.clear()  # if the run was killed after its last write
            return Run(home)
        if previous is not None:
            warn_of_changed_files(previous)
            accepted = [*previous.accepted_changes, *changes_of_code(previous, manifest)]
            manifest = replace(manifest, started=previous.started, accepted_changes=accepted)
    with (
        stoppable(),
        make_engine(
            execution.engine_name,
            experiment.jobs,
            workers=execution.workers,
            n_records=experiment.n_expected,
            stream=experiment.source,
            address=execution.cluster,
        ) as engine,
        begin_run(experiment, execution, manifest, engine) as (run, recorder),
    ):
        saving = SavePointWriter(
            engine, recorder, every=None if execution.directory is None else execution.save_seconds
        )
        driver = Driver(experiment, engine, recorder, saving)
        if execution.resume:
            had_records = run.manifest.n_records > 0
            position = resume_from(run.directory, engine, recorder)
            if position is not None:
                driver.resume_from(position)
            elif had_records:
                text = f"{run.path}: there is no intact save point, so the run starts again from its first record."
                warn_user(text, NotResumableWarning)
        _run_to_end(run, driver, execution, experiment, engine)
        run.directory.save_points.clear()
    return run


def with_warnings(run: Run) -> Run:
    """Return a run, with a warning for each learner that failed, and for a run that tested nothing."""
    pretrain = run.manifest.protocol.get("pretrain", 0)
    if pretrain and pretrain >= run.manifest.n_records:
        warn_user(
            f"No record was tested: pretrain={pretrain:,} (--pretrain) records only train, and {run.manifest.name} has "
            f"{run.manifest.n_records:,}.",
            DataWarning,
        )
    unit = "record" if run.manifest.events is None else "event"
    for name, failure in run.failures.items():
        warn_user(f"{name} failed at {unit} {failure.record}: {failure.message}", LearnerFailedWarning)
    return run


@contextmanager
def begin_run(
    experiment: Experiment, execution: Execution, manifest: Manifest, engine: Engine
) -> Iterator[tuple[Run, Recorder]]:
    """Create or open the directory of a run, lock it, and create the recorder.

    By default it is a temporary directory, of which nobody else knows: it is not locked, nor forced to disk.
    """
    temporary = None
    if execution.directory is None:
        temporary = TemporaryDirectory(prefix="prequential-")
        home = RunDirectory.create(Path(temporary.name) / "run")
    elif execution.resume:
        home = RunDirectory.resume(execution.directory)
    else:
        home = RunDirectory.create(execution.directory, overwrite=execution.overwrite)
    with home.save_points.locked() if temporary is None else nullcontext():
        if execution.plan is not None:
            home.write_plan(execution.plan)
        used = {"engine": engine.name, "workers": engine.n_workers}
        yield Run(home, temporary), Recorder(home, replace(manifest, engine=used), experiment)


def _run_to_end(run: Run, driver: Driver, execution: Execution, experiment: Experiment, engine: Engine) -> None:
    """Run to the end; after an error, save what was computed as partial and attach the run to the exception."""
    try:
        with Meter(_title(experiment, engine), experiment.source.n_records, show=execution.progress) as meter, steps():
            driver.run(execution.chunk(experiment.settings.schema), meter)
        driver.finish("complete", "")
    except StorageError as error:
        error.run = run
        _mark(run, "partial", str(error))
        raise
    except KeyboardInterrupt as error:
        error.run = run  # type: ignore[attr-defined]  # for the caller
        _finish_partial(run, driver, "interrupted", str(error) or "interrupted")
        raise
    except PrequentialError as error:
        error.run = run
        _finish_partial(run, driver, "partial", str(error))
        raise
    except Exception as error:  # from the user's code: an iterator, a metric
        failure = InputError(f"The run stopped: {type(error).__name__}: {error}")
        failure.run = run
        _finish_partial(run, driver, "partial", str(failure))
        raise failure from error


def _finish_partial(run: Run, driver: Driver, status: Status, reason: str) -> None:
    try:
        driver.finish(status, reason)
    except (Exception, KeyboardInterrupt):  # the cause of the first error may cause another; report the first
        _mark(run, status, reason)


def _mark(run: Run, status: Status, reason: str) -> None:
    """Mark the run if its trace could not be written."""
    try:
        run.directory.write_manifest(replace(run.manifest, status=status, reason=reason))
    except StorageError as error:
        failure = StorageError(f"{reason} The manifest could not be updated either.")
        failure.run = run
        raise failure from error


def _title(experiment: Experiment, engine: Engine) -> str:
    """Return the title of the progress bar."""
    parts = [experiment.source.name]
    n_folds = len(experiment.settings.protocol.folds)
    if n_folds > 1:
        parts.append(f"{len(experiment.learners)} x {n_folds} replicas")
    if engine.n_workers > 1:
        parts.append(f"{engine.n_workers} {engine.name}")
    return ", ".join(parts)
