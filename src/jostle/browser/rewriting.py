"""Rewriting what a page runs: scripts and documents on their way through the gate, and code that the page makes.

Positions that the browser tells are those of the rewritten code; whoever tells them further asks here for the original
ones, so that an event has the same name whether or not its script was rewritten.
"""

from __future__ import annotations

import asyncio
import base64
import codecs
import re
from collections.abc import Callable, Iterator
from hashlib import blake2s, sha256, sha384, sha512
from typing import cast

import msgspec

from jostle.addresses import join_url
from jostle.browser.http import Response, SentRequest
from jostle.rewriting import CodeKind, ScriptRewriter

CODE = "jostle:code/"
"""Addresses by which code that a page made itself is told apart in stacks."""

_SCRIPT = re.compile(r"<script\b([^>]{0,4096})>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_NO_SCRIPT = re.compile(r"\b(json|css|wasm|html|image/)", re.IGNORECASE)
_EXPORTS = re.compile(
    r"(?:^|[;}])[ \t]*(?:export\s*[{*]|export\s+(?:default|const|let|var|class|function|async)\b)", re.M
)
_SITE = re.compile("\ue000([^\ue001]*)\ue001(\\d+)\ue001(\\d+)\ue002")
_PLACE = re.compile(rf"((?:https?:|file:|{CODE})[^\s()]{{0,2000}}?):(\d{{1,9}}):(\d{{1,9}})")
_SOURCE_URL = re.compile(r"^[ \t]*//[#@][ \t]*sourceURL=[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_AROUND_PATH = re.compile(r"^[a-z][a-z0-9+.-]*://[^/]*|[?#].*$", re.IGNORECASE | re.DOTALL)
_HASHES = {"sha256": sha256, "sha384": sha384, "sha512": sha512}
_JAVASCRIPT = ("text/javascript", "application/javascript", "text/ecmascript", "application/x-javascript")
_POLICY = "content-security-policy"


class Rewriting:
    """The rewriting of one run."""

    def __init__(self, rewriter: ScriptRewriter, on_limit: Callable[[str], None]) -> None:
        self._rewriter = rewriter
        self._on_limit = on_limit
        self._one = asyncio.Lock()
        self._modules: set[str] = set()
        self._policies: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._sources: dict[str, str] = {}
        self.probes = rewriter.runtime

    async def edited(self, request: SentRequest, response: Response, *, worker: bool, importer: str = "") -> Response:
        """What the page gets instead. `worker`: it is a worker's. `importer`: address of the module that wants it."""
        if response.error or response.passed_through or not response.body or not 200 <= response.status < 300:
            return response
        kind = response.header("content-type")
        if worker and request.resource in ("script", "other"):
            self._on_limit(f"{request.url} runs in a worker: what workers read and write is not seen")
        elif request.resource == "document" and "html" in kind:
            return await self._document(request, response)
        elif request.resource == "script" and not _NO_SCRIPT.search(kind):
            return await self._script(request, response, importer)
        return response

    async def _script(self, request: SentRequest, response: Response, importer: str) -> Response:
        text, codec = _decoded(response)
        if text is None:
            self._unchanged(request.url, "its characters cannot be read")
            return response
        module = request.url in self._modules or importer in self._modules or bool(_EXPORTS.search(text))
        if module:
            self._modules.add(request.url)
        async with self._one:
            made = await asyncio.to_thread(self._rewriter.script, text, request.url, module=module)
        if made.problem:
            self._unchanged(request.url, made.problem)
        return msgspec.structs.replace(response, body=_encoded(made.code, codec))

    async def _document(self, request: SentRequest, response: Response) -> Response:
        text, codec = _decoded(response, markup=True)
        if text is None:
            self._unchanged(request.url, "its characters cannot be read")
            return response
        for tag in _scripts(text):
            attributes = _attributes(tag[1])
            if attributes.get("type", "").lower() == "module" and "src" in attributes:
                self._modules.add(join_url(request.url, attributes["src"]).split("#")[0])
        policies = [value for name, value in response.headers if name.lower() == _POLICY]
        self._policies[request.url] = "; ".join(policies)
        # Sums of scripts can be added to a policy; those of handlers count for any handler, so they stay as they are.
        known = policies if any("'unsafe-hashes'" in policy for policy in policies) else ()
        async with self._one:
            html, problems = await asyncio.to_thread(self._rewriter.document, text, request.url, policies=known)
        for problem in problems:
            self._on_limit(f"in {request.url}: {problem}")
        headers = tuple(
            (name, _allowing(value, text, html)) if name.lower() == _POLICY else (name, value)
            for name, value in response.headers
        )
        return msgspec.structs.replace(response, body=_encoded(html, codec), headers=headers)

    def code(self, text: str, kind: str, document: str) -> str:
        """What is to run in place of code that a page made itself.

        `kind`: `eval`, `indirect`, `handler`, `timer`; `script` or `module` for an element; `function` for the whole
        text of a function in parentheses; `trusted` for what becomes a TrustedScript; `html` and `write` for markup.
        """
        address = document.split("#", 1)[0]
        policy = self._policies.get(address, "")
        if kind != "trusted" and "require-trusted-types-for" in policy:
            return text  # what the page's own policies make trusted is rewritten there
        if kind in ("script", "module", "handler", "html", "write") and re.search(r"'sha(256|384|512)-", policy):
            self._unchanged("code made by the page", "the page's security policy knows it by its sum")
            return text
        if kind == "write" and any(_scripts(text)):
            return _SCRIPT.sub(lambda tag: self._within_markup(tag, document), text)
        digest = blake2s(f"{kind}\0{text}".encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        if kind in ("html", "write"):
            self._shown[f"{CODE}{digest}"] = address
            html, problems = self._rewriter.document(text, f"{CODE}{digest}")
            for problem in problems:
                self._on_limit(f"in markup made by the page: {problem}")
            return html
        named = _SOURCE_URL.search(text)
        url = named[1] if named else f"{CODE}{digest}"
        self._shown[url] = url if named else address if kind == "handler" else "<anonymous>"
        if kind in ("eval", "indirect", "trusted", "handler"):
            made = self._rewriter.code(text, url, "indirect" if kind == "trusted" else cast(CodeKind, kind))
        else:
            made = self._rewriter.script(text, url, module=kind == "module")
        if made.problem:
            self._unchanged("code made by the page", made.problem)
            return text
        return made.code if named else f"{made.code}\n//# sourceURL={url}"

    def _within_markup(self, tag: re.Match[str], document: str) -> str:
        attributes = _attributes(tag[1])
        kind = attributes.get("type", "").strip().lower()
        if "src" in attributes or kind not in ("", "module", *_JAVASCRIPT):
            return tag[0]
        start, end = tag.start(2) - tag.start(), tag.end(2) - tag.start()
        code = self.code(tag[2], "module" if kind == "module" else "script", document)
        return f"{tag[0][:start]}{code}{tag[0][end:]}"

    def _unchanged(self, what: str, why: str) -> None:
        self._on_limit(f"{what} was not rewritten ({why}): what it reads and writes is not seen")

    # Places.

    def original(self, url: str, line: int, column: int) -> tuple[str, int, int]:
        """A place that the browser tells, as it would have told it of the original. Line and column from 1."""
        line, column = self._rewriter.original(url.split("#", 1)[0], line, column)
        return self._shown.get(url, url), line, column

    def message(self, text: str, url: str, line: int, column: int) -> str:
        """What the browser says of an error, as it would have said it of the original. The place as it tells it."""
        return self._rewriter.message(text, url.split("#", 1)[0], line, column) if "$jostle" in text else text

    def restored(self, text: str) -> str:
        """A text of the agent's, with the places in it as in the original."""
        return _SITE.sub(lambda site: self._shown_as_path(*self.original(site[1], int(site[2]), int(site[3]))), text)

    def restored_stack(self, text: str) -> str:
        """A text of the browser's that may contain a stack, with the places in it as in the original."""

        def place(found: re.Match[str]) -> str:
            url, line, column = self.original(found[1], int(found[2]), int(found[3]))
            return f"{url}:{line}:{column}"

        return _PLACE.sub(place, text)

    def source(self, site: str) -> str:
        """A place that a probe tells, `TAG:line:column`, or one of the agent's, for people: `/app.js:3:14`."""
        found = self._sources.get(site)
        if found is None:
            if site.startswith("\ue000"):
                return self.restored(site)
            tag, _, place = site.partition(":")
            url = self._rewriter.url_of(tag) if place else ""
            found = self._sources[site] = f"{_path(self._shown.get(url, url))}:{place}" if url else site
        return found

    def _shown_as_path(self, url: str, line: int, column: int) -> str:
        return f"{_path(url)}:{line}:{column}"


def _scripts(markup: str) -> Iterator[re.Match[str]]:
    """Elements that are closed. Behind the last end there is none: looking for one again and again takes for ever."""
    return _SCRIPT.finditer(markup, 0, markup.lower().rfind("</script") + 64) if "</" in markup else iter(())


def _path(url: str) -> str:
    """As the agent shows addresses: without origin, query and fragment."""
    return _AROUND_PATH.sub("", url) or "/"


def _decoded(response: Response, *, markup: bool = False) -> tuple[str, str] | tuple[None, str]:
    """The text and the codec that gives the same bytes back."""
    body = response.body
    named = _CHARSET.search(response.header("content-type"))
    in_markup = _META_CHARSET.search(body[:2048]) if markup else None
    if body.startswith(codecs.BOM_UTF8):
        names = ["utf-8-sig"]
    elif body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None, ""
    else:
        names = [named[1]] if named else [in_markup[1].decode("ascii")] if in_markup else ["utf-8", "cp1252"]
    for name in names:
        codec = "cp1252" if name.lower() in ("latin1", "iso-8859-1", "ascii", "us-ascii") else name
        try:
            text = body.decode(codec)
            if text.encode(codec) == body:
                return text, codec
        except (UnicodeError, LookupError):
            continue
    return None, ""


def _encoded(text: str, codec: str) -> bytes:
    """Rewriting adds nothing but ASCII."""
    return text.encode(codec)


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): found[2] or found[3] or found[4] or "" for found in reversed(list(_ATTRIBUTE.finditer(text)))
    }


def _allowing(policy: str, original: str, rewritten: str) -> str:
    """The policy with the sums of rewritten scripts, where it knows the originals by theirs."""
    if not re.search(r"'sha(256|384|512)-", policy):
        return policy
    before, after = ([tag[2] for tag in _scripts(text)] for text in (original, rewritten))
    for old, new in zip(before, after, strict=len(before) == len(after)) if len(before) == len(after) else ():
        for name in _HASHES:
            if old != new and _sum(name, old) in policy:
                policy = policy.replace(_sum(name, old), f"{_sum(name, old)} {_sum(name, new)}")
    return policy


def _sum(name: str, text: str) -> str:
    digest = _HASHES[name](text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).digest()
    return f"'{name}-{base64.b64encode(digest).decode('ascii')}'"
