"""Objects as text, ``NAME:positional,key=value,key=(nested)``: one grammar, one builder, for every kind of object.

``grammar.py`` splits the text, ``call.py`` fits the values to the parameters of a class or function, and
``catalogue.py`` finds the class by its name. Packages above register their classes in a catalogue of their own.
"""

from prequential.textual.call import call, register_look_up
from prequential.textual.catalogue import Catalogue
from prequential.textual.grammar import Text, in_brackets, parsed, with_colons

__all__ = ["Catalogue", "Text", "call", "in_brackets", "parsed", "register_look_up", "with_colons"]
