"""A run is a directory: append-only, and readable while it is written.

::

    plan.toml               the plan, to run it again
    manifest.json           settings, versions, seeds, schema, machine, state of each learner
    trace/00000.parquet …   the tidy trace, in parts
    summary/00000.parquet … means and standard deviations over folds (KFold)
    pairs/00000.parquet …   how often one learner was right where the other was wrong, for every two learners
    significance/00000.parquet … tests over folds (KFold)
    alarms/00000.parquet …  alarms of drift detectors
    bins/00000.parquet …    metrics by bin of the waiting time (Delayed)
    irregular/00000.parquet … irregular events, such as labels without a record (Delayed)
    predictions/NAME/…      predictions and scores of each learner, if requested
    save_points/            the state of an unfinished run, from which it is resumed

Every file is written to a temporary file and renamed, so a reader never sees an incomplete file.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Self
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from prequential.arguments import checked_path
from prequential.comparisons import pairs
from prequential.errors import InputError, MissingFileError, StorageError
from prequential.runs import alarms, events, significance, summary
from prequential.runs.manifest import Manifest
from prequential.runs.predictions import join_predictions
from prequential.runs.save_points import SavePoints, sync_file, sync_folder
from prequential.runs.stage import is_delayed
from prequential.runs.trace import BINS, SCHEMA
from prequential.wording import listing, one_line

_DERIVED = ("report.html", "figure.png")
_FOLDERS = ("trace", "summary", "pairs", "significance", "alarms", "bins", "irregular", "predictions")
_FIRST = ("trace", "plan.toml", "plan.tmp", "manifest.tmp", "save_points")
"""The entries of the directory before the first manifest is written."""
_PART = re.compile(r"\d{5,}\.(parquet|tmp)")
_OURS = ("manifest.json", "plan.toml", "save_points", *_DERIVED, *_FOLDERS)


class RunDirectory:
    """Reads and writes the files of one run.

    Parameters
    ----------
    path
        Its path.
    owner
        What must live as long as this object, because it deletes a temporary directory around the run at its end.
    """

    def __init__(self, path: Path, owner: object = None) -> None:
        self.path = path
        self._owner = owner
        self.save_points = SavePoints(path / "save_points")
        self._sizes: dict[Path, list[int]] = {}
        self._unsynced: list[Path] = []

    @classmethod
    def create(cls, path: str | Path, *, overwrite: bool = False) -> Self:
        """Create a new directory; an existing run is replaced only with ``overwrite``."""
        path = checked_path(path, "path", "a run directory")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            if not overwrite:
                raise InputError(
                    f"{path} exists already. Choose another directory, or replace it with overwrite=True (--overwrite)."
                )
            if not (path / "manifest.json").is_file():
                raise InputError(
                    f"{path} is not the directory of a run (it has no manifest.json), so it is not replaced."
                )
            points = SavePoints(path / "save_points")
            with points.locked() if points.folder.is_dir() else nullcontext():
                for name in _OURS:  # other files stay
                    if (path / name).is_dir():
                        shutil.rmtree(path / name)
                    else:
                        (path / name).unlink(missing_ok=True)
        with _storage(path):
            (path / "trace").mkdir(parents=True, exist_ok=True)
        return cls(path)

    @classmethod
    def resume(cls, path: str | Path) -> Self:
        """Open the directory of an interrupted run; create it if the run was interrupted before it had a manifest."""
        path = checked_path(path, "path", "a run directory")
        if (path / "manifest.json").is_file() or not path.is_dir():
            return cls.open(path) if path.exists() else cls.create(path)
        others = sorted(one.name for one in path.iterdir() if one.name not in _FIRST)
        others += [f"trace/{one.name}" for one in (path / "trace").glob("*")]
        if others:
            raise InputError(
                f"{path} is not the directory of a run: it has no manifest.json, but other files ({listing(others)})."
            )
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the directory of a run, finished or not."""
        path = checked_path(path, "path", "load")
        if not path.exists():
            raise MissingFileError(path)
        if not (path / "manifest.json").is_file():
            raise InputError(f"{path} is not the directory of a run (it has no manifest.json).")
        return cls(path)

    @property
    def begun(self) -> bool:
        """Whether there is a manifest."""
        return (self.path / "manifest.json").is_file()

    def parts(self) -> dict[str, list[int]]:
        """Sync all written parts to disk; return their sizes by folder."""
        for part in self._unsynced:
            with _storage(part):
                sync_file(part)
        for folder in {part.parent for part in self._unsynced}:
            sync_folder(folder)
        self._unsynced = []
        return {folder.relative_to(self.path).as_posix(): list(sizes) for folder, sizes in self._sizes.items()}

    def has(self, parts: Mapping[str, Sequence[int]]) -> bool:
        """Return whether all these parts exist and have their sizes."""
        paths = {self.path / folder / _name(k): size for folder, sizes in parts.items() for k, size in enumerate(sizes)}
        return all(path.is_file() and path.stat().st_size == size for path, size in paths.items())

    def truncate_to(self, parts: Mapping[str, Sequence[int]]) -> None:
        """Remove all other parts, and reports and figures, so that the run can continue from these."""
        self._sizes = {self.path / folder: list(sizes) for folder, sizes in parts.items()}
        with _storage(self.path):
            for name in _FOLDERS:
                for part in filter(Path.is_file, (self.path / name).rglob("*")):
                    if not _PART.fullmatch(part.name):  # not a part of the run
                        continue
                    if part.suffix == ".tmp" or int(part.stem) >= len(self._sizes.get(part.parent, ())):
                        part.unlink()
            for name in _DERIVED:
                (self.path / name).unlink(missing_ok=True)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write or replace the manifest."""
        self._write("manifest.json", manifest.to_json())

    def write_plan(self, text: str) -> None:
        """Write the plan."""
        self._write("plan.toml", text)

    def append_trace(self, table: pa.Table) -> None:
        """Add a part to the trace."""
        self._append(self.path / "trace", table)

    def append_summary(self, table: pa.Table) -> None:
        """Add a part to the means over folds."""
        self._append(self.path / "summary", table)

    def append_pairs(self, table: pa.Table) -> None:
        """Add a part to the pairs."""
        self._append(self.path / "pairs", table)

    def append_significance(self, table: pa.Table) -> None:
        """Add a part to the tests over folds."""
        self._append(self.path / "significance", table)

    def append_alarms(self, table: pa.Table) -> None:
        """Add a part to the alarms."""
        self._append(self.path / "alarms", table)

    def append_bins(self, table: pa.Table) -> None:
        """Add a part to the metrics by bin."""
        self._append(self.path / "bins", table)

    def append_irregular(self, table: pa.Table) -> None:
        """Add a part to the irregular events."""
        self._append(self.path / "irregular", table)

    def append_predictions(self, learner: str, table: pa.Table) -> None:
        """Add a part to the predictions of a learner."""
        self._append(self.predictions_path(learner), table)

    def predictions_path(self, learner: str) -> Path:
        """Return the folder with the predictions of a learner."""
        # Every name gets its own folder inside this directory. quote() does not change dots, so ".." is handled here.
        folder = quote(learner, safe="") if learner.strip(".") else learner.replace(".", "%2E")
        return self.path / "predictions" / folder

    @property
    def manifest(self) -> Manifest:
        """The current manifest."""
        path = self.path / "manifest.json"
        with _storage(path):
            found = Manifest.from_json(path.read_text(encoding="utf-8"), str(path))
        if found.status == "running" and not self.save_points.are_locked:
            learners = {
                name: replace(entry, status="stopped") if entry.status == "running" else entry
                for name, entry in found.learners.items()
            }
            return replace(found, status="stopped", reason="the process that wrote it has ended", learners=learners)
        return found

    def trace(self) -> pa.Table:
        """Return the trace written so far, sorted by learner, fold and checkpoint.

        The time at which a part is written varies from run to run; this order does not.
        """
        return self._by_learner(self._read(self.path / "trace", SCHEMA))

    def summary(self) -> pa.Table:
        """Return the means over folds written so far, sorted by learner and checkpoint; empty without folds."""
        return self._by_learner(self._read(self.path / "summary", summary.SCHEMA))

    def _by_learner(self, table: pa.Table) -> pa.Table:
        names = pa.array(list(self.manifest.learners), pa.string())
        place = pc.index_in(table["learner"].cast(pa.string()), names)
        fold = {"fold": table["fold"]} if "fold" in table.column_names else {}
        keys = pa.table({"place": place, **fold, "row": np.arange(len(table))})
        return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))

    def pairs(self) -> pa.Table:
        """Return the pairs written so far; an empty table if none were counted.

        With late labels, the column ``stage`` tells initial from final predictions.
        """
        schema = pairs.LATE_SCHEMA if is_delayed(self.manifest) else pairs.SCHEMA
        return self._read(self.path / "pairs", schema)

    def significance(self) -> pa.Table:
        """Return the tests over folds written so far, sorted by pair and checkpoint; an empty table without folds."""
        table = self._read(self.path / "significance", significance.SCHEMA)
        names = pa.array(list(self.manifest.learners), pa.string())
        places = {name: pc.index_in(table[name].cast(pa.string()), names) for name in ("learner_a", "learner_b")}
        keys = pa.table({**places, "n": table["n"], "row": np.arange(len(table))})
        return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))

    def alarms(self) -> pa.Table:
        """Return the alarms written so far, in the order of records; an empty table if there were none."""
        table = self._read(self.path / "alarms", alarms.SCHEMA)
        return table.take(pc.sort_indices(table, [("record", "ascending")]))

    def bins(self) -> pa.Table:
        """Return the metrics by bin written so far, in the order of the trace."""
        return self._by_learner(self._read(self.path / "bins", BINS))

    def bins_parts(self) -> Iterator[pa.Table]:
        """Yield the parts with the metrics by bin; all of them may not fit into memory."""
        return self._parts(self.path / "bins", BINS)

    def irregular(self) -> pa.Table:
        """Return the irregular events written so far, in order."""
        return self._read(self.path / "irregular", events.SCHEMA)

    def irregular_parts(self) -> Iterator[pa.Table]:
        """Yield the parts with the irregular events, in order."""
        return self._parts(self.path / "irregular", events.SCHEMA)

    def predictions(self, learner: str) -> pa.Table:
        """Return the saved predictions of a learner; a class scores 0 before its first appearance."""
        folder = self.predictions_path(str(learner))
        if not folder.is_dir():
            raise InputError(
                f"{self.path} has no predictions of {learner!r}. Save them with predictions=True (--predictions)."
            )
        parts = [_table(part) for part in sorted(folder.glob("*.parquet"))]
        with _storage(folder):
            return join_predictions(parts)

    def copy_to(self, path: str | Path, *, overwrite: bool = False) -> RunDirectory:
        """Copy the whole run to another directory; do nothing if it is the same directory."""
        here, there = self.path.resolve(), checked_path(path, "path", "save").resolve()
        if here == there:
            return self
        if here in there.parents or there in here.parents:
            raise InputError(f"{path} lies within {self.path}, or contains it. Choose another directory.")
        copy = RunDirectory.create(path, overwrite=overwrite)
        points = self.save_points.folder  # only the run that wrote them reads them
        with _storage(copy.path):
            shutil.copytree(
                self.path,
                copy.path,
                dirs_exist_ok=True,
                ignore=lambda folder, _: [points.name] if Path(folder) == points.parent else [],
            )
        return copy

    def _read(self, folder: Path, schema: pa.Schema) -> pa.Table:
        parts = list(self._parts(folder, schema)) or [schema.empty_table()]
        return pa.concat_tables(parts).unify_dictionaries()

    def _parts(self, folder: Path, schema: pa.Schema) -> Iterator[pa.Table]:
        for part in sorted(folder.glob("*.parquet")):
            yield _table(part, schema)

    def _append(self, folder: Path, table: pa.Table) -> None:
        with _storage(folder):
            folder.mkdir(parents=True, exist_ok=True)
            sizes = self._sizes.setdefault(folder, [])
            part = folder / _name(len(sizes))
            temporary = part.with_suffix(".tmp")
            names = _columns_of_names(table)
            pa.parquet.write_table(table, temporary, compression="lz4", use_dictionary=names, write_statistics=False)
            temporary.replace(part)
            sizes.append(part.stat().st_size)
            self._unsynced.append(part)

    def _write(self, name: str, text: str) -> None:
        path = self.path / name
        with _storage(path):
            temporary = path.with_suffix(".tmp")
            temporary.write_text(text, encoding="utf-8")
            if self.save_points.folder.is_dir():  # without these files a run cannot be resumed
                sync_file(temporary)
            temporary.replace(path)


def _table(part: Path, schema: pa.Schema | None = None) -> pa.Table:
    """Read a part; texts must be UTF-8, and codes must be in their dictionary."""
    with _storage(part):
        table = pa.parquet.read_table(part)
        if schema is not None:
            if table.column_names != schema.names:
                raise pa.ArrowInvalid(f"its columns are {listing(table.column_names)}")
            table = table.cast(schema)
        table.validate(full=True)
        return table


def _name(number: int) -> str:
    return f"{number:05}.parquet"


def _columns_of_names(table: pa.Table) -> list[str]:
    """Return the columns with names; only these repeat, so only for these a dictionary saves time and space."""
    return [field.name for field in table.schema if pa.types.is_dictionary(field.type)]


@contextmanager
def _storage(path: Path) -> Iterator[None]:
    """Raise a `StorageError` with the path for an error of the file system, and remove temporary files."""
    try:
        yield
    except OSError as error:
        folder = path if path.is_dir() else path.parent
        for temporary in folder.glob("*.tmp"):
            temporary.unlink(missing_ok=True)
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: {reason}. What was written before is kept.") from error
    except (pa.ArrowException, UnicodeError, KeyError, IndexError, OverflowError) as error:
        raise StorageError(f"{path}: damaged ({one_line(error)}). Restore the file, or run again.") from error
