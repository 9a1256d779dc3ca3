"""A Hypothesis strategy for programs: nested, terminating, deterministic, and loud about what they compute."""

from __future__ import annotations

import re

from hypothesis import strategies as st

_PRELUDE = """var fuel = 200;
function burn() { if (fuel-- <= 0) throw new RangeError("fuel"); }
let a = 1; var b = 2, q; let fns = [];
var o = { x: 1, y: { z: 2, m(v) { burn(); return [this && this.z, v]; } }, arr: [1, 2, 3],
  get g() { burn(); return this.x; }, set g(v) { burn(); this.x = v; }, m(v) { burn(); return v; } };
function f(x, y = o.x) { burn(); a++; return x; }
class K { #p; static s = 1; x = a; constructor(v) { burn(); this.#p = v; this.y = { z: v }; }
  get p() { return this.#p; } set p(v) { this.#p = v; } m(v) { this.#p ??= v; return this?.#p; } }
const tag = (strings, ...values) => [strings.raw.join("|"), values];
"""
_EPILOGUE = """
log(a, b, q, o, fns.length); fns.forEach((each) => { try { log(each()); } catch (e) { log(e); } });"""

# In a shape, @E stands for an expression, @A for one without parts, @B for the object of a property, @K for a key,
# @P for a property name, @T for what can be assigned, @O for an operator, @S for a statement.
_SHAPES = {
    "A": [
        "0", "1", "'x'", "null", "undefined", "true", "2n", "`t`", "/r/g", "[]", "({})", "NaN", "a", "b", "q", "o",
        "o.y", "o.arr", "this", "K", "f", "o.y.z", "o.x", "nope", "typeof nope", "o.g", "K.s", "() => a++",
        "function () { return q }",
    ],
    "B": ["o", "o.y", "a", "q", "o.arr", "K", "this", "new K(b)", "(@E)"],
    "K": ["'x'", "0", "b", "a++", "'y'", "'m'", "q", "@E", "@E, @E"],
    "P": ["x", "y", "z", "m", "g", "arr", "p", "length"],
    "T": ["a", "b", "q", "@B.@P", "@B[@K]", "o.y.z", "o.arr[o.x]", "o.arr[a]", "o.g", "this.t"],
    "O": ["+", "-", "||", "&&", "??", "**", ">>>"],
    "E": [
        "@A", "@A", "@A", "@B.@P", "@B[@K]", "@B?.@P", "@B?.[@K]", "@B?.@P.@P", "@B?.@P[@K].@P", "@B.@P?.[@K]?.@P",
        "@B?.@P?.(@E).@P", "@B.@P(@E)", "@B?.@P(@E)", "(@B.@P)(@E)", "@B[@K](@E)", "(@B?.@P)?.(@E)", "f(@E, @E)",
        "f(...[@E])", "(@T = @E)", "(@T = @E)", "(@T @O= @E)", "(@T @O= @E)", "@T++", "--@T", "delete @B.@P",
        "delete @B?.@P.@P", "delete @B[@K]", "typeof (@E)", "void(@E).x", "(@E) == (@E)", "(@E) && (@E)", "(@E) + (@E)",
        "(@E) in (@E)", "(@E) instanceof (@E)", "(@E) ? @E : @E", "(@E, @E)", "[@E, ...[@E]]",
        "({ x: @E, [@E]: @E, a, q, ...@E })", "({ get x() { return @E }, m() { return @E } })", "(x => @E)(@E)",
        "(function (x, { y } = o) { arguments[0] = @E; return [x, () => x++, @E] })(@E)",
        "(() => { let n = @E; fns.push(() => n = [n, @E]); return n })()", "(x => () => x = @E)(@E)()", "`t${@E}u`",
        "tag`t${@E}`", "o.m`t${@E}`", "new K(@E)", "new o.y.m(@E)", "new (@E)",
        "new (class { #s = @E; static t = @E; m() { return this.#s } })().m()",
        "({ x: @T, y: [@T, @T = @E] } = { x: @E, y: [1] })", "[@T, , ...@T] = [@E, 2, 3]",
        "[...(function* () { burn(); const got = yield @E; @T = yield got; o[yield] = yield; yield* [@E] })()]",
        "eval('q = 3')", "eval('o.x')", "(0, eval)('typeof q')", "await_(@E)", "yield_.x", "async => async.x",
    ],
    "S": [
        "log(@E)\n", "log(@E)\n", ";@T = @E\n", "q\n@B.@P(@E)\n", "q = @E\n", "var n = @E\nlog(n)\n",
        "q = () => {}\nlog(q)\n", "var n = class {}\nlog(n)\n", "a\n++b\nlog(b)\n", "if (@E) { @S } else log(@E)\n",
        "for (let i = 0; i < 2; i++) { burn(); fns.push(() => i += 2); @S }",
        "for (let i = 0; i < 2; i++) fns.push(() => i++)\n@S", "for (const k of [@E, 2]) { burn(); @S }",
        "for (@T of [@E, 2]) { burn(); @S }", "for (@T in { k: 1, l: @E }) log(q, @E)\n@S",
        "for (var [v, w = @E] of [[1], [2, 3]]) log(v, w)\n@S", "{ let a = @E; fns.push(() => a++); @S }",
        "switch (@E) { case @E: @S; break; default: let m = @E; fns.push(() => m = @E) }",
        "try { @S } catch ({ name: a, x = @E }) { fns.push(() => a += 1); @S } finally { @S }",
        "function h(x = @E, ...r) { burn(); @S\nreturn [x, r, this === undefined] } log(h(@E), h.name)\n",
        "(() => { l: { @S; if (@E) break l; @S } })()\n;@S", "do { burn(); @S } while (fuel > 190)\n",
        "var { x: u, y: [z] = [@E], ...rest } = (@E) ?? {}; log(u, z, rest)\n@S",
        "{ class L extends K { m(v) { return [super.m(v), @E] } static { log(@E) } } log(new L(1).m(2)) }\n@S",
        "(async () => { try { @T = await (@E); log((await (@E))[await 'x']) } catch (e) { log(e) } })()\n;@S",
        "(async function* () { for await (const x of [@E]) { @S } })().next().catch(log)\n;@S", "throw @E\n", "@S @S",
    ],
}  # fmt: skip
_SIMPLEST = {"E": 3, "S": 5, "B": 6, "K": 7, "T": 3}
"""So many of the shapes are taken when a program is deep enough."""
_PART = re.compile(r"@([A-Z])")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A whole program, as a script, in a function, or in strict mode."""

    def part(kind: str, depth: int) -> str:
        shapes = _SHAPES[kind]
        if depth <= 0:
            shapes = shapes[: _SIMPLEST.get(kind, len(shapes))]
        shape = draw(st.sampled_from(shapes))
        return _PART.sub(lambda found: part(found[1], depth - (found[1] in "ES")), shape)

    parts = [part("S", depth) for depth in draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))]
    body = _PRELUDE + "\n".join(f"try {{ {each} }} catch (e) {{ log(e) }}" for each in parts) + _EPILOGUE
    around = draw(st.sampled_from([("", ""), ("(function () { ", " })()"), ("'use strict';", ""), ("(() => {'use strict'\n", "})()")]))  # fmt: skip  # noqa: E501
    return around[0] + body + around[1]
