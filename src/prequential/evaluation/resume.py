"""Resume an interrupted run: check that it is the same run, and restore its last save point."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from prequential.engines.engine import Engine
from prequential.errors import InputError, PrequentialError
from prequential.evaluation.position import Position, Tail
from prequential.evaluation.recorder import Recorder
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.streams.data_warning import DataWarning
from prequential.user_warning import warn_user
from prequential.wording import listing

_SAME = (
    *("name", "stream", "drifts", "protocol", "metrics", "forgetting", "detectors"),
    *("every", "seed", "abstain", "kept", "n_expected"),
)
_ALWAYS = ("python", "prequential", "numpy", "scipy", "pyarrow")
"""Packages on which all numbers may depend; other packages are checked if learners or detectors use them."""
_MOST = 12


def previous_manifest(directory: Path, manifest: Manifest, *, accept_changes: bool) -> Manifest | None:
    """Return the manifest of the run to resume; None if it was interrupted before it had one.

    Raises
    ------
    InputError
        If that run differs from the one of ``manifest``; with ``accept_changes``, code and versions may differ.
    """
    if not (directory / "manifest.json").is_file():
        return None
    previous = RunDirectory.open(directory).manifest
    changed = _changes_of_settings(previous, manifest)
    of_code = [] if accept_changes else changes_of_code(previous, manifest)
    if changed or of_code:
        lines = [f"  - {one}" for one in (*changed, *of_code)]
        rest = f"\n  and {len(lines) - _MOST:,} more" if len(lines) > _MOST else ""
        advice = "Run it with the same settings, or start a new run in another directory."
        if not changed:
            advice = (
                "Restore what it was started with, start a new run in another directory, or, if the changes cannot "
                "change results, resume it with accept_changes=True (--accept-changes)."
            )
        raise InputError(
            f"{directory} cannot be resumed, because that run differs from this one:\n"
            + "\n".join(lines[:_MOST])
            + f"{rest}\n{advice}"
        )
    return previous


def changes_of_code(old: Manifest, new: Manifest) -> list[str]:
    """Return which code and versions differ between two runs; of a finished run, versions may differ."""
    changed = [] if old.code is None or new.code is None else old.code.changes(new.code)
    if old.finished:
        return [one for one in changed if not one.startswith("library ")]
    then, now = (_flat({"versions": _versions(one)}) | _libraries(one) for one in (old, new))
    return [*changed, *_differences(then, now)]


def warn_of_changed_files(previous: Manifest) -> None:
    """Warn of files that were modified after the run was started: what is saved is of their old content."""
    started = datetime.fromisoformat(previous.started).timestamp()
    for path in _paths(previous.stream):
        try:
            modified = max(one.stat().st_mtime for one in (path, *(path.iterdir() if path.is_dir() else ())))
        except OSError:
            continue  # it is in another folder now
        if modified > started + 1:  # the start is known to the second
            warn_user(
                f"{path} was modified after the run had started. What was computed before is kept; if records have "
                "changed, start the run again with overwrite=True (--overwrite).",
                DataWarning,
            )


def resume_from(directory: RunDirectory, engine: Engine, recorder: Recorder) -> Position | None:
    """Restore engine and recorder from the newest intact save point; return its position, or None if there is none."""
    for path, saved in directory.save_points.read():
        if not directory.has(saved["recorder"]["parts"]):
            continue
        at = saved["position"]
        try:
            engine.restore(at["seq"], {(name, fold): state for name, fold, state in saved["replicas"]})
        except PrequentialError:
            raise
        except Exception as error:  # from the user's code, for example a class was renamed
            raise InputError(
                f"{path}: a learner or detector cannot be restored ({type(error).__name__}: {error}). A run can only "
                "be resumed with the code that it was started with."
            ) from error
        directory.save_points.discard_after(path)
        recorder.restore(saved["recorder"], saved["n_records"])
        return Position(at["n_records"], at["seq"], Tail(**at["tail"]))
    directory.truncate_to({})
    recorder.write(0)
    return None


def _changes_of_settings(old: Manifest, new: Manifest) -> list[str]:
    """Return the differences between two runs, except those of code; the folder of a file and the engine may differ."""
    new = Manifest.from_json(new.to_json(), "this run")
    then, now = (
        {**_flat({name: getattr(one, name) for name in _SAME}), "positive": _given_positive(one), **_learners(one)}
        for one in (old, new)
    )
    if not new.schema.get("open"):
        then |= _flat({"schema": {key: value for key, value in old.schema.items() if key != "weighted"}})  # seen later
        now |= _flat({"schema": new.schema})
    return _differences(then, now)


def _differences(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    missing = "not set"
    return [
        f"{name}: {then.get(name, missing)} then, {now.get(name, missing)} now"
        for name in dict.fromkeys([*then, *now])
        if then.get(name, missing) != now.get(name, missing)
    ]


def _paths(tree: object) -> Iterator[Path]:
    """Yield the paths of files in the description of a stream or of logs."""
    if isinstance(tree, dict):
        for name, value in tree.items():
            if name == "path" and isinstance(value, str):
                yield Path(value)
            else:
                yield from _paths(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _paths(value)


def _given_positive(manifest: Manifest) -> str | None:
    return manifest.positive.label if manifest.positive is not None and manifest.positive.given else None


def _versions(manifest: Manifest) -> dict[str, str]:
    """Return the versions on which the numbers of a run may depend."""
    used = repr([manifest.detectors, *(entry.description for entry in manifest.learners.values())])
    return {name: one for name, one in manifest.versions.items() if name in _ALWAYS or name in used}


def _learners(manifest: Manifest) -> dict[str, Any]:
    found: dict[str, Any] = {"learners": listing(manifest.learners, 40)}
    for name, entry in manifest.learners.items():
        found |= _flat({k: v for k, v in entry.description.items() if k != "library"}, f"learner {name!r}, ")
    return found


def _libraries(manifest: Manifest) -> dict[str, Any]:
    """Return the libraries of the learners, with their versions, as the learners describe them."""
    entries = manifest.learners.items()
    return {f"learner {name!r}, library": entry.description.get("library", "none") for name, entry in entries}


def _flat(tree: Any, before: str = "") -> dict[str, Any]:
    """Return the values of nested dictionaries by dotted names, without the paths of files."""
    if not isinstance(tree, dict):
        return {before: tree}
    found: dict[str, Any] = {}
    for name, value in tree.items():
        if name != "path":
            inner = _flat(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
            found |= inner
    return found
