"""A card as a JSON file, which can be loaded again and compared with a later card."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from prequential.arguments import checked_path
from prequential.errors import InputError, MissingFileError
from prequential.runs.failure import Failure
from prequential.testbed.cards.error_counts import STRETCH, ErrorCounts
from prequential.testbed.cards.results import LearnerEntry, Results, StreamEntry

KIND, FORMAT = "prequential card", 1


def card_text(results: Results) -> str:
    """Return the text of the file: one line per seed, stream and learner, so that files can be compared with diff.

    Errors are counts of wrong predictions in stretches of 50 records.
    """
    data = {
        "kind": KIND,
        "format": FORMAT,
        "learner": results.learner,
        "seeds": list(results.seeds),
        "stretch": STRETCH,
        "started": results.started,
        "seconds": round(results.seconds, 3),
        "versions": dict(results.versions),
    }
    lines = [f"{_json(key)}: {_json(value)}" for key, value in data.items()]
    streams = [
        f"{_json(name)}: "
        + _block(
            [
                f'"n_records": {one.n_records}',
                f'"drifts": {_json(list(one.drifts))}',
                f'"digests": {_json(list(one.digests))}',
                f'"optimum": {_errors(one.optimum)}',
            ],
            2,
        )
        for name, one in results.streams.items()
    ]
    learners = [
        f"{_json(name)}: "
        + _block(
            [
                f'"description": {_json(dict(one.description))}',
                f'"title": {_json(one.title)}',
                f'"reused": {_json(one.reused)}',
                '"errors": ' + _block([f"{_json(s)}: {_errors(found)}" for s, found in one.errors.items()], 3),
            ],
            2,
        )
        for name, one in results.learners.items()
    ]
    lines += [f'"streams": {_block(streams, 1)}', f'"learners": {_block(learners, 1)}']
    return _block(lines, 0) + "\n"


def read_card(path: str | Path) -> Results:
    """Read a card from its file.

    Raises
    ------
    InputError
        If the file does not exist, is not a card, or was written by a newer version of the package.
    """
    path = checked_path(path, "path", "a card")
    if not path.exists():
        raise MissingFileError(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: the card cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a card: the file is not UTF-8 text.") from error
    try:
        data: dict[str, Any] = json.loads(text)
        if data["kind"] != KIND:
            raise InputError(f"{path}: not a card.")
        if data["format"] > FORMAT:
            raise InputError(f"{path}: written by a newer version of prequential (format {data['format']}).")
        if data["stretch"] != STRETCH:
            raise InputError(f"{path}: errors are counted in stretches of {data['stretch']} records, not {STRETCH}.")
        return _results(data)
    except InputError as error:
        raise InputError(str(error) if str(path) in str(error) else f"{path}: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: not a card, or a damaged one ({type(error).__name__}: {error}).") from error


def _results(data: dict[str, Any]) -> Results:
    seeds = tuple(int(seed) for seed in data["seeds"])
    lengths = {name: int(one["n_records"]) for name, one in data["streams"].items()}
    streams = {
        name: StreamEntry(
            lengths[name],
            tuple(map(str, one["digests"])),
            _counts(one["optimum"], lengths[name], len(seeds)),
            tuple(one["drifts"]),
        )
        for name, one in data["streams"].items()
    }
    learners = {
        name: LearnerEntry(
            one["description"],
            {stream: _counts(one["errors"][stream], lengths[stream], len(seeds)) for stream in streams},
            str(one["title"]),
            bool(one["reused"]),
        )
        for name, one in data["learners"].items()
    }
    if data["learner"] not in learners:
        raise InputError(f"the card of {data['learner']!r} has no such learner.")
    if any(len(one.digests) != len(seeds) for one in streams.values()):
        raise InputError("there must be one digest per seed.")
    return Results(
        learner=str(data["learner"]),
        seeds=seeds,
        streams=streams,
        learners=learners,
        versions=dict(data["versions"]),
        started=str(data["started"]),
        seconds=float(data["seconds"]),
    )


def _errors(found: ErrorCounts) -> str:
    rows = [
        _json({"counts": counts, **({} if failure is None else {"failure": asdict(failure)})})
        for counts, failure in zip(found.counts.tolist(), found.failures, strict=True)
    ]
    return "[\n      " + ",\n      ".join(rows) + "\n    ]"


def _counts(rows: list[dict[str, Any]], n_records: int, n_seeds: int) -> ErrorCounts:
    if len(rows) != n_seeds:
        raise InputError(f"there are {n_seeds} seeds, but errors for {len(rows)}.")
    failures = tuple(Failure(**row["failure"]) if row.get("failure") else None for row in rows)
    return ErrorCounts(np.array([row["counts"] for row in rows], dtype=np.int64), n_records, failures)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":") if isinstance(value, list) else (", ", ": "))


def _block(lines: list[str], depth: int) -> str:
    space = "  " * (depth + 1)
    return "{\n" + ",\n".join(space + line for line in lines) + "\n" + "  " * depth + "}"
