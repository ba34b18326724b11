"""Resume an interrupted run: check that it is the same run, and restore its last save point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.engines.engine import Engine
from prequential.errors import InputError, PrequentialError
from prequential.evaluation.position import Position, Tail
from prequential.evaluation.recorder import Recorder
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.wording import listing

_SAME = (
    *("name", "stream", "drifts", "protocol", "metrics", "forgetting", "detectors"),
    *("every", "seed", "abstain", "kept", "n_expected"),
)
_ALWAYS = ("python", "prequential", "numpy", "scipy", "pyarrow")
"""Packages on which all numbers may depend; other packages are checked if learners or detectors use them."""
_MOST = 12


def previous_manifest(directory: Path, manifest: Manifest) -> Manifest | None:
    """Return the manifest of the run to resume; None if it was interrupted before it had one.

    Raises
    ------
    InputError
        If that run differs from the one of ``manifest``.
    """
    if not (directory / "manifest.json").is_file():
        return None
    previous = RunDirectory.open(directory).manifest
    _check_same(directory, previous, manifest)
    return previous


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


def _check_same(path: Path, old: Manifest, new: Manifest) -> None:
    """Raise an error that lists the differences if two runs are not the same.

    The folder of a file and the engine may differ; if the run is finished, versions may differ too.
    """
    new = Manifest.from_json(new.to_json(), "this run")
    then, now = (
        {**_flat({name: getattr(one, name) for name in _SAME}), "positive": _given_positive(one), **_learners(one)}
        for one in (old, new)
    )
    if not new.schema.get("open"):
        then |= _flat({"schema": old.schema})
        now |= _flat({"schema": new.schema})
    if not old.finished:
        then |= _flat({"versions": _versions(old)})
        now |= _flat({"versions": _versions(new)})
    missing = "not set"
    changed = [
        f"  - {name}: {then.get(name, missing)} then, {now.get(name, missing)} now"
        for name in dict.fromkeys([*then, *now])
        if then.get(name, missing) != now.get(name, missing)
    ]
    if changed:
        rest = f"\n  and {len(changed) - _MOST:,} more" if len(changed) > _MOST else ""
        raise InputError(
            f"{path} cannot be resumed, because that run differs from this one:\n"
            + "\n".join(changed[:_MOST])
            + f"{rest}\nRun it with the same settings, or start a new run in another directory."
        )


def _given_positive(manifest: Manifest) -> str | None:
    return manifest.positive.label if manifest.positive is not None and manifest.positive.given else None


def _versions(manifest: Manifest) -> dict[str, str]:
    """Return the versions on which the numbers of a run may depend."""
    used = repr([manifest.detectors, *(entry.description for entry in manifest.learners.values())])
    return {name: one for name, one in manifest.versions.items() if name in _ALWAYS or name in used}


def _learners(manifest: Manifest) -> dict[str, Any]:
    found: dict[str, Any] = {"learners": listing(manifest.learners, 40)}
    for name, entry in manifest.learners.items():
        found |= _flat(entry.description, f"learner {name!r}, ")
    return found


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
