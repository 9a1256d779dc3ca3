"""Pages that keep talking to their server, for tests: long polls, empty forms, sockets of socket.io kind, observers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from jostle.listening import listening_socket

LONG_POLL = """<!doctype html><title>Poll</title><button id=add>Add</button><button id=ask>Ask</button><ul id=list></ul>
<script>
  const say = (text) => list.append(Object.assign(document.createElement("li"), { textContent: text }));
  let count = 0;
  add.onclick = () => say(`item ${++count}`);
  ask.onclick = async () => say(await (await fetch("/hello")).text());
  (async () => { for (let n = 0; ; n++) say(await (await fetch("/wait")).text()); })();
</script>"""
EMPTY_FORM = """<!doctype html><title>Form</title><button id=nothing>Nothing</button>
<button id=something>Something</button><p id=out></p>
<script>
  const send = async (form) => out.textContent = await (await fetch("/post", { method: "POST", body: form })).text();
  nothing.onclick = () => send(new FormData());
  something.onclick = () => {
    const form = new FormData();
    form.append("x", "1");
    form.append("file", new Blob(["abc"]), "a.txt");
    send(form);
  };
</script>"""
SOCKET_IO = """<!doctype html><title>Chat</title><input id=text aria-label=Say><button id=button>Send</button>
<ul id=list></ul><p id=how></p>
<script>
  const stamp = () => Date.now().toString(36).slice(3) + Math.random().toString(36).slice(2, 5);
  const base = "/socket.io/?EIO=4";
  let sid, socket, upgraded = false;
  const polling = () => `${base}&transport=polling&t=${stamp()}` + (sid ? `&sid=${sid}` : "");
  const send = (packet) => upgraded ? socket.send(packet) : fetch(polling(), { method: "POST", body: packet });
  const take = (packet) => {
    if (packet === "2") send("3");
    if (packet[0] === "4") list.append(Object.assign(document.createElement("li"), { textContent: packet.slice(1) }));
  };
  const poll = async () => {
    while (!upgraded) (await (await fetch(polling())).text()).split("\\x1e").forEach(take);
  };
  (async () => {
    sid = JSON.parse((await (await fetch(polling())).text()).slice(1)).sid;
    how.textContent = "polling";
    poll();
    socket = new WebSocket(`ws://${location.host}${base}&transport=websocket&sid=${sid}`);
    socket.onopen = () => socket.send("2probe");
    socket.onmessage = ({ data }) => {
      if (data !== "3probe") return take(data);
      upgraded = true;
      socket.send("5");
      how.textContent = "websocket";
    };
  })();
  button.onclick = () => send(`4${text.value || "hi"}`);
</script>"""
OBSERVERS = """<!doctype html><title>Observers</title><button id=wide>Wide</button><button id=more>More</button>
<div id=box style="width: 100px; border: 1px solid"><p>text</p></div><p id=size></p><p id=seen></p>
<div style="height: 1500px"></div><p id=far>far</p>
<script>
  let sizes = 0, sights = 0, changes = 0;
  new ResizeObserver(() => size.textContent = `${++sizes}: ${Math.round(box.clientWidth)}`).observe(box);
  new IntersectionObserver((all) => seen.textContent = `${++sights}: ${all.at(-1).isIntersecting}`).observe(far);
  new MutationObserver(() => document.title = `${++changes} changes`).observe(box, { childList: true });
  wide.onclick = () => { box.style.width = `${100 + Math.round(Math.random() * 200)}px`; };
  more.onclick = () => {
    box.append(Object.assign(document.createElement("p"), { textContent: "more" }));
    setTimeout(() => { box.style.width = "333px"; }, 50);
  };
</script>"""
PAGES = {"long-poll": LONG_POLL, "empty-form": EMPTY_FORM, "socket-io": SOCKET_IO, "observers": OBSERVERS}


class Talking:
    """The server. The first long poll is answered soon, further ones not before `over`."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self._waits = 0
        self._rooms: dict[str, asyncio.Queue[str]] = {}

    async def page(self, request: Request) -> Response:
        self._waits = 0
        return HTMLResponse(PAGES[request.path_params["name"]])

    async def wait(self, request: Request) -> Response:
        self._waits += 1
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), 0.05 if self._waits == 1 else 60)
        return PlainTextResponse(f"event {self._waits}")

    async def hello(self, request: Request) -> Response:
        return PlainTextResponse("hello")

    async def post(self, request: Request) -> Response:
        return PlainTextResponse(f"{len(await request.body())} bytes")

    async def engine(self, request: Request) -> Response:
        sid = request.query_params.get("sid")
        if sid is None:
            sid = secrets.token_urlsafe(15)
            self._rooms[sid] = asyncio.Queue()
            self._rooms[sid].put_nowait("4welcome")
            return PlainTextResponse("0" + json.dumps({"sid": sid, "upgrades": ["websocket"], "pingInterval": 500}))
        if request.method == "GET":
            return PlainTextResponse(await self._rooms[sid].get())
        packet = (await request.body()).decode()
        if packet.startswith("4"):
            self._rooms[sid].put_nowait(f"4echo {packet[1:]}")
        return PlainTextResponse("ok")

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        room = self._rooms[socket.query_params["sid"]]

        async def ping() -> None:
            while True:
                await asyncio.sleep(0.5)
                await socket.send_text("2")

        pinging: asyncio.Task[None] | None = None
        try:
            async for packet in socket.iter_text():
                if packet == "2probe":
                    await socket.send_text("3probe")
                    room.put_nowait("6")
                elif packet == "5":
                    pinging = asyncio.create_task(ping())
                elif packet.startswith("4"):
                    await socket.send_text(f"4echo {packet[1:]}")
        finally:
            if pinging is not None:
                pinging.cancel()


@contextlib.contextmanager
def talking() -> Iterator[str]:
    """The address of the server while the block runs, without a slash at its end."""
    site = Talking()
    routes = [
        Route("/wait", site.wait),
        Route("/hello", site.hello),
        Route("/post", site.post, methods=["POST"]),
        Route("/socket.io/", site.engine, methods=["GET", "POST"]),
        WebSocketRoute("/socket.io/", site.socket),
        Route("/{name}", site.page),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="critical", timeout_graceful_shutdown=1))
    with listening_socket("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)
