"""Who declares the names of a script, and which function uses them."""

from __future__ import annotations

import re
from typing import Final, Literal

from jostle.instrument import syntax as js
from jostle.instrument.syntax import Syntax

# How a name is declared.
VAR, LET, CONST, FUNCTION, CLASS, PARAMETER, CATCH, IMPORT, OWN_NAME = range(1, 10)

# What is done with a name where it stands.
READ, WRITE, UPDATE, TYPEOF, DELETE, DECLARE, TARGET, DECLARED_TARGET = range(1, 9)
"""TARGET: assigned by destructuring or by a loop. DECLARE: declared with a value. DECLARED_TARGET: both."""

Kind = Literal["script", "module", "eval", "indirect", "function", "handler"]
"""What a source is: it decides what its outermost names are."""

FUNCTIONS: Final = frozenset((js.FUNCTION_DECLARATION, js.FUNCTION_EXPRESSION, js.ARROW, js.METHOD, js.FIELD, js.STATIC_BLOCK))  # fmt: skip  # noqa: E501
_PATTERNS: Final = frozenset((js.OBJECT_PATTERN, js.ARRAY_PATTERN, js.ASSIGNMENT_PATTERN, js.OBJECT_ASSIGNMENT_PATTERN, js.PAIR_PATTERN, js.REST_PATTERN))  # fmt: skip  # noqa: E501
_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))")


class Scope:
    """A function, block, loop, switch, catch or class. `function` is the innermost function around it, or itself."""

    __slots__ = ("end", "function", "names", "node", "parent", "resumes")

    def __init__(self, node: int, end: int, parent: Scope | None, *, function: bool) -> None:
        self.node = node
        self.end = end
        self.parent = parent
        self.function: Scope = self if function or parent is None else parent.function
        self.names: dict[str, Binding] = {}
        self.resumes = False
        """It can go on in a later event: an asynchronous function, a generator, a module that awaits."""


class Binding:
    """One declared name."""

    __slots__ = ("assigned", "captured", "initialised", "kind", "name", "node", "scope", "written_inside")

    def __init__(self, name: str, kind: int, scope: Scope, node: int) -> None:
        self.name = name
        self.kind = kind
        self.scope = scope
        self.node = node
        """The identifier that declares it; the first of several."""
        self.captured = False
        """A function inside the declaring one uses it."""
        self.written_inside = False
        """A function inside the declaring one assigns it."""
        self.assigned = False
        """It is assigned apart from its declaration."""
        self.initialised = False
        """Its declaration gives it a value."""


class Unresolved:
    """The script does not declare the name."""


UNRESOLVED: Final = Unresolved()


class Scopes:
    """All scopes of a script, and for each identifier that stands for a variable what it is bound to."""

    def __init__(self, syntax: Syntax, kind: Kind) -> None:
        self.syntax = syntax
        self.kind = kind
        self.program = Scope(0, len(syntax.source) + 1, None, function=True)
        self.bound: list[Binding | Unresolved | None] = [None] * len(syntax.kinds)
        """By node. None: no variable stands there."""
        self.roles: dict[int, int] = {}
        """By node; READ where nothing is noted."""
        self.targets: dict[int, list[int]] = {}
        """The names that a destructuring assignment, declaration or loop gives a value, by its node."""
        self.withs: list[tuple[int, int]] = []
        """The bodies of `with` statements."""
        self.all: list[Scope] = [self.program]
        self._nodes: list[int] = []
        self._scopes: list[Scope] = []
        self._pattern_roles: dict[int, tuple[int, int]] = {}
        """By pattern node: what its names become (0: they are assigned), and the node which gives them a value."""
        self._read()
        self._resolve()

    def name(self, node: int) -> str:
        """The variable's name, escapes resolved."""
        name = self.syntax.source[self.syntax.starts[node] : self.syntax.ends[node]]
        return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), name) if "\\" in name else name

    def _read(self) -> None:
        syntax = self.syntax
        kinds, starts, ends, parents = syntax.kinds, syntax.starts, syntax.ends, syntax.parents
        scope, end = self.program, self.program.end
        nodes, scopes = self._nodes, self._scopes
        function_kinds, patterns, plain_parents = FUNCTIONS, _PATTERNS, _plain_parents()
        for node, kind in enumerate(kinds):
            while starts[node] >= end:
                assert scope.parent is not None
                scope = scope.parent
                end = scope.end
            if kind == js.IDENTIFIER:
                if plain_parents[kinds[parents[node]]]:
                    nodes.append(node)
                    scopes.append(scope)
                else:
                    self._identifier(node, scope)
            elif kind == js.SHORTHAND:
                nodes.append(node)
                scopes.append(scope)
            elif kind == js.SHORTHAND_PATTERN:
                self._identifier(node, scope)
            elif kind in patterns:
                self._pattern(node, scope)
            elif kind in function_kinds or kind in _BLOCKS:
                parent_kind = kinds[parents[node]]
                if kind == js.BLOCK and (parent_kind in function_kinds or parent_kind == js.CATCH):
                    continue  # a body: one scope with the parameters
                scope = Scope(node, ends[node], scope, function=kind in function_kinds)
                end = scope.end
                self.all.append(scope)
            elif kind in (js.ASYNC_TOKEN, js.STAR_TOKEN):
                if parents[node] == scope.node and kinds[scope.node] in function_kinds:
                    scope.resumes = True
            elif kind == js.AWAIT:
                if scope.function is self.program:
                    self.program.resumes = True
            elif kind == js.WITH:
                body = syntax.last[node]
                self.withs.append((starts[body], ends[body]))

    def _identifier(self, node: int, scope: Scope) -> None:
        """One that may declare, or be assigned."""
        syntax = self.syntax
        kinds, fields, parents = syntax.kinds, syntax.fields, syntax.parents
        parent = parents[node]
        kind, field = kinds[parent], fields[node]
        if kind == js.PARENTHESIZED:
            parent, field = syntax.place(node)
            kind = kinds[parent]
            if kind not in (js.ASSIGNMENT, js.AUGMENTED, js.UPDATE, js.UNARY):
                return self._use(node, scope, READ)
        if kind in (js.FUNCTION_DECLARATION, js.CLASS_DECLARATION, js.FUNCTION_EXPRESSION, js.CLASS):
            return self._named(node, kind, scope) if field == js.NAME else self._use(node, scope, READ)
        if kind == js.DECLARATOR and field == js.NAME:
            declared = self._declared_by(parents[parent])
            has_value = syntax.last[parent] != node
            return self._declare(node, declared, scope, DECLARE if has_value else 0)
        if kind == js.PARAMETERS or (kind == js.ARROW and field == js.PARAMETER):
            return self._declare(node, PARAMETER, scope, 0)
        if kind == js.CATCH and field == js.PARAMETER:
            return self._declare(node, CATCH, scope, 0)
        if kind in (js.IMPORT_CLAUSE, js.NAMESPACE_IMPORT):
            return self._declare(node, IMPORT, scope, 0)
        if kind == js.IMPORT_SPECIFIER:
            return self._declare(node, IMPORT, scope, 0) if syntax.last[parent] == node else None
        if kind == js.EXPORT_SPECIFIER:
            return None
        if kind in _PATTERNS:
            role = self._in_pattern(node, parent)
            if role is None:
                return self._use(node, scope, READ)
            return self._target(node, scope, role)
        if kind == js.FOR_IN and field == js.LEFT:
            role = (self._loop_declares(parent), parent)
            return self._target(node, scope, role)
        if kind == js.ASSIGNMENT and field == js.LEFT:
            return self._use(node, scope, WRITE)
        if (kind == js.AUGMENTED and field == js.LEFT) or kind == js.UPDATE:
            return self._use(node, scope, UPDATE)
        if kind == js.UNARY:
            operator = kinds[parent + 1]
            return self._use(node, scope, {js.TYPEOF_TOKEN: TYPEOF, js.DELETE_TOKEN: DELETE}.get(operator, READ))
        return self._use(node, scope, READ)

    def _pattern(self, node: int, scope: Scope) -> None:
        """Note what the names in a pattern become."""
        syntax = self.syntax
        parent, _ = syntax.place(node)
        kind = syntax.kinds[parent]
        role: tuple[int, int] | None
        if kind == js.DECLARATOR:
            role = (self._declared_by(syntax.parents[parent]), parent)
        elif kind == js.PARAMETERS:
            role = (PARAMETER, parent)
        elif kind == js.CATCH:
            role = (CATCH, parent)
        elif kind == js.FOR_IN:
            role = (self._loop_declares(parent), parent)
        elif kind in _PATTERNS:
            role = self._in_pattern(node, parent)
        else:
            role = (0, parent)
        if role is not None:
            self._pattern_roles[node] = role

    def _in_pattern(self, node: int, parent: int) -> tuple[int, int] | None:
        field = self.syntax.fields[node]
        return None if field in (js.RIGHT, js.KEY) else self._pattern_roles.get(parent)

    def _target(self, node: int, scope: Scope, role: tuple[int, int]) -> None:
        declared, giver = role
        if declared in (PARAMETER, CATCH):
            self._declare(node, declared, scope, 0)
            return
        self.targets.setdefault(giver, []).append(node)
        if declared:
            self._declare(node, declared, scope, DECLARED_TARGET)
        else:
            self._use(node, scope, TARGET)

    def _declared_by(self, declaration: int) -> int:
        kinds = self.syntax.kinds
        if kinds[declaration] == js.VAR_DECLARATION:
            return VAR
        return CONST if kinds[declaration + 1] == js.CONST_TOKEN else LET

    def _loop_declares(self, loop: int) -> int:
        """`for (x of ...)` declares nothing: 0."""
        kinds = self.syntax.kinds
        token = kinds[loop + 2] if kinds[loop + 1] == js.AWAIT else kinds[loop + 1]
        return {js.VAR_TOKEN: VAR, js.LET_TOKEN: LET, js.CONST_TOKEN: CONST}.get(token, 0)

    def _named(self, node: int, kind: int, scope: Scope) -> None:
        """The name of a function or class; `scope` is its own."""
        name = self.name(node)
        outer = scope.parent
        assert outer is not None
        if kind in (js.FUNCTION_EXPRESSION, js.CLASS, js.CLASS_DECLARATION):
            scope.names.setdefault(name, Binding(name, OWN_NAME, scope, node))
        if kind == js.FUNCTION_DECLARATION:
            self._add(node, FUNCTION, outer)
            if outer is not outer.function and self.kind != "module":
                # In sloppy code, a function in a block is a variable of the function around it as well.
                self._add(node, VAR, outer)
        elif kind == js.CLASS_DECLARATION:
            self._add(node, CLASS, outer)

    def _declare(self, node: int, kind: int, scope: Scope, role: int) -> None:
        binding = self._add(node, kind, scope)
        if role:
            binding.initialised = True
            self.roles[node] = role
            self.bound[node] = binding

    def _add(self, node: int, kind: int, scope: Scope) -> Binding:
        name = self.name(node)
        home = scope.function if kind == VAR else scope
        known = home.names.get(name)
        if known is None or known.kind == OWN_NAME:
            known = home.names[name] = Binding(name, kind, home, node)
        return known

    def _use(self, node: int, scope: Scope, role: int) -> None:
        self._nodes.append(node)
        self._scopes.append(scope)
        if role != READ:
            self.roles[node] = role

    def _resolve(self) -> None:
        source, starts, ends, bound = self.syntax.source, self.syntax.starts, self.syntax.ends, self.bound
        roles = self.roles
        writing = (WRITE, UPDATE, TARGET)
        known: dict[tuple[Scope, str], Binding | Unresolved] = {}
        for node, scope in zip(self._nodes, self._scopes, strict=True):
            name = source[starts[node] : ends[node]]
            found = known.get((scope, name))
            if found is None:
                found = known[scope, name] = _found(self.name(node), scope)
            bound[node] = found
            if isinstance(found, Binding):
                inside = scope.function is not found.scope.function
                if inside:
                    found.captured = True
                if roles and roles.get(node, READ) in writing:
                    found.assigned = True
                    found.written_inside = found.written_inside or inside


def _found(name: str, scope: Scope | None) -> Binding | Unresolved:
    while scope is not None:
        binding = scope.names.get(name)
        if binding is not None:
            return binding
        scope = scope.parent
    return UNRESOLVED


_BLOCKS: Final = frozenset((js.BLOCK, js.FOR, js.FOR_IN, js.SWITCH_BODY, js.CATCH, js.CLASS, js.CLASS_DECLARATION))


def _plain_parents() -> list[bool]:
    """By kind of the parent: an identifier there is only read."""
    special = (
        js.PARENTHESIZED, js.FUNCTION_DECLARATION, js.CLASS_DECLARATION, js.FUNCTION_EXPRESSION, js.CLASS,
        js.DECLARATOR, js.PARAMETERS, js.ARROW, js.CATCH, js.IMPORT_CLAUSE, js.NAMESPACE_IMPORT, js.IMPORT_SPECIFIER,
        js.EXPORT_SPECIFIER, *_PATTERNS, js.FOR_IN, js.ASSIGNMENT, js.AUGMENTED, js.UPDATE, js.UNARY,
    )  # fmt: skip
    return [kind not in special for kind in range(js.KINDS)]
