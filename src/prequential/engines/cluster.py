"""A Ray cluster: the one at an address, or a private one on this machine for the duration of a run.

Ray has one connection per process, and settings that it reads once; those that are changed here are restored at the
end. A cluster runs any code that it is sent. So a private cluster listens on the loopback address only and requires a
random token, and a cluster on another machine is refused without a token.
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

from prequential.engines.fault_handlers import kept_fault_handlers
from prequential.errors import InputError, MissingExtraError, ParameterError

SMALL_BYTES = 100_000
_PROBE_SECONDS = 5.0
_STORE_BYTES = 512 * 2**20
_PREFIX = "pq-ray-"
_LONGEST_PLACE = 36
"""Longest path of the directory, so that the paths of the sockets in it are not too long for the system."""
_ENVIRONMENT = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_USAGE_STATS_ENABLED")
_PRINTING = "print_to_stdstream"
_ADDRESS = "the address of a Ray cluster as HOST:PORT, as `ray start --head` prints it"


class Cluster:
    """A connection to a Ray cluster.

    If this process is already connected, that connection is used and left open. Otherwise it connects to the cluster
    at ``address``, or at the environment variable ``RAY_ADDRESS``; without either, it starts a private cluster.

    Parameters
    ----------
    address
        ``HOST:PORT`` of the head node.
    n_cpus
        Number of CPUs of a private cluster.

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
            raise MissingExtraError("engine='ray' (--engine ray)", "ray") from error
        self._undo = ExitStack()
        if self.ray.is_initialized():
            self._check_same(address)
            return
        address = address or _environment_address()
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
        """Number of CPUs of all nodes."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    @property
    def n_free(self) -> int:
        """Number of CPUs that are not reserved."""
        return int(self.ray.available_resources().get("CPU", 0))

    def argument(self, message: bytes) -> Any:
        """Return a message as the argument of a remote call: itself if it is small, otherwise a reference to it."""
        return message if len(message) <= SMALL_BYTES else self.ray.put(message)

    def close(self) -> None:
        """Close the connection, and end a private cluster; leave a connection open that existed before."""
        self._undo.close()

    def _start(self, n_cpus: int) -> None:
        """Start a private cluster."""
        folder = tempfile.gettempdir()
        folder = folder if len(f"{folder}/{_PREFIX}12345678") <= _LONGEST_PLACE else "/tmp"
        place = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder, ignore_cleanup_errors=True)
        self._undo.enter_context(place)
        self._undo.callback(self._shut_down)
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)  # otherwise Ray writes one to the home directory
        self._reread_environment()
        with self._loopback(), kept_fault_handlers():
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
            with self._loopback(only_there), kept_fault_handlers():
                self.ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except (self.ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"The Ray cluster at {address} refuses the connection: {_cause(error)}") from error

    def _check_same(self, address: str | None) -> None:
        """Raise an error if this process is connected to another address."""
        if address is None:
            return
        host, port = checked_address(address)
        found = str(self.ray.get_runtime_context().gcs_address)
        there, colon, known = found.rpartition(":")
        if colon and (int(known) != port or (not _is_loopback(host) and there.strip("[]") != host)):
            raise InputError(
                f"This process is connected to the Ray cluster at {found}, not to {address}. Leave out the address "
                "(--address), or call ray.shutdown() first."
            )

    def _shut_down(self) -> None:
        """Close the connection, and end the processes of a private cluster."""
        waits = "wait_for_processes" in inspect.signature(self.ray.shutdown).parameters
        with kept_fault_handlers():
            self.ray.shutdown(**({"wait_for_processes": True} if waits else {}))

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """Silence Ray, and restore at the end what it changes in this process."""
        logger, worker = logging.getLogger("ray"), importlib.import_module("ray._private.worker")
        level, printing = logger.level, getattr(worker, _PRINTING, None)
        environment = {name: os.environ.get(name) for name in _ENVIRONMENT}
        handler = signal.getsignal(signal.SIGTERM)
        logger.setLevel(logging.ERROR)
        if printing is not None:  # it prints about dead actors on standard output
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
            self._reread_environment()
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, handler)

    @contextmanager
    def _loopback(self, enabled: bool = True) -> Iterator[None]:
        """Keep Ray from replacing the loopback address by the address of the machine, as it does on Linux."""
        constants: Any = importlib.import_module("ray._private.ray_constants")
        before = getattr(constants, "ENABLE_RAY_CLUSTER", None)
        if not enabled or before is None:
            yield
            return
        constants.ENABLE_RAY_CLUSTER = False
        try:
            yield
        finally:
            constants.ENABLE_RAY_CLUSTER = before

    def _reread_environment(self) -> None:
        """Let Ray read the token from the environment again; by default it does so once."""
        with suppress(AttributeError):  # both are private to Ray and may not exist
            self.ray._raylet.Config.initialize("")
            self.ray._raylet.AuthenticationTokenLoader.instance().reset_cache()


def checked_address(address: object, caller: str = "evaluate") -> tuple[str, int]:
    """Return the host and the port of an address."""
    if not isinstance(address, str):
        raise ParameterError("address", caller, _ADDRESS, address)
    host, colon, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or "/" in host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 2**16:
        raise ParameterError("address", caller, _ADDRESS, address)
    return host, int(port)


def _environment_address() -> str | None:
    """Return the address in the environment variable ``RAY_ADDRESS``; None if it is not set."""
    address = os.environ.get("RAY_ADDRESS") or None
    try:
        if address is not None:
            checked_address(address)
        return address
    except ParameterError as error:
        raise InputError(
            f"The environment variable RAY_ADDRESS is {address!r}. Accepted: {_ADDRESS}, or unset."
        ) from error


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _check_token(address: str) -> None:
    """Raise an error if there is no token for a cluster on another machine."""
    if os.environ.get("RAY_AUTH_MODE", "").casefold() != "token":
        raise InputError(
            f"{address} is not on this machine, and a Ray cluster without a token runs code for anybody. Start it with "
            "a token: `ray get-auth-token --generate`, the same ~/.ray/auth_token on all its machines, and "
            "RAY_AUTH_MODE=token for `ray start` and for this command."
        )
    place = os.environ.get("RAY_AUTH_TOKEN_PATH")
    file = Path(place) if place else Path.home() / ".ray" / "auth_token"
    with suppress(OSError):
        if os.environ.get("RAY_AUTH_TOKEN") or file.read_text().strip():
            return
    raise InputError(
        f"RAY_AUTH_MODE is 'token', but there is no token for {address}. Put the token of the cluster into {file}, or "
        "into the environment variable RAY_AUTH_TOKEN."
    )


def _probe(host: str, port: int, address: str) -> None:
    """Raise an error if nothing answers at an address; Ray would try for minutes."""
    if not _answers(host, port):
        raise InputError(
            f"No Ray cluster answers at {address} (waited up to {2 * _PROBE_SECONDS:.0f} s). Start one there: "
            f"`ray start --head --port={port}`; or leave out the address (--address) to start one on this machine."
        )


def _answers(host: str, port: int) -> bool:
    """Return whether an HTTP/2 server answers; that of Ray is one."""
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # with empty settings
    try:
        with socket.create_connection((host, port), _PROBE_SECONDS) as line:
            line.sendall(greeting)
            answer = line.recv(4, socket.MSG_WAITALL)
    except OSError:
        return False
    return len(answer) == 4 and answer[3] == 4  # a server sends its settings first


def _cause(error: BaseException) -> str:
    """Return the root cause of an error in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if "AuthToken" in lines[-1] or "AuthenticationError" in lines[-1]:
        return (
            "the token is missing or wrong. Set RAY_AUTH_MODE=token, and put the token of the cluster into "
            "~/.ray/auth_token or into the environment variable RAY_AUTH_TOKEN."
        )
    return lines[-1]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C: a cluster that has only partly started is hard to end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *signalled: pressed.append(signalled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
