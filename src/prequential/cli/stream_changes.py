"""The changes that ``prequential generate`` makes, from its options, as tables of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prequential.errors import InputError
from prequential.plans.stream_text import change_table


def stream_changes(
    table: dict[str, Any], drift_to: list[str] | None, recurring: list[str] | None, blip: list[str] | None
) -> Iterator[dict[str, Any]]:
    """Yield the changes that need other streams."""
    first = {key: value for key, value in table.items() if key not in ("n", "take")}
    before = first
    for text in drift_to or ():
        change = change_table("drift_to", text, before)
        before = change["to"]
        yield change
    if recurring:
        turns = [change_table("recurring", text, first) for text in recurring]
        if not any("every" in turn for turn in turns):
            raise InputError(
                f"--recurring {recurring[0]}: add the number of records between switches, such as "
                f"{recurring[0]},every=10000."
            )
        merged = {key: value for turn in turns for key, value in turn.items()}
        yield {**merged, "to": [turn["to"] for turn in turns]}
    for text in blip or ():
        yield change_table("blip", text, before)


def ratio_changes(
    ratio: str | None, changes: list[str] | None, width: int | None, scale: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the change of the class ratio, if there is one."""
    if ratio is None:
        if changes or width is not None or scale is not None:
            raise InputError(
                "--ratio-change, --ratio-width and --ratio-scale need --ratio, the first ratio, such as --ratio 1:1."
            )
        return
    later = {}
    for text in changes or ():
        at, sign, value = text.partition("=")
        if not sign or not at.strip().isdigit():
            raise InputError(
                f"--ratio-change {text}: this names no record. Accepted: RECORD=RATIO, such as 50000=1:100."
            )
        later[at.strip()] = value.strip()
    optional = {"changes": later or None, "width": width, "scale": scale}
    yield {
        "type": "class_ratio",
        "ratio": ratio,
        **{key: value for key, value in optional.items() if value is not None},
    }


def noise_changes(
    feature_noise: float | None, missing: float | None, label_noise: float | None, sparse_labels: float | None
) -> Iterator[dict[str, Any]]:
    """Yield the changes that replace values or labels."""
    if feature_noise is not None:
        yield {"type": "feature_noise", "deviation": feature_noise}
    shares = {"missing": missing, "label_noise": label_noise, "sparse_labels": sparse_labels}
    for op, share in shares.items():
        if share is not None:
            yield {"type": op, "share": share}
