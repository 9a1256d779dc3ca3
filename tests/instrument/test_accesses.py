"""What the memory probes tell: exactly the accesses that events can share."""

from __future__ import annotations

import pytest

from jostle.instrument import memory
from tests.instrument.javascript import JavaScript, Text

# kind name mode line:column; r read, w write, u both, d delete, c read to call
CASES: dict[str, tuple[str, str]] = {
    "a property is read": ("const o = { a: 1 }; o.a", "global o w 1:7, object a r 1:23"),
    "a property is written": ("const o = {}; o.a = 1", "global o w 1:7, object a w 1:17"),
    "the value is read before it is written": (
        "const o = { n: 1 }; o.n = o.n + 1",
        "global o w 1:7, object n r 1:29, object n w 1:23",
    ),
    "updates are both": (
        "const o = { n: 1 }; o.n++; --o.n; o.n += 2; o['n'] **= 2",
        "global o w 1:7, object n u 1:23, object n u 1:32, object n u 1:37, object n u 1:47",
    ),
    "logical assignments write when they do": (
        "const o = { n: 0 }; o.n ||= 1; o.n ||= 2; o.n &&= 3; o.n ??= 4",
        "global o w 1:7, object n r 1:23, object n w 1:23, object n r 1:34, object n r 1:45, object n w 1:45, "
        "object n r 1:56",
    ),
    "the same deeper down": (
        "const o = { p: {} }, k = 'a'; o.p.n ??= 1; o.p[k] ??= 1; o.p[k] ??= 2",
        "global o w 1:7, global k w 1:22, object p r 1:33, object n r 1:35, object n w 1:35, object p r 1:46, "
        "object a r 1:48, object a w 1:48, object p r 1:60, object a r 1:62",
    ),
    "properties are deleted": (
        "const o = { a: 1, b: 2 }; delete o.a; delete o['b']; delete o?.c",
        "global o w 1:7, object a d 1:36, object b d 1:48, object c d 1:64",
    ),
    "methods are called": (
        "const a = [1]; a.push(2); a['push'](3); a?.at(0)",
        "global a w 1:7, object push c 1:18, object push c 1:29, object at c 1:44",
    ),
    "computed keys": (
        "const a = [1, 2], i = 1; a[i]; a[i - 1] = 5; a[i] = a[0]; a[i]++",
        "global a w 1:7, global i w 1:19, object 1 r 1:28, object 0 w 1:34, object 0 r 1:55, object 1 w 1:48, "
        "object 1 u 1:61",
    ),
    "a chain that ends": (
        "const o = { a: null }; o?.a?.b.c; o.x?.[o.y].z",
        "global o w 1:7, object a r 1:27, object x r 1:37",
    ),
    "a chain that goes on": (
        "const o = { a: { b: { c: 1 } } }; o?.a.b?.['c']",
        "global o w 1:7, object a r 1:38, object b r 1:40, object c r 1:44",
    ),
    "primitives have no shared properties": ("const s = 'abc'; s.length; s[0]; (5).toFixed()", "global s w 1:7"),
    "what is new is nobody else's": ("[1, 2].length; ({}).x; (function () {}).call(null); `x`.length", ""),
    "the language's own objects": ("Math.max(1); JSON.parse('1'); Object.keys({}); undefined", ""),
    "the language's own objects are written": ("Math.extra = 1", "object extra w 1:6"),
    "globals of the script": (
        "var x = 1; let y = 2; x = y; function f() { return x } f()",
        "global f w 1:39, global x w 1:5, global y w 1:16, global y r 1:27, global x w 1:23, global f r 1:56, "
        "global x r 1:52",
    ),
    "globals that others declare": (
        "typeof missing; made = 1; made++; delete made",
        "global missing r 1:8, global made w 1:17, global made u 1:27, global made d 1:42",
    ),
    "a missing global is read all the same": ("missing.x", "global missing r 1:1"),
    "constants are read elsewhere": ("const c = 1; c; class K {} K", "global K w 1:23, global c w 1:7"),
    "variables without a value": (
        "var v; v; (function () { var v, w; v = w })()",
        "global v w 1:5, global v r 1:8",
    ),
    "locals are nobody else's": (
        "(function (p) { let n = 0; n++; p = n; for (let i = 0; i < 2; i++) n += i; return n })()",
        "",
    ),
    "a variable that only its function writes": (
        "(function () { let n = 0; n = 2; const f = () => n; return f() })()",
        "",
    ),
    "a variable that closures share": (
        "(function () { let n = 0; const f = () => n++; f(); return n })()",
        "closure n w 1:20, closure n u 1:43, closure n r 1:60",
    ),
    "a variable that is written after a wait": (
        "(async function () { let n = 0; const f = () => n; n = await 1; f() })()",
        "closure n w 1:26, closure n w 1:52, closure n r 1:49",
    ),
    "destructuring": (
        "let a, o = {}; [a, o.b] = [1, 2]; ({ c: o.c, a } = { a: 3 })",
        "global a w 1:5, global o w 1:8, global a w 1:17, global o r 1:20, object b w 1:22, global a w 1:46, "
        "global o r 1:41, object c w 1:43",
    ),
    "declared by destructuring": ("var { x, y: [z] } = { x: 1, y: [2] }", "global x w 1:7, global z w 1:14"),
    "loops": (
        "var k, o = {}; for (k of [1]) k; for (o.p in { a: 1 });",
        "global k w 1:5, global o w 1:8, global k w 1:21, global k r 1:31, global o r 1:39, object p w 1:41",
    ),
    "shorthand": ("var x = 1; ({ x })", "global x w 1:5, global x r 1:15"),
    "private names": (
        "class A { #p = 1; m() { this.#p++; return this.#p } } const a = new A; a.m()",
        "global A w 1:7, global a w 1:61, object m c 1:74, object #p u 1:30, object #p r 1:48",
    ),
    "functions and classes get names": (
        "var f = () => {}; f = function () {}; let K = class {}",
        "global f w 1:5, global f w 1:19, global K w 1:43",
    ),
    "lines": ("const o = {}\n\no\n  .a\n  .b", "global o w 1:7, object a r 4:4"),
    "a template's tag": ("const o = { t: String.raw }; o.t`x`", "global o w 1:7, object t c 1:32"),
    "new": ("const o = { K: class {} }; new o.K; new o['K']()", "global o w 1:7, object K r 1:34, object K r 1:43"),
    "this": ("this.a = 1; (() => this.a)()", "object a w 1:6, object a r 1:25"),
    "super and arguments are left alone": (
        "class A { get v() { return 1 } } new (class extends A { m() { return super.v + arguments.length } })().m()",
        "global A w 1:7, object m c 1:104",
    ),
    "with is left alone": ("const o = { a: 1 }; with (o) { a = 2; o.a }", "global o w 1:7"),
    "wide characters count twice": ("const o = {}; '😀'; o.a", "global o w 1:7, object a r 1:23"),
}  # fmt: skip
_MODES = {1: "r", 2: "w", 3: "u", 4: "d", 5: "c"}


def told(javascript: JavaScript, source: str, *, module: bool = False, texts: list[Text] | None = None) -> list[str]:
    accesses = javascript.accesses(source, module=module, texts=texts or ())
    return [f"{kind} {name} {_MODES[mode]} {site}" for kind, name, mode, site in accesses]


@pytest.mark.parametrize("name", CASES)
def test_accesses_are_told(javascript: JavaScript, name: str) -> None:
    source, expected = CASES[name]
    assert told(javascript, source) == [each for each in expected.split(", ") if each]


def test_each_iteration_has_variables_of_its_own(javascript: JavaScript) -> None:
    """Scope objects of two iterations differ, and closures of one share theirs."""
    source = "for (let i = 0; i < 2; i++) { fns.push(() => i++, () => i) } fns.forEach((f) => f())"
    rewritten = javascript.rewriter.script(source, "u")
    scopes = javascript.evaluate(
        "(() => { const ids = new Map(), seen = []; globalThis.fns = [];"
        "const id = (scope) => (ids.has(scope) || ids.set(scope, ids.size), ids.get(scope));"
        "const variable = (scope, name) => { if (scope) seen.push(id(scope) + name) };"
        f"({memory.runtime})({{ object() {{}}, variable }});"
        f"(0, eval)({rewritten.code!r}); return seen; }})()"
    )
    assert scopes == ["0i", "0i", "1i", "1i"]


def test_a_module_has_a_scope_of_its_own(javascript: JavaScript) -> None:
    source = "let n = 0; export function f() { n++ } f(); var g; g = 1; window.h = 1"
    assert told(javascript, source, module=True) == ["closure n w 1:5", "closure n u 1:34", "object h w 1:66"]


def test_evaluated_code_tells_too(javascript: JavaScript) -> None:
    source = "var o = { x: 1 }; eval('o.x'); (0, eval)('o.x = y = 2')"
    texts: list[Text] = [("eval", "o.x"), ("indirect", "o.x = y = 2")]
    assert told(javascript, source, texts=texts) == [
        "global o w 1:5",
        "object x r 1:3",  # whose `o` it is, direct eval does not say
        "global o r 1:1",
        "global y w 1:7",
        "object x w 1:3",
    ]


def test_written_values_are_told(javascript: JavaScript) -> None:
    source = "var x = 1; x = 2; var o = {}; o.a = x + 1; o[o.a] = x * 2; (() => { let n = 5; return () => n = 6 })()()"
    rewritten = javascript.rewriter.script(source, "u")
    values = javascript.evaluate(
        "(() => { const frame = document.body.appendChild(document.createElement('iframe')).contentWindow;"
        "const seen = [];"
        "const note = (where, name, mode, site, value) => { if (mode === 2) seen.push(`${String(name)}=${value}`) };"
        f"frame.eval({memory.runtime!r})({{ object: note, variable: note }}); frame.eval({rewritten.code!r});"
        "return seen; })()"
    )
    assert values == ["x=1", "x=2", "o=[object Object]", "a=3", "3=4", "n=5", "n=6"]
