"""Streams made by the tables of plans."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.experiment.stream_plan import OPERATIONS, planned_stream
from prequential.streams.chunk import concatenate
from prequential.streams.drift import Drift, DriftBeyondEndWarning
from prequential.streams.stream import Stream

ROOT = Path(__file__).parents[3]
SEA = pq.streams.SEA


def made(text: str, folder: Path = ROOT) -> Stream:
    return planned_stream(tomllib.loads(text), folder)


def same(one: Stream, two: Stream) -> bool:
    a, b = concatenate(list(one.chunks())), concatenate(list(two.chunks()))
    return np.array_equal(a.X, b.X, equal_nan=True) and np.array_equal(a.y, b.y) and one.drifts == two.drifts


CHANGES: dict[str, tuple[str, Any]] = {
    "blip": ('at = 50, width = 9, to = { generator = "SEA", concept = 2 }', lambda s: s.blip(SEA(2), at=50, width=9)),
    "class_ratio": (
        'ratio = "1:9", changes = { "50" = "9:1", "1_00" = [1, 1] }, width = 5',
        lambda s: s.class_ratio("1:9", changes={50: "9:1", 100: "1:1"}, width=5),
    ),
    "drift_through": (
        'at = 50, width = 10, to = [{ generator = "SEA", concept = 2 }, { generator = "SEA", concept = 3, seed = 9 }]',
        lambda s: s.drift_through(SEA(2), SEA(3, seed=9), at=50, width=10),
    ),
    "drift_to": (
        'at = 50, width = 20, real = false, seed = 4, to = { generator = "SEA", concept = 2 }',
        lambda s: s.drift_to(SEA(2), at=50, width=20, real=False, seed=4),
    ),
    "feature_noise": ("deviation = 0.5, features = ['attrib1']", lambda s: s.feature_noise(0.5, features="attrib1")),
    "followed_by": ('to = { generator = "SEA", concept = 2, n = 50 }', lambda s: s.followed_by(SEA(2).take(50))),
    "interleave": (
        'to = { generator = "SEA", concept = 2 }, shares = [1, 2]',
        lambda s: s.interleave(SEA(2), shares=[1, 2]),
    ),
    "label_noise": ("share = 0.2, seed = 5", lambda s: s.label_noise(0.2, seed=5)),
    "missing": ("share = 0.2", lambda s: s.missing(0.2)),
    "recurring": ('every = 20, to = [{ generator = "SEA", concept = 2 }]', lambda s: s.recurring(SEA(2), every=20)),
    "repeat": ("times = 3", lambda s: s.repeat(3)),
    "skip": ("n = 30", lambda s: s.skip(30)),
    "sparse_labels": ("share = 0.2", lambda s: s.sparse_labels(0.2)),
    "take": ("n = 30", lambda s: s.take(30)),
}


@pytest.mark.parametrize("op", OPERATIONS)
def test_a_change_of_a_plan_is_the_method_of_a_stream(op: str) -> None:
    options, method = CHANGES[op]
    plan = f'generator = "SEA"\nn = 210\nchange = [{{ op = "take", n = 200 }}, {{ op = "{op}", {options} }}]'
    assert same(made(plan), method(SEA().take(200)).take(210))


def test_every_method_that_makes_a_stream_is_an_operation() -> None:
    methods = {
        name
        for name, method in inspect.getmembers(Stream, inspect.isfunction)
        if not name.startswith("_") and inspect.signature(method).return_annotation == "Stream"
    }
    assert methods == set(OPERATIONS)


def test_changes_are_made_in_their_order_and_before_anything_is_taken() -> None:
    noise, ratio = '{ op = "label_noise", share = 0.5 }', '{ op = "class_ratio", ratio = "0:1" }'
    first = made(f'generator = "SEA"\nn = 500\nchange = [{noise}, {ratio}]')
    assert {code for chunk in first.chunks() for code in chunk.y.tolist()} == {1}
    second = made(f'generator = "SEA"\nn = 500\nchange = [{ratio}, {noise}]')
    assert {code for chunk in second.chunks() for code in chunk.y.tolist()} == {0, 1}
    late = made(
        'generator = "SEA"\nn = 500\nskip = 10\nchange = [{ op = "drift_to", at = 100, to = { generator = "SEA" } }]'
    )
    assert late.drifts == (Drift(90),)
    assert late.n_records == 490


def test_files_are_changed_too_and_found_from_anywhere(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,class\n" + "1,no\n2,yes\n" * 50)
    (tmp_path / "b.csv").write_text("x,class\n" + "8,no\n9,yes\n" * 50)
    (tmp_path / "plan.toml").write_text(
        '[stream]\npath = "a.csv"\nchange = [{ op = "drift_to", at = 60, to = { path = "b.csv" } }, '
        '{ op = "recurring", every = 10, to = [{ path = "a.csv" }, { path = "b.csv", take = 50 }] }]\n'
        '[[learner]]\nname = "no_change"\n'
    )
    plan = pq.Plan.from_toml(tmp_path / "plan.toml")
    first = concatenate(list(plan.stream().chunks()))
    again = pq.Plan(tomllib.loads(plan.rooted().to_toml()), folder=Path("/"))
    assert np.array_equal(concatenate(list(again.stream().chunks())).X, first.X)
    assert len(first) == 170, "when the short file is at its end, 60 records of each of the others have come"
    run = plan.run()
    assert run.manifest.n_records == 170
    assert [drift["at"] for drift in run.manifest.drifts] == list(range(10, 170, 10))


def test_the_example_runs_and_its_manifest_tells_how_the_stream_was_made() -> None:
    plan = pq.Plan.from_toml(ROOT / "examples" / "changes.toml")
    stream = plan.check().stream
    blip = Drift(30_150, 300, temporary=True)
    assert stream.drifts == (Drift(10_000, 4_000, real=False), Drift(20_000), blip)
    told: Any = stream.describe()
    ops = []
    while "composition" in told:
        ops.append(told["composition"])
        told = told["of"][0] if isinstance(told["of"], list) else told["of"]
    assert ops == ["label_noise", "blip", "drift_to", "class_ratio"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("change = 5", "change must be a list, not 5"),
        ("change = [5]", "change 1 must be a table, not 5"),
        ("change = [{ share = 0.1 }]", "change 1 needs 'op', what is to be done. Accepted: blip, class_ratio, "),
        (
            "change = [{ op = 'label_nois' }]",
            "change 1: unknown op 'label_nois'. Did you mean 'label_noise'\\? Accepted: ",
        ),
        ("change = [{ op = 'describe' }]", "change 1: unknown op 'describe'"),
        (
            "change = [{ op = 'label_noise', shar = 0.1 }]",
            "change 1: label_noise has no parameter 'shar'. Did you mean 'share'\\? Accepted: share, seed",
        ),
        ("change = [{ op = 'label_noise' }]", "change 1: label_noise needs 'share'"),
        ("change = [{ op = 'label_noise', share = 2 }]", "change 1: The 'share' parameter of label_noise must be in"),
        ("change = [{ op = 'take', n = 9 }, { op = 'drift_to', at = 5 }]", "change 2: drift_to needs 'to', a stream"),
        ("change = [{ op = 'recurring', every = 5 }]", "change 1: recurring needs 'to', a list of streams"),
        ("change = [{ op = 'drift_to', to = 'SEA', at = 5 }]", "change 1: to must be a table such as"),
        (
            "change = [{ op = 'drift_to', att = 5, to = { generator = 'SEA' } }]",
            "change 1: drift_to has no parameter 'att'. Did you mean 'at'\\? Accepted: at, width, real, seed, to",
        ),
        ("change = [{ op = 'missing', share = 0.1, to = {} }]", "change 1: missing changes to no other stream"),
        (
            "change = [{ op = 'drift_to', at = 5, to = { generator = 'SEE' } }]",
            "change 1: to: unknown generator 'SEE'. Did you mean 'SEA'",
        ),
        ("change = [{ op = 'drift_to', at = 5, to = {} }]", "change 1: to: it needs a 'path' or a 'generator'"),
        (
            "change = [{ op = 'drift_to', at = 5, to = [{ generator = 'SEA' }, { generator = 'SEA' }] }]",
            "change 1: drift_to changes to one stream, not to 2",
        ),
        (
            "change = [{ op = 'drift_to', at = 5, to = { generator = 'LED' } }]",
            "change 1: drift_to: the streams must have the same features",
        ),
        (
            "change = [{ op = 'drift_to', at = 5, real = 'no', to = { generator = 'SEA' } }]",
            "change 1: The 'real' parameter of drift_to must be True or False",
        ),
        (
            "change = [{ op = 'class_ratio', ratio = '1:9', changes = { soon = '1:1' } }]",
            "changes are by record index, .*, not by 'soon'",
        ),
        ("change = [{ op = 'repeat' }]", "change 1: repeat: SEA never ends"),
        ("noice = 0.1", "SEA has no parameter 'noice'. Did you mean 'noise'\\? Accepted: concept, noise, seed"),
    ],
)
def test_faults_of_changes_are_named_with_what_is_accepted(text: str, message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        made(f'generator = "SEA"\nn = 100\n{text}')


def test_a_generator_needs_a_number_of_records_unless_a_change_ends_it() -> None:
    with pytest.raises(pq.InputError, match="a generated stream needs 'n', the number of records"):
        made('generator = "SEA"')
    assert made('generator = "SEA"\nchange = [{ op = "take", n = 5 }, { op = "repeat", times = 2 }]').n_records == 10


def test_a_drift_beyond_the_end_is_warned_of_in_a_plan() -> None:
    change = '{ op = "drift_to", at = 500, to = { generator = "SEA" } }'
    with pytest.warns(
        DriftBeyondEndWarning, match="take: the stream ends after 100 records, before its drift at record 500"
    ):
        made(f'generator = "SEA"\nn = 100\nchange = [{change}]')
