"""A run is a directory: append-only, readable while it is written.

::

    plan.toml               what was asked, to run it again
    manifest.json           versions, seeds, schema, machine, how each learner fared
    trace/00000.parquet …   the tidy trace, part by part
    pairs/00000.parquet …   of every two learners, who was right where the other was wrong
    significance/00000.parquet … tests of the differences between learners, with several folds
    alarms/00000.parquet …  the alarms of drift detectors, if there are any
    bins/00000.parquet …    the measures by bin of the time that records wait, with delayed labels
    irregular/00000.parquet … events that are not as they should be, with delayed labels
    predictions/NAME/…      predictions and scores of each learner, on request
    checkpoint/             the state of a run that is not finished, to go on from

Every file is written aside and renamed, so that a reader never sees half a file.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Self
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from prequential.comparisons import pairs
from prequential.errors import InputError, StorageError, checked_path, listing
from prequential.runs import alarms, events, significance
from prequential.runs.manifest import Manifest
from prequential.runs.save_points import SavePoints, sync_file, sync_folder
from prequential.runs.trace import BINS, SCHEMA

_MADE = ("report.html", "figure.png")
_FOLDERS = ("trace", "pairs", "significance", "alarms", "bins", "irregular", "predictions")
_FIRST = ("trace", "plan.toml", "plan.tmp", "manifest.tmp", "checkpoint")
"""What there is before the first manifest."""
_PART = re.compile(r"\d{5,}\.(parquet|tmp)")
_OURS = ("manifest.json", "plan.toml", "checkpoint", *_MADE, *_FOLDERS)


class RunDirectory:
    """Reads and writes the files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.save_points = SavePoints(path / "checkpoint")
        self._sizes: dict[Path, list[int]] = {}
        self._unsynced: list[Path] = []

    @classmethod
    def create(cls, path: str | Path, *, overwrite: bool = False) -> Self:
        """Make a new directory; an old run there is replaced only with ``overwrite``."""
        path = checked_path(path, "path", "a run directory")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            if not overwrite:
                raise InputError(
                    f"{path}: exists already. Choose another directory, or say that it may be replaced "
                    "(overwrite=True, --overwrite)."
                )
            if not (path / "manifest.json").is_file():
                raise InputError(f"{path}: is not the directory of a run, so it is not replaced.")
            points = SavePoints(path / "checkpoint")
            with points.locked() if points.folder.is_dir() else nullcontext():
                for name in _OURS:  # and nothing else that may lie there
                    if (path / name).is_dir():
                        shutil.rmtree(path / name)
                    else:
                        (path / name).unlink(missing_ok=True)
        with _storage(path):
            (path / "trace").mkdir(parents=True, exist_ok=True)
        return cls(path)

    @classmethod
    def take_up(cls, path: str | Path) -> Self:
        """Open the directory of a run that is to go on, or make it, if the run was killed before it had a manifest."""
        path = checked_path(path, "path", "a run directory")
        if (path / "manifest.json").is_file() or not path.is_dir():
            return cls.open(path) if path.exists() else cls.create(path)
        others = sorted(one.name for one in path.iterdir() if one.name not in _FIRST)
        others += [f"trace/{one.name}" for one in (path / "trace").glob("*")]
        if others:
            raise InputError(f"{path}: is not the directory of a run ({listing(others)}).")
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the directory of a run, finished or not."""
        path = checked_path(path, "path", "load")
        if not (path / "manifest.json").is_file():
            raise InputError(f"{path}: not the directory of a run (it has no manifest.json).")
        return cls(path)

    @property
    def begun(self) -> bool:
        """Whether there is a manifest."""
        return (self.path / "manifest.json").is_file()

    def parts(self) -> dict[str, list[int]]:
        """Force all parts that were written to disk; return how large they are, by folder."""
        for part in self._unsynced:
            with _storage(part):
                sync_file(part)
        for folder in {part.parent for part in self._unsynced}:
            sync_folder(folder)
        self._unsynced = []
        return {folder.relative_to(self.path).as_posix(): list(sizes) for folder, sizes in self._sizes.items()}

    def has(self, parts: Mapping[str, Sequence[int]]) -> bool:
        """Return whether all these parts are there, as large as they were."""
        paths = {self.path / folder / _name(k): size for folder, sizes in parts.items() for k, size in enumerate(sizes)}
        return all(path.is_file() and path.stat().st_size == size for path, size in paths.items())

    def go_back(self, parts: Mapping[str, Sequence[int]]) -> None:
        """Remove all parts but these, and what was made of them: the run goes on from there."""
        self._sizes = {self.path / folder: list(sizes) for folder, sizes in parts.items()}
        with _storage(self.path):
            for name in _FOLDERS:
                for part in filter(Path.is_file, (self.path / name).rglob("*")):
                    if not _PART.fullmatch(part.name):  # not ours
                        continue
                    if part.suffix == ".tmp" or int(part.stem) >= len(self._sizes.get(part.parent, ())):
                        part.unlink()
            for name in _MADE:
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
        """Add a part to the measures by bin."""
        self._append(self.path / "bins", table)

    def append_irregular(self, table: pa.Table) -> None:
        """Add a part to the irregular events."""
        self._append(self.path / "irregular", table)

    def append_predictions(self, learner: str, table: pa.Table) -> None:
        """Add a part to the predictions of a learner."""
        self._append(self.predictions_path(learner), table)

    def predictions_path(self, learner: str) -> Path:
        """Return where the predictions of a learner are."""
        # Every name gets its own folder, inside this directory: those of dots alone are not left to quote.
        folder = quote(learner, safe="") if learner.strip(".") else learner.replace(".", "%2E")
        return self.path / "predictions" / folder

    @property
    def manifest(self) -> Manifest:
        """The manifest as it is now."""
        path = self.path / "manifest.json"
        with _storage(path):
            return Manifest.from_json(path.read_text(encoding="utf-8"), str(path))

    def trace(self) -> pa.Table:
        """Return the trace as far as it is written: learner by learner, each in the order of its checkpoints.

        When which part was written depends on the clock; this order does not.
        """
        return self._by_learner(self._read(self.path / "trace", SCHEMA))

    def _by_learner(self, table: pa.Table) -> pa.Table:
        names = pa.array(list(self.manifest.learners), pa.string())
        place = pc.index_in(table["learner"].cast(pa.string()), names)
        keys = pa.table({"place": place, "fold": table["fold"], "row": np.arange(len(table))})
        return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))

    def pairs(self) -> pa.Table:
        """Return the pairs as far as they are written; no row where none were counted."""
        return self._read(self.path / "pairs", pairs.SCHEMA)

    def significance(self) -> pa.Table:
        """Return the tests over folds as far as they are written: pair by pair, each in the order of its checkpoints.

        No row where learners have no folds.
        """
        table = self._read(self.path / "significance", significance.SCHEMA)
        names = pa.array(list(self.manifest.learners), pa.string())
        places = {name: pc.index_in(table[name].cast(pa.string()), names) for name in ("learner_a", "learner_b")}
        keys = pa.table({**places, "n": table["n"], "row": np.arange(len(table))})
        return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))

    def alarms(self) -> pa.Table:
        """Return the alarms as far as they are written, in the order of their records; no row where there were none."""
        table = self._read(self.path / "alarms", alarms.SCHEMA)
        return table.take(pc.sort_indices(table, [("n", "ascending")]))

    def bins(self) -> pa.Table:
        """Return the measures by bin as far as they are written, in the order of the trace."""
        return self._by_learner(self._read(self.path / "bins", BINS))

    def bins_parts(self) -> Iterator[pa.Table]:
        """Read the measures by bin part by part, as they were written: all of them may be more than memory holds."""
        return self._parts(self.path / "bins", BINS)

    def irregular(self) -> pa.Table:
        """Return the irregular events as far as they are written, in their order."""
        return self._read(self.path / "irregular", events.SCHEMA)

    def irregular_parts(self) -> Iterator[pa.Table]:
        """Read the irregular events part by part, in their order."""
        return self._parts(self.path / "irregular", events.SCHEMA)

    def predictions(self, learner: str) -> pa.Table:
        """Return the saved predictions of a learner; a class that appeared late scores 0 before."""
        folder = self.predictions_path(str(learner))
        if not folder.is_dir():
            raise InputError(
                f"{self.path}: no predictions of {learner!r} were saved. Ask for them with predictions=True."
            )
        with _storage(folder):
            parts = [pa.parquet.read_table(part) for part in sorted(folder.glob("*.parquet"))]
        return join_predictions(parts)

    def copy_to(self, path: str | Path, *, overwrite: bool = False) -> RunDirectory:
        """Copy the whole run to another directory; onto itself there is nothing to do."""
        here, there = self.path.resolve(), checked_path(path, "path", "save").resolve()
        if here == there:
            return self
        if here in there.parents or there in here.parents:
            raise InputError(f"{path}: lies within {self.path}, or the other way round. Choose another directory.")
        copy = RunDirectory.create(path, overwrite=overwrite)
        points = self.save_points.folder  # they are read by the run that wrote them, and by nobody else
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
        with _storage(folder):
            for part in sorted(folder.glob("*.parquet")):
                yield pa.parquet.read_table(part).cast(schema)

    def _append(self, folder: Path, table: pa.Table) -> None:
        with _storage(folder):
            folder.mkdir(parents=True, exist_ok=True)
            sizes = self._sizes.setdefault(folder, [])
            part = folder / _name(len(sizes))
            aside = part.with_suffix(".tmp")
            names = _names(table)
            pa.parquet.write_table(table, aside, compression="lz4", use_dictionary=names, write_statistics=False)
            aside.replace(part)
            sizes.append(part.stat().st_size)
            self._unsynced.append(part)

    def _write(self, name: str, text: str) -> None:
        path = self.path / name
        with _storage(path):
            aside = path.with_suffix(".tmp")
            aside.write_text(text, encoding="utf-8")
            if self.save_points.folder.is_dir():  # without these files a run cannot be resumed
                sync_file(aside)
            aside.replace(path)


def _name(number: int) -> str:
    return f"{number:05}.parquet"


def join_predictions(tables: Sequence[pa.Table]) -> pa.Table:
    """Put tables of predictions behind one another; a class that appeared late scores 0 before."""
    names = list(dict.fromkeys(name for table in tables for name in table.column_names))
    whole = []
    for table in tables:
        for name in names:
            if name not in table.column_names:
                table = table.append_column(name, pa.repeat(0.0, len(table)))
        whole.append(table.select(names))
    return pa.concat_tables(whole).unify_dictionaries()


def _names(table: pa.Table) -> list[str]:
    """Return the columns of names: numbers hardly ever repeat, so that a dictionary of them costs time and space."""
    return [field.name for field in table.schema if pa.types.is_dictionary(field.type)]


@contextmanager
def _storage(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours, naming the place; leave no half-written file behind."""
    try:
        yield
    except OSError as error:
        folder = path if path.is_dir() else path.parent
        for aside in folder.glob("*.tmp"):
            aside.unlink(missing_ok=True)
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: {reason}. What was written before is kept.") from error
