# ruff: noqa: E501
"""Pages that attack whoever tests them: each is one idea, by its name. All have a button that throws, so that what is
found shows whether the page was really tested."""

from __future__ import annotations

HEAD = "<!doctype html><title>Hostile</title><link rel=icon href=data:,>"
BROKEN = "<button id=broken onclick='broken_by_design()'>Broken</button> <button onclick='said.textContent += 1'>More</button><p id=said></p>"


def page(body: str, head: str = "") -> str:
    """A page with the button that throws, and with what attacks."""
    return f"{HEAD}{head}{BROKEN}{body}"


TEXTS = {
    "half an emoji in a text": page("<p id=t></p><script>t.textContent = 'Nice to see you ok🙂'.slice(0, 19)</script>"),
    "half an emoji in a label": page("<script>broken.textContent = 'Go \\ud83d'; document.title = '\\ude42'</script>"),
    "half an emoji in a field": page(
        "<input id=f aria-label=F><script>f.value = '\\ud83d x'; f.name = '\\udc00'</script>"
    ),
    "half an emoji in an error": page("<script>setTimeout(() => { throw new Error('\\ud83d half') })</script>"),
    "half an emoji in the console": page("<script>console.error('\\ud83d half', {a: '\\ud83d'})</script>"),
    "half an emoji in storage": page(
        "<script>localStorage['\\ud83d'] = '\\ude42'; document.cookie = 'a=\\ud83d'</script>"
    ),
    "half an emoji in an address": page(
        "<script>history.replaceState(0, '', '#\\ud83d'); fetch('/x?\\ud83d')</script>"
    ),
    "half an emoji in a dialog": page(
        '<button onclick=\'alert("\\ud83d"); prompt("\\ude42", "\\ud83d")\'>Ask</button>'
    ),
    "half an emoji in a body": page(
        "<script>fetch('/x', {method: 'POST', body: JSON.stringify({query: 'query A { \\ud83d }', operationName: '\\ud83d'})})</script>"
    ),
    "half an emoji in a message": page(
        "<script>const c = new BroadcastChannel('\\ud83d'); c.postMessage('\\ud83d'); postMessage('\\ud83d')</script>"
    ),
    "half an emoji in a source": page(
        "<script>eval('setTimeout(() => { throw 1 }, 5)\\n//# sourceURL=\\ud83d')</script>"
    ),
    "a source that is no address": page(
        "<script>setTimeout(() => { throw new Error('x') })\n//# sourceURL=http://[</script>"
    ),
    "a source with a wrong port": page(
        "<script>setTimeout(() => { throw new Error('x') })\n//# sourceURL=http://a:99999999/</script>"
    ),
    "a source map that is no address": page(
        "<script>setTimeout(() => { throw new Error('x') })\n//# sourceMappingURL=http://[</script>"
    ),
    "links that are no addresses": page(
        "<a href='http://['>one</a> <a href='http://a:99999999/'>two</a> <a href='//[::'>three</a> <a href='http://%zz/'>four</a> <a href='javascript:void(`http://[`)'>five</a><form action='http://['><button>Send</button></form><img src='http://['><script src='http://['></script><iframe src='http://['></iframe>"
    ),
    "nul and control characters": page(
        "<p id=t></p><script>t.textContent = '\\0\\x01\\x1b[31m\\u202e\\u2028\\x9b'; broken.textContent = '\\0 \\x1b]0;x\\x07'; console.error('\\0\\x1b[2J')</script>"
    ),
    "workflow commands": page(
        "<script>broken.textContent = '\\n::error::x\\r\\n::stop-commands::t'; console.error('\\n::warning file=a::b\\n##[error]x')</script>"
    ),
    "thrown values of every sort": page("""<script>for (const v of ["null", "undefined", "Symbol('x')", "1n", "{toString() { throw 1 }}", "new Proxy({}, {get() { throw 2 }})", "Object.create(null)", "'\\\\ud83d'"])
      setTimeout('throw ' + (v[0] === '{' ? '(' + v + ')' : v)); Promise.reject(new Proxy({}, {get() { throw 3 }}))</script>"""),
}
"""Texts that somebody who reads or writes them may stumble over."""

FLOODS = {
    "a pattern of patterns": page(
        "<form><input aria-label=P required pattern='((a{200}){200}){200}'><button>Send</button></form>"
    ),
    "a pattern that backtracks": page(
        "<form><input aria-label=P required pattern='(([a-z]+)+)+!'><button>Send</button></form>"
    ),
    "a pattern of many choices": page(
        "<form><input aria-label=P required pattern='"
        + "|".join(["(a|b|c)*"] * 2000)
        + "'><button>Send</button></form>"
    ),
    "a field for a whole library": page(
        "<form><input aria-label=L required minlength=300000000><textarea aria-label=M required minlength=900000000></textarea><button>Send</button></form>"
    ),
    "a suggestion of a megabyte": page(
        "<form><input aria-label=S list=l><datalist id=l></datalist><button>Send</button></form><script>l.innerHTML = `<option value='${'x'.repeat(1e6)}'>`</script>"
    ),
    "a path of 120 kB": page("<script>history.replaceState(0, '', '/' + '1a-'.repeat(40000))</script>"),
    "a query of 120 kB": page(
        "<script>history.replaceState(0, '', '/?' + 'a=1&'.repeat(30000)); fetch('/x?' + 'a[]=1&'.repeat(20000))</script>"
    ),
    "a path of hexadecimal digits": page(
        "<script>fetch('/' + 'f0'.repeat(20000)); history.replaceState(0, '', '/' + '-'.repeat(60000)); fetch('/' + ';a'.repeat(20000))</script>"
    ),
    "an error of a megabyte": page(
        "<button onclick='throw new Error(\"http://\".repeat(150000))'>Throw</button><button onclick='throw new Error(\"0f\".repeat(500000))'>Hex</button>"
    ),
    "a stack of a megabyte": page(
        '<button onclick=\'const e = new Error("x"); e.stack = "Error: x\\n    at " + "(a:1:".repeat(200000); throw e\'>Throw</button>'
    ),
    "a name of a megabyte": page(
        "<script>broken.textContent = '\"'.repeat(500000) + 'in '.repeat(150000); broken.title = 'a'.repeat(1e6)</script>"
    ),
    "a title of ten megabytes": page("<script>document.title = 'x'.repeat(1e7)</script>"),
    "an attribute of twenty megabytes": page("<script>said.setAttribute('data-x', 'x'.repeat(2e7))</script>"),
    "a flood of the console": page(
        "<script>setInterval(() => { for (let i = 0; i < 5000; i++) console.error('x' + i) }, 1)</script>"
    ),
    "a flood of errors": page(
        "<button onclick='for (let i = 0; i < 20000; i++) setTimeout(() => { throw new Error(`x${i}`) })'>Throw</button>"
    ),
    "ten thousand timers": page(
        "<script>for (let i = 0; i < 10000; i++) setTimeout(() => { said.textContent = i }, i)</script>"
    ),
    "ten thousand intervals": page(
        "<script>for (let i = 0; i < 10000; i++) setInterval(() => { said.textContent = i }, 1 + i % 7)</script>"
    ),
    "five hundred frames": page(
        "<script>for (let i = 0; i < 500; i++) { const f = document.createElement('iframe'); f.srcdoc = `<button onclick='x()'>In ${i}</button>`; document.body.append(f) }</script>"
    ),
    "frames within frames": page(
        "<script>if (location.search.length < 40) document.write(`<iframe src='?${location.search.slice(1)}1'></iframe>`)</script>"
    ),
    "twenty thousand buttons": page(
        "<div id=d></div><script>d.innerHTML = '<button onclick=x()>B</button>'.repeat(20000)</script>"
    ),
    "elements nested five thousand deep": page(
        "<script>let at = document.body; for (let i = 0; i < 5000; i++) { const d = document.createElement('div'); at.append(d); at = d } at.innerHTML = '<button onclick=x()>Deep</button>'</script>"
    ),
    "a flood of requests": page(
        "<script>setInterval(() => { for (let i = 0; i < 50; i++) fetch('/x' + Math.random()) }, 1)</script>"
    ),
    "a flood of messages": page(
        "<script>const c = new MessageChannel(); c.port1.onmessage = () => { c.port2.postMessage(0); said.textContent += '.' }; c.port2.postMessage(0)</script>"
    ),
    "a loop without end on click": page("<button onclick='for (;;);'>Hang</button>"),
    "a loop without end at once": f"{HEAD}<p>x</p><script>setTimeout(() => {{ for (;;); }}, 50)</script>",
    "microtasks without end": page("<button onclick='const f = () => Promise.resolve().then(f); f()'>Hang</button>"),
    "dialogs without end": page("<button onclick='for (;;) alert(1)'>Hang</button>"),
    "a page that reloads itself": page("<script>setTimeout(() => location.reload(), 5)</script>"),
    "a page that opens windows": page("<script>setInterval(() => open('/'), 20)</script>"),
    "history without end": page("<script>setInterval(() => history.pushState(0, '', '/' + Math.random()), 1)</script>"),
    "workers without end": page("<script>setInterval(() => new Worker('data:text/javascript,for(;;);'), 50)</script>"),
    "a WebSocket that floods": page(
        "<script>new WebSocket(location.href.replace('http', 'ws') + 'socket').onmessage = (e) => { said.textContent = e.data }</script>"
    ),
    "events that flood": page(
        "<script>new EventSource('/events').onmessage = (e) => { said.textContent = e.data }</script>"
    ),
    "a response without end": page(
        "<button onclick=\"fetch('/endless').then((r) => r.text())\">Ask</button><iframe src=/endless></iframe>"
    ),
    "microtasks without end at once": f"{HEAD}<p>x</p><script>setTimeout(() => {{ const f = () => Promise.resolve().then(f); f() }}, 50)</script>",
    "a document that is written for ever": page(
        "<button onclick='for (;;) document.write(`<p>x</p>`)'>Write</button><script>setInterval(() => { document.open(); document.write(`<button onclick=x()>Again</button>`); document.close() }, 1)</script>"
    ),
    "dialogs without end at once": f"{HEAD}<p>x</p><script>setTimeout(() => {{ for (;;) {{ alert(1); confirm(2); prompt(3) }} }}, 50)</script>",
    "dialogs while it is left": page(
        "<a href='/?left'>Leave</a><script>onbeforeunload = (e) => { e.preventDefault(); for (let i = 0; i < 1e6; i++) alert(i) }</script>"
    ),
    "stacks of stacks": page(
        "<button onclick='const f = (n) => { if (!n) throw new Error(`x`.repeat(1e5)); f(n - 1) }; Error.stackTraceLimit = 1e6; f(5000)'>Deep</button><script>setInterval(() => console.trace('x'.repeat(1e5)), 1)</script>"
    ),
    "a flood of storage": page(
        "<script>setInterval(() => { for (let i = 0; i < 200; i++) try { localStorage['k' + Math.random()] = 'x'.repeat(2000) } catch { localStorage.clear() } }, 1)</script>"
    ),
    "a flood of mutations": page(
        "<script>setInterval(() => { for (let i = 0; i < 3000; i++) said.append(document.createElement('i')); if (said.childElementCount > 50000) said.replaceChildren() }, 1)</script>"
    ),
    "a flood of frames to animate": page(
        "<script>const f = () => { for (let i = 0; i < 50; i++) requestAnimationFrame(() => { said.style.left = Math.random() + 'px' }); requestAnimationFrame(f) }; f()</script>"
    ),
    "fragments without end": page(
        "<script>addEventListener('hashchange', () => { location.hash = Math.random() }); location.hash = 'x'</script>"
    ),
    "memory without end": page(
        "<button onclick='const a = []; for (let i = 0; i < 200; i++) a.push(new Array(1e6).fill(i)); window.a = a'>Grow</button>"
    ),
}
"""Too much of something."""

_SABOTAGE = {
    "a picture named querySelectorAll": "<img name=querySelectorAll><img name=getElementById><img name=activeElement><img name=body><form name=documentElement></form><img name=title><img name=createTreeWalker><img name=elementsFromPoint>",
    "a form whose fields hide its own": "<form id=f><input name=attributes><input name=parentNode><input name=getAttribute><input name=tagName><input name=localName><input name=children><input name=ownerDocument><input name=matches><input name=closest><input name=id><button>Send</button></form>",
    "replaced methods of arrays": "<script>for (const n of ['filter', 'map', 'push', 'pop', 'shift', 'slice', 'splice', 'some', 'every', 'find', 'includes', 'join', 'sort', 'concat', 'indexOf', 'forEach', 'flat', 'reverse', 'entries', 'keys', 'values', 'reduce']) Array.prototype[n] = function () { throw new Error('sabotaged ' + n) }</script>",
    "replaced methods of texts": "<script>for (const n of ['split', 'replace', 'trim', 'slice', 'startsWith', 'endsWith', 'includes', 'match', 'toLowerCase', 'padStart', 'repeat', 'indexOf', 'charCodeAt', 'substring', 'replaceAll', 'toUpperCase', 'normalize']) String.prototype[n] = function () { throw new Error('sabotaged ' + n) }</script>",
    "replaced methods of maps and sets": "<script>for (const c of [Map, Set, WeakMap, WeakSet, WeakRef]) for (const n of Object.getOwnPropertyNames(c.prototype)) if (n !== 'constructor') try { Object.defineProperty(c.prototype, n, { get() { throw new Error('sabotaged ' + n) } }) } catch {}</script>",
    "a replaced iterator": "<script>Array.prototype[Symbol.iterator] = function () { throw new Error('sabotaged iterator') }; Map.prototype[Symbol.iterator] = Set.prototype[Symbol.iterator] = NodeList.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = Array.prototype[Symbol.iterator]</script>",
    "replaced globals": "<script>const { defineProperty } = Object; for (const n of ['Promise', 'JSON', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Array', 'Object', 'Symbol', 'Error', 'Reflect', 'Proxy', 'Math', 'Number', 'String', 'RegExp', 'Date', 'Element', 'Node', 'HTMLElement', 'Document', 'Event', 'MouseEvent', 'performance', 'getComputedStyle', 'URL', 'NodeFilter', 'CSS', 'queueMicrotask', 'structuredClone', 'isNaN', 'parseInt']) try { defineProperty(window, n, { value: function () { throw new Error('sabotaged ' + n) }, configurable: true, writable: true }) } catch {}</script>",
    "a replaced Promise": "<script>Promise.prototype.then = function () { throw new Error('sabotaged then') }; window.Promise = class { constructor() { throw new Error('sabotaged') } }</script>",
    "a promise that is thenable otherwise": "<script>Object.prototype.then = function (done) { done({}) }</script>",
    "replaced JSON": "<script>JSON.stringify = JSON.parse = () => { throw new Error('sabotaged JSON') }; Object.prototype.toJSON = () => 'sabotaged'; Array.prototype.toJSON = () => 'sabotaged'</script>",
    "frozen prototypes": "<script>for (const c of [Object, Array, Function, String, Map, Set, Promise, Element, Node, EventTarget, Document, HTMLElement, Event]) Object.freeze(c.prototype)</script>",
    "getters that throw": "<script>for (const [c, n] of [[Node, 'parentNode'], [Node, 'textContent'], [Element, 'id'], [Element, 'tagName'], [Element, 'className'], [HTMLElement, 'innerText'], [HTMLElement, 'hidden'], [HTMLInputElement, 'value'], [Document, 'activeElement'], [Document, 'readyState'], [Document, 'title'], [Node, 'isConnected'], [Node, 'childNodes'], [Element, 'shadowRoot'], [Event, 'target'], [Event, 'type'], [Event, 'isTrusted'], [MutationRecord, 'target'], [MutationRecord, 'type']]) Object.defineProperty(c.prototype, n, { get() { throw new Error('sabotaged ' + n) }, configurable: true })</script>",
    "getters on the prototype of all": "<script>for (const n of ['get', 'set', 'value', 'enumerable', 'writable', 'configurable', 'key', 'type', 'id', 'name', 'words', 'reason', 'kind', 'what', 'length']) try { Object.defineProperty(Object.prototype, n, { get() { throw new Error('sabotaged ' + n) }, set() {}, configurable: true }) } catch {}</script>",
    "replaced methods of elements": "<script>for (const c of [Element, Node, Document, DocumentFragment, EventTarget, HTMLElement, Range, Selection, DOMTokenList, NodeList, CSSStyleDeclaration, NamedNodeMap, TreeWalker]) for (const n of Object.getOwnPropertyNames(c.prototype)) { const d = Object.getOwnPropertyDescriptor(c.prototype, n); if (typeof d.value === 'function' && n !== 'constructor' && d.configurable) Object.defineProperty(c.prototype, n, { ...d, value() { throw new Error('sabotaged ' + n) } }) }</script>",
    "replaced timers": "<script>window.setTimeout = window.setInterval = window.requestAnimationFrame = window.clearTimeout = window.MessageChannel = window.MutationObserver = () => { throw new Error('sabotaged') }; MessagePort.prototype.postMessage = () => { throw new Error('sabotaged') }</script>",
    "a replaced apply": "<script>Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('sabotaged') }; Reflect.apply = Reflect.construct = Reflect.ownKeys = () => { throw new Error('sabotaged') }</script>",
    "replaced functions of objects": "<script>for (const n of Object.getOwnPropertyNames(Object)) if (typeof Object[n] === 'function') try { Object[n] = () => { throw new Error('sabotaged ' + n) } } catch {}; for (const n of ['toString', 'hasOwnProperty', 'valueOf']) Object.prototype[n] = () => { throw new Error('sabotaged') }</script>",
    "replaced functions of numbers": "<script>for (const n of Object.getOwnPropertyNames(Math)) if (typeof Math[n] === 'function') Math[n] = () => { throw new Error('sabotaged') }; Number.isFinite = Number.isInteger = window.parseFloat = () => { throw new Error('sabotaged') }; Number.prototype.toString = Number.prototype.toFixed = () => { throw new Error('sabotaged') }</script>",
    "a replaced regular expression": "<script>RegExp.prototype.exec = RegExp.prototype.test = RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.split] = RegExp.prototype[Symbol.match] = () => { throw new Error('sabotaged') }</script>",
    "a stack that is prepared": "<script>Error.prepareStackTrace = () => { throw new Error('sabotaged') }; Error.stackTraceLimit = 0; Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 1 }, set() { throw 2 } })</script>",
    "a document with properties of its own": "<script>for (const n of ['querySelectorAll', 'body', 'documentElement', 'activeElement', 'title', 'readyState', 'addEventListener', 'elementFromPoint', 'createElement', 'cookie', 'defaultView', 'hasFocus']) Object.defineProperty(document, n, { get() { throw new Error('sabotaged ' + n) } })</script>",
    "the agent taken": "<script>for (const owner of [window, location, document]) for (const k of Reflect.ownKeys(owner)) if (String(k).includes('jostle')) { try { owner[k] = () => ({}) } catch {} try { delete owner[k] } catch {} try { const it = owner[k]('') ?? owner[k]; for (const f of Reflect.ownKeys(it)) it[f] = () => { throw 1 } } catch {} }; Symbol.for = () => { throw new Error('sabotaged') }; try { globalThis = {} } catch {}; try { Object.defineProperty(window, 'location', { value: {} }) } catch {}</script>",
    "iterators of every kind": "<script>for (const made of [[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](), (function* () {})()]) Object.getPrototypeOf(made).next = () => { throw new Error('sabotaged next') }; for (const c of [Array, Map, Set, String, NodeList, HTMLCollection, Uint8Array, DOMTokenList]) { let p = c.prototype; while (p && !Object.hasOwn(p, Symbol.iterator)) p = Object.getPrototypeOf(p); if (p) Object.defineProperty(p, Symbol.iterator, { value() { throw new Error('sabotaged') }, configurable: true }) }</script>",
    "a constructor of promises": "<script>Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('sabotaged constructor') } }); Object.defineProperty(Array, Symbol.species, { get() { throw new Error('sabotaged species') } })</script>",
    "properties of events": "<script>for (const n of ['composedPath', 'stopImmediatePropagation', 'preventDefault', 'stopPropagation']) Event.prototype[n] = () => { throw new Error('sabotaged ' + n) }; for (const n of ['target', 'defaultPrevented', 'bubbles', 'currentTarget']) Object.defineProperty(Event.prototype, n, { get() { throw new Error('sabotaged ' + n) } })</script>",
}
SABOTAGE = {name: page("", head=attack) for name, attack in _SABOTAGE.items()}
"""Pages that change what JavaScript and the document can do, before anything else runs."""

ALL = {**TEXTS, **FLOODS, **SABOTAGE}
