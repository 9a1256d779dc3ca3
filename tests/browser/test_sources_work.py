"""Work that the browser does for the page on its own, to be finished within the event that asked for it."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import pytest

from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell

PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

READING = {
    "json": 'log((await answer.json()).list.length, "of 20000")',
    "text": 'log((await answer.text()).length, "characters")',
    "blob": 'log((await (await answer.blob()).text()).length, "characters")',
    "array buffer": 'log((await answer.arrayBuffer()).byteLength, "bytes")',
    "reader": """const reader = answer.body.getReader(); let size = 0;
        for (;;) { const { done, value } = await reader.read(); if (done) break; size += value.length; }
        log(size, "bytes")""",
    "for await": 'let size = 0; for await (const chunk of answer.body) size += chunk.length; log(size, "bytes")',
    "through a decoder": """let size = 0; const decoded = answer.body.pipeThrough(new TextDecoderStream());
        for await (const text of decoded) size += text.length; log(size, "characters")""",
    "through a transformation": """const upper = new TransformStream({ transform(chunk, to) { to.enqueue(chunk); } });
        log((await new Response(answer.body.pipeThrough(upper)).text()).length, "characters")""",
    "clone": "const copy = answer.clone(); log((await answer.text()) === (await copy.text()))",
    "tee": """const [one, two] = answer.body.tee();
        log((await new Response(one).text()) === (await new Response(two).text()))""",
    "pipe": """let size = 0; await answer.body.pipeTo(new WritableStream({ write(chunk) { size += chunk.length; } }));
        log(size, "bytes")""",
    "form": "log([...(await new Response(new URLSearchParams(await answer.text())).formData()).keys()].length > 0)",
}


@pytest.mark.parametrize("way", READING)
@pytest.mark.sampled(4)
def test_reading_an_answer(browser: Browser, site: Site, way: str) -> None:
    body = '{"list": [' + ",".join(['"0123456789"'] * 20000) + "]}"
    url = site.serve(
        {
            "/": LOG
            + f"<script>fetch('/big.json').then(async (answer) => {{ {READING[way]}; log('end'); }});</script>",
            "/big.json": body,
        }
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        assert page.said == []
        effect = page.let("GET /big.json")
        assert page.said[-1:] == ["end"]
        assert "div#log" in [change.target for change in effect.changes]
        assert effect.limits == ()

    tell(browser, url, story)


WORK = {
    "FileReader": """const reader = new FileReader();
        reader.onload = () => log(reader.result.length); reader.onloadend = () => log("end");
        reader.readAsDataURL(new Blob(["x".repeat(300000)]));""",
    "crypto.subtle": """(async () => {
        const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt", "decrypt"]);
        const secret = await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(100000));
        const hash = await crypto.subtle.digest("SHA-256", secret);
        log(new Uint8Array(hash).slice(0, 4)); log("end"); })()""",
    "IndexedDB": """const opening = indexedDB.open("d", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("s", { autoIncrement: true });
        opening.onsuccess = () => {
          const writing = opening.result.transaction("s", "readwrite");
          for (let i = 0; i < 50; i++) writing.objectStore("s").add({ i });
          writing.oncomplete = () => {
            let n = 0;
            opening.result.transaction("s").objectStore("s").openCursor().onsuccess = ({ target: { result } }) => {
              if (result) { n++; result.continue(); } else { log(n); log("end"); }
            };
          };
        };""",
    "createImageBitmap": f"""(async () => {{
        const image = new Image(); image.src = "{PICTURE}"; await image.decode();
        const bitmap = await createImageBitmap(image); log(bitmap.width); log("end"); }})()""",
    "a picture's load": f"""const image = new Image(); image.onload = () => {{ log(image.width); log("end"); }}; image.src = "{PICTURE}";""",
    "a blob's picture": f"""(async () => {{
        const blob = await (await fetch("{PICTURE}")).blob(); const image = new Image();
        image.src = URL.createObjectURL(blob); await image.decode(); log(image.width); log("end"); }})()""",
    "canvas.toBlob": """const canvas = document.createElement("canvas");
        canvas.toBlob(async (blob) => { log(blob.type, (await blob.arrayBuffer()).byteLength > 0); log("end"); });""",
    "compression": """(async () => {
        const packed = new Blob(["x".repeat(100000)]).stream().pipeThrough(new CompressionStream("gzip"));
        log((await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text()).length); log("end"); })()""",
    "caches": """(async () => {
        const cache = await caches.open("c"); await cache.put("/x", new Response("kept"));
        log(await (await cache.match("/x")).text()); log("end"); })()""",
    "WebAssembly": """WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(({ instance }) => { log(typeof instance); log("end"); })""",
    "locks": """navigator.locks.request("a", async () => { log("held"); }).then(() => log("end"))""",
    "permissions": """navigator.permissions.query({ name: "geolocation" }).then(({ state }) => { log(typeof state); log("end"); })""",
    "cookieStore": """cookieStore.set("c", "1").then(() => cookieStore.get("c")).then(({ value }) => { log(value, document.cookie); log("end"); })""",
}


@pytest.mark.parametrize("what", WORK)
@pytest.mark.sampled(5)
def test_work_is_finished_within_the_step(browser: Browser, site: Site, what: str) -> None:
    url = site.serve(
        LOG
        + f"<button>Work</button><script>document.querySelector('button').onclick = () => {{ {WORK[what]} }};</script>"
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.act("click button")
        assert page.said[-1:] == ["end"], page.said
        assert "div#log" in [change.target for change in effect.changes]
        assert effect.limits == ()
        assert page.names() == []

    tell(browser, url, story)


def test_a_stream_the_page_feeds_itself_is_not_waited_for(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const stream = new ReadableStream({ start(to) { setTimeout(() => { to.enqueue(new Uint8Array(3)); to.close(); }, 500); } });
        new Response(stream).arrayBuffer().then(({ byteLength }) => log(byteLength));
        </script>"""
    )

    def story(page: Telling) -> None:
        effects = page.load()
        assert [limit for effect in effects for limit in effect.limits] == []
        page.let("timeout 500")
        assert page.said == ["3"]

    tell(browser, url, story)


def test_walking_through_history(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<button onclick="go()">Go</button><script>
        addEventListener("popstate", ({ state }) => log("popstate", state?.n, location.search));
        addEventListener("hashchange", () => log("hashchange", location.hash));
        const steps = [
          () => history.pushState({ n: 1 }, "", "?one"), () => history.pushState({ n: 2 }, "", "?two"),
          () => history.back(), () => history.go(-1), () => history.back(), () => history.forward(),
          () => { location.hash = "there"; }, () => navigation.back(),
        ];
        function go() { steps.shift()(); log("called"); }
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        for expected in (
            [],
            [],
            ["popstate 1 ?one"],
            ["popstate  "],
            [],
            ["popstate 1 ?one"],
            ["popstate  ?one", "hashchange #there"],
            ["popstate 1 ?one", "hashchange "],
        ):
            before = len(page.said)
            page.act("click button")
            assert [words for words in page.said[before:] if words != "called"] == expected
        assert page.names() == []

    tell(browser, url, story)


def test_going_back_to_another_page(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": LOG + '<a href="/next">Next</a>',
            "/next": LOG + '<button onclick="history.back()">Back</button>',
        }
    )

    def story(page: Telling) -> None:
        page.load()
        page.act('click link "Next"')
        page.load()
        effect = page.act('click button "Back"')
        assert [event.what for event in effect.created] == ["GET /"]
        page.load()
        assert page.ask("location.pathname") == "/"

    tell(browser, url, story)
