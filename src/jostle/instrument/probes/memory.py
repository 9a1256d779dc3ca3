"""Probes for reads and writes of what events can share: properties, globals, and variables that closures share.

The edits are insertions only, of shapes that `memory.js` can tell apart and take out again. An object expression is
wrapped where it stands (`$jostle.r(a,"b",SITE).b`), so that calls, `this`, optional chains, `delete`, destructuring
and private names mean what they meant. What cannot be shared between events is left alone:

- variables that no inner function assigns, unless their own function can be resumed by a later event;
- `arguments`, literals, `super`, the bodies of `with` statements, and the language's own global objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final

from jostle.instrument import scopes as names
from jostle.instrument import syntax as js
from jostle.instrument.edits import Edits
from jostle.instrument.program import Program
from jostle.instrument.scopes import Binding, Scope, Unresolved

_READ, _WRITE, _UPDATE, _DELETE, _CALL = 1, 2, 3, 4, 5
_WRAPPER = {_READ: "r", _WRITE: "w", _UPDATE: "u", _DELETE: "d", _CALL: "c"}
_OPENING_PARENTHESIS, _CLOSING_PARENTHESIS = "(/*$j*/", "/*$j*/)"
_OPENING_BRACE, _CLOSING_BRACE = "{/*$j*/", "/*$j*/}"
_DEEPEST = 300
"""So many links of one chain are probed: each is one more level of nesting for the browser's parser."""

_LANGUAGE = frozenset((
    "undefined", "NaN", "Infinity", "Object", "Function", "Array", "String", "Boolean", "Number", "Symbol",
    "BigInt", "Math", "JSON", "Reflect", "Proxy", "Promise", "Date", "RegExp", "Error", "AggregateError",
    "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "Map", "Set", "WeakMap",
    "WeakSet", "WeakRef", "FinalizationRegistry", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Atomics",
    "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
    "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "Intl", "Iterator",
    "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent", "encodeURI",
    "decodeURI", "escape", "unescape", "console", "WebAssembly",
))  # fmt: skip
"""Never shared state: neither they nor their properties are probed when they are only read."""
_FIXED = _LANGUAGE | frozenset(
    ("globalThis", "window", "self", "document", "location", "top", "parent", "navigator", "eval")
)
"""Global names that always mean the same."""
_WORDS = frozenset(("arguments", "let", "await", "yield"))
"""No variables, or not always: `let` may begin a declaration on the next line."""
_WINDOWS = frozenset(("window", "self", "globalThis", "top", "parent"))

_FRESH = frozenset(
    (js.STRING, js.NUMBER, js.TEMPLATE, js.REGEX, js.ARRAY, js.OBJECT, js.FUNCTION_EXPRESSION, js.ARROW, js.CLASS,
     js.LITERAL, js.SUPER, js.META)
)  # fmt: skip
"""Objects that nobody else can know yet, and what is no object of the page."""
_INERT = frozenset((js.STRING, js.NUMBER, js.LITERAL, js.REGEX, js.THIS))
"""Evaluating these reads and writes nothing, so that a write may be told before them."""
_LINKS = frozenset((js.MEMBER, js.SUBSCRIPT, js.CALL))
_TARGETS = frozenset((js.ARRAY_PATTERN, js.REST_PATTERN, js.ASSIGNMENT_PATTERN, js.PAIR_PATTERN, js.OBJECT_ASSIGNMENT_PATTERN))  # fmt: skip  # noqa: E501
_GAP = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)


class Memory:
    """The probe set. See `memory.js` for what each of its functions does."""

    name = "memory"
    version = "2"

    @property
    def runtime(self) -> str:
        return _runtime()

    def insert(self, program: Program, edits: Edits) -> None:
        _Insertion(program, edits).all()


@cache
def _runtime() -> str:
    return (files(__name__.rpartition(".")[0]) / "memory.js").read_text("utf-8").strip().rstrip(";")


class _Insertion:
    """One script's edits."""

    def __init__(self, program: Program, edits: Edits) -> None:
        self.program = program
        self.edits = edits
        self.syntax = program.syntax
        self.scopes = program.scopes
        self.holders: dict[Scope, tuple[str, int, int]] = {}
        """The scope objects: what they are called, and from where to where they can be named."""
        self.unresolved = {"eval": None, "handler": "$jostleH"}.get(program.kind, "null")
        """The scope of names that the script does not declare; None: nobody knows."""
        self.chained, self.ending = self._chains()

    def all(self) -> None:
        self._give_holders()
        by_kind: list[Callable[[int], None] | None] = [None] * js.KINDS
        by_kind[js.IDENTIFIER] = by_kind[js.SHORTHAND] = self._variable
        by_kind[js.MEMBER] = by_kind[js.SUBSCRIPT] = self._access
        by_kind[js.ASSIGNMENT] = by_kind[js.DECLARATOR] = self._destructuring
        by_kind[js.NEW] = self._construction
        by_kind[js.CALL] = self._evaluation
        by_kind[js.FOR_IN] = self._loop
        by_kind[js.AWAIT] = self._waiting
        starting = {scope.node: scope for scope in self.holders}
        skipped = iter((*self.scopes.withs, (len(self.syntax.source) + 1, 0)))
        skip_from, skip_to = next(skipped)
        starts = self.syntax.starts
        self._at_start()
        for node, kind in enumerate(self.syntax.kinds):
            handler = by_kind[kind]
            if handler is None and node not in starting:
                continue
            while starts[node] >= skip_from:
                if starts[node] < skip_to:
                    break
                skip_from, skip_to = next(skipped)
            if starts[node] >= skip_from:
                continue
            if node in starting:
                self._hold(starting[node])
            if handler is not None:
                handler(node)

    # Which variables, and the objects that stand for their scopes ---------------------------------------------------

    def _shared(self, binding: Binding) -> bool:
        """Whether two events could meet in it, apart from globals."""
        if not binding.captured or binding.kind in (names.IMPORT, names.OWN_NAME):
            return False
        if binding.written_inside:
            return True
        return binding.scope.function.resumes and (binding.assigned or binding.initialised)

    def _global(self, binding: Binding) -> bool:
        if binding.scope is not self.scopes.program:
            return False
        if binding.kind in (names.LET, names.CONST, names.CLASS):
            return self.program.kind == "script"
        return self.program.kind in ("script", "indirect")

    def _give_holders(self) -> None:
        syntax = self.syntax
        for scope in self.scopes.all:
            if not any(self._shared(binding) and not self._global(binding) for binding in scope.names.values()):
                continue
            node = scope.node
            kind = syntax.kinds[node]
            if kind == js.PROGRAM or kind in (js.BLOCK, js.STATIC_BLOCK):
                region = node
            elif kind == js.SWITCH_BODY:
                region = syntax.parents[node]
            elif kind in (js.CLASS, js.CLASS_DECLARATION, js.FIELD):
                continue
            else:
                region = syntax.last[node]
            self.holders[scope] = (f"$jostle{len(self.holders)}", syntax.starts[region], syntax.ends[region])

    def _hold(self, scope: Scope) -> None:
        """Make the scope object, first thing in the scope."""
        syntax, node = self.syntax, scope.node
        kind = syntax.kinds[node]
        if kind == js.PROGRAM:
            return  # see `_at_start`
        made = f"const {self.holders[scope][0]}=$jostle.s();"
        if kind == js.SWITCH_BODY:
            switch = syntax.parents[node]
            self.edits.wrap(syntax.starts[switch], syntax.ends[switch], _OPENING_BRACE + made, _CLOSING_BRACE)
            return
        body = node if kind == js.BLOCK else syntax.last[node]
        if syntax.kinds[body] == js.BLOCK:
            self._begin(body, made)
        elif kind == js.ARROW:
            opening = f"{_OPENING_BRACE}{made}return "
            self.edits.wrap(syntax.starts[body], syntax.ends[body], opening, _CLOSING_BRACE)
        else:
            self.edits.wrap(syntax.starts[body], syntax.ends[body], _OPENING_BRACE + made, _CLOSING_BRACE)

    def _begin(self, block: int, statements: str) -> None:
        """Put statements first, behind directives such as "use strict"."""
        syntax = self.syntax
        node = block + 1
        if node < len(syntax.kinds) and syntax.kinds[node] == js.HASHBANG:
            node += 1
        directive = -1
        while (
            node + 1 < len(syntax.kinds)
            and syntax.parents[node] == block
            and syntax.kinds[node] == js.EXPRESSION_STATEMENT
            and syntax.kinds[node + 1] == js.STRING
            and syntax.last[node] == node + 1
        ):
            directive = node
            node += 2
        if directive >= 0:
            ended = syntax.source[syntax.ends[directive] - 1] == ";"
            self.edits.before(syntax.ends[directive], ("" if ended else "/*$j*/;") + statements)
        elif syntax.kinds[block] == js.PROGRAM:
            line = re.match(r"\ufeff?#![^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029])?", syntax.source)
            self.edits.before(line.end() if line else 0, statements)
        else:
            self.edits.before(syntax.starts[block] + 1, statements)

    def _at_start(self) -> None:
        """What holds from the first statement on: a script's functions, classes and variables without a value."""
        statements = []
        holder = self.holders.get(self.scopes.program)
        if holder is not None:
            # `var`, because functions of a module may be called before its body runs, when modules need each other.
            statements.append(f"{'var' if self.program.kind == 'module' else 'const'} {holder[0]}=$jostle.s();")
        if self.program.kind == "handler":
            statements.append("const $jostleH=$jostle.h(this);")
        for binding in self.scopes.program.names.values():
            declared = binding.kind in (names.FUNCTION, names.CLASS) or not binding.initialised
            if declared and self._global(binding):
                site = self.program.site(self.syntax.starts[binding.node])
                statements.append(f"$jostle.n(null,{_text(binding.name)},{_WRITE},{site});")
        if statements:
            self._begin(0, "".join(statements))

    def _scope_of(self, node: int) -> str | None:
        """The scope object of a variable, as it is named at `node`. None: the variable is not probed there."""
        bound = self.scopes.bound[node]
        if bound is None:
            return None
        if isinstance(bound, Unresolved):
            name = self.scopes.name(node)
            if name in _WORDS or (
                name in _FIXED and self.scopes.roles.get(node, names.READ) in (names.READ, names.TYPEOF)
            ):
                return None
            return self.unresolved
        if self._global(bound):
            unchanging = bound.kind in (names.CONST, names.CLASS)
            return None if unchanging and node not in self.scopes.roles else "null"
        if not self._shared(bound):
            return None
        holder = self.holders.get(bound.scope)
        if holder is None:
            return None
        name, start, end = holder
        return name if start <= self.syntax.starts[node] < end else None

    # Variables --------------------------------------------------------------------------------------------------------

    def _variable(self, node: int) -> None:
        syntax, edits = self.syntax, self.edits
        scope = self._scope_of(node)
        if scope is None:
            return
        role = self.scopes.roles.get(node, names.READ)
        name = self.scopes.name(node)
        start, end = syntax.starts[node], syntax.ends[node]
        site = self.program.site(start)
        told = f"{scope},{_text(name)}"
        if role == names.READ:
            if syntax.kinds[syntax.parents[node]] == js.CALL and name == "eval":
                return
            if isinstance(self.scopes.bound[node], Unresolved):
                # Told before it is read: reading may throw, and that is what a race looks like.
                opening, closing = f"$jostle.i($jostle.n({told},{_READ},{site}),", ",$jostle)"
            else:
                opening, closing = "$jostle.l(", f",{told},{site})"
            if syntax.kinds[node] == js.SHORTHAND:
                if name != "__proto__":
                    edits.after(end, f"/*$j*/:{opening}{syntax.text(node)}{closing}")
            else:
                edits.wrap(start, end, opening, closing)
            return
        parent, _ = syntax.place(node)
        if role in (names.TYPEOF, names.DELETE):
            mode = _READ if role == names.TYPEOF else _DELETE
            self._note(parent, told, mode, site)
        elif role == names.WRITE:
            value = syntax.last[parent]
            if self._names_itself(value):
                self._note(parent, told, _WRITE, site)
            else:
                edits.wrap(syntax.starts[value], syntax.ends[value], "$jostle.a(", f",{told},{site})")
        elif role == names.UPDATE:
            value = syntax.last[parent]
            if syntax.kinds[parent] == js.AUGMENTED and self._logical(parent) and not self._names_itself(value):
                self._note(parent, told, _READ, site)
                edits.wrap(syntax.starts[value], syntax.ends[value], "$jostle.a(", f",{told},{site})")
            else:
                self._note(parent, told, _UPDATE, site)
        elif role == names.DECLARE:
            if syntax.kinds[syntax.parents[parent]] == js.FOR_IN:
                return
            value = syntax.last[parent]
            if not self._names_itself(value):
                edits.wrap(syntax.starts[value], syntax.ends[value], "$jostle.a(", f",{told},{site})")
            elif name != "__proto__":
                # `x = function () {}` names the function; so does `{x: function () {}}`.
                written = syntax.text(node)
                opening, closing = f"$jostle.b({{{written}:", f"}},{told},{site}).{written}"
                edits.wrap(syntax.starts[value], syntax.ends[value], opening, closing)

    def _note(self, node: int, told: str, mode: int, site: str) -> None:
        """Tell of an access before the whole of an expression."""
        start, end = self.syntax.starts[node], self.syntax.ends[node]
        self.edits.wrap(start, end, f"$jostle.i($jostle.n({told},{mode},{site}),", ",$jostle)")

    def _names_itself(self, value: int) -> bool:
        """An anonymous function or class, which takes its name from the variable it is assigned to."""
        syntax = self.syntax
        value = syntax.bare(value)
        kind = syntax.kinds[value]
        if kind == js.ARROW:
            return True
        if kind not in (js.FUNCTION_EXPRESSION, js.CLASS):
            return False
        following = range(value + 1, min(value + 4, len(syntax.kinds)))
        return not any(syntax.parents[n] == value and syntax.fields[n] == js.NAME for n in following)

    def _logical(self, assignment: int) -> bool:
        """`||=`, `&&=` and `??=` write only sometimes."""
        syntax = self.syntax
        node = syntax.last[assignment] - 1
        return syntax.kinds[node] == js.LOGICAL_TOKEN and syntax.parents[node] == assignment

    def _destructuring(self, node: int) -> None:
        """`[x, y] = value`: the writes are told when the value is there."""
        targets = self.scopes.targets.get(node)
        if targets is None or self.syntax.last[node] in targets:
            return
        value = self.syntax.last[node]
        if self.syntax.kinds[value] == js.LITERAL:
            return  # it has nothing to give
        for target in reversed(targets):  # the innermost is told first
            scope = self._scope_of(target)
            if scope is not None:
                start, end = self.syntax.starts[value], self.syntax.ends[value]
                self.edits.wrap(start, end, "$jostle.t(", f",{self._told(target, scope)})")

    def _loop(self, node: int) -> None:
        """`for (x of values)`: the write is told where the body begins."""
        statements = ""
        for target in self.scopes.targets.get(node, ()):
            bound = self.scopes.bound[target]
            scope = self._scope_of(target)
            fresh = isinstance(bound, Binding) and bound.scope.node == node
            if scope is not None and not fresh:
                written = self._told(target, scope).rpartition(",")
                statements += f"$jostle.n({written[0]},{_WRITE},{written[2]});"
        if statements:
            body = self.syntax.last[node]
            if self.syntax.kinds[body] == js.BLOCK:
                self.edits.before(self.syntax.starts[body] + 1, statements)
            else:
                start, end = self.syntax.starts[body], self.syntax.ends[body]
                self.edits.wrap(start, end, _OPENING_BRACE + statements, _CLOSING_BRACE)

    def _told(self, node: int, scope: str) -> str:
        return f"{scope},{_text(self.scopes.name(node))},{self.program.site(self.syntax.starts[node])}"

    def _construction(self, node: int) -> None:
        """`new a.b()`: a call inside would be taken for the construction."""
        syntax = self.syntax
        what = node + 1
        kind = syntax.kinds[what]
        if kind in _LINKS or (kind == js.IDENTIFIER and self._scope_of(what) is not None):
            self.edits.wrap(syntax.starts[what], syntax.ends[what], _OPENING_PARENTHESIS, _CLOSING_PARENTHESIS)

    def _waiting(self, node: int) -> None:
        """`await value`: whoever waits for it depends on the event that settles it."""
        value = self.syntax.last[node]
        if value > node and self.syntax.parents[value] == node and self.syntax.kinds[value] not in _INERT:
            self._around(value, "$jostle.y(", f",{self.program.site(self.syntax.starts[node])})")

    def _evaluation(self, node: int) -> None:
        """`eval(text)` stays what it is, and the text is rewritten when it is known."""
        syntax = self.syntax
        arguments = syntax.last[node]
        first = arguments + 1
        if syntax.kinds[arguments] != js.ARGUMENTS or first >= len(syntax.kinds) or syntax.parents[first] != arguments:
            return
        kind = self._evaluates(node)
        if kind and syntax.kinds[first] != js.SPREAD:
            start, end = syntax.starts[first], syntax.ends[first]
            self.edits.wrap(start, end, "$jostle.code(", f',"{kind}",$jostle)')

    def _evaluates(self, call: int) -> str:
        syntax = self.syntax
        function = call + 1
        if self._unresolved_name(function) == "eval":
            return "indirect" if call in syntax.optional else "eval"
        function = syntax.bare(function)
        kind, last = syntax.kinds[function], syntax.last[function]
        if kind == js.SEQUENCE and self._unresolved_name(last) == "eval":
            return "indirect"
        if self._unresolved_name(function) == "eval":
            return "eval"
        if kind == js.MEMBER and syntax.text(last) == "eval" and self._unresolved_name(function + 1) in _WINDOWS:
            return "indirect"
        return ""

    def _unresolved_name(self, node: int) -> str:
        return self.scopes.name(node) if isinstance(self.scopes.bound[node], Unresolved) else ""

    # Properties -------------------------------------------------------------------------------------------------------

    def _chains(self) -> tuple[set[int], set[int]]:
        """Links of a chain whose object may be missing because of a `?.` before, and links that are not probed.

        Not probed: what follows an optional call, since nothing can stand between it and the end of the chain; and what
        is nested too deeply.
        """
        syntax = self.syntax
        kinds = syntax.kinds
        optional, chained, unprobed = syntax.optional, set(), set()
        depth: dict[int, int] = {}
        for node in range(len(kinds) - 1, -1, -1):
            if kinds[node] not in _LINKS:
                continue
            inner = node + 1
            if kinds[inner] not in _LINKS:
                depth[node] = 1
                continue
            depth[node] = depth[inner] + 1
            if inner in optional or inner in chained:
                chained.add(node)
            if inner in unprobed or depth[node] > _DEEPEST or (kinds[inner] == js.CALL and inner in optional):
                unprobed.add(node)
        return chained, unprobed

    def _link_follows(self, node: int) -> bool:
        """Whether a probed link of the same chain wraps this one."""
        syntax = self.syntax
        while True:
            parent = syntax.parents[node]
            if syntax.kinds[parent] not in _LINKS or parent + 1 != node or parent in self.ending:
                return False
            if syntax.kinds[parent] != js.CALL:
                return True
            node = parent

    def _access(self, node: int) -> None:
        if node in self.ending:
            return
        syntax = self.syntax
        thing = node + 1
        bare = syntax.bare(thing)
        in_chain = node in syntax.optional or node in self.chained
        if syntax.kinds[bare] in (js.SUPER, js.META) or (syntax.kinds[bare] in _FRESH and not in_chain):
            return
        if syntax.kinds[thing] == js.NEW and syntax.kinds[thing + 1] == js.NEW:
            return  # `new new A().b`: the parser is wrong about what `.b` belongs to
        mode, assignment = self._mode(node)
        if syntax.kinds[bare] == js.IDENTIFIER and not in_chain:
            name = self._unresolved_name(bare)
            if name == "arguments" or (name in _LANGUAGE and mode in (_READ, _CALL)):
                return
        last = syntax.last[node]
        site = self.program.site(syntax.starts[last])
        key = self._fixed_key(node, last)
        if in_chain:
            self._in_chain(node, thing, last, key, mode, site)
        elif assignment >= 0:
            self._assigned(node, thing, last, key, assignment, site)
        elif key is not None:
            self._around(thing, f"$jostle.{_WRAPPER[mode]}(", f",{key},{site})")
        else:
            self._by_key(thing, last, mode, site)

    def _mode(self, node: int) -> tuple[int, int]:
        """What is done with a property, and the assignment that writes it, if one does."""
        syntax = self.syntax
        parent, field = syntax.place(node)
        kind = syntax.kinds[parent]
        if kind == js.CALL:
            return (_CALL if field == js.FUNCTION else _READ), -1
        if kind in (js.ASSIGNMENT, js.AUGMENTED) and field == js.LEFT:
            if kind == js.ASSIGNMENT or self._logical(parent):
                return _WRITE, parent
            return _UPDATE, -1
        if kind == js.UPDATE:
            return _UPDATE, -1
        if kind == js.UNARY and syntax.kinds[parent + 1] == js.DELETE_TOKEN:
            return _DELETE, -1
        if kind == js.FOR_IN and field == js.LEFT:
            return _WRITE, -1
        if kind in _TARGETS and field not in (js.RIGHT, js.KEY):
            return _WRITE, -1
        return _READ, -1

    def _fixed_key(self, node: int, last: int) -> str | None:
        """The key as a literal, when it is known. None: it has to be computed."""
        syntax = self.syntax
        text = syntax.text(last)
        kind = syntax.kinds[last]
        if syntax.kinds[node] == js.MEMBER:
            return _text(self.scopes.name(last))
        if kind == js.STRING and "\\" not in text:
            return _text(text[1:-1])
        if kind == js.NUMBER and text.isdigit() and (text == "0" or text[0] != "0") and len(text) < 16:
            return text
        return None

    def _in_chain(self, node: int, thing: int, last: int, key: str | None, mode: int, site: str) -> None:
        """A link with `?.`, or behind one: it must end the chain when the one before has ended it."""
        syntax = self.syntax
        own = node in syntax.optional
        follows = self._link_follows(node)
        flags = own | (node in self.chained) << 1 | follows << 2
        if own and not follows and key is None and flags == 1 and self._simple(thing):
            self._by_key(thing, last, mode, site)
            return
        if key is not None:
            self._around(thing, "$jostle.q(", f",{key},{mode},{flags},{site})")
        else:
            self._around(thing, "$jostle.oq(", f",{flags},{site})")
            self._around(last, "$jostle.p(", f",{mode},{site})")
        if not own:
            end = syntax.ends[thing]
            gap = _GAP.match(syntax.source, end, syntax.starts[last])
            dot = gap.end() if gap else end
            self.edits.before(dot, "/*$j*/?" if syntax.kinds[node] == js.MEMBER else "/*$j*/?.")

    def _by_key(self, thing: int, last: int, mode: int, site: str) -> None:
        if self._simple(thing):
            self._around(last, f"$jostle.k({self.syntax.text(thing)},", f",{mode},{site})")
        else:
            self._around(thing, "$jostle.o(", f",0,0,{site})")
            self._around(last, "$jostle.p(", f",{mode},{site})")

    def _assigned(self, node: int, thing: int, last: int, key: str | None, assignment: int, site: str) -> None:
        """The write is told after the value is there, which may itself read the property."""
        syntax = self.syntax
        value = syntax.last[assignment]
        logical = syntax.kinds[assignment] == js.AUGMENTED
        if not logical and self._inert(value):
            if key is not None:
                self._around(thing, "$jostle.w(", f",{key},{site})")
            else:
                self._by_key(thing, last, _WRITE, site)
            return
        before = _READ if logical else 0
        written = key if key is not None else syntax.text(last) if self._simple(last) else None
        if self._simple(thing) and written is not None:
            if before and key is not None:
                self._around(thing, "$jostle.r(", f",{key},{site})")
            elif before:
                self._by_key(thing, last, before, site)
            self._around(value, f"$jostle.v({syntax.text(thing)},{written},", f",{site})")
            return
        self._around(thing, "$jostle.o(", f",{key or 0},{before if key is not None else 0},{site})")
        if key is None:
            self._around(last, "$jostle.pk(", f",{before},{site})")
        self._around(value, "$jostle.pv(", f",{site})")

    def _around(self, node: int, opening: str, closing: str) -> None:
        syntax = self.syntax
        if syntax.kinds[node] == js.SEQUENCE:
            opening, closing = opening + _OPENING_PARENTHESIS, _CLOSING_PARENTHESIS + closing
        self.edits.wrap(syntax.starts[node], syntax.ends[node], opening, closing)

    def _simple(self, node: int) -> bool:
        """It may be evaluated twice: `this`, or a variable that the script declares."""
        kind = self.syntax.kinds[node]
        return kind == js.THIS or (kind == js.IDENTIFIER and isinstance(self.scopes.bound[node], Binding))

    def _inert(self, value: int) -> bool:
        syntax = self.syntax
        kind = syntax.kinds[value]
        return kind in _INERT or (kind == js.IDENTIFIER and isinstance(self.scopes.bound[value], Binding))


def _text(name: str) -> str:
    return json.dumps(name)


memory: Final = Memory()
