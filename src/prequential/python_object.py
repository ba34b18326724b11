"""Python objects in a plan or on the command line, by ``FILE.py:NAME`` or ``MODULE:NAME``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from prequential.errors import InputError, MissingFileError
from prequential.wording import listing, suggestion

_METHODS = (("learn_one", "predict_one"), ("partial_fit", "predict"), ("fresh", "scores", "learn"))
"""The sets of methods that make an object a learner: see `prequential.learners.as_learner`."""


def python_object(where: str, folder: Path) -> object:
    """Return the object that ``where`` names; if it is a function, its result without arguments.

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
            f"{where!r} is not the name of a Python object. Accepted: FILE.py:NAME or MODULE:NAME; set parameters in "
            "Python."
        )
    module = _file(folder / place) if place.endswith(".py") else _module(place)
    if not hasattr(module, name):
        public = [n for n in vars(module) if not n.startswith("_")]
        raise InputError(f"{place} has no {name!r}.{suggestion(name, public)} It has: {listing(public)}.")
    return _resolved(getattr(module, name), where)


def only_learner(path: str, folder: Path) -> tuple[str, object]:
    """Return the only learner of a file, with its name.

    A learner is an object with the methods of a learner, or a class defined in the file that has these methods and
    needs no arguments. In a file without these, it is the result of a function that is defined there and needs no
    arguments.

    Parameters
    ----------
    path
        ``my_model.py``.
    folder
        What a relative file name is relative to.

    Raises
    ------
    InputError
        If the file has no learner or more than one; the message lists the candidates.
    """
    module = _file(folder / path)
    public = {name: found for name, found in vars(module).items() if not name.startswith("_")}
    learners = [name for name, found in public.items() if _is_learner(found, module)]
    factories = [name for name, found in public.items() if inspect.isfunction(found) and _callable_here(found, module)]
    candidates = learners or factories
    if not candidates:
        raise InputError(
            f"{path} has no learner: no class or object with the methods learn_one and predict_one, or partial_fit and "
            "predict, or fresh, scores and learn, and no function without parameters that may return one. "
            f"It has: {listing(public) or 'nothing'}."
        )
    if len(candidates) > 1:
        what = "learners" if learners else "functions that may return one"
        raise InputError(
            f"{path} has {len(candidates)} {what}: {listing(candidates)}. Say which, such as {path}:{candidates[0]}."
        )
    (name,) = candidates
    return name, _resolved(public[name], f"{path}:{name}")


def _resolved(found: object, where: str) -> object:
    """Return the result of a function; any other object unchanged."""
    if not inspect.isfunction(found):
        return found
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise InputError(f"{where}: calling it failed: {type(error).__name__}: {error}.") from error


def _is_learner(found: object, module: ModuleType) -> bool:
    if isinstance(found, ModuleType) or not any(all(callable(getattr(found, m, None)) for m in ms) for ms in _METHODS):
        return False
    return not isinstance(found, type) or _callable_here(found, module)


def _callable_here(found: Callable[..., object], module: ModuleType) -> bool:
    """Return whether a class or function is defined in the module and needs no arguments."""
    if found.__module__ != module.__name__:
        return False
    return all(
        one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        for one in inspect.signature(found).parameters.values()
    )


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise MissingFileError(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # so that pickle finds its classes by name
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise InputError(f"{path}: importing it failed: {type(error).__name__}: {error}.") from error
    return module


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"The module {name!r} cannot be imported: {error}.") from error
