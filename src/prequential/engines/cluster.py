"""A Ray cluster: the one at an address, or one of our own on this machine for as long as a run takes.

Ray has one connection a process, and settings that it reads once. What is changed of them here is put back at the end.
A cluster runs whatever code it is sent, so who may send it some matters: our own listens on the loopback address only
and asks for a token that nobody else has, and an address of another machine is refused without a token.
"""

from __future__ import annotations

import importlib
import inspect
import ipaddress
import logging
import os
import secrets
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from prequential.errors import InputError, MissingExtraError, ParameterError

SMALL_BYTES = 100_000
_PROBE_SECONDS = 5.0
_STORE_BYTES = 512 * 2**20
_PREFIX = "pq-ray-"
_LONGEST_PLACE = 36
"""Letters of a directory's name, so that those of the sockets in it are no longer than a system allows."""
_ENVIRONMENT = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_USAGE_STATS_ENABLED")
_PRINTING = "print_to_stdstream"
_ADDRESS = "the address of a Ray cluster as HOST:PORT, as `ray start --head` prints it"


class Cluster:
    """A connection to a Ray cluster.

    If this process is connected already, that connection is used and left as it is. Otherwise the cluster at
    ``address`` is taken (by default the one that the variable ``RAY_ADDRESS`` names), or one of our own started.

    Parameters
    ----------
    address
        ``HOST:PORT`` of the head node.
    n_cpus
        The CPUs of a cluster of our own.

    Raises
    ------
    MissingExtraError
        If Ray is not installed.
    InputError
        If no Ray cluster answers at the address, or it is not loopback and there is no token.
    """

    def __init__(self, address: str | None, n_cpus: int) -> None:
        try:
            self.ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise MissingExtraError("engine='ray'", "ray") from error
        self._undo = ExitStack()
        if self.ray.is_initialized():
            self._check_same(address)
            return
        address = address or _named_by_environment()
        try:
            with _uninterrupted():
                self._undo.enter_context(self._settings())
                if address is None:
                    self._start(n_cpus)
                else:
                    self._connect(address)
        except BaseException:
            self.close()
            raise

    @property
    def n_cpus(self) -> int:
        """The CPUs of all its nodes together."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    @property
    def n_free(self) -> int:
        """The CPUs that nobody has asked for."""
        return int(self.ray.available_resources().get("CPU", 0))

    def sent(self, message: bytes) -> Any:
        """Return a message as it goes along with a call: itself if it is small, otherwise where Ray has put it."""
        return message if len(message) <= SMALL_BYTES else self.ray.put(message)

    def close(self) -> None:
        """End the connection if it is ours, and the cluster if it is."""
        self._undo.close()

    def _start(self, n_cpus: int) -> None:
        """Start a cluster of our own."""
        folder = tempfile.gettempdir()
        folder = folder if len(f"{folder}/{_PREFIX}12345678") <= _LONGEST_PLACE else "/tmp"
        place = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder, ignore_cleanup_errors=True)
        self._undo.enter_context(place)
        self._undo.callback(self._shut_down)
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)  # otherwise Ray would leave one in the home directory
        self._read_again()
        with self._loopback():
            self.ray.init(
                "local",
                num_cpus=n_cpus,
                num_gpus=0,
                object_store_memory=_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=place.name,
            )

    def _connect(self, address: str) -> None:
        """Connect to the cluster at an address."""
        host, port = checked_address(address)
        loopback = _is_loopback(host)
        if not loopback:
            _check_token(address)
        _probe(host, port, address)
        self._undo.callback(self._shut_down)
        only_there = loopback and not _answers(self.ray.util.get_node_ip_address(), port)
        try:
            with self._loopback(only_there):
                self.ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except (self.ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"The Ray cluster at {address} takes no connection: {_cause(error)}") from error

    def _check_same(self, address: str | None) -> None:
        """Refuse an address that is not the one this process is connected to."""
        if address is None:
            return
        host, port = checked_address(address)
        found = str(self.ray.get_runtime_context().gcs_address)
        there, colon, known = found.rpartition(":")
        if colon and (int(known) != port or (not _is_loopback(host) and there.strip("[]") != host)):
            raise InputError(
                f"This process is connected to the Ray cluster at {found}, not to {address}. Leave the address out, or "
                "call ray.shutdown() before."
            )

    def _shut_down(self) -> None:
        """End the connection, and the processes of a cluster of our own."""
        waits = "wait_for_processes" in inspect.signature(self.ray.shutdown).parameters
        self.ray.shutdown(**({"wait_for_processes": True} if waits else {}))

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """Keep Ray quiet, and put back at the end what it has changed in this process."""
        logger, worker = logging.getLogger("ray"), importlib.import_module("ray._private.worker")
        level, printing = logger.level, getattr(worker, _PRINTING, None)
        environment = {name: os.environ.get(name) for name in _ENVIRONMENT}
        handler = signal.getsignal(signal.SIGTERM)
        logger.setLevel(logging.ERROR)
        if printing is not None:  # it would tell of dead actors, on standard output
            setattr(worker, _PRINTING, lambda *_, **__: None)
        try:
            yield
        finally:
            if printing is not None:
                setattr(worker, _PRINTING, printing)
            logger.setLevel(level)
            for name, value in environment.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            self._read_again()
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, handler)

    @contextmanager
    def _loopback(self, wanted: bool = True) -> Iterator[None]:
        """Let Ray take the loopback address as it is; on Linux it takes it for the machine's own."""
        constants: Any = importlib.import_module("ray._private.ray_constants")
        before = getattr(constants, "ENABLE_RAY_CLUSTER", None)
        if not wanted or before is None:
            yield
            return
        constants.ENABLE_RAY_CLUSTER = False
        try:
            yield
        finally:
            constants.ENABLE_RAY_CLUSTER = before

    def _read_again(self) -> None:
        """Let Ray read from the environment whether there is a token, and which; by itself it does so once."""
        with suppress(AttributeError):  # both are Ray's own
            self.ray._raylet.Config.initialize("")
            self.ray._raylet.AuthenticationTokenLoader.instance().reset_cache()


def checked_address(address: object) -> tuple[str, int]:
    """Return host and port of an address."""
    if not isinstance(address, str):
        raise ParameterError("address", "evaluate", _ADDRESS, address)
    host, colon, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or "/" in host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 2**16:
        raise ParameterError("address", "evaluate", _ADDRESS, address)
    return host, int(port)


def _named_by_environment() -> str | None:
    """Return the address that the variable ``RAY_ADDRESS`` has, if it is set."""
    named = os.environ.get("RAY_ADDRESS") or None
    try:
        if named is not None:
            checked_address(named)
        return named
    except ParameterError as error:
        raise InputError(f"The variable RAY_ADDRESS is {named!r}. Accepted: {_ADDRESS}. Or unset it.") from error


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _check_token(address: str) -> None:
    """Refuse a cluster of another machine that anybody could use."""
    if os.environ.get("RAY_AUTH_MODE", "").casefold() != "token":
        raise InputError(
            f"{address} is not on this machine, and a Ray cluster without a token does for anybody what it is told. "
            "Start it with tokens: `ray get-auth-token --generate`, the same ~/.ray/auth_token on all its machines, "
            "RAY_AUTH_MODE=token for `ray start` and for this command."
        )
    place = os.environ.get("RAY_AUTH_TOKEN_PATH")
    file = Path(place) if place else Path.home() / ".ray" / "auth_token"
    with suppress(OSError):
        if os.environ.get("RAY_AUTH_TOKEN") or file.read_text().strip():
            return
    raise InputError(
        f"RAY_AUTH_MODE is 'token', but there is no token for {address}: put the one of the cluster into {file}, or "
        "into the variable RAY_AUTH_TOKEN."
    )


def _probe(host: str, port: int, address: str) -> None:
    """Refuse an address where nothing answers; Ray itself would try for minutes."""
    if not _answers(host, port):
        raise InputError(
            f"No Ray cluster answers at {address} (waited up to {2 * _PROBE_SECONDS:.0f} s). Start one there: "
            f"`ray start --head --port={port}`; or leave the address out, which starts one on this machine."
        )


def _answers(host: str, port: int) -> bool:
    """Whether a server that speaks HTTP/2 answers, as that of Ray does."""
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # and empty settings
    try:
        with socket.create_connection((host, port), _PROBE_SECONDS) as line:
            line.sendall(greeting)
            said = line.recv(4, socket.MSG_WAITALL)
    except OSError:
        return False
    return len(said) == 4 and said[3] == 4  # the settings of the server come first


def _cause(error: BaseException) -> str:
    """Return what is at the bottom of an error, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    told = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if "AuthToken" in told[-1] or "AuthenticationError" in told[-1]:
        return (
            "it asks for another token, or for one at all. See to RAY_AUTH_MODE=token, and to its token in "
            "~/.ray/auth_token or in the variable RAY_AUTH_TOKEN."
        )
    return told[-1]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off: a cluster that is started by half is hard to end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *now: pressed.append(now))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
