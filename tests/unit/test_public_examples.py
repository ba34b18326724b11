"""Every public class and function has an example; doctest runs them all."""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest

from prequential.namespace import PUBLIC


@pytest.mark.parametrize("place", PUBLIC)
def test_every_public_class_and_function_has_an_example(place: str) -> None:
    module, parser = importlib.import_module(place), doctest.DocTestParser()
    public = {name: getattr(module, name) for name in dir(module)}
    written = {name: one for name, one in public.items() if isinstance(one, type) or inspect.isfunction(one)}
    assert written or place == "prequential"
    without = [name for name, one in written.items() if not parser.get_examples(inspect.getdoc(one) or "")]
    assert without == []
