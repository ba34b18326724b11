"""Every engine, with any number of workers, gives the same results bit for bit and leaves no process behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from river import naive_bayes
from support.importable_learners import Chatty, Dying, Failing, Last, Slow, SlowToSave
from support.jobs import replica_jobs

import prequential as pq
from prequential.engines.choice import chosen_engine, make_engine
from prequential.engines.job import Job
from prequential.engines.own_reading import OwnReading, own_stream
from prequential.engines.worker import SequenceGap, Worker
from prequential.errors import InputError, LearnerError, ParameterError

ENGINES: list[dict[str, Any]] = [
    {"engine": "threads", "workers": 2},
    {"engine": "threads", "workers": 5},
    {"engine": "processes", "workers": 2},
]
PROTOCOLS = {
    "prequential": pq.Prequential(pretrain=30),
    "holdout": pq.Holdout(test=pq.streams.SEA(seed=9, noise=0.1).take(300)),
    "cross": pq.KFold(3, "cross"),
    "split": pq.KFold(3, "split", "all"),
    "bootstrap": pq.KFold(6, "bootstrap"),
    "trained": pq.KFold(3, "bootstrap", "trained"),
    "delayed": pq.Delayed(bins=4),
}


def numbered(n: int) -> pq.Stream:
    """Return a stream whose first feature is the index of the record."""
    rng = np.random.default_rng(1)
    X = np.column_stack([np.arange(n), rng.normal(size=n)])
    return pq.from_arrays(X, (X[:, 1] + rng.normal(size=n) > 0).astype(int))


def rows(table: pa.Table, *order: str) -> str:
    """Return all rows, to the last bit; NaN equals NaN."""
    return repr(table.sort_by([(name, "ascending") for name in order]).to_pylist() if order else table.to_pylist())


def children() -> set[int]:
    """Return the child processes that have not been waited for."""
    me = str(os.getpid())
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if text.rpartition(")")[2].split()[1] == me:
            found.add(int(status.parent.name))
    return found


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Check after each test that no process and no thread is left."""
    before = children()
    yield
    assert children() <= before
    assert not [one.name for one in threading.enumerate() if one.name.startswith("prequential")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_are_the_same_bit_for_bit(protocol: str) -> None:
    learners = {
        "bayes": "naive_bayes",
        "tree": "hoeffding_tree",
        "bagging": pq.learners.OnlineBagging(n_models=3),
        "river": naive_bayes.GaussianNB(),
        "last": Last(),
    }
    source = pq.streams.SEA(seed=2, noise=0.1).take(900)
    if protocol == "delayed":
        source = source.delayed(40)

    def evaluated(**how: Any) -> pq.Run:
        return pq.evaluate(
            source,
            learners,
            protocol=PROTOCOLS[protocol],
            metrics=["accuracy", "kappa", "kappa_t"],
            forgetting=None if protocol == "holdout" else ["cumulative", "sliding:100", "fading:0.99"],
            every=130,
            **how,
        )

    alone = evaluated(engine="serial")
    assert alone.status == "complete"
    for how in ENGINES:
        run = evaluated(**how)
        assert run.manifest.engine == {"engine": how["engine"], "workers": how["workers"]}
        assert rows(run.to_arrow()) == rows(alone.to_arrow())
        assert rows(run.directory.significance()) == rows(alone.directory.significance())
        by = ("fold", "n")
        assert rows(run.directory.pairs(), *by) == rows(alone.directory.pairs(), *by)
        for name, entry in run.manifest.learners.items():
            other = alone.manifest.learners[name]
            assert (entry.n_records, entry.n_abstained) == (other.n_records, other.n_abstained)
            if name != "river":  # Python objects may be shared in one process and not in another
                assert entry.resources.memory_bytes == other.resources.memory_bytes


@pytest.mark.parametrize(
    "stream",
    [
        pq.streams.SEA(seed=1).take(3000),
        pq.streams.LED(seed=1).drift_to(pq.streams.LED(n_drifting=5, seed=2), at=700, width=300).take(3000),
        pq.streams.RandomTree(seed=4).label_noise(0.1).class_ratio("1:3").take(3000),
        pq.testbed.stream("NSGT").take(3000),
    ],
    ids=["generator", "drift", "changed", "testbed"],
)
def test_workers_read_generated_streams_themselves(stream: pq.Stream) -> None:
    assert own_stream(stream) is stream
    reading, at = OwnReading(pickle.loads(pickle.dumps(stream))), 0
    for n in (1, 255, 1000, 3, 700):
        chunk, expected = reading.take(at, n), next(stream.chunks(n, at))
        assert chunk.start == expected.start
        assert (chunk.X.tobytes(), chunk.y.tobytes()) == (expected.X.tobytes(), expected.y.tobytes())
        at += n
    again = reading.take(100, 50)  # as after replicas were restored
    assert again.X.tobytes() == next(stream.chunks(50, 100)).X.tobytes()


def test_records_of_other_streams_are_sent_to_workers() -> None:
    X = np.zeros((4, 1))
    assert own_stream(pq.from_arrays(X, [0, 1, 0, 1])) is None
    assert own_stream(pq.streams.SEA().take(9).delayed(3)) is None
    assert own_stream(pq.streams.SEA().take(9).followed_by(pq.streams.SEA(seed=2).take(9))) is not None


def test_every_engine_gives_the_same_alarms_and_predictions() -> None:
    def evaluated(**how: Any) -> pq.Run:
        stream = pq.streams.SEA(seed=1).drift_to(pq.streams.SEA(concept=3, seed=2), at=1500).take(3000)
        detector = pq.drift.PageHinkley(on="error", under=pq.Fading(0.99), delta=0.005, threshold=5)
        return pq.evaluate(stream, ["naive_bayes", "no_change"], detectors=detector, predictions=True, **how)

    alone = evaluated(engine="serial")
    assert len(alone.alarms()) > 0
    for how in ENGINES[1:]:
        run = evaluated(**how)
        assert sorted(map(repr, run.alarms().to_pylist())) == sorted(map(repr, alone.alarms().to_pylist()))
        for name in run.learners:
            assert rows(run.predictions(name)) == rows(alone.predictions(name))


@pytest.mark.parametrize("how", [{"engine": "serial"}, *ENGINES[1:]])
def test_a_failing_learner_does_not_stop_the_others(how: dict[str, Any]) -> None:
    learners = {"fails": Failing(700), "goes on": Last(), "bayes": "naive_bayes"}
    with pytest.warns(pq.LearnerFailedWarning, match=r"fails failed at record 700: .*the model broke"):
        run = pq.evaluate(numbered(1000), learners, protocol=pq.KFold(6, "cross", "all"), every=200, **how)
    failure = run.failures["fails"]
    assert failure.record == 700
    assert failure.message.startswith("fold ")
    assert "RuntimeError: the model broke" in failure.traceback
    assert [run.manifest.learners[name].status for name in learners] == ["failed", "complete", "complete"]
    with pytest.warns(pq.LearnerFailedWarning):
        alone = pq.evaluate(
            numbered(1000), learners, protocol=pq.KFold(6, "cross", "all"), every=200, engine="serial", chunk_size=50
        )
    assert rows(run.to_arrow()) == rows(alone.to_arrow())


def test_the_end_of_a_process_is_reported_and_results_are_kept() -> None:
    learners = {"dies": Dying(700), "goes on": Last()}
    with pytest.raises(LearnerError, match=r"A process with replicas of .* ended with exit code 7") as caught:
        pq.evaluate(numbered(1000), learners, every=100, engine="processes", workers=2, chunk_size=100)
    run: Any = caught.value.run
    assert run.status == "partial"
    assert max(run.to_arrow()["n"].to_pylist()) >= 600


def test_a_failing_stream_leaves_the_results_before_the_failure() -> None:
    def records() -> Iterator[tuple[dict[str, float], int]]:
        for i in range(500):
            yield {"x": float(i)}, i % 2
        raise OSError("the line is dead")

    for how in ENGINES:
        with pytest.raises(InputError, match="the line is dead") as caught:
            pq.evaluate(pq.from_iterable(records()), [Last(), "no_change"], every=100, chunk_size=64, **how)
        run: Any = caught.value.run
        assert run.status == "partial"
        assert max(run.to_arrow()["n"].to_pylist()) == 500


def test_what_a_learner_prints_does_not_mix_with_the_answers(capfd: pytest.CaptureFixture[str]) -> None:
    run = pq.evaluate(numbered(50), [Chatty(), Last()], engine="processes", workers=2)
    assert run.status == "complete"
    assert "what a learner prints" in capfd.readouterr().err


def test_a_learner_that_cannot_be_sent_is_reported_with_the_reason() -> None:
    class Local:
        label = None

        def predict_one(self, x: dict[str, float]) -> None:
            return None

        def learn_one(self, x: dict[str, float], y: int) -> None:
            pass

    with pytest.raises(InputError, match=r"mine: it cannot be sent to another process: .*Local"):
        pq.evaluate(numbered(50), {"mine": Local(), "other": Last()}, engine="processes")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"engine": "thread"},
            r"'engine' parameter of evaluate must be 'auto' or 'serial' or 'threads' or 'processes'",
        ),
        ({"workers": 0}, r"'workers' parameter of evaluate must be a whole number of at least 1, or None\. Got 0"),
    ],
)
def test_bad_engines_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pq.evaluate(numbered(50), "naive_bayes", **options)


def jobs(*learners: object, protocol: Any = None) -> list[Job]:
    named = {str(i): learner for i, learner in enumerate(learners)}
    return replica_jobs(numbered(1), named, protocol, every=100)


def test_the_engine_depends_on_learners_work_and_cores() -> None:
    kfold = pq.KFold(10, "bootstrap")
    native, mixed = jobs("naive_bayes", protocol=kfold), jobs("naive_bayes", Last(), protocol=kfold)
    assert chosen_engine("auto", jobs("naive_bayes"), workers=2, n_records=10**9) == "serial"
    assert chosen_engine("auto", native, workers=1, n_records=10**9) == "serial"
    assert chosen_engine("auto", native, workers=2, n_records=9_999) == "serial"
    assert chosen_engine("auto", native, workers=2, n_records=10_000) == "threads"
    assert chosen_engine("auto", native, workers=2) == "threads"
    assert chosen_engine("auto", mixed, workers=2) == "serial"
    assert chosen_engine("auto", mixed, workers=2, n_records=19_999) == "serial"
    assert chosen_engine("auto", mixed, workers=2, n_records=20_000) == "processes"
    unsendable = jobs(type("Gone", (Last,), {})(), protocol=kfold)
    assert chosen_engine("auto", unsendable, workers=2, n_records=10**9) == "serial"
    assert chosen_engine("processes", native, n_records=1) == "processes"


def test_a_worker_ignores_processed_chunks_and_refuses_a_gap() -> None:
    chunks = list(numbered(300).chunks(100))
    worker = Worker(jobs("naive_bayes"))
    assert [report.n_records for report in worker.step(0, chunks[0])] == [100]
    assert worker.step(0, chunks[0]) == []
    with pytest.raises(SequenceGap, match="expected chunk 1, got chunk 2") as gap:
        worker.step(2, chunks[2])
    assert gap.value.expected == 1
    assert [report.n_records for report in worker.step(1, chunks[1])] == [200]


def test_a_message_sent_before_the_last_answer_gets_its_own_answer() -> None:
    """This happens after Ctrl-C while a run is saved."""
    with make_engine("processes", jobs(SlowToSave(), Last()), workers=2) as engine:
        engine.submit(0, next(numbered(100).chunks(100)))
        engine.collect()
        states: list[Any] = []
        saving = threading.Thread(target=lambda: states.append(engine.state()))
        saving.start()
        time.sleep(0.3)
        reports = engine.finish()
        saving.join(30)
    assert [report.n_records for report in reports] == [100, 100]
    assert [list(found) for found in states] == [[("0", 0), ("1", 0)]]


@pytest.mark.parametrize("kind", ["serial", "threads", "processes"])
def test_updates_are_in_the_order_of_the_jobs(kind: str) -> None:
    wanted = jobs("naive_bayes", "no_change", Last(), protocol=pq.KFold(3, "bootstrap"))
    with make_engine(kind, wanted, workers=2) as engine:
        engine.submit(0, next(numbered(100).chunks(100)))
        found = [(report.learner, report.fold) for report in engine.collect()]
        engine.drop("1")
        last = [(report.learner, report.fold) for report in engine.finish()]
    assert found == [(job.name, job.fold) for job in wanted]
    assert last == [(name, fold) for name, fold in found if name != "1"]


SCRIPT = """
import sys
import prequential as pq
from support.importable_learners import Last, Slow
from test_script_stream import numbered
learners = {"a": Slow(), "b": Slow()}
pq.evaluate(numbered(20_000), learners, every=50, directory=sys.argv[1], engine=sys.argv[2], workers=2)
"""


def follow(tmp_path: Path, engine: str) -> subprocess.Popen[str]:
    """Start a script without a main guard that evaluates, and wait until it has written something."""
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "test_script_stream.py").write_text(
        "import numpy as np\nimport prequential as pq\n\n\ndef numbered(n):\n"
        "    return pq.from_arrays(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)\n"
    )
    words = [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "run"), engine]
    path = os.pathsep.join([str(Path(__file__).parents[1]), str(tmp_path)])
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})
    deadline = time.monotonic() + 60
    while not (tmp_path / "run" / "trace" / "00000.parquet").exists():
        assert time.monotonic() < deadline
        assert running.poll() is None, running.communicate()[1]
        time.sleep(0.05)
    return running


def of_parent(parent: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("engine", ["serial", "threads", "processes"])
def test_ctrl_c_saves_what_was_computed_and_leaves_no_process(tmp_path: Path, engine: str) -> None:
    running = follow(tmp_path, engine)
    workers = of_parent(running.pid)
    assert len(workers) == (2 if engine == "processes" else 0)
    for pid in (running.pid, *workers):  # as a terminal does
        os.kill(pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    run = pq.load(tmp_path / "run")
    assert run.status == "interrupted"
    seen = run.to_arrow()["n"].to_pylist()
    assert 50 <= max(seen) < 20_000
    assert gone(workers)


def test_worker_processes_end_when_the_main_process_is_killed(tmp_path: Path) -> None:
    running = follow(tmp_path, "processes")
    workers = of_parent(running.pid)
    assert len(workers) == 2
    running.kill()
    running.communicate(timeout=60)
    deadline = time.monotonic() + 20
    while not gone(workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_slow_learner_is_slow() -> None:
    """Otherwise the runs above would end before they are interrupted."""
    begun = time.perf_counter()
    Slow().learn_one({}, 1)
    assert time.perf_counter() - begun > 0.001
