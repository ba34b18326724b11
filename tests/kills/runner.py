"""Kill commands at random moments, resume them, and compare what they leave behind with an uninterrupted run."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from kills.commands import COMMANDS, NEVER_FORKED, content, write_inputs

import prequential as pq
from prequential.cli import main
from prequential.errors import PrequentialError

SIGNALS = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130}
"""Exit code by signal."""
FRESH = 0.1
"""Share of the commands that get a new Python process, so that a signal may also hit its imports."""
TIME_LIMIT = 120.0
_FRESH_CODE = "from prequential_start import main; main()"


@dataclass(slots=True)
class Tally:
    """What became of the kills.

    Parameters
    ----------
    counts
        By command: the number of kills by signal, and how many came after its end.
    faults
        Each fault: command, index and what was found.
    """

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in COMMANDS})
    faults: list[str] = field(default_factory=list)

    @property
    def n_kills(self) -> int:
        """The number of kills that hit a running command."""
        return sum(counts[name] for counts in self.counts.values() for name in SIGNALS)

    def __str__(self) -> str:
        columns = (*SIGNALS, "too late", "before it began", "resumed", "identical")
        lines = ["".join(["command         ", *(f"{name:>17}" for name in columns)])]
        for command, counts in self.counts.items():
            lines.append(f"{command:16}" + "".join(f"{counts[name]:>17,}" for name in columns))
        return "\n".join([*lines, f"{self.n_kills:,} kills, {len(self.faults):,} faults"])


class Killer:
    """Kills commands in a folder.

    Parameters
    ----------
    folder
        An empty folder.
    seed
        The seed of all kills.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed
        self._expected: dict[str, dict[str, str]] = {}
        self._seconds: dict[tuple[str, bool], float] = {}
        self.tally = Tally()
        write_inputs(folder)

    def kill(self, index: int) -> None:
        """Kill one command, once or several times, and compare its results."""
        draw = random.Random(f"kill:{self._seed}:{index}")
        command, fresh = draw.choice([*COMMANDS]), draw.random() < FRESH
        fresh = fresh or command in NEVER_FORKED
        counts = self.tally.counts[command]
        out = self._folder / f"out{index}"
        self._measure(command, fresh=fresh)
        for _ in range(draw.choice((1, 1, 2, 3))):
            number = draw.choice([*SIGNALS])
            resume = _exists(out)
            counts["resumed"] += resume
            before = _status(out)
            at = draw.random() * 1.05 * self._seconds[command, fresh]
            code, errors = self._run(command, out, fresh=fresh, resume=resume, signal_name=number, at=at)
            if "Traceback" in errors:
                self._fault(command, index, f"a traceback after {number}:\n{errors}")
            if code == 0:
                counts["too late"] += 1
                break
            counts[number] += 1
            if code not in (SIGNALS[number], -int(getattr(signal, number))):
                self._fault(command, index, f"exit code {code} after {number}:\n{errors}")
            if not _exists(out):
                counts["before it began"] += 1
            elif command != "power":
                status = _status(out)
                allowed = "stopped" if number == "SIGKILL" else "interrupted"
                if status not in (None, before, allowed, "complete"):
                    self._fault(command, index, f"a run that reads as {status} after {number}")
        else:
            resume = _exists(out)
            counts["resumed"] += resume
            code, errors = self._run(command, out, fresh=fresh, resume=resume)
            if code != 0:
                self._fault(command, index, f"exit code {code} of the last part:\n{errors}")
                return
        expected, found = self._expected[command], content(command, out)
        different = [name for name in expected if found[name] != expected[name]]
        if different:
            self._fault(command, index, f"another {', '.join(different)} than in an uninterrupted run")
        else:
            counts["identical"] += 1

    def _measure(self, command: str, *, fresh: bool) -> None:
        """Run a command without a kill, for its results and its duration."""
        if (command, fresh) in self._seconds:
            return
        out = self._folder / f"whole_{command.replace(' ', '')}_{fresh:d}"
        begun = time.monotonic()
        code, errors = self._run(command, out, fresh=fresh, resume=False)
        self._seconds[command, fresh] = time.monotonic() - begun
        if code != 0:
            raise RuntimeError(f"{command} fails without a kill ({code}):\n{errors}")
        found = content(command, out)
        if self._expected.setdefault(command, found) != found:
            raise RuntimeError(f"{command} has other results in a new process")

    def _fault(self, command: str, index: int, what: str) -> None:
        self.tally.faults.append(f"{command}, kill {index} of seed {self._seed}: {what}")

    def _run(
        self, command: str, out: Path, *, fresh: bool, resume: bool, signal_name: str = "", at: float = 0.0
    ) -> tuple[int, str]:
        """Run a command, and send it a signal after some time; return its exit code and its errors."""
        words = [str(out) if word == "OUT" else word for word in COMMANDS[command]]
        words += ["--resume"] if resume and command != "power" else []
        errors = self._folder / "stderr.txt"
        child = os.fork()
        if child == 0:
            _become(words, self._folder, errors, fresh=fresh)
        end = time.monotonic() + at
        found = (0, 0)
        if signal_name:
            while found == (0, 0) and (left := end - time.monotonic()) > 0:
                time.sleep(min(left, 0.005))
                found = os.waitpid(child, os.WNOHANG)
            if found == (0, 0):
                os.kill(child, getattr(signal, signal_name))
        limit = time.monotonic() + TIME_LIMIT
        while found == (0, 0):
            found = os.waitpid(child, os.WNOHANG)
            if time.monotonic() > limit:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return -99, f"still running {TIME_LIMIT:g} seconds later\n{errors.read_text(encoding='utf-8')}"
            time.sleep(0.002)
        code = os.waitstatus_to_exitcode(found[1])
        if not _is_gone(child):
            self.tally.faults.append(f"{command}: processes survive it")
        return code, errors.read_text(encoding="utf-8", errors="replace")


def _become(words: list[str], folder: Path, errors: Path, *, fresh: bool) -> None:
    """Become the process of a command, with its own process group."""
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        with Path(os.devnull).open("w") as nothing, errors.open("w") as file:
            os.dup2(nothing.fileno(), 1)
            os.dup2(file.fileno(), 2)
        if fresh:
            os.execv(sys.executable, [sys.executable, "-c", _FRESH_CODE, *words])
        sys.argv = ["prequential", *words]
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except KeyboardInterrupt:  # outside the command: Python's own way to end
            code = 130
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _is_gone(group: int) -> bool:
    """Return whether a process group is empty, or becomes so within some seconds."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    return False


def _status(out: Path) -> str | None:
    """Return the status of a run; None if there is none yet."""
    try:
        return pq.load(out).status
    except PrequentialError:
        return None


def _exists(out: Path) -> bool:
    """Return whether a command has left something that it can resume."""
    return out.is_dir() and any(out.iterdir())
