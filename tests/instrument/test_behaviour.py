"""Programs behave alike with and without probes: what they compute, their errors, and the lines of their errors."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jostle.instrument import memory
from tests.instrument.fuzzed import programs
from tests.instrument.javascript import JavaScript, Text

PROGRAMS: dict[str, str] = {
    "calls keep this": """
        log(1); var a={b:{c(){return this===a.b}}};
        log(a.b.c(), (a.b.c)(), a.b?.c(), a?.b.c(), a?.['b'].c(), a?.[`b`]?.c?.())
    """,
    "optional chains end": """
var a; log(a?.b.c.d(), a?.[log('no')].x, delete a?.b.c, a?.b(log('no')).c); try { a.b.c } catch(e) { log(e);
trace(e) }
try { log(a?.b.c); a={}; a?.b.c } catch(e) { log(e); trace(e) }
""",
    "a key is computed before the error": """
        var a={}; try { a?.b[log('key'),'k'].x } catch(e) { log(e); trace(e) }
    """,
    "errors of missing objects": """
        var a={b:null}; try { a.b.c() } catch(e) { log(e) } try { null.x = log('v') }
        catch(e) { log(e) } try { undefined[log('k')] = log('v') } catch (e) { log(e)}
    """,
    "undeclared names": """
        'use strict'; try { undeclared = log('v') } catch(e) { log(e); trace(e) }
        log(typeof undeclared2); try { undeclared3 } catch (e) { log(e) }
    """,
    "functions are named by variables": """
        x = () => {}; log(x.name); var y = function(){}; log(y.name); let z = class {}; log(z.name);
        const w = (() => {}); log(w.name); let q; q = async function*(){}; log(q.name);
        q = q2 = () => {}; log(q.name); var r; r ||= function(){}; log(r.name); ({s = () => {}} = {});
        log(s.name); [t = class {}] = []; log(t.name)
    """,
    "functions are not named by properties": """
        var o={a:1}; o.f = function(){}; o.g = () => {}; log(o.f.name, o.g.name); o.f.g = class {};
        log(o.f.g.name)
    """,
    "construction": """
        function F(){ this.x = new.target === F } F.G = class { constructor(...a){ this.a=a } };
        log(new F, new F.G(1,2), new F.G, new (F.G)(3), new F['G'](4), new this.F)
    """,
    "arguments are the parameters": """
        function f(a,b){ arguments[0]=9; b=8;
        return [a, arguments[1], arguments.length, (() => a++)(), a, arguments[0]] } log(f(1,2))
    """,
    "literals": """
        log([1,2,3].map(String)); var s = 'abc'; log(s.length, s[1], s.toUpperCase());
        log(1..toString(), 1.5.toFixed(1), /x/g.flags, `t${1}`.length)
    """,
    "getters and setters": """
        var log2=[]; var o={ get a(){ log2.push('get'); return 1 }, set a(v){ log2.push('set'+v) } };
        o.a++; ++o.a; o.a += 2; o.a ||= 5; o.a &&= 6; o.a ??= 7; log(log2); delete o.a; log('a' in o)
    """,
    "keys are converted once": """
        var k={ toString(){ log('key'); return 'z' } }; var o={z:1}; o[k]; o[k] = log('val'); o[k]++;
        o[k] ||= 3; delete o[k]; o?.[k]; ({[k]: o[k]} = {z: 3}); log(o)
    """,
    "yield in the middle": """
        function* g(){ var o={}; o[yield 1] = yield 2; (yield 3).x = yield 4; log(o); this.q?.[yield 5];
        return (yield 6)[yield 7] } var i=g.call({q:{}});
        log(i.next(), i.next('k'), i.next('v'), i.next(i), i.next('xv'), i.next('r'), i.next([1,2]), i.next(1));
        log(i.x)
    """,
    "await in the middle": """
        async function f(){ var o={}; (await o).a = await 1; o[await 'b'] = await 2;
        var c=(await o)[await 'a']; log(o, c); for await (o.z of [1,Promise.resolve(2)]) log(o.z) } f()
    """,
    "private names": """
        class A { #x=1; static #c=0; static s=A.#c; get x(){ return this.#x } set x(v){ this.#x=v;
        A.#c++ } static has(o){ return #x in o } #m(){ return this.#x }
        m(){ return this.#m() + this?.#x + this.#x++ } static { A.z = this.has(new A) } } var a=new A;
        a.x=5; log(a.x, a.m(), a.x, A.z, A.s); try { A.prototype.m.call({}) } catch(e) { log(e) }
    """,
    "super": """
        class B { y(){ return 'y' } static s(){ return 's' } }
        class C extends B { y(){ return super.y() + super['y']() } constructor(){ super();
        this.p = super.y } static s(){ return super.s() } } log(new C().y(), C.s(), new C().p.name)
    """,
    "order of indices": """
        var i=0; var a=[1,2,3]; a[i++] = a[i]; log(a, i); a[i++] += a[i++]; log(a,i);
        [a[0], a[1]] = [a[1], a[0]]; log(a); ({x: a.x, y: {z: a['z'] = 5}, ...a.rest}
        = {x:1, y:{}, q:2}); log(a.x, a.z, a.rest)
    """,
    "loops over targets": """
        for (var o={} ,n=[1,2]; n.length;) o.v = n.pop(); log(o); for (o.k in {a:1,b:2}) log(o.k);
        for (o['q'] of [1,2]); log(o); for (const [k,v] of Object.entries(o)) log(k,v);
        for (let x in o) { log(x) } for (var z of [1]); log(z)
    """,
    "one binding for each iteration": """
        var fns=[]; for (let i=0;i<3;i++) fns.push(() => i++); log(fns.map(f=>f()), fns.map(f=>f()));
        for (let i=0;i<3;i++) { fns[i] = () => { i += 10; return i } } log(fns.map(f=>f()));
        for (let i=0, f=()=>i++; i<3; f=()=>i, i++) log(f())
    """,
    "hoisting and the dead zone": """
        log(f()); function f(){ return g } var g = 1; { function h(){ return n } let n = 2; log(h()) }
        log(typeof h); try { log(t); let t = 1; (() => t = 2) } catch(e) { log(e); trace(e) }
    """,
    "a directive without semicolon": """
(function(){ 'use strict'
 log(this); let n=0; const inc = () => n++; inc(); inc(); log(n) })()
""",
    "a directive with semicolon": """
        (function(){ 'use strict';let n=0; const inc = () => n++; inc(); inc(); log(n);
        log((function(){ return this })()) })()
    """,
    "a switch's scope is one": """
        var s; switch (1) { case 0: let a = 1; case 1: s = () => a = 2; a = 3; default: log(a) }
    """,
    "a labelled switch": """
        var s; l: switch (1) { case 1: let a = 1; s = () => ++a; for(;;) break l; } log(s())
    """,
    "catch patterns": """
        try { throw {a:1} } catch ({a, b = () => a++}) { log(b(), a) } try { null.x } catch { log('c') }
        finally { log('f') }
    """,
    "parameters with defaults": """
        function d(a, b = () => a++, {c = a, ...e} = {}, [f] = [1], ...r) { b();
        var g = () => (a++, c++); g(); return [a, c, e, f, r] }
        log(d(1), d.length, d(1, undefined, {c: 3, z: 1}, [2], 4, 5))
    """,
    "tagged templates": """
        var tag = (s, ...v) => [s.raw.join(), v.join(), this === window]; log(tag`a${1}b`);
        var o={t(s){ return [this === o, s] }}; log(o.t`x`, o['t']`y`[0]);
        function id(){ return f => f } var f = () => { return (x => x)`z` }; log(f() === f())
    """,
    "line breaks instead of semicolons": """
var a = 1
var b = a
;[1].forEach(log)
var c = b
++a
log(a, c)
var x = a
/1/g
let g=1
log(x)
foo: for (;;) { break foo }
return1()
function return1() { return
1 }
if(a)log(a);else(b).x;typeof(a).b;void(a).b;do(a).b;while(0)
""",
    "contextual keywords": """
        a: { var o = {async: 1, get: 2, set: 3, static: 4, of: 5, let: 6, yield: 7};
        log(o.async, o.of, o); var { async, get, set, of } = o; log(async, get, set, of);
        var let1 = o.let; async = 3; log(async) }
    """,
    "hashbang and HTML comments": """#!/usr/bin/env node
log(1)
<!-- html comment
log(2)
--> another
log(3)
""",
    "with": """
        with ({x: 1, get y(){ return 2 }}) { log(x, y); x = 3; log(x); (function(){ log(x) })() }
    """,
    "lines in stacks": """
function Fn(){} Fn.prototype.m = function(){ trace(new Error); return 1 }
var o = { m2(){ trace(new Error) }, m3: function(){ trace(new Error) } };
new Fn().m(); o.m2(); o.m3(); o.m4 = function(){ trace(new Error) }; o.m4();
o.x = {}; o.x.y = () => trace(new Error); o.x.y(); var g = function(){ trace(new Error) }; g();
(() => trace(new Error))()
""",
    "functions as text": """
        function a(b, c = 1) { return b.c + window.d } log(a.toString(), String(class { x = a.b;
        m() { return this.x?.y.z } }), ((q) => q.w = a.b(1)).toString());
        log(Function.prototype.toString.toString(), Function.prototype.toString.name);
        log(`${(function(){ let n=1; return () => n++ })()}`, ({ get x() { return o.a[b.c]++ }
        }).__lookupGetter__('x').toString())
    """,
    "proxies": """
        var p = new Proxy({}, { get(t,k){ log('get',k); return k }, set(t,k,v){ log('set',k,v);
        return true }, has(t,k){ log('has',k); return true }, deleteProperty(t,k){ log('delete',k);
        return true }}); p.a; p.b = 1; p.c += 2; delete p.d; 'e' in p; p[Symbol.iterator]; p.f?.g;
        [p.h] = [1]; p['i'] ||= 2
    """,
    "read-only things": """
        Object.defineProperty(window, 'ro', { get(){ return 5 }, configurable: true }); ro = 6; log(ro);
        (function(){ 'use strict'; try { ro = 7 } catch(e) { log(e) } })();
        var fz = Object.freeze({a:1}); fz.a = 2; (() => { 'use strict'; try { fz.a = 3 }
        catch(e) { log(e) } try { delete fz.a } catch(e) { log(e) } try { fz.x.y.z } catch(e) { log(e) }
        })()
    """,
    "constants": """
        const c = 1; try { c = 2 } catch(e) { log(e) } let l = 1; { let l = 2; log(l) } log(l);
        class K {} try { K = 1; log(K) } catch(e) { log(e) } function fn(){} fn = 2; log(fn);
        (function me(){ me = 3; log(typeof me) })()
    """,
    "destructuring": """
        var {a, b: {c = 5, ...d}, e: [f,,g = () => {}, ...h]} = {a:1, b:{z:1}, e:[1,2,undefined,4]};
        log(a,c,d,f,g,h); function setA(){ [a, c] = [c, a]; ({a, c: a} = {a: 1, c: 2}) } setA();
        log(a,c); for ([a, c] of [[1,2],[3,4]]) log(a,c); for ({length: a} of ['xx']) ; log(a)
    """,
    "letters of all kinds": r"""
var \u0061b = 1; log(ab); var été = {日本: 1};
log(été.日本, été['日本']); été.x = '😀'; var s='😀'; try { nope } catch(e) { trace(e) }
log(été)
""",
    "a number behind a question mark": """
        log([0,1].map(x => x?.5:1), 1?.5:2)
    """,
    "later errors": """
setTimeout(() => { throw new TypeError('later') }); Promise.reject(new RangeError('r')); function thrower(){
  var o = null;

  return o.x }
thrower()
""",
    "missing function": """
        undefinedFunction(1)
    """,
    "missing method": """
        var o = {}; o.nope(1)
    """,
    "missing constructor": """
        var o = {}; new o.nope(1)
    """,
    "missing element": """
        var o = {a:{}}; o.a.b[0](1)
    """,
    "destructuring undefined": """
        let [x] = undefined
    """,
    "destructuring null": """
        let {x} = null
    """,
    "iterating over a missing member": """
        var o={}; for (const y of o.z.w) ;
    """,
    "iterating over nothing": """
        var o={}; for (const y of o.z) ;
    """,
    "destructuring a member": """
        var o={}; let {q} = o.z;
    """,
    "spreading": """
        log(...o.z); var o={}
    """,
    "missing tag": """
        var o={}; o.z`x`
    """,
    "a variable changed by its own assignment": """
        var a={}, b; b = a.x = a = {n:1}; log(a, b); a.y = (a = {m:2}, 5); log(a); var arr=[1,2], i=0;
        arr[i] = i = 1; log(arr, i)
    """,
    "getters are called once": """
        var n=0; var o={ get p(){ n++; return { q: { r(){ return this } } } } }; o.p.q.r(); o.p.q.s = 1;
        o.p.q[n] = 2; o.p?.q.r().t; log(n)
    """,
    "asynchronous generators": """
        async function* ag(){ let v = 0; const f = () => v; while (v < 3) { const got = yield v++;
        log(got, f()) } } (async () => { for await (const x of ag()) log(x) })()
    """,
    "unusual keys": r"""
var o = { __proto__: { inherited: 1 }, 'quoted-key': 2, [`c${1}`]: 3, 0x10: 4, 1n: 5 }; var __proto__ = 7;
log(o.inherited, o['quoted-key'], o.c1, o[16], o[1n],
Object.keys({__proto__}), o[-1], o[1.5], o['\x61'], o['a\
b'], o[0x10], o[01])
""",
    "delete of variables": """
        var x = 1; log(delete x, typeof x); y = 1; log(delete y, typeof y); (function(){ var z;
        log(delete z, delete nothing, delete arguments) })()
    """,
    "evaluation order": """
        var calls = []; function f(n, v){ calls.push(n); return v } var o = {};
        f(1,o)[f(2,'a')] = f(3,1); f(4,o)[f(5,'a')] += f(6,2); f(7,o).b = f(8,3); f(9,o)?.[f(10,'a')];
        f(11,null)?.[f(12)]; [f(13,o).c, f(14,o)[f(15,'d')]] = [f(16), f(17)]; log(calls, o)
    """,
    "labels": """
label: for (var i = 0; i < 3; i++) { for (const j of [1,2]) {
if (j == 2) continue label; if (i == 2) break label; log(i,j) } } do log(i--); while (i > 0)
log('end')
""",
    "this": """
        log((function(){ return typeof this })(), (() => typeof this)(), (function(){ 'use strict';
        return typeof this })()); function sl(){ return this === window }
        log(sl(), (0, sl)(), [sl][0]()); var obj={f: sl};
        log((0, obj.f)(), (obj.f)(), (obj.f = obj.f)(), (obj.f, obj.f)())
    """,
    "symbols": """
        var s = Symbol('s'), o = {[s]: 1}; log(o[s], o?.[s], o[s]++, o[s]);
        o[Symbol.toPrimitive] = () => 42; log(+o, o + 1, `${o}`)
    """,
    "named elements": """
        document.body.innerHTML = '<p id=x>hi</p>';
        log(x.id, window.x.textContent, document.all.length > 0, document.all?.length > 0,
        typeof document.all, document.all?.[0].tagName)
    """,
    "Function": """
        var f = Function('a', 'b', 'return a.x + b'); log(f({x:1},2), f.toString());
        log(new Function('return this')() === window)
    """,
    "closures": """
        let n = 0; const add = (x) => { n += x; return n }; log(add(1), add(2), n); var v;
        (function(){ v = () => v })(); log(typeof v()); var u = undefined; log(u, void 0, typeof u)
    """,
    "functions in blocks": """
if (true) function cond(){ return 1 }
log(cond()); { function inner(){ return cond } } log(inner().name);
function outer(){ return in2(); function in2(){ return v } var v = 3 } log(outer())
""",
    "a switch inside a loop": """
        var fns = []; for (const x of [1, 2, 3]) switch (x) { case 2: continue; default: let y = x;
        fns.push(() => y++) }
        log(fns.map((f) => f()), fns.map((f) => f()))
    """,
    "static members": """
        var made = 0; class A { static #n = 0; static { this.start = A.#n } static next() { return ++A.#n }
        static async *all() { yield A.next(); yield this.next() } 'quoted' = 1; [`c${made++}`] = 2; 3 = 4; static x;
        get; set; static
        async; accessor }
        log(A.next(), A.start, new A, Object.keys(A), made); (async () => { for await (const n of A.all()) log(n) })()
    """,
    "numbers and regular expressions": r"""
        log(1_000, 0b11, 0o17, .5.toFixed(1), 5..constructor.name, /[/]\/(?<n>x)/d.source, /[[a-z]--[b]]/v.flags,
        "a/b".split(/\//)[1], 4 / 2 / 1)
        var i = 8, g = 2; log(i /2/g, /=/.test('='), [/a/, /b/g][1].flags, `${/`/.source}`)
    """,
    "asynchronous arrows": """
        let n = 0; const later = async (x = n, { y } = {}) => { n += x; await null; return [n++, y] }
        later(1).then(log); later(2, { y: 3 }).then(log); (async x => log(await x, n))(Promise.resolve(1)); log(n)
    """,
    "finally": """
        var o = {}; function f() { try { return o.x = 1 } finally { o.y = 2 } }
        function g() { for (const k of [1, 2]) { try { continue } finally { o.k = k } } return o } log(f(), g())
    """,
    "a generator that is stopped": """
        function* g() { let n = 0; const f = () => n++; try { while (true) { f(); yield n } } finally { log('end',
        n) } }
        for (const x of g()) { if (x > 2) break; log(x) }
    """,
    "functions that call each other before their variables": """
        (function () { log(first()); function first() { return second() } let n = 1; function second() {
        return typeof n2 }
        var n2 = () => n++; log(n2(), n, first()) })()
    """,
    "a dead zone that a closure meets": """
        (() => { const early = () => n++; try { early() } catch (e) { log(e) } let n = 1; early(); log(n) })()
    """,
    "the event loop": """
        let order = []; setTimeout(() => { order.push('timer'); log(order) });
        Promise.resolve().then(() => order.push('job'))
        queueMicrotask(() => order.push('task')); order.push('sync')
    """,
    "properties of the window": """
        var top1 = 1; window.top2 = 2; log(window.top1, top2, 'top1' in window, this.top1); top2++; log(window.top2,
        self.top2)
        let top3 = 3; log(window.top3, typeof top3); globalThis['top1'] = 9; log(top1)
    """,
    "Object.keys of the window": "log(Object.keys(window).includes('$jostle'), '$jostle' === 1)",
    "frozen, sealed, and without a prototype": """
        var n = Object.create(null); n.a = 1; n['b'] = 2; log(n.a, n?.b, delete n.a, n.toString);
        var s = Object.seal({ a: 1 });
        s.b = 2; delete s.a; log(s)
    """,
    "strings as code": """
        var x = 5; log(new Function('y', 'return x + y')(1), setTimeout('log(x)')  > 0)
    """,
    "new.target and inheritance from a function": """
        function Base(v) { if (!new.target) return new Base(v); this.v = v } Base.prototype.get = function () {
        return this.v }
        class D extends Base { get() { return [super.get(), new.target === undefined] } } log(Base(1).get(),
        new D(2).get())
        log(Reflect.construct(Base, [3], D).get())
    """,
    "await without a space": """
        var o = { p: Promise.resolve({ x: 1 }), f: async (x) => ({ y: x }) };
        (async () => { log(await(o).p, await(0, o.f)(2), (await(o.p)).x, await[o.p][0], await`t`.length, await(o.p));
        for await(const x of [o.p]) log(x); log(await (o.p)) })(); log({ await(x) { return x } }.await(3)); let
        late = 1; log(late, new new Map([[1, 2]]).constructor().size)
    """,
    "what is no escape": r"""
        log(String.raw`\unicode and \xerxes ${1}`, String.raw`\u{110000000}`.length, '\\u')
    """,
    "commas, voids and nothing": """
        var o = { a: [1] }; log((1, o.a)[0], void o.a, !o.a, -o.a[0], ~o.a[0], +o.a, o.a + o.a); ;;; { } if (o) ;
        else ;
    """,
}

TEXTS: list[Text] = [
    ("eval", "loc"), ("eval", "var ev = 1; ev + 1"), ("eval", "let q = 1; (() => q++)(); q"), ("eval", "1;;;"),
    ("eval", "function z() {}"), ("eval", "2; class Z {}"), ("indirect", "typeof ev"), ("indirect", "o.x = o.x + 1"),
]  # fmt: skip
EVALUATING = """
    var o = { x: 1 };
    log(eval('var ev = 1; ev + 1'), ev, (0, eval)('typeof ev'), window.eval('1 + 1'), eval?.('2'), eval({ a: 1 }),
    eval());
    function f() { var loc = 5; return eval('loc') + (0, eval)('typeof loc') }
    log(f(), eval('let q = 1; (() => q++)(); q'), eval('1;;;'), eval('function z() {}'), eval('2; class Z {}'))
    log((0, eval)('o.x = o.x + 1'), o, eval.name, eval === window.eval); { let eval = (x) => x; log(eval('3')) }
"""

MODULES: dict[str, str] = {
    "a module": """
        import.meta.x = 1; log(import.meta.x, typeof import.meta.url, this);
        export let live = 1; export function bump() { live++; return live } log(bump(), live);
        export default class {} export { live as alias };
        const m = await import('data:text/javascript,export let a=1;export default 5'); log(m.a, m.default,
        Object.keys(m));
        let after = 1; setTimeout(() => log(after)); after = await 2; log(after); export const { p,
        q = () => p } = { p: 1 };
        log(p, q.name)
    """,
    "imports": """
        import d, * as ns from 'data:text/javascript,export default 3; export let q = 4; export const f = () => q++';
        import { q, f as g } from 'data:text/javascript,export let q = 4; export const f = () => q++';
        log(d, ns.q, q, g(), q, ns.f.name); try { q = 3 } catch (e) { log(e) } try { ns.q = 3 } catch (e) { log(e) }
        try { missing = 1 } catch (e) { log(e) } log(typeof missing)
    """,
    "a default function": """
        export default function () { return n++ } let n = 1; log(n); export const f = () => n++; f(); log(n)
    """,
    "exports of any name": """
        const a = 1; let b = 2; export { a as null, a as function, b as default, a as "a b" }; const o = { a };
        import { null as n } from 'data:text/javascript,const x = 1; export { x as null }'; log(n, o.a, b)
    """,
    "an error in a module": "let o = {};\n\n  o.a.b",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_behaves_alike(javascript: JavaScript, name: str) -> None:
    ((before, after),) = javascript.both([PROGRAMS[name].strip(" ")])
    assert before, "the program says nothing"
    assert not any("SyntaxError" in said for said in before), before
    assert after == before


def test_evaluated_code_behaves_alike(javascript: JavaScript) -> None:
    ((before, after),) = javascript.both([EVALUATING], texts=TEXTS)
    assert len(before) == 4
    assert after == before


@pytest.mark.parametrize("name", MODULES)
def test_a_module_behaves_alike(javascript: JavaScript, name: str) -> None:
    ((before, after),) = javascript.both([MODULES[name]], module=True)
    assert before
    assert not any("SyntaxError" in said for said in before), before
    assert after == before


_CYCLE = """async (sources, probes) => {
  const page = document.body.appendChild(document.createElement("iframe")).contentWindow;
  const said = [];
  page.log = (...values) => void said.push(values.join(" "));
  if (probes) page.eval(probes)({ object() {}, variable() {}, code: (text) => text });
  const imports = {};
  const type = "text/javascript";
  for (const name in sources) imports[name] = URL.createObjectURL(new Blob([sources[name]], { type }));
  const add = (type, text) => {
    const script = Object.assign(page.document.createElement("script"), { type, textContent: text });
    page.document.documentElement.append(script);
  };
  add("importmap", JSON.stringify({ imports }));
  add("module", 'import "first"');
  for (let turns = 0; said.length < 2 && turns < 200; turns++) await new Promise((resolve) => setTimeout(resolve, 20));
  return said;
}"""


def test_modules_that_need_each_other(javascript: JavaScript) -> None:
    """A function of a module is called before the module's body runs."""
    sources = {
        "first": "import { g } from 'second'; var n; export function f() { return n = (n ?? 0) + 1 }"
        "log('first', n, g())",
        "second": "import { f } from 'first'; let m = f(); export const g = () => m++; log('second', m, f())",
    }
    rewritten = {name: javascript.rewriter.script(source, name, module=True).code for name, source in sources.items()}
    before = javascript.evaluate(f"({_CYCLE})({json.dumps(sources)}, '')")
    after = javascript.evaluate(f"({_CYCLE})({json.dumps(rewritten)}, {json.dumps(memory.runtime)})")
    assert before == ["second 1 2", "first 2 1"]
    assert after == before


def test_functions_keep_their_names_in_stacks(javascript: JavaScript) -> None:
    program = """
        function named() { log(/at (\\S+)/.exec(new Error().stack)[1]) } var o = { method() { named() },
        arrow: () => named() }
        class A { static s() { throw new Error('s') } #p() { log(new Error().stack.includes('A.#p')) } p() {
        this.#p() } }
        o.method(); o.arrow(); new A().p(); try { A.s() } catch (e) {
        log(e.stack.includes('A.s') || e.stack.includes('.s ')) }
    """
    ((before, after),) = javascript.both([program])
    assert before[:2] == ['"named"', '"named"']
    assert after == before


# V8 prints the code that failed; where that is no plain chain of names, or a function serves as key or is written to,
# the words differ.
_PRINTED = re.compile(
    r"(TypeError: ).*?( is not (?:a function|a constructor|(?:async )?iterable))|(of ').*(' as it is)"
    r"|((?:read|sett)ing '|search for '|of function ')(?:class|function|\(|async|[a-z] =>).*",
    re.DOTALL,
)


def _without_code(said: list[str]) -> list[str]:
    return [_PRINTED.sub(r"\1\2\3\4\5", each) for each in said]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(source=programs())
def test_any_program_behaves_alike(javascript: JavaScript, source: str) -> None:
    ((before, after),) = javascript.both([source])
    assert _without_code(after) == _without_code(before)


@pytest.mark.long
@pytest.mark.timeout(900)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(sources=st.lists(programs(), min_size=1, max_size=3))
def test_many_programs_behave_alike(javascript: JavaScript, sources: list[str]) -> None:
    for before, after in javascript.both(sources):
        assert _without_code(after) == _without_code(before)
