"""Ray: results are those of the other engines, also if actors and nodes are killed.

The cluster is real, with two nodes on this machine, on the loopback address and in its own directory.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.importable_learners import Dying, Failing, Last, Unsavable
from support.jobs import replica_jobs
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.engines.choice import make_engine
from prequential.engines.cluster import _PROBE_SECONDS, Cluster, _cause
from prequential.engines.job import Job
from prequential.engines.ray_actors import RayActors
from prequential.errors import InputError, LearnerError, MissingExtraError, ParameterError, PlanError
from prequential.plans.plan import Plan

ray = pytest.importorskip("ray", reason="Ray is not installed: nothing of engine='ray' is tested")
in_cluster = pytest.mark.xdist_group("ray")


def numbered(n: int) -> pq.Stream:
    """Return a stream whose first feature is the index of the record."""
    rng = np.random.default_rng(1)
    X = np.column_stack([np.arange(n), rng.normal(size=n)])
    return pq.from_arrays(X, (X[:, 1] + rng.normal(size=n) > 0).astype(int))


def jobs(*learners: object, protocol: Any = None) -> list[Job]:
    named = {str(i): learner for i, learner in enumerate(learners)}
    return replica_jobs(numbered(1), named, protocol, every=100)


def rows(table: pa.Table, *order: str) -> str:
    """Return all rows, to the last bit; NaN equals NaN."""
    return repr(table.sort_by([(name, "ascending") for name in order]).to_pylist() if order else table.to_pylist())


def processes_of(*words: str) -> list[int]:
    """Return the processes whose command has all these words."""
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if all(word.encode() in command.read_bytes() for word in words):
                found.append(int(command.parent.name))
    return found


def listening(*words: str) -> set[str]:
    """Return the addresses, in hexadecimal, on which processes listen whose command has all these words."""
    inodes = set()
    for place in processes_of(*words):
        for fd in Path(f"/proc/{place}/fd").iterdir():
            with suppress(OSError):
                inodes.add(str(fd.readlink()).removeprefix("socket:[").removesuffix("]"))
    lines = [line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/net/{kind}").read_text().splitlines()]
    return {line[1].partition(":")[0] for line in lines if line[3] == "0A" and line[9] in inodes}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one CPU each."""
    from ray.cluster_utils import Cluster as Nodes

    place = tempfile.mkdtemp(prefix="pq-", dir="/tmp")
    (Path(place) / "ray").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", place)
        made = Nodes(
            initialize_head=True,
            head_node_args={
                "num_cpus": 1,
                "temp_dir": place,
                "include_dashboard": False,
                "node_ip_address": "127.0.0.1",
                "_system_config": {  # a dead node is found after five seconds
                    "health_check_period_ms": 1000,
                    "health_check_timeout_ms": 5000,
                    "health_check_failure_threshold": 5,
                },
            },
        )
        try:
            other = made.add_node(num_cpus=1, node_ip_address="127.0.0.1")
            yield SimpleNamespace(
                address=made.address,
                kill_other=lambda: made.remove_node(other, allow_graceful=False),
                raylet=other.all_processes["raylet"][0].process.pid,
            )
        finally:
            made.shutdown()
            shutil.rmtree(place)
    assert not processes_of(place)


@pytest.fixture
def with_accidents(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[RayActors]]:
    """Let something happen after a chunk was submitted; return the engines."""
    made: list[RayActors] = []

    def prepare(accidents: dict[int, Callable[[RayActors], object]], **options: Any) -> list[RayActors]:
        class WithAccidents(RayActors):
            def __init__(self, *arguments: Any, **more: Any) -> None:
                made.append(self)
                super().__init__(*arguments, **{**more, **options})

            def submit(self, seq: int, chunk: Any) -> None:
                super().submit(seq, chunk)
                if seq in accidents:
                    accidents[seq](self)

        monkeypatch.setattr("prequential.engines.choice.RayActors", WithAccidents)
        return made

    return prepare


def kill_actor(which: int, engine: RayActors) -> None:
    os.kill(engine._workers[which].pid, signal.SIGKILL)


def wait_until_free(address: str, n_cpus: int) -> None:
    connection = Cluster(address, 1)
    try:
        deadline = time.monotonic() + 60
        while connection.n_free < n_cpus and time.monotonic() < deadline:
            time.sleep(0.2)
        assert connection.n_free == n_cpus
    finally:
        connection.close()


def parent(pid: int) -> int:
    """Return the parent of a process; 0 if it has ended."""
    with suppress(OSError):
        state, found = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
        return 0 if state == "Z" else int(found)
    return 0


def kill_actor_outside(raylet: int, engine: RayActors) -> None:
    """Kill the actor that is not on the node of this raylet."""
    parents = {worker.pid: parent(worker.pid) for worker in engine._workers}
    assert raylet in parents.values(), "each node has an actor"
    os.kill(next(pid for pid, found in parents.items() if found != raylet), signal.SIGKILL)


def kill_node(cluster: Any, engine: RayActors) -> None:
    """Kill a node, and wait until its actor, which may live a little longer, has ended."""
    pids = [worker.pid for worker in engine._workers if parent(worker.pid) == cluster.raylet]
    cluster.kill_other()
    deadline = time.monotonic() + 60
    while any(map(parent, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(parent, pids))


@in_cluster
def test_updates_states_and_drops_are_those_of_serial(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = jobs("naive_bayes", "hoeffding_tree", Last(), protocol=pq.KFold(3, "bootstrap"))
    whole = next(numbered(9000).chunks(9000))
    chunks = [whole[:500], whole[500:8500], whole[8500:]]
    stored: list[int] = []
    put = ray.put

    def noted(value: Any) -> Any:
        stored.append(len(value))
        return put(value)

    monkeypatch.setattr(ray, "put", noted)
    with make_engine("serial", wanted) as alone, make_engine("ray", wanted, address=cluster.address) as engine:
        assert engine.n_workers == 2
        for seq, chunk in enumerate(chunks[:2]):
            for one in (alone, engine):
                one.submit(seq, chunk)
            assert [(r.learner, r.fold, r.n_records) for r in engine.collect()] == [
                (r.learner, r.fold, r.n_records) for r in alone.collect()
            ]
        assert len(stored) == 1, "the large chunk is stored once for both actors, the small one is not"
        assert stored[0] > 100_000
        for one in (alone, engine):
            one.drop("1")
        states = engine.state()
        assert list(states) == [job.key for job in wanted if job.name != "1"]
        assert [one.key for one in wanted if one.key in alone.state()] == list(states)
        with make_engine("serial", wanted) as later:
            later.restore(2, states)
            later.submit(2, chunks[2])
            expected = [(r.learner, r.fold, r.verdicts.tobytes()) for r in later.collect()]
        engine.restore(2, states)
        engine.submit(2, chunks[2])
        assert [(r.learner, r.fold, r.verdicts.tobytes()) for r in engine.collect()] == expected
        assert [(r.learner, r.fold) for r in engine.finish()] == list(states)
    assert not ray.is_initialized()


@pytest.fixture(scope="class")
def connected(cluster: Any) -> Iterator[None]:
    """Connect to the cluster outside the engine."""
    connection = Cluster(cluster.address, 1)
    yield
    assert ray.is_initialized(), "the connection of the user stays open"
    connection.close()
    assert not ray.is_initialized()


@in_cluster
@pytest.mark.usefixtures("connected")
class TestWithExistingConnection:
    def test_another_address_is_refused(self) -> None:
        with pytest.raises(
            InputError, match=r"connected to the Ray cluster at 127\.0\.0\.1:\d+, not to 127\.0\.0\.1:9"
        ):
            pq.evaluate(numbered(300), Last(), engine=pq.engines.Ray("127.0.0.1:9"))

    def test_a_failing_learner_fails_as_in_serial(self) -> None:
        def evaluated(**how: Any) -> pq.Run:
            learners = {"fails": Failing(700), "continues": Last(), "bayes": "naive_bayes"}
            with pytest.warns(pq.LearnerFailedWarning, match=r"fails failed at record 700: .*the model broke"):
                return pq.evaluate(numbered(1000), learners, protocol=pq.KFold(6, "cross", "all"), every=200, **how)

        run, alone = evaluated(engine="ray"), evaluated(engine="serial", chunk_size=50)
        assert run.manifest.engine == {"engine": "ray", "workers": 2}
        assert run.failures["fails"].message == alone.failures["fails"].message
        assert "RuntimeError: the model broke" in run.failures["fails"].traceback
        assert rows(run.to_arrow()) == rows(alone.to_arrow())

    def test_a_new_actor_generates_the_same_records(self, with_accidents: Any) -> None:
        def evaluated(**how: Any) -> pq.Run:
            stream = pq.streams.SEA(seed=2, noise=0.1).take(3000)
            return pq.evaluate(stream, ["naive_bayes", Last()], every=100, chunk_size=300, **how)

        engines = with_accidents({6: partial(kill_actor, 1)}, most_chunks=4)
        run, alone = evaluated(engine="ray"), evaluated(engine="serial")
        assert len(engines) == 1
        assert rows(run.to_arrow()) == rows(alone.to_arrow())
        assert rows(run.directory.pairs()) == rows(alone.directory.pairs())

    def test_a_learner_that_ends_its_process_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("prequential.engines.ray_actors.MOST_DEATHS", 2)
        learners = {"dies": Dying(700), "continues": Last()}
        with pytest.raises(
            LearnerError, match=r"replicas of dies died 2 times in a row, after record 700\. .*process"
        ) as caught:
            pq.evaluate(numbered(1000), learners, every=100, engine="ray", chunk_size=100)
        run: Any = caught.value.run
        assert run.status == "partial"
        assert max(run.to_arrow()["n"].to_pylist()) >= 700

    def test_a_learner_that_cannot_be_saved_works_until_its_actor_dies(self, with_accidents: Any) -> None:
        learners = {"odd": Unsavable(), "bayes": "naive_bayes"}
        with_accidents({9: partial(kill_actor, 0)}, most_chunks=4)
        with pytest.raises(
            LearnerError, match=r"replicas of odd died after record 900 and cannot be replaced: .*lambda"
        ):
            pq.evaluate(numbered(2000), learners, every=100, engine="ray", chunk_size=100)


@in_cluster
def test_results_do_not_change_if_an_actor_and_a_node_are_killed(
    cluster: Any, with_accidents: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The last test with the cluster, because it kills a node."""
    learners = {"bayes": "naive_bayes", "bagging": pq.learners.OnlineBagging(n_models=3), "last": Last()}

    def evaluated(**how: Any) -> pq.Run:
        return pq.evaluate(
            numbered(9000),
            learners,
            protocol=pq.KFold(6, "bootstrap", "trained"),
            forgetting=["cumulative", "sliding:100", "fading:0.99"],
            every=500,
            chunk_size=400,
            **how,
        )

    alone = evaluated(engine="serial")
    made = with_accidents(
        {9: partial(kill_actor_outside, cluster.raylet), 15: partial(kill_node, cluster)}, most_chunks=7
    )
    run = evaluated(engine=pq.engines.Ray(cluster.address))
    deaths = [record.message for record in caplog.records if "died and is replaced" in record.message]
    assert len(deaths) >= 2, "no actor was killed"
    assert len(made) == 1
    assert run.status == "complete"
    assert rows(run.to_arrow()) == rows(alone.to_arrow())
    assert rows(run.folds.significance()) == rows(alone.folds.significance())
    assert rows(run.directory.pairs(), "fold", "n") == rows(alone.directory.pairs(), "fold", "n")
    for name, entry in run.manifest.learners.items():
        assert entry.n_records == alone.manifest.learners[name].n_records == 9000


SCRIPT = """
import sys
import prequential as pq
from support.importable_learners import Slow
from test_script_stream import numbered
learners = {"a": Slow(), "b": Slow()}
pq.evaluate(numbered(20_000), learners, every=50, directory=sys.argv[1], engine="ray", workers=2)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a directory whose path is short enough for sockets."""
    made = tempfile.mkdtemp(prefix="pq-", dir="/tmp")
    yield Path(made)
    shutil.rmtree(made)


def test_a_private_cluster_leaves_nothing_after_ctrl_c(tmp_path: Path, place: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "test_script_stream.py").write_text(
        "import numpy as np\nimport prequential as pq\n\n\ndef numbered(n):\n"
        "    return pq.from_arrays(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)\n"
    )
    path = os.pathsep.join([str(Path(__file__).parents[1]), str(tmp_path)])
    (home := tmp_path / "home").mkdir()
    running = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(place), "HOME": str(home)},
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "run" / "trace" / "00000.parquet").exists():
        assert time.monotonic() < deadline
        assert running.poll() is None, running.communicate()[1]
        time.sleep(0.05)
    assert processes_of(str(place)), "the cluster has not started"
    assert not [one for one in listening("gcs_server", str(place)) if set(one) == {"0"}], "it listens on every network"
    assert listening("gcs_server", str(place))
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    out, errors = running.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert out == ""
    run = pq.load(tmp_path / "run")
    assert run.status == "interrupted"
    assert 50 <= max(run.to_arrow()["n"].to_pylist()) < 20_000
    assert not processes_of(str(place))
    assert not list(place.iterdir())
    assert not list(home.iterdir()), "a token is left in the home directory"


def test_a_cluster_that_does_not_answer_is_reported_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= _PROBE_SECONDS <= 7, "the longest time for connecting and for answering"
    monkeypatch.setattr("prequential.engines.cluster._PROBE_SECONDS", 0.5)
    begun = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(InputError, match=rf"No Ray cluster answers at {address} "):
            pq.evaluate(numbered(50), Last(), engine=pq.engines.Ray(address))
    with pytest.raises(InputError, match=rf"No Ray cluster answers at {address} .*ray start --head"):
        pq.evaluate(numbered(50), Last(), engine=pq.engines.Ray(address))
    assert time.monotonic() - begun < 5
    assert not ray.is_initialized()


def test_another_machine_is_refused_without_a_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused(message: str) -> None:
        with pytest.raises(InputError, match=message):
            pq.evaluate(numbered(50), Last(), engine=pq.engines.Ray("192.0.2.77:6379"))

    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    refused(r"192\.0\.2\.77:6379 is not on this machine.*RAY_AUTH_MODE=token")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    refused(r"no token for 192\.0\.2\.77:6379\. Put the token of the cluster into .*auth_token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "a" * 64)
    monkeypatch.setattr("prequential.engines.cluster._PROBE_SECONDS", 0.2)
    refused(r"No Ray cluster answers at 192\.0\.2\.77:6379")


def test_a_refused_token_is_reported_in_a_sentence() -> None:
    deep = RuntimeError("Failed to connect.\nray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: no.\n")
    outer = ConnectionError("Failed to connect to Ray cluster")
    outer.__cause__ = deep
    assert _cause(outer).startswith("the token is missing or wrong")
    assert _cause(ConnectionError("first\nlast\n")) == "last"


def test_a_missing_ray_is_reported_with_the_command_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        MissingExtraError,
        match=r"engine='ray' \(--engine ray\) needs the extra 'ray': pip install 'prequential\[ray\]'",
    ):
        pq.evaluate(numbered(50), Last(), engine="ray")


def test_a_learner_that_cannot_be_sent_is_refused_before_the_cluster_starts() -> None:
    local = type("Local", (Last,), {})()
    begun = time.monotonic()
    with pytest.raises(InputError, match=r"mine: it cannot be sent to another process: .*Local"):
        pq.evaluate(numbered(50), {"mine": local}, engine="ray")
    assert time.monotonic() - begun < 1
    assert not ray.is_initialized()


@pytest.mark.parametrize(
    "address", ["head", "ray://head:10001", "head:", ":6379", "head:0", "head:70000", "auto", 6379]
)
def test_an_address_is_a_host_and_a_port(address: Any) -> None:
    with pytest.raises(ParameterError, match=r"'address' parameter of Ray must be the address .* as HOST:PORT"):
        pq.engines.Ray(address)


def test_a_bad_address_in_the_environment_is_reported_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    with pytest.raises(
        InputError, match=r"The environment variable RAY_ADDRESS is 'auto'\. Accepted: the address of a Ray"
    ):
        pq.evaluate(pq.streams.SEA().take(10), "naive_bayes", engine="ray")


def test_an_address_is_only_for_ray() -> None:
    plan = {"stream": {"type": "SEA", "n": 100}, "learner": [{"type": "no_change"}], "engine": "threads"}
    with pytest.raises(PlanError, match="may only be given with engine='ray'"):
        Plan({**plan, "address": "127.0.0.1:6379"}).check()


def test_the_command_takes_engine_and_address(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = [
        "run",
        "SEA",
        "--n",
        "100",
        "--engine",
        "ray",
        "--address",
        f"127.0.0.1:{port}",
        "-o",
        str(tmp_path / "run"),
        "--quiet",
    ]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert f"No Ray cluster answers at 127.0.0.1:{port}" in " ".join(result.output.split())
    assert not (tmp_path / "run").exists()


@in_cluster
def test_a_java_virtual_machine_in_this_process_keeps_its_fault_handler() -> None:
    """Java code reads through null pointers and handles the fault; without its handler, the process would end."""
    kept = fault_handler()
    pq.evaluate(pq.streams.SEA(seed=1).take(100), "naive_bayes", engine="ray", workers=1, progress=False)
    assert fault_handler() == kept


def fault_handler() -> bytes:
    action = ctypes.create_string_buffer(256)
    ctypes.CDLL(None).sigaction(signal.SIGSEGV, None, action)
    return action.raw[:8]
