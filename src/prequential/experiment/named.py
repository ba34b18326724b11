"""Python objects named in a plan or on the command line: ``FILE.py:NAME`` or ``MODULE:NAME``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from prequential.errors import InputError, listing, suggestion


def python_object(where: str, folder: Path) -> object:
    """Return the object that ``where`` names; a function without parameters is called for it.

    Parameters
    ----------
    where
        ``my_model.py:make_model`` or ``river.naive_bayes:GaussianNB``.
    folder
        What a relative file name is relative to.
    """
    place, colon, name = where.rpartition(":")
    if not colon or not place or not name or "=" in name:
        raise InputError(
            f"{where!r} names no Python object. Accepted: FILE.py:NAME or MODULE:NAME; parameters are set in Python."
        )
    module = _file(folder / place) if place.endswith(".py") else _module(place)
    if not hasattr(module, name):
        public = [n for n in vars(module) if not n.startswith("_")]
        raise InputError(f"{place} has no {name!r}.{suggestion(name, public)} It has: {listing(public)}.")
    found = getattr(module, name)
    if inspect.isfunction(found):
        try:
            return found()
        except Exception as error:
            raise InputError(f"{where}: calling it failed: {type(error).__name__}: {error}.") from error
    return found


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"{path} does not exist. (The working directory is {Path.cwd()}.)")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # so that its classes can be found again by name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[path.stem]
        raise InputError(f"{path}: importing it failed: {type(error).__name__}: {error}.") from error
    return module


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"The module {name!r} cannot be imported: {error}.") from error
