"""Scripts inside HTML: found by a tokenizer that keeps every other byte as it is."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from urllib.parse import unquote

from jostle.instrument.edits import Lines, units

InlineKind = Literal["script", "module", "handler", "url"]


class Inline(NamedTuple):
    """What became of a piece of code."""

    code: str
    problem: str
    inserted: list[tuple[int, int]]
    """Where how much was put into it."""


Rewrite = Callable[[str, InlineKind, int, int], Inline]
"""Source, kind, and the line and column at which it begins."""


@dataclass
class HtmlDocument:
    """A rewritten document."""

    html: str = ""
    problems: list[str] = field(default_factory=list)
    inserted: list[tuple[int, int]] = field(default_factory=list)
    """Where how much was put into it, or taken out."""
    scripts: list[tuple[int, int]] = field(default_factory=list)
    """From where to where inline scripts stand in the original."""


@dataclass(frozen=True)
class _Attribute:
    name: str
    value: str
    start: int
    """Of the attribute; `value_start` and `end` of its value with the quotes."""
    value_start: int
    end: int


@dataclass(frozen=True)
class _Tag:
    name: str
    attributes: list[_Attribute]
    end: int

    def get(self, name: str) -> str | None:
        return next((attribute.value for attribute in self.attributes if attribute.name == name), None)


_JAVASCRIPT = frozenset(
    f"{family}/{name}"
    for family in ("text", "application")
    for name in ("javascript", "ecmascript", "x-javascript", "x-ecmascript", "jscript", "livescript", "javascript1.0",
                 "javascript1.1", "javascript1.2", "javascript1.3", "javascript1.4", "javascript1.5")
)  # fmt: skip
_RAW = frozenset(("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"))
_ADDRESSES = frozenset(("href", "src", "action", "formaction", "data", "xlink:href"))
_NEXT = re.compile(r"<(?:!--|!\[CDATA\[|[!?/]|(?=[A-Za-z]))")
_COMMENT_END = re.compile(r"--!?>|\Z")
_NAME = re.compile(r"[^\s/>]*")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?P<whole>(?P<name>[^\s/>][^\s/>=]*)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s>"'][^\s>]*|(?=>)))?)"""
)
_IN_SCRIPT = re.compile(r"<!--|-->|<(?P<close>/?)script(?=[\s/>])", re.IGNORECASE)
_SCHEME = re.compile(r"[\x00-\x20]*" + r"[\t\n\r]*".join("javascript:"), re.IGNORECASE)


def rewrite(html: str, inline: Rewrite, policies: Sequence[str] = ()) -> HtmlDocument:
    """The document with its inline code rewritten by `inline`, and what was left alone, in words."""
    return _Rewriting(html, inline, policies).done()


class _Rewriting:
    def __init__(self, html: str, inline: Rewrite, policies: Sequence[str]) -> None:
        self.html = html
        self.inline = inline
        self.lines = Lines(html)
        self.made = HtmlDocument()
        self.replaced: list[tuple[int, int, str]] = []
        """From, to, and the new text."""
        self.hashes = _hashes(policies)
        self.foreign = 0
        """How many svg and math elements are open: scripts in them are not read as HTML reads scripts."""

    def done(self) -> HtmlDocument:
        for tag in self._tags():
            self._tag(tag)
        pieces: list[str] = []
        last = 0
        for start, end, text in self.replaced:
            pieces += self.html[last:start], text
            last = end
        self.made.html = "".join((*pieces, self.html[last:]))
        return self.made

    def _tags(self) -> Iterator[_Tag]:
        html, position = self.html, 0
        while found := _NEXT.search(html, position):
            position = found.end()
            kind = found[0]
            if kind == "<!--":
                if html.startswith((">", "->"), position):  # `<!-->` is a whole comment
                    continue
                end = _COMMENT_END.search(html, position)
                position = end.end() if end else len(html)
            elif kind == "<![CDATA[":
                position = _after(html, "]]>" if self.foreign else ">", position)
            elif kind == "</":
                name = _name(html, position)
                if name in ("svg", "math") and self.foreign:
                    self.foreign -= 1
                position = (
                    self._read(html, position).end
                    if html[position : position + 1].isalpha()
                    else _after(html, ">", position)
                )
            elif kind in ("<!", "<?"):
                position = _after(html, ">", position)
            else:
                tag = self._read(html, position)
                position = tag.end
                yield tag
                if tag.name in ("svg", "math") and html[tag.end - 2 : tag.end] != "/>":
                    self.foreign += 1
                elif not self.foreign:
                    if tag.name == "script":
                        position = _script_end(html, tag.end)
                    elif tag.name in _RAW:
                        close = re.compile(rf"</{tag.name}(?=[\s/>])", re.IGNORECASE).search(html, position)
                        position = close.start() if close else len(html)
                    elif tag.name == "plaintext":
                        return

    @staticmethod
    def _read(html: str, position: int) -> _Tag:
        """A tag, from its name on."""
        name = _name(html, position)
        position += len(name)
        attributes: list[_Attribute] = []
        while found := _ATTRIBUTE.match(html, position):
            position = found.end()
            value = found["value"]
            raw = (value[1:-1] if value[:1] in ("'", '"') else value) if value else ""
            key = found["name"].lower()
            if all(known.name != key for known in attributes):  # the first one counts
                start = found.start("value") if value is not None else position
                attributes.append(_Attribute(key, entities.unescape(raw), found.start("whole"), start, position))
        return _Tag(name, attributes, _after(html, ">", position))

    def _tag(self, tag: _Tag) -> None:
        for attribute in tag.attributes:
            name = attribute.name
            if name.startswith("on") and len(name) > 2 and attribute.value:
                self._attribute(attribute, "handler", attribute.value, "")
            elif name in _ADDRESSES and (scheme := _SCHEME.match(attribute.value)):
                self._attribute(attribute, "url", unquote(attribute.value[scheme.end() :]), "javascript:")
            elif name == "srcdoc" and tag.name == "iframe":
                inner = rewrite(attribute.value, self.inline)
                self.made.problems += inner.problems
                self._give(attribute, inner.html)
            elif name == "integrity" and self._is_script(tag):
                # What is fetched will have been rewritten.
                space = 1 if self.html[attribute.start - 1].isspace() else 0
                self._replace(attribute.start - space, attribute.end, "")
        if tag.name == "meta" and (tag.get("http-equiv") or "").lower() == "content-security-policy":
            self.hashes |= _hashes([tag.get("content") or ""])
        if tag.name == "script" and tag.get("src") is None:
            self._script(tag)

    @staticmethod
    def _is_script(tag: _Tag) -> bool:
        if tag.name == "link":
            kinds = (tag.get("rel") or "").lower().split()
            return "modulepreload" in kinds or ("preload" in kinds and (tag.get("as") or "").lower() == "script")
        return tag.name == "script"

    def _script(self, tag: _Tag) -> None:
        kind = _script_kind(tag)
        if kind is None:
            return
        if self.foreign:
            self._left(tag.end, "it stands inside an SVG or MathML element")
            return
        end = _script_end(self.html, tag.end)
        source = self.html[tag.end : end]
        if not source.strip():
            return
        if self._hashed(source):
            self._left(tag.end, "the page's Content-Security-Policy allows it by its hash")
            return
        made = self.inline(source, kind, *self.lines.at(tag.end))
        if made.problem:
            self._left(tag.end, made.problem)
            return
        self.replaced.append((tag.end, end, made.code))
        self.made.scripts.append((tag.end, end))
        self.made.inserted += [(tag.end + offset, length) for offset, length in made.inserted]

    def _attribute(self, attribute: _Attribute, kind: Literal["handler", "url"], code: str, before: str) -> None:
        if self._hashed(attribute.value) or self._hashed(code):
            self._left(attribute.start, "the page's Content-Security-Policy allows it by its hash")
            return
        quoted = self.html[attribute.value_start : attribute.value_start + 1] in ("'", '"')
        made = self.inline(code, kind, *self.lines.at(attribute.value_start + quoted))
        if made.problem:
            self._left(attribute.start, made.problem)
        else:
            # An address is decoded once more before it runs.
            self._give(attribute, before + (made.code.replace("%", "%25") if before else made.code))

    def _give(self, attribute: _Attribute, value: str) -> None:
        quote = self.html[attribute.value_start : attribute.value_start + 1]
        if quote not in ("'", '"'):
            quote = '"'
        if value.count("\n") != self.html.count("\n", attribute.value_start, attribute.end):
            self._left(attribute.start, "its line breaks are written as character references")
            return
        value = value.replace("&", "&amp;").replace(quote, "&quot;" if quote == '"' else "&#39;")
        self._replace(attribute.value_start, attribute.end, quote + value + quote)

    def _replace(self, start: int, end: int, text: str) -> None:
        self.replaced.append((start, end, text))
        # Inside an attribute places are not kept; behind it they are.
        self.made.inserted.append(
            (end, units(text.rpartition("\n")[2]) - units(self.html[start:end].rpartition("\n")[2]))
        )

    def _hashed(self, source: str) -> bool:
        return bool(self.hashes) and any(
            base64.b64encode(hashlib.new(name, source.encode("utf-8", "surrogatepass")).digest()).decode()
            in self.hashes
            for name in ("sha256", "sha384", "sha512")
        )

    def _left(self, offset: int, why: str) -> None:
        line, column = self.lines.at(offset)
        self.made.problems.append(f"the code at line {line}, column {column} was left alone: {why}")


def _script_kind(tag: _Tag) -> Literal["script", "module"] | None:
    """None: data, or a language that browsers do not run."""
    kind = tag.get("type")
    if kind is None:
        language = tag.get("language")
        kind = f"text/{language}" if language else ""
    kind = kind.strip().lower()
    if kind == "module":
        return "module"
    return "script" if kind == "" or kind in _JAVASCRIPT else None


def _script_end(html: str, position: int) -> int:
    """Where the text of a script ends: `<!-- <script>` hides the next `</script>`."""
    escaped = doubly = False
    for found in _IN_SCRIPT.finditer(html, position):
        if found[0] == "<!--":
            escaped = True
        elif found[0] == "-->":
            escaped = doubly = False
        elif found["close"] and not doubly:
            return found.start()
        elif found["close"]:
            doubly = False
        elif escaped:
            doubly = True
    return len(html)


def _after(html: str, text: str, position: int) -> int:
    found = html.find(text, position)
    return found + len(text) if found >= 0 else len(html)


def _name(html: str, position: int) -> str:
    found = _NAME.match(html, position)
    return found[0].lower() if found else ""


def _hashes(policies: Sequence[str]) -> set[str]:
    """The hashes by which policies allow scripts, in Base64 as Python writes it."""
    return {
        found[1].replace("-", "+").replace("_", "/")
        for policy in policies
        for found in re.finditer(r"'sha(?:256|384|512)-([A-Za-z0-9+/_=-]+)'", policy)
    }
