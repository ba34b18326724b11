"""The streams of papers by name."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.streams.presets.catalogue import PRESETS

MADE = [name for name, one in PRESETS.items() if one.make is not None]


def labels(stream: pq.Stream, begin: int, end: int) -> float:
    """Return the share of the second class among some records."""
    return float(np.mean(np.concatenate([chunk.y for chunk in stream.chunks()])[begin:end]))


@pytest.mark.parametrize("name", MADE)
def test_a_preset_is_made_and_has_a_source(name: str) -> None:
    one = PRESETS[name]
    assert one.source
    assert one.guesses
    stream, other = pq.streams.preset(name), pq.streams.preset(name, seed=2)
    assert stream.name == other.name == name
    first, second = (next(each.chunks(50)) for each in (stream, other))
    assert not np.array_equal(first.X, second.X)
    assert np.array_equal(first.X, next(pq.as_stream(name).chunks(50)).X)
    if not stream.events:
        assert stream.n_records == one.n
        assert all(drift.at < one.n for drift in stream.drifts)


def test_there_are_those_of_the_four_papers() -> None:
    papers = {paper: [name for name in PRESETS if name.startswith(paper)] for paper in ("bifet2015", "brzezinski2014")}
    assert len(papers["bifet2015"]) == 13
    assert len(papers["brzezinski2014"]) == 14 + 7
    assert [drift.at for drift in pq.streams.preset("brzezinski2014.SEA_RC+D").drifts] == [250_000, 500_000, 750_000]
    assert [drift.at for drift in pq.streams.preset("brzezinski2014.SEA_10").drifts] == [250_000, 500_000, 750_000]
    assert [drift.at for drift in pq.streams.preset("bifet2015.SEA(50000)").drifts] == [250_000, 500_000, 750_000]
    assert [drift.at for drift in pq.streams.preset("brzezinski2014.RBF_Blips").drifts] == [13_583, 26_916]
    assert all(drift.temporary for drift in pq.streams.preset("brzezinski2014.RBF_Blips").drifts)


def test_class_ratios_are_those_of_the_paper_with_noise_after_them() -> None:
    ratio = pq.streams.preset("brzezinski2014.SEA_Ratio")
    # a share p of a class becomes p (1 - 0.1) + (1 - p) 0.1 with a tenth of wrong labels
    rare = 1 / 101
    assert labels(ratio, 0, 10_000) == pytest.approx(0.5, abs=0.02)
    assert labels(ratio, 10_000, 40_000) == pytest.approx(1 - (rare * 0.9 + (1 - rare) * 0.1), abs=0.01)
    agrawal = pq.streams.preset("brzezinski2014.Agr_10")
    assert labels(agrawal, 30_000, 40_000) == pytest.approx(1 - (1 / 11 * 0.99 + 10 / 11 * 0.01), abs=0.01)


def test_a_name_may_be_written_in_another_way_and_a_wrong_one_gets_the_closest() -> None:
    assert pq.streams.preset("bifet2015.rbf(50, 0.001)", n=10).name == "bifet2015.RBF(50,.001)"
    with pytest.raises(pq.InputError, match=r"Did you mean 'bifet2015\.HYP\(10,\.001\)'"):
        pq.streams.preset("bifet2015.HIP(10,.001)")
    with pytest.raises(pq.InputError, match=r"Unknown stream 'bifet2015\.HIP.*Did you mean"):
        pq.as_stream("bifet2015.HIP(10,.001)")


def test_every_command_takes_them(tmp_path: object) -> None:
    def call(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == code, done.output
        return done.stdout

    by_option = json.loads(call("generate", "--preset", "bifet2015.SEA(50)", "--head", "3", "--json"))
    assert by_option == json.loads(call("generate", "bifet2015.SEA(50)", "--head", "3", "--json"))
    table = json.loads(
        call("run", "gama2013.LED", "--n", "500", "-l", "nb", "--no-report", "--json", "-o", f"{tmp_path}/run")
    )
    assert table["n_records"] == 500
    found = call("detect", "brzezinski2014.SEA_Ratio:n=12000", "-l", "nb", "--seeds", "2", "-d", "adwin", "--json")
    assert json.loads(found)["stream"] == "brzezinski2014.SEA_Ratio"
    assert "Guesses" in call("list", "presets", "brzezinski2014.Hyp_RC")
    call("generate", "--preset", "nope", "--head", "3", code=2)
    call("generate", "SEA", "--preset", "bifet2015.SEA(50)", "--head", "3", code=2)
