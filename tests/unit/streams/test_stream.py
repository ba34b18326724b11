"""The methods of a stream find their compositions, also in another process."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

from prequential.streams import SEA, Stream, compositions
from prequential.streams.compositions.composed import Composed

CLASSES = [getattr(compositions, name) for name in compositions.__all__]


def test_every_composition_belongs_to_a_method_with_the_same_parameters() -> None:
    for cls in CLASSES:
        method = inspect.signature(getattr(Stream, cls.method)).parameters
        if cls.method != "take":  # also behind skip
            wanted = inspect.signature(cls).parameters
            assert [p.default for p in method.values()][1:] == [p.default for p in wanted.values()][1:], cls
        assert issubclass(cls, Composed)


def test_a_stream_is_composed_further_in_a_process_that_has_only_its_pickle() -> None:
    stream = SEA().drift_to(SEA(3, seed=2), at=50).label_noise(0.1).take(100)
    code = (
        "import pickle, sys\n"
        "stream = pickle.load(sys.stdin.buffer)\n"
        "print(sum(len(chunk) for chunk in stream.missing(0.1).skip(40).chunks()))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(stream), capture_output=True, check=True)
    assert run.stdout.split() == [b"60"]
