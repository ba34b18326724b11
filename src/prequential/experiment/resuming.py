"""Which run is taken up again: it must be the same, or it would be two runs in one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.errors import InputError, checked_path, listing
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest

_SAME = (
    *("name", "stream", "drifts", "protocol", "measures", "known_measures", "forgetting", "detectors"),
    *("every", "seed", "abstain", "kept", "n_expected"),
)
_ALWAYS = ("python", "prequential", "numpy", "scipy", "pyarrow")
"""What all numbers may depend on; the libraries of learners and detectors count where they are used."""
_MOST = 12


def earlier(directory: str | Path | None, asked: Manifest, *, overwrite: bool) -> Manifest | None:
    """Return the manifest of the run that is to be taken up; None if it was killed before it had one.

    Raises
    ------
    InputError
        If it is another run than the one ``asked`` for.
    """
    if directory is None:
        raise InputError("resume needs the directory of the run: directory=… (--output).")
    if overwrite:
        raise InputError(
            f"{directory}: to go on with a run (--resume, resume=True) and to replace it (--overwrite, overwrite=True) "
            "are two things: ask for one of them."
        )
    path = checked_path(directory, "directory", "evaluate")
    if not (path / "manifest.json").is_file():
        return None
    old = RunDirectory.open(path).manifest
    _check_same(path, old, asked)
    return old


def _check_same(path: Path, old: Manifest, new: Manifest) -> None:
    """Refuse to take up a run that is another one; all differences are listed.

    Where a file lies makes no difference, nor does the engine; nor, if all is done, do versions.
    """
    new = Manifest.from_json(new.to_json(), "this run")
    then, now = ({**_flat({name: getattr(one, name) for name in _SAME}), **_learners(one)} for one in (old, new))
    if not new.schema.get("open"):
        then |= _flat({"schema": old.schema})
        now |= _flat({"schema": new.schema})
    if old.status not in ("complete", "failed"):
        then |= _flat({"versions": _versions(old)})
        now |= _flat({"versions": _versions(new)})
    missing = "nothing"
    changed = [
        f"  - {name}: {then.get(name, missing)} then, {now.get(name, missing)} now"
        for name in dict.fromkeys([*then, *now])
        if then.get(name, missing) != now.get(name, missing)
    ]
    if changed:
        rest = f"\n  and {len(changed) - _MOST:,} more" if len(changed) > _MOST else ""
        raise InputError(
            f"{path}: cannot be resumed, because it was another run:\n"
            + "\n".join(changed[:_MOST])
            + f"{rest}\nRun it as it was, or begin a new one in another directory."
        )


def _versions(manifest: Manifest) -> dict[str, str]:
    """Return the versions that the numbers of a run may depend on."""
    used = repr([manifest.detectors, *(entry.description for entry in manifest.learners.values())])
    return {name: one for name, one in manifest.versions.items() if name in _ALWAYS or name in used}


def _learners(manifest: Manifest) -> dict[str, Any]:
    found: dict[str, Any] = {"learners": listing(manifest.learners, 40)}
    for name, entry in manifest.learners.items():
        found |= _flat(entry.description, f"learner {name!r}, ")
    return found


def _flat(tree: Any, before: str = "") -> dict[str, Any]:
    """Return the values of nested dictionaries, each by the way to it."""
    if not isinstance(tree, dict):
        return {before: tree}
    found: dict[str, Any] = {}
    for name, value in tree.items():
        if name != "path":
            inner = _flat(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
            found |= inner
    return found
