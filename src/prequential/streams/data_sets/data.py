"""A real stream by its name."""

from __future__ import annotations

from pathlib import Path

from prequential.arguments import checked_call, checked_path
from prequential.errors import InputError, MissingFileError
from prequential.streams.as_stream import Source, register_source
from prequential.streams.data_sets.check import check_file
from prequential.streams.data_sets.data_set import DataSet, data_set, known
from prequential.streams.data_sets.folder import VARIABLE, data_folder, file_of
from prequential.streams.readers.file import read
from prequential.streams.stream import Stream
from prequential.textual import Text
from prequential.textual.call import Raw, call


class MissingDataError(MissingFileError):
    """The file of a known data set is not there; the message says where it is looked for and how to obtain it."""

    def __init__(self, one: DataSet, folder: Path) -> None:
        self.path = folder / f"{one.name}.parquet"
        InputError.__init__(self, f"{self.path} does not exist. {how_to_obtain(one)}")


@checked_call
def data(name: str, *, folder: str | Path | None = None) -> Stream:
    """Return a real stream by its name: Electricity, Airlines, Forest CoverType and others that papers use.

    The files are not part of the package. ``prequential data`` lists the names, where each comes from, and which files
    are there; ``prequential data NAME FILE`` adds one. A file is used only if its names and values are the known ones,
    in the original order.

    Parameters
    ----------
    name
        The name of the data set, such as ``"electricity"``.
    folder
        The folder with the files; by default the one that the environment variable ``PREQUENTIAL_DATA`` names, or
        ``prequential/data`` in the user's cache.

    Raises
    ------
    MissingFileError
        If the file is not there; the message says how to obtain it.
    DataError
        If the file has other values than the data set, or another order.

    Examples
    --------
    >>> import prequential as pq
    >>> try:
    ...     pq.data("electricity", folder="nowhere")
    ... except pq.MissingFileError as error:
    ...     print(str(error).split(".")[0])
    nowhere/electricity
    """
    one = data_set(name)
    where = data_folder() if folder is None else checked_path(folder, "folder", "data")
    path = file_of(one, where)
    if path is None:
        raise MissingDataError(one, where)
    check_file(one, path)
    stream = read(path, **one.read)
    stream.name = one.name
    return stream


def how_to_obtain(one: DataSet) -> str:
    """Return how to obtain the file of a data set."""
    if one.unavailable:
        return f"{one.title} cannot be obtained: {one.unavailable}."
    return (
        f"{one.title} comes from {one.provenance}. Add it with: prequential data {one.name} FILE (CSV, ARFF or Parquet "
        f"with its {one.n_records:,} records in their original order), or set {VARIABLE} to a folder that has it."
    )


def _of_text(text: Text) -> Stream:
    """Return the data set that a text names: ``electricity``, ``electricity:folder=data``."""
    made: Stream = call(data, [text.name, *map(Raw, text.positional)], {k: Raw(v) for k, v in text.keywords.items()})
    return made


register_source(Source(lambda name: name in known(), _of_text, lambda: tuple(known())))
