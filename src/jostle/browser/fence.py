"""Parse fences: places where the HTML parser of a page is made to wait.

A fence is a blocking script that removes itself. While its answer is held the parser stands exactly there, and the page
takes input as ever. The answer is made up by the gate and never asked of the server.
"""

from __future__ import annotations

import html as entities
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jostle.addresses import split_url

Header = tuple[str, str]


class Pauses(NamedTuple):
    """Where the parser of a document is to wait: offsets into its markup. A place that will not do is moved to the next
    that will."""

    long: Sequence[int] = ()
    brief: Sequence[int] = ()
    """Only for a moment (see `ParseDetail.brief`)."""


class InlineScript(NamedTuple):
    """A script that stands in the markup."""

    end: int
    """Offset behind it."""
    type: str
    code: bytes


Fences = Callable[[str, bytes], Pauses]
"""Given the address and the markup of a document, where its parser is to wait."""

PATH = "/__jostle_fence__/"
_BRIEF = "/brief"
SCRIPT = b"document.currentScript.remove()"

_POLICIES = ("content-security-policy", "content-security-policy-report-only")
_TOKEN = re.compile(
    rb"<!--(?:>|->|.*?(?:--!?>|\Z))"
    rb"|<[!?][^>]*>"
    rb"|<(?P<close>/?)(?P<name>[a-zA-Z][^\s/>]*)(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*'){0,5000})>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"([^\s=\"'>/]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_TEXT_ONLY = {b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes", b"noscript"}
_HEAD = {b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta", b"template"} | _TEXT_ONLY
_CELLS = {b"td", b"th", b"caption"}
_ROWS = {b"tr", b"tbody", b"thead", b"tfoot", b"col", b"colgroup"}
_STRANGE = {b"template", b"svg", b"math", b"select", b"object"}
"""Inside of these a script does not run, or changes what is around it."""
_LAST = {b"frameset", b"plaintext"}
_EATS_NEWLINE = {b"pre", b"listing"}


def safe_points(html: bytes) -> list[int]:
    """Where a fence may stand: right behind a tag of the body, where a script belongs and disturbs nothing."""
    return [point for point, _, _ in _places(html)]


def after_elements(html: bytes, *names: str) -> list[int]:
    """The safe points right behind the end of every element of these names."""
    wanted = {name.lower().encode() for name in names}
    return [point for point, name, closing in _places(html) if name in wanted and closing]


def last_content(html: bytes) -> int:
    """The last safe point with an element that begins before it, or a script that ends."""
    return max((point for point, name, closing in _places(html) if name == b"script" or not closing), default=0)


def inline_scripts(html: bytes) -> Iterator[InlineScript]:
    """The scripts that stand in the markup itself."""
    at, attributes, code = 0, None, b""
    for token in _tokens(html):
        at += len(token) if isinstance(token, bytes) else token.end() - token.start()
        if isinstance(token, bytes):
            code = token
        elif (token["name"] or b"").lower() == b"script":
            if not token["close"]:
                attributes, code = _attributes(token["attributes"]), b""
            elif attributes is not None:
                if "src" not in attributes:
                    yield InlineScript(at, attributes.get("type", "").strip().lower(), code)
                attributes = None


def with_fences(
    url: str, html: bytes, headers: Sequence[Header], pauses: Pauses, *, nonce: str = "jostle"
) -> tuple[bytes, tuple[Header, ...]]:
    """The document with a fence at each pause, and the headers that let fences load whatever its security policy.

    Where nothing can be put (no body, not in an encoding that contains ASCII) the document stays as it is.
    """
    kept = tuple(headers)
    content_type = next((value for name, value in headers if name.lower() == "content-type"), "").lower()
    if "utf-16" in content_type or html.startswith((b"\xff\xfe", b"\xfe\xff")):
        return html, kept
    safe = safe_points(html)
    long = _moved(pauses.long, safe)
    points = sorted(long | _moved(pauses.brief, safe))
    if not points:
        return html, kept
    origin = "{0.scheme}://{0.netloc}".format(split_url(url))
    source = f"{origin}{PATH}"
    pieces, last = [], 0
    for number, point in enumerate(points, 1):
        name = f"{number}" if point in long else f"{number}{_BRIEF}"
        fence = f'<script src="{entities.escape(source)}{name}" nonce="{nonce}"></script>'
        pieces += [_allowed_in_markup(html[last:point], source, nonce), fence.encode("ascii", "xmlcharrefreplace")]
        last = point
    pieces.append(html[last:])
    return b"".join(pieces), tuple(
        (name, ", ".join(allowed(policy, source, nonce) for policy in value.split(",")))
        if name.lower() in _POLICIES
        else (name, value)
        for name, value in headers
    )


def number_of(url: str) -> int:
    """Which fence of its document an address stands for; 0 when it is no fence's."""
    path = split_url(url).path
    number = path.removeprefix(PATH).removesuffix(_BRIEF)
    return int(number) if path.startswith(PATH) and number.isdigit() else 0


def is_brief(url: str) -> bool:
    """Whether the parser waits only for a moment at the fence of this address."""
    return split_url(url).path.endswith(_BRIEF)


def allowed(policy: str, source: str, nonce: str) -> str:
    """The security policy, amended so that our script loads; what it says of the page's own scripts stays the same."""
    directives = [directive.split() for directive in policy.split(";") if directive.strip()]
    by_name: dict[str, list[str]] = {}
    for name, *values in directives:
        by_name.setdefault(name.lower(), values)  # only the first of a name counts
    effective = next((name for name in ("script-src-elem", "script-src", "default-src") if name in by_name), None)
    if effective is None:
        return policy
    values = [value for value in by_name[effective] if value.lower() != "'none'"]
    # Where nonces or hashes count already, addresses may not; elsewhere a nonce would turn off 'unsafe-inline'.
    strict = any(re.match(r"'(nonce-|sha\d|strict-dynamic')", value, re.IGNORECASE) for value in values)
    amended = [*values, f"'nonce-{nonce}'" if strict else source]
    name = "script-src" if effective == "default-src" else effective
    rest = [directive for directive in directives if directive[0].lower() != name]
    return "; ".join(" ".join(directive) for directive in [*rest, [name, *amended]])


def _moved(offsets: Sequence[int], points: Sequence[int]) -> set[int]:
    """Each offset at the next safe point; those behind the last are dropped."""
    return {points[place] for offset in offsets if (place := bisect_left(points, offset)) < len(points)}


def _allowed_in_markup(html: bytes, source: str, nonce: str) -> bytes:
    def amended(tag: re.Match[bytes]) -> bytes:
        if (tag["name"] or b"").lower() != b"meta" or tag["close"]:
            return tag[0]
        attributes = _attributes(tag["attributes"])
        if attributes.get("http-equiv", "").lower() not in _POLICIES:
            return tag[0]
        policy = entities.escape(allowed(attributes.get("content", ""), source, nonce))
        equivalent = entities.escape(attributes["http-equiv"])
        return f'<meta http-equiv="{equivalent}" content="{policy}">'.encode("utf-8", "surrogateescape")

    return b"".join(amended(token) if isinstance(token, re.Match) else token for token in _tokens(html))


def _attributes(text: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        name = match[1].decode("utf-8", "surrogateescape").lower()
        value = next((value for value in match.groups()[1:] if value is not None), b"")
        found.setdefault(name, entities.unescape(value.decode("utf-8", "surrogateescape")))
    return found


def _tokens(html: bytes) -> Iterator[re.Match[bytes] | bytes]:
    """Tags, comments and the like as matches, text as it is; together they are the whole."""
    at = 0
    while match := _TOKEN.search(html, at):
        if match.start() > at:
            yield html[at : match.start()]
        yield match
        at = match.end()
        name = (match["name"] or b"").lower()
        if match["close"]:
            continue
        if name == b"plaintext":
            break
        if name in _TEXT_ONLY:
            end = re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(html, at)
            stop = end.start() if end else len(html)
            if stop > at:
                yield html[at:stop]
            at = stop
    if at < len(html):
        yield html[at:]


def _places(html: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Every safe point, with the name of the tag before it and whether that closes an element."""
    in_body = False
    inside: list[bytes] = []  # of the elements that are open, those that matter
    text_only = b""
    at = 0
    for token in _tokens(html):
        at += len(token) if isinstance(token, bytes) else token.end() - token.start()
        if isinstance(token, bytes):
            in_body = in_body or (not text_only and bool(token.strip()) and not inside)
            continue
        name, closing = (token["name"] or b"").lower(), bool(token["close"])
        if not name:
            continue
        if name in _LAST or (closing and name in (b"body", b"html")):
            return
        if not closing:
            in_body = in_body or (name not in _HEAD and not inside)
        text_only = name if name in _TEXT_ONLY and not closing else b""
        _follow(inside, name, closing, token["attributes"].endswith(b"/"))
        strange = any(each in _STRANGE for each in inside)
        structure = bool(inside) and inside[-1] == b"table"
        if in_body and not (text_only or strange or structure or (name in _EATS_NEWLINE and not closing)):
            yield at, name, closing


def _follow(inside: list[bytes], name: bytes, closing: bool, self_closing: bool) -> None:
    """Keep account of the tables, cells and strange elements that are open."""
    if closing:
        if name in inside:
            while inside.pop() != name:
                pass
        return
    if name in _CELLS or name in _ROWS:
        while inside and inside[-1] in _CELLS:
            inside.pop()
        if name in _CELLS and inside and inside[-1] == b"table":
            inside.append(name)
    elif name == b"table" or (name in _STRANGE and not (self_closing and name in (b"svg", b"math"))):
        inside.append(name)
