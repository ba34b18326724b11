"""The source code on which a run depends, as fingerprints: a run must be resumed with the code it was started with.

The fingerprint is taken of the compiled functions that are loaded, not of files: a file may have been edited since, and
a notebook has none. Comments and layout do not change it.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_MOST_OBJECTS = 20_000
_NOT_CODE = frozenset(
    (
        *("__module__", "__doc__", "__dict__", "__weakref__", "__qualname__", "__firstlineno__"),
        *("__static_attributes__", "__annotations__", "__annotate_func__", "__abstractmethods__", "_abc_impl"),
        *("__parameters__", "__orig_bases__", "__dataclass_fields__", "__dataclass_params__", "__match_args__"),
        *("__protocol_attrs__", "__non_callable_proto__", "__slotnames__"),
    )
)
"""Attributes of a class that Python makes, ``__slotnames__`` when an object of it is first copied or pickled."""
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), np.generic)


@dataclass(frozen=True, slots=True)
class SourceCode:
    """The code on which a run depends.

    Parameters
    ----------
    definitions
        A fingerprint of every function, class and constant of the user's own modules that learners, detectors and
        metrics use, by qualified name.
    libraries
        The version of every library that they use, by the name under which it is imported.
    """

    definitions: dict[str, str] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)

    def changes(self, later: SourceCode) -> list[str]:
        """Return what differs in later code, one sentence part each.

        Examples
        --------
        >>> SourceCode({"m.f": "a1"}, {"river": "0.21"}).changes(SourceCode({"m.f": "b2", "m.g": "c"}, {"river": "1"}))
        ['code of m.f: changed', 'code of m.g: new', 'library river: 0.21 then, 1 now']
        """
        found = []
        for name in dict.fromkeys([*self.definitions, *later.definitions]):
            then, now = self.definitions.get(name), later.definitions.get(name)
            if then != now:
                found.append(f"code of {name}: {'new' if then is None else 'gone' if now is None else 'changed'}")
        for name in dict.fromkeys([*self.libraries, *later.libraries]):
            before, after = self.libraries.get(name, "not used"), later.libraries.get(name, "not used")
            if before != after:
                found.append(f"library {name}: {before} then, {after} now")
        return found


def source_code(objects: Iterable[object]) -> SourceCode:
    """Return the code that these objects run: of their classes, of their parts, and of what these use.

    Code of Python, of this package and of installed libraries has no fingerprint, but a version. What a function
    imports when it is called, and what it reads from files, is not seen.

    Examples
    --------
    >>> source_code([abs, 3, "text"])
    SourceCode(definitions={}, libraries={})
    """
    search = _Search()
    for one in objects:
        search.add(one)
    search.run()
    return SourceCode(dict(sorted(search.definitions.items())), dict(sorted(search.libraries.items())))


class _Search:
    """A walk over objects, their classes, and the functions and constants that these name."""

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}
        self.libraries: dict[str, str] = {}
        self._waiting: list[object] = []
        self._seen: dict[int, object] = {}
        self._modules: set[tuple[int, frozenset[str]]] = set()

    def add(self, value: object) -> None:
        if not isinstance(value, _PLAIN) and id(value) not in self._seen and len(self._seen) < _MOST_OBJECTS:
            self._seen[id(value)] = value  # kept alive, so that its id stays its own
            self._waiting.append(value)

    def run(self) -> None:
        while self._waiting:
            value = self._waiting.pop()
            if isinstance(value, type):
                self._class(value)
            elif isinstance(value, FunctionType):
                self._function(value, f"{value.__module__}.{value.__qualname__}")
            else:
                self._object(value)

    def _object(self, value: Any) -> None:
        if isinstance(value, ModuleType):
            self._own(value.__name__)
            return
        if isinstance(value, np.ndarray):
            if value.dtype.hasobject:
                self._all(value.ravel().tolist())
            return
        if isinstance(value, MethodType):
            self._all((value.__func__, value.__self__))
            return
        if isinstance(value, BuiltinFunctionType):
            self._own(value.__module__ or "builtins")
            return
        if isinstance(value, Mapping):
            self._all(value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            self._all(value)
        else:
            self._all(_attributes(value))
        self.add(type(value))

    def _all(self, values: Iterable[object]) -> None:
        for value in values:
            self.add(value)

    def _class(self, cls: type) -> None:
        if not self._own(cls.__module__):
            self._all(base for base in cls.__mro__[1:] if base.__module__ != cls.__module__)
            return
        name = f"{cls.__module__}.{cls.__qualname__}"
        constants = []
        for key, value in vars(cls).items():
            if key in _NOT_CODE:
                continue
            functions = list(_functions(value))
            for function in functions:
                if function.__module__ == cls.__module__ and id(function) not in self._seen:
                    self._seen[id(function)] = function
                    self._function(function, f"{name}.{key}")
                else:
                    self.add(function)
            if not functions:
                constants.append((key, _canonical(value)))
                self.add(value)
        bases = [f"{base.__module__}.{base.__qualname__}" for base in cls.__bases__]
        self._define(name, [bases, sorted(constants, key=repr), _compiled_file(cls.__module__)])
        self._all(cls.__mro__[1:])
        self.add(type(cls))

    def _function(self, function: FunctionType, name: str) -> None:
        if not self._own(function.__module__ or "__main__"):
            return
        cells = [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        inputs = [_canonical(value) for value in (*defaults, *cells)]
        self._define(name, [_canonical(function.__code__), inputs])
        self._all((*cells, *defaults))
        names = set(_names(function.__code__))
        self._globals(function.__globals__, names, str(function.__module__))

    def _globals(self, known: Mapping[str, Any], names: set[str], module: str) -> None:
        """Add the module's variables that a function names; of other modules of the user, likewise."""
        for name in names & known.keys():
            value = known[name]
            if isinstance(value, ModuleType):
                key = (id(value), frozenset(names))
                if self._own(value.__name__) and key not in self._modules:
                    self._modules.add(key)
                    self._globals(vars(value), names, value.__name__)
            elif isinstance(value, type | FunctionType):
                self.add(value)
            else:
                if not name.startswith("__"):
                    self.definitions[f"{module}.{name}"] = _digest(_canonical(value))
                self.add(value)

    def _define(self, name: str, content: object) -> None:
        before = self.definitions.get(name)  # two files may have the same name
        self.definitions[name] = _digest(content if before is None else [before, content])

    def _own(self, module: str) -> bool:
        """Return whether a module is the user's own; of a library, note the version."""
        kind = _kind(module)
        if kind == "library":
            top = module.partition(".")[0]
            self.libraries[top] = _version(top)
        return kind == "own"


def _kind(module: str) -> str:
    """Return "own" for a module of the user, "library" for an installed one, "python" for Python's and this package."""
    top = module.partition(".")[0]
    if module == "__main__":
        return "own"
    if top in ("prequential", "builtins"):
        return "python"
    found = sys.modules.get(top)
    places = [getattr(found, "__file__", None), *list(getattr(found, "__path__", ()))]
    place = next((Path(one) for one in places if one), None)
    if place is None:
        return "python" if found is None or top in sys.stdlib_module_names else "own"
    if {"site-packages", "dist-packages"} & set(place.parts) or any(_within(place, folder) for folder in _installed()):
        return "library"
    return "python" if _within(place, sysconfig.get_path("stdlib")) else "own"


@cache
def _installed() -> tuple[str, ...]:
    return sysconfig.get_path("purelib"), sysconfig.get_path("platlib")


def _within(place: Path, folder: str) -> bool:
    return place.is_relative_to(folder)


@cache
def _version(library: str) -> str:
    given = getattr(sys.modules.get(library), "__version__", None)
    if isinstance(given, str):
        return given
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        names = metadata.packages_distributions().get(library, ())
        return ", ".join(metadata.version(name) for name in names) or "unknown"


def _compiled_file(module: str) -> str | None:
    """Return the fingerprint of the file of a compiled module of the user."""
    place = getattr(sys.modules.get(module), "__file__", None)
    if not place or not place.endswith((".so", ".pyd")) or not Path(place).is_file():
        return None
    return hashlib.blake2b(Path(place).read_bytes(), digest_size=8).hexdigest()


def _attributes(value: Any) -> Iterator[object]:
    """Yield the parts of an object."""
    yield from (getattr(value, "__dict__", None) or {}).values()
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                yield object.__getattribute__(value, name)
            except AttributeError:
                continue
    if hasattr(value, "func") and hasattr(value, "args") and hasattr(value, "keywords"):  # functools.partial
        yield from (value.func, value.args, value.keywords)


def _functions(value: Any) -> Iterator[FunctionType]:
    """Yield the functions of an attribute of a class: a method, or those of a property."""
    inner = (
        value,
        *(getattr(value, name, None) for name in ("__func__", "fget", "fset", "fdel", "func", "__wrapped__")),
    )
    yield from dict.fromkeys(one for one in inner if isinstance(one, FunctionType))


def _names(code: CodeType) -> Iterator[str]:
    """Yield all names in a function and in the functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not ...
    except ValueError:
        return False


def _canonical(value: Any, depth: int = 0) -> Any:
    """Return a form of a value that is the same in every process; other objects are reduced to their class."""
    if isinstance(value, CodeType):
        names = [list(one) for one in (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)]
        counts = [value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags]
        constants = [_canonical(one, depth) for one in value.co_consts]
        return [value.co_code.hex(), names, counts, constants, value.co_exceptiontable.hex()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return f"{type(value).__name__} {value!r}"
    if depth < 20:
        if isinstance(value, list | tuple):
            return [type(value).__name__, [_canonical(one, depth + 1) for one in value]]
        if isinstance(value, set | frozenset):
            return [type(value).__name__, sorted(repr(_canonical(one, depth + 1)) for one in value)]
        if isinstance(value, dict):
            items = [[repr(_canonical(key, depth + 1)), _canonical(one, depth + 1)] for key, one in value.items()]
            return ["dict", items]
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return ["array", value.dtype.str, list(value.shape), hashlib.blake2b(value.tobytes()).hexdigest()]
        if is_dataclass(value) and not isinstance(value, type):
            try:
                return [type(value).__qualname__, _canonical(asdict(value), depth + 1)]
            except Exception:  # a field that cannot be copied
                return type(value).__qualname__
    named = value if isinstance(value, type | FunctionType) else type(value)
    return f"{named.__module__}.{named.__qualname__}"


def _digest(content: object) -> str:
    return hashlib.blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
