"""The nine streams of the testbed by name, and the same functions for your own mixtures."""

from __future__ import annotations

from pathlib import Path

from prequential.arguments import checked_call
from prequential.errors import ParameterError
from prequential.streams.as_stream import Source, register_source
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.toml import nine, read_mixture, unknown_stream
from prequential.textual import Text, call
from prequential.textual.call import Raw


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the nine streams.

    Examples
    --------
    >>> names()[:3]
    ('NSGT', 'NSGT-F', 'NSGR')
    """
    return tuple(nine())


@checked_call
def mixture(name: str | Path) -> Mixture:
    """Return the model of one of the nine streams by name, or of a TOML file by path.

    Examples
    --------
    >>> mixture("NSGT-5D").n_features
    5
    """
    if isinstance(name, str) and name in nine():
        return nine()[name]
    if not isinstance(name, str | Path):
        raise ParameterError("name", "testbed.mixture", "the name of a testbed stream, or the path of a .toml", name)
    if Path(name).suffix == ".toml":
        return read_mixture(name)
    raise unknown_stream(str(name), also="; or the path of a .toml file")


@checked_call
def stream(model: str | Path | Mixture, *, seed: int = 1, n: int | None = None) -> MixtureStream:
    """Return a stream of the testbed.

    Parameters
    ----------
    model
        The name of one of the nine, a TOML file, or a mixture.
    seed
        Seed of the records.
    n
        Number of records; by default that of the model. The drifts stay at the same records.

    Examples
    --------
    >>> stream("NSCX", seed=1, n=1000).n_records
    1000
    """
    return MixtureStream(model if isinstance(model, Mixture) else mixture(model), seed=seed, n=n)


@checked_call
def animate(model: str | Path | Mixture, path: str | Path, *, seed: int = 1) -> Path:
    """Write an animation of a testbed stream: one self-contained HTML file.

    Parameters
    ----------
    model
        The name of one of the nine, a TOML file, or a mixture, with at least two features.
    path
        The file to write, with the suffix ``.html``.
    seed
        Seed of the records that are drawn.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     animate("NSCX", f"{place}/nscx.html").name
    'nscx.html'
    """
    from prequential.testbed.mixture_animation import write_animation  # imports Plotly, which is slow
    from prequential.testbed.mixture_view import MixtureView

    return write_animation(MixtureView(stream(model, seed=seed)), path)


def _of_text(text: Text) -> MixtureStream:
    """Return the stream of the testbed that a text names: ``NSGT:seed=2``."""
    keywords = {key: Raw(value) for key, value in text.keywords.items()}
    made: MixtureStream = call(stream, [text.name, *map(Raw, text.positional)], keywords)
    return made


register_source(Source(lambda name: name in nine(), _of_text, names))
