"""The streams of papers by name, such as ``bifet2015.RBF(50,.001)``."""

from __future__ import annotations

from prequential.arguments import checked_call, checked_whole
from prequential.errors import InputError
from prequential.streams.as_stream import Source, register_source
from prequential.streams.data_sets.data import data
from prequential.streams.presets import bifet2015, brzezinski2014, gama2013, grzenda2020
from prequential.streams.presets.preset import Preset
from prequential.streams.seed import checked_seed
from prequential.streams.stream import Stream
from prequential.textual import Text, call
from prequential.textual.call import Raw
from prequential.wording import suggestion

PRESETS: dict[str, Preset] = {
    f"{paper.__name__.rpartition('.')[2]}.{name}": one
    for paper in (gama2013, brzezinski2014, grzenda2020, bifet2015)
    for name, one in paper.PRESETS.items()
}
"""All presets, by the name of the paper and that of the stream in it."""


@checked_call
def presets() -> tuple[str, ...]:
    """Return the names of the streams of papers: ``preset(name)`` makes one.

    Examples
    --------
    >>> import prequential as pq
    >>> [name for name in pq.streams.presets() if "Hyp_RC" in name]
    ['brzezinski2014.Hyp_RC', 'brzezinski2014.Hyp_RC+D']
    """
    return tuple(PRESETS)


@checked_call
def preset(name: str, *, seed: int = 1, n: int | None = None) -> Stream:
    """Return a stream as a paper made it.

    ``prequential list presets NAME`` says where the paper describes it, and what of it is a guess. Wherever a stream is
    named by text, its name is accepted, also on the command line and in plans.

    Parameters
    ----------
    name
        The paper and the stream: ``"bifet2015.RBF(50,.001)"``.
    seed
        Seed of all draws, except those of a model whose seed the paper fixes: 1 for the stream as it is described,
        another one for ``stream.reseeded(seed)``. Of a data set, which ``pq.data`` reads, there is only one.
    n
        Number of records; by default that of the paper. The drifts stay at the same records.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.preset("brzezinski2014.SEA_Ratio", seed=3)
    >>> stream.n_records, stream.drifts
    (40000, (Drift(at=10000, width=1, real=False, temporary=False),))
    """
    name = spelled(str(name)) or str(name)
    if name not in PRESETS:
        papers = "gama2013, brzezinski2014, grzenda2020 and bifet2015"
        raise InputError(
            f"Unknown preset {name!r}.{suggestion(name, PRESETS)} Accepted: the streams of {papers}; "
            "pq.streams.presets() (prequential list presets) has their names."
        )
    one = PRESETS[name]
    seed = checked_seed(seed, "seed", "preset")
    length = one.n if n is None else checked_whole(n, "n", "preset", least=1)
    if one.make is None:
        found = data(one.data)
        return one.finish(found if found.events and n is None else found.take(length))
    stream = one.finish(one.make().take(length))
    stream = stream if seed == 1 else stream.reseeded(seed)
    stream.name = name
    return stream


def spelled(name: str) -> str | None:
    """Return a name as it is in the catalogue, if its spaces, capitals or zeros differ.

    Examples
    --------
    >>> spelled("bifet2015.rbf(50, 0.001)"), spelled("bifet2015.RBF(1,2)")
    ('bifet2015.RBF(50,.001)', None)
    """
    plain = {_plain(one): one for one in PRESETS}
    return plain.get(_plain(name))


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace(",0.", ",.")


def _of_text(text: Text) -> Stream:
    keywords = {key: Raw(value) for key, value in text.keywords.items()}
    made: Stream = call(preset, [text.name, *map(Raw, text.positional)], keywords)
    return made


register_source(Source(lambda name: spelled(name) is not None, _of_text, presets))
