"""Small changes of a source file, each of which a test should notice.

A mutant replaces one piece of text. Its name does not depend on line numbers or on other functions, so that the sample
and the explanations of survivors stay valid while the code around them is edited.

Not changed: annotations, decorators, assertions, texts (strings, f-strings, whatever is raised or warned) and
``__repr__``; ``strict=`` of ``zip`` and ``stacklevel=`` of warnings.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
SKIPPED_KEYWORDS = ("strict", "stacklevel")

Span = tuple[int, int]
"""First and last line."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    file: str
    """The path from the root of the repository."""
    line: int
    scope: str
    """The function or class in which the change is made."""
    operator: str
    start: int
    end: int
    """The bytes that are replaced."""
    old: str
    new: str
    spans: tuple[Span, ...]
    """Lines whose tests are run: those of the first span that any test executes."""
    occurrence: int = 0

    @property
    def name(self) -> str:
        """A short name that stays when other code is edited."""
        identity = "\0".join((self.file, self.scope, self.operator, self.old, self.new, str(self.occurrence)))
        return hashlib.sha256(identity.encode()).hexdigest()[:8]

    @property
    def change(self) -> str:
        """The change in one line."""
        return f"{_short(self.old)} → {_short(self.new)}"

    def apply(self, source: str) -> str:
        """Return the source with the change."""
        text = source.encode()
        return (text[: self.start] + self.new.encode() + text[self.end :]).decode()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:60]} … {line[-25:]}"


def mutants(root: Path, file: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of its text."""
    source = (root / file).read_text(encoding="utf-8")
    found: dict[tuple[int, int, str], Mutant] = {}
    for mutant in _Finder(file, source).mutants():
        found.setdefault((mutant.start, mutant.end, mutant.new), mutant)
    same: Counter[tuple[str, ...]] = Counter()
    result = []
    for mutant in sorted(found.values(), key=lambda m: (m.start, m.end, m.new)):
        key = (mutant.scope, mutant.operator, mutant.old, mutant.new)
        result.append(replace(mutant, occurrence=same[key]))
        same[key] += 1
    return result


def sample(root: Path, every: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """Return ``n`` mutants that compile; the choice of one hardly depends on which others there are."""
    ordered = sorted(every, key=lambda m: hashlib.sha256(f"{seed} {m.name}".encode()).hexdigest())
    return list(itertools.islice((m for m in ordered if _is_valid(root, m)), n))


def _is_valid(root: Path, mutant: Mutant) -> bool:
    """Whether the mutant is Python, and other Python than the original."""
    source = (root / mutant.file).read_text(encoding="utf-8")
    try:
        changed = ast.parse(mutant.apply(source))
    except SyntaxError:
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))


class _Finder:
    """Walks through a file and collects its mutants."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.text = source.encode()
        self.tree = ast.parse(source)
        self.line_starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))
        self.scope: list[str] = []
        self.spans: list[Span] = [(1, len(self.line_starts))]
        self.bound: list[set[str]] = []

    def mutants(self) -> Iterator[Mutant]:
        yield from self._body(self.tree.body)

    # positions

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self.line_starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        return self.text[self._start(node) : self._end(node)].decode()

    def _mutant(self, operator: str, start: int, end: int, new: str, span: Span | None = None) -> Mutant:
        line = self.text.count(b"\n", 0, start) + 1
        spans = (*([span] if span else []), *reversed(self.spans)) if not self.bound else (span or self.spans[-1],)
        old = self.text[start:end].decode()
        return Mutant(self.file, line, ".".join(self.scope), operator, start, end, old, new, spans)

    def _replace(self, operator: str, node: ast.expr | ast.stmt, new: str) -> Mutant:
        return self._mutant(operator, self._start(node), self._end(node), new)

    # statements

    def _body(self, body: list[ast.stmt]) -> Iterator[Mutant]:
        for statement in body:
            yield from self._statement(statement, alone=len(body) == 1)

    def _statement(self, node: ast.stmt, *, alone: bool) -> Iterator[Mutant]:
        if isinstance(node, (*FUNCTION, ast.ClassDef)):
            yield from self._definition(node)
            return
        if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom) or _is_text(node):
            return
        if self.bound:  # inside a function, the tests of a statement are those that reach its own lines
            self.spans.append(_header(node))
        yield from self._changes(node, alone=alone)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and not (isinstance(node, ast.AnnAssign) and child is node.annotation):
                yield from self._expression(child)
            elif isinstance(child, ast.withitem):
                yield from self._expression(child.context_expr)
        if self.bound:
            self.bound[-1].update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_store(n))
            self.spans.pop()
        yield from self._inner_bodies(node)

    def _inner_bodies(self, node: ast.stmt) -> Iterator[Mutant]:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        for name in ("body", "orelse", "finalbody"):
            yield from self._body(getattr(node, name, []))
        for handler in getattr(node, "handlers", []):
            yield from self._body(handler.body)
        for case in getattr(node, "cases", []):
            yield from self._body(case.body)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[Mutant]:
        if node.name == "__repr__":
            return
        self.scope.append(node.name)
        if isinstance(node, ast.ClassDef):
            self.spans.append((node.lineno, node.end_lineno or node.lineno))
            yield from self._body(node.body)
        else:
            body = (node.body[0].lineno, node.end_lineno or node.lineno)
            arguments = node.args
            for default in (*arguments.defaults, *arguments.kw_defaults):
                if isinstance(default, ast.expr):
                    self.spans.append(body)
                    yield from self._default(default)
                    self.spans.pop()
            self.spans.append(body)
            names = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            self.bound.append({one.arg for one in names})
            yield from self._body(node.body)
            self.bound.pop()
        self.spans.pop()
        self.scope.pop()

    def _default(self, node: ast.expr) -> Iterator[Mutant]:
        if isinstance(node, ast.Constant) and node.value is None:
            return
        constants = list(self._expression(node))
        yield from constants or [self._replace("default argument", node, "None")]

    def _changes(self, node: ast.stmt, *, alone: bool) -> Iterator[Mutant]:
        """Yield the changes of a statement as a whole."""
        match node:
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield self._replace("return None", node, "return None")
            case ast.Continue():
                yield self._replace("continue/break", node, "break")
            case ast.Break():
                yield self._replace("continue/break", node, "continue")
            case ast.If():
                yield from self._condition(node.test)
                first, last = node.body[0], node.body[-1]
                span = (first.lineno, last.end_lineno or last.lineno)
                if not all(isinstance(one, ast.Pass) for one in node.body):
                    yield self._mutant("drop if body", self._start(first), self._end(last), "pass", span)
            case ast.While():
                yield from self._condition(node.test)
            case ast.AugAssign(op=op) if type(op) in ARITHMETIC:
                old, new = ARITHMETIC[type(op)]
                yield self._between("arithmetic", self._end(node.target), self._start(node.value), old, new)
        if self.bound and not alone and self._is_removable(node):
            yield self._replace("remove statement", node, "pass")

    def _is_removable(self, node: ast.stmt) -> bool:
        """Whether the function still runs without the statement: a name bound only here would be unknown."""
        match node:
            case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Delete() | ast.AugAssign():
                return True
            case ast.Assign(targets=targets):
                names = {
                    n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name) and _is_store(n)
                }
                return names <= self.bound[-1]
            case ast.AnnAssign(target=ast.Attribute(), value=ast.expr()):
                return True
        return False

    # expressions

    def _expression(self, node: ast.expr) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _is_message(node)):
            return
        yield from self._expression_changes(node)
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.expr():
                    yield from self._expression(child)
                case ast.keyword(arg=arg, value=value) if arg not in SKIPPED_KEYWORDS:
                    yield from self._expression(value)
                case ast.comprehension():
                    yield from self._expression(child.iter)
                    for one in child.ifs:
                        yield from self._condition(one)
                        yield from self._expression(one)
                case ast.arguments():
                    for default in child.defaults:
                        yield from self._expression(default)

    def _expression_changes(self, node: ast.expr) -> Iterator[Mutant]:
        match node:
            case ast.Compare():
                for left, op, right in zip((node.left, *node.comparators), node.ops, node.comparators, strict=False):
                    yield self._between("comparison", self._end(left), self._start(right), *COMPARISONS[type(op)])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC and not _has_text(left, right):
                yield self._between("arithmetic", self._end(left), self._start(right), *ARITHMETIC[type(op)])
            case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert() as op):
                operator, length = ("boolean", 3) if isinstance(op, ast.Not) else ("arithmetic", 1)
                yield self._mutant(operator, self._start(node), self._start(node) + length, "")
            case ast.BoolOp(op=op, values=[left, right]):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                yield self._between("and/or", self._end(left), self._start(right), old, new)
            case ast.BoolOp(op=op, values=values):  # one operand less: `a and b or c` would mean something else
                for k in range(len(values)):
                    fewer = ast.BoolOp(op, values[:k] + values[k + 1 :])
                    yield self._replace("and/or", node, f"({ast.unparse(fewer)})")
            case ast.Constant(value=bool() as value):
                yield self._replace("boolean", node, str(not value))
            case ast.Constant(value=int() | float() as value):
                yield self._replace("constant", node, repr(value + 1))
                yield self._replace("constant", node, f"({value - 1!r})" if value < 1 else repr(value - 1))
            case ast.IfExp(test=test):
                yield from self._condition(test)
            case ast.Subscript(slice=ast.Slice() as part):
                yield from self._slice(part)

    def _slice(self, node: ast.Slice) -> Iterator[Mutant]:
        for bound in (node.lower, node.upper):
            if bound is not None:
                yield self._replace("slice bound", bound, "")

    def _condition(self, test: ast.expr) -> Iterator[Mutant]:
        """Negate a condition, unless another operator does."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ORDERING):
            return
        if not isinstance(test, ast.Constant):
            yield self._replace("negate condition", test, f"(not ({self._text(test)}))")

    def _between(self, operator: str, start: int, end: int, old: str, new: str) -> Mutant:
        """Replace the operator between two operands."""
        found = re.search(re.escape(old).replace(r"\ ", r"\s+").encode(), self.text[start:end])
        assert found is not None, (self.file, self.text[start:end])
        return self._mutant(operator, start + found.start(), start + found.end(), new)


def _header(node: ast.stmt) -> Span:
    """Return the lines of a statement without those of its body."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.lineno, node.end_lineno or node.lineno
    first = body[0]
    last = first.pattern.lineno - 1 if isinstance(first, ast.match_case) else first.lineno - 1
    return node.lineno, max(node.lineno, last)


def _is_store(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a list of names or types."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
        return True
    return isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.dump(node.annotation)


def _has_text(*operands: ast.expr) -> bool:
    return any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in operands
    )


def _is_message(call: ast.Call) -> bool:
    """Whether a call makes an error or a warning, or declares a type."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.endswith(("Error", "Warning", "warn", "warn_user")) or name in ("TypeVar", "ParamSpec", "cast")
