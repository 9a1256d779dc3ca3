"""Takes the secrets out of whatever is written, so that it can be given away, and recordings still replay.

What counts as a secret:

| where                                  | what                                                                        |
|----------------------------------------|-----------------------------------------------------------------------------|
| headers                                | `Authorization`, `Cookie`, `Set-Cookie`, keys and tokens (`X-Api-Key` ...)  |
| query, forms, JSON, multipart, XML     | fields named like a password, token, key or session; what JSON has below    |
| JSON and HTML answers                  | the same fields; values of password inputs; `<meta name="csrf-token">`      |
| the user's events                      | text typed into a password field                                            |
| storage                                | cookies; other entries named like the fields above                          |
| addresses                              | `user:password@`                                                            |
| anywhere                               | JSON web tokens, keys of well-known services, private keys, `Bearer ...`,   |
|                                        | "your API key is ..."; what the configuration names                         |

Each secret is replaced by a placeholder of letters and digits, the same wherever it appears, so that a token the page
was given still equals the one it sends. Secrets are also replaced wherever else their text appears (as it is, percent,
JSON, HTML or base64 encoded), unless they are too short or too ordinary a word for that; those left are named in the
manifest's `limits`. The placeholder is a hash keyed with random bytes that are kept nowhere, so it gives nothing away.
Of a JSON web token only the signature is replaced: pages read what it claims. What jostle itself makes up is no secret.

A user's event marks a typed secret by `UserAction.secret` or by the type of its field; without these, it is recognised
by what it is typed into, in words that speak of a password.
"""

from __future__ import annotations

import base64
import binascii
import functools
import html
import json
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2s
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from urllib.parse import quote, quote_plus, unquote

import msgspec

from jostle.events import Effect, Event, Step, StorageWrite, Trace
from jostle.events.volatile import plain_name, volatile_value
from jostle.events.wire import from_plain, to_plain
from jostle.recording.exchange import Conversation, Exchange, Header
from jostle.recording.file import Manifest, Recording
from jostle.recording.json_fields import json_parts, with_graphql_secrets, with_json_secrets
from jostle.recording.known_texts import KnownTexts
from jostle.recording.secret_fields import (
    JSON_IN_JSON,
    JSON_LIKE,
    QUERY,
    XML_ATTRIBUTE,
    XML_ELEMENT,
    Field,
    multipart_fields,
    replaced,
    tag_fields,
)
from jostle.secret_look import MADE_UP, TOKEN, TOLD

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")

_SECRET_NAME = re.compile(
    r"passw|passphrase|passcode|^pass$|pwd|secret|csrf|xsrf|token|nonce|apikey|accesskey|privatekey|credential|"
    r"^auth$|authorization|sessionid|^session$|sessid|^sid$|^otp$|^pin$|cvc|cvv|cardnumber|signature|^sig$|viewstate"
)
_NO_SECRET_NAME = re.compile(
    r"(page|next|prev|previous|continuation|sync|cursor)(page)?token|tokens?(type|count|limit)|maxtokens|expires|"
    r"csrf(name|header|param)|tokenname"
)
_PASSWORD = re.compile(r"pass\s?-?(?:word|wd|phrase|code)|\bpwd\b|\bpin\b|type=\"?password", re.IGNORECASE)
_SECRET_HEADERS = frozenset(("authorization", "proxyauthorization", "xauth", "xamzsecuritytoken"))
_INVENTED = frozenset({"Passw0rd!"})
"""What jostle itself types into password fields: a generated test needs it."""
_ASSIGNED = re.compile(
    r"(?<![\w$-])(?P<name>[\w$-]{2,80})[\"']?\s{0,5}[:=,]\s{0,5}(?P<quote>[\"'`])(?P<value>[^\"'`\s\\<>]{4,400})(?P=quote)"
)
"""In code: `secretKey = "..."`, `setItem("auth_token", "...")`."""
_COOKIE_SET = re.compile(r"\bcookie\s{0,5}=\s{0,5}[\"'`](?P<name>[^=;\"'`\s]{1,80})=(?P<value>[^;\"'`\s\\<>$]{4,400})")
"""In code: `document.cookie = "name=...`."""
_SPACE = re.compile(r"\s")
_NO_VALUES = frozenset(("true", "false", "null", "*"))
_GUARDED = re.compile(r"\s{0,100}[{\[)]")
_ORDINARY = frozenset(
    re.findall(
        r"\w+",
        "admin button default demo disabled enabled example false field guest hidden input label login name none null "
        "password passwd placeholder public root secret session string submit test text token true undefined user "
        "username value",
    )
)
_SHORTEST_EVERYWHERE = 4
_SHORTEST_BY_LOOK = 12
_SHORTEST_NUMBER_EVERYWHERE = 6
_BEFORE_NUMBER, _AFTER_NUMBER = re.compile(r"[:\[,]\s{0,20}\Z"), re.compile(r"\s{0,20}[,\]}]")
_PLACEHOLDER = re.compile(r"redacted[0-9a-f]{12}")
_LONGEST_NAME = 200
_LONGEST_EVERYWHERE = 65_536
"""Characters of a secret that is looked for elsewhere, too."""
_LABEL = re.compile(r"[^\W\d]+(?:[ '’-][^\W\d]+)+[.!?:…*]{0,3}")

_NO_CODE = re.compile(r"[\w.~%+/=:@!*-]+")
_STORED = re.compile(
    r"^(?P<before> *(?:cookie (?P<cookie>[^=\n]*)=|(?:local|session)Storage (?P<key>.*?) = ))(?P<value>[^\n]+)$",
    re.MULTILINE,
)
_USER_INFO = re.compile(r"(?<=://)(?P<user>[^\s/@:\"'<>]{0,200}):(?P<value>[^\s/@\"'<>]{1,200})(?=@)")


def _alone(method: Callable[Concatenate[Secrets, P], R]) -> Callable[Concatenate[Secrets, P], R]:
    """One thread at a time: what the application prints is cleaned beside the run itself."""

    @functools.wraps(method)
    def locked(self: Secrets, /, *arguments: P.args, **named: P.kwargs) -> R:
        with self._lock:
            return method(self, *arguments, **named)

    return locked


def is_placeholder(text: str) -> bool:
    """Whether a text stands for a secret."""
    return _PLACEHOLDER.fullmatch(text) is not None


def redact(
    recording: Recording,
    *,
    names: Iterable[str] = (),
    values: Iterable[str] = (),
    digest: Callable[[str], str] | None = None,
) -> Recording:
    """A copy of the recording without its secrets.

    `names` are further names of fields, headers and storage entries that hold secrets, `values` further secrets.
    `digest` is how the digest of a state is made from its snapshot: given, states keep comparing equal in a replay.
    Without it, states whose snapshot held a secret get a digest that equals no other.
    """
    secrets_known = Secrets(names=names, digest=digest)
    secrets_known.learn(values)
    return secrets_known.recording(recording)


class Secrets:
    """The secrets that were met so far, and what is written in their place: the same in everything that one of these
    has redacted."""

    def __init__(
        self,
        *,
        names: Iterable[str] = (),
        patterns: Iterable[str] = (),
        digest: Callable[[str], str] | None = None,
    ) -> None:
        """`names`: further names of fields, headers and storage entries that hold secrets. `patterns`: regular
        expressions of further secrets; what their first group matches, or all of it."""
        self._names = {plain_name(name) for name in names}
        self._patterns = [re.compile(each) for each in patterns]
        self._digest = digest
        self._salt = secrets.token_bytes(32)
        self._everywhere = KnownTexts()
        """Texts to be replaced wherever they appear: every encoding of every secret worth it."""
        self._left: set[str] = set()
        self._placeholders: set[str] = set()
        self._finding = False
        """Secrets are only looked for, to be replaced later."""
        self._old = Recording(manifest=Manifest(url=""))
        self._keys: dict[str, str] = {}
        self._lock = threading.RLock()

    @_alone
    def learn(self, values: Iterable[str]) -> None:
        """These are secrets, wherever they appear."""
        for value in values:
            self._secret(value, sure=True)

    # What to do with one secret ------------------------------------------------------------------------------------

    def _placeholder(self, secret: str) -> str:
        raw = secret.encode("utf-8", "surrogatepass")
        return f"redacted{blake2s(raw, key=self._salt, digest_size=6).hexdigest()}"

    def _secret(self, value: str, *, sure: bool) -> str:
        """Note a secret and give its placeholder. `sure`: a real secret by its place, not any cookie."""
        if value in self._placeholders or value in _INVENTED:  # two patterns can find one secret
            return value
        if (token := TOKEN.fullmatch(value)) and token["jwt"]:
            return token["jwt"] + self._secret(token["signature"], sure=True)
        placeholder = self._placeholder(value)
        self._placeholders.add(placeholder)
        if not value or value in self._everywhere:
            return placeholder
        worth = sure or len(value) >= 16 or volatile_value(value) is not None
        shortest = _SHORTEST_NUMBER_EVERYWHERE if value.isdigit() else _SHORTEST_EVERYWHERE
        if worth and shortest <= len(value) <= _LONGEST_EVERYWHERE and value.lower() not in _ORDINARY:
            for text in _encodings(value):
                self._everywhere.add(text, placeholder)
        elif sure:
            self._left.add(placeholder)
        return placeholder

    def _named_secret(self, name: str) -> bool:
        if len(name) > _LONGEST_NAME:
            return False
        return _speaks_of_secret(name) or bool(self._names and plain_name(name) in self._names)

    # Texts ---------------------------------------------------------------------------------------------------------

    @_alone
    def text(self, text: str, *, answer: bool = False, kind: str = "") -> str:
        """Any text: secrets in named fields, then secrets found anywhere. Prose and code in an answer are none.
        `kind`: its media type, where that is known."""
        code, whole = answer, False

        def field(found: Field) -> str | None:
            if found.value.lower() in _NO_VALUES:
                return None
            written = text[found.start : found.end]
            if answer and ((code and not _NO_CODE.fullmatch(written)) or found.value.lower() in _ORDINARY):
                return None
            return self._secret(found.value, sure=True)

        def in_json(value: str, message: bool) -> str | None:
            return None if _says_nothing(value, message=message, answer=answer) else self._secret(value, sure=True)

        def in_tag(found: Field) -> str | None:
            plain = found.value.strip()
            return None if _SPACE.search(plain) or plain.lower() in _ORDINARY else self._secret(found.value, sure=True)

        if "://" in text:
            text = _USER_INFO.sub(lambda m: f"{m['user']}:{self._secret(unquote(m['value']), sure=True)}", text)
        if '"' in text and ("{" in text or "[" in text):
            for start, end in reversed(list(json_parts(text, sure="json" in kind))):
                new = with_json_secrets(text[start:end], self._named_secret, in_json, graphql=not answer)
                whole = whole or end - start > len(text) // 2
                text = text[:start] + new + text[end:]
        code = code and not whole
        if "=" in text:
            text = replaced(text, QUERY.fields(text, self._named_secret), field)
        if '"' in text and not whole:
            text = replaced(text, JSON_LIKE.fields(text, self._named_secret), field)
        if "\n--" in text or text.startswith("--"):
            text = replaced(
                text, multipart_fields(text, self._named_secret), lambda each: self._secret(each.value, sure=True)
            )
        if '\\"' in text:
            text = replaced(text, JSON_IN_JSON.fields(text, self._named_secret), field)
        if "<" in text:
            text = replaced(text, tag_fields(text, self._named_secret), in_tag)
            if not answer or "xml" in kind:
                code = False
                text = replaced(text, XML_ELEMENT.fields(text, self._named_secret), field)
                if "xml" in kind or text.startswith("<?xml"):
                    text = replaced(text, XML_ATTRIBUTE.fields(text, self._named_secret), field)
        return self._anywhere(self._by_look(text))

    def _by_look(self, text: str) -> str:
        """Secrets that show what they are, whatever they are called."""
        if len(text) < _SHORTEST_BY_LOOK:
            return text
        text = TOKEN.sub(self._token, text)
        text = TOLD.sub(self._told, text)
        if "'" in text or '"' in text or "`" in text:
            text = _ASSIGNED.sub(self._assigned, text)
            text = _COOKIE_SET.sub(self._cookie_set, text)
        for pattern in self._patterns:
            text = pattern.sub(self._matched, text)
        return text

    def _token(self, found: re.Match[str]) -> str:
        if found["jwt"]:
            return found["jwt"] + self._secret(found["signature"], sure=True)
        if found["bearer"]:
            space = found[0][len(found["bearer"])]
            return f"{found['bearer']}{space}{self._secret(found['credentials'], sure=True)}"
        return self._secret(found[0], sure=True)

    def _told(self, found: re.Match[str]) -> str:
        value = found["value"].rstrip(".!=")
        after = found.string[found.end() : found.end() + 1]
        if not MADE_UP.fullmatch(value) or "redacted" in value or (after and after in "(["):
            return found[0]  # an ordinary word, or code
        start = found.start("value") - found.start()
        return found[0][:start] + self._secret(value, sure=True) + found[0][start + len(value) :]

    def _assigned(self, found: re.Match[str]) -> str:
        configured = plain_name(found["name"]) in self._names
        if not configured and not (self._named_secret(found["name"]) and MADE_UP.fullmatch(found["value"])):
            return found[0]
        start = found.start("value") - found.start()
        return found[0][:start] + self._secret(found["value"], sure=True) + found[0][start + len(found["value"]) :]

    def _cookie_set(self, found: re.Match[str]) -> str:
        placeholder = self._secret(unquote(found["value"]), sure=self._named_secret(found["name"]))
        return found[0][: found.start("value") - found.start()] + placeholder

    def _matched(self, found: re.Match[str]) -> str:
        group = 1 if found.re.groups else 0
        value = found[group]
        if not value:
            return found[0]
        start = found.start(group) - found.start()
        return found[0][:start] + self._secret(unquote(value), sure=True) + found[0][start + len(value) :]

    @_alone
    def told(self, value: T) -> T:
        """Something that is told to people or written down: a struct, a text, a list, as it is but for secrets in its
        texts."""
        if isinstance(value, str):
            return cast("T", self.text(_STORED.sub(self._stored, value) if " " in value else value))
        if isinstance(value, msgspec.Struct):
            changed = {}
            for name in value.__struct_fields__:
                old = getattr(value, name)
                if (new := self.told(old)) is not old and new != old:
                    changed[name] = new
            return msgspec.structs.replace(value, **changed) if changed else value
        if isinstance(value, dict):
            return cast("T", {key: self.told(item) for key, item in value.items()})
        if isinstance(value, tuple | list):
            if hasattr(value, "_fields"):
                return cast("T", type(value)(*map(self.told, value)))
            return cast("T", type(value)(map(self.told, value)))
        return value

    @_alone
    def file(self, name: str, data: bytes) -> bytes:
        """A file of this name. Pictures stay as they are."""
        if name.endswith(".jostle"):
            return self.recording(Recording.from_bytes(data, name)).to_bytes()
        if name.endswith((".png", ".jpg", ".jpeg", ".webp", ".gif")):
            return data
        if name.endswith(".json"):
            self._learn_state(data)
        text = data.decode("utf-8", "surrogateescape")
        return self.text(text).encode("utf-8", "surrogateescape")

    def _learn_state(self, data: bytes) -> None:
        """What a storage state lets in with."""
        try:
            state = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        if isinstance(state, dict):
            self._learn_storage(state.get("cookies"), state.get("origins"))

    def _learn_storage(self, cookies: object, origins: object) -> None:
        for cookie in cookies if isinstance(cookies, list | tuple) else ():
            if isinstance(cookie, dict) and isinstance(value := cookie.get("value"), str):
                self._secret(value, sure=True)
        for each in origins if isinstance(origins, list | tuple) else ():
            for item in each.get("localStorage", ()) if isinstance(each, dict) else ():
                if isinstance(item, dict) and isinstance(value := item.get("value"), str):
                    self._secret(value, sure=self._named_secret(str(item.get("name", ""))))

    @_alone
    def step(self, step: Step) -> Step:
        """One step of a run that is being recorded, without its snapshot."""
        event = self._event(step.event, self._keys.get(step.event.creator, step.event.creator))
        self._keys[step.event.key] = event.key
        created = []
        for each in step.effect.created:
            new = self._event(each, self._keys.get(each.creator, each.creator))
            self._keys[each.key] = new.key
            created.append(new)
        effect = self._effect(step.effect, tuple(created), self._keys)
        return Step(event=event, effect=effect, at=step.at, state=self.told(step.state))

    @_alone
    def exchange(self, exchange: Exchange, body: bytes) -> tuple[Exchange, bytes]:
        """One exchange of a run that is being recorded, with the body of its response."""
        into = Recording(manifest=Manifest(url=""))
        new = self._exchange(exchange, into, self._keys, body)
        return new, into.body_of(new)

    def _anywhere(self, text: str) -> str:
        if self._finding:
            return text
        stay = {m.start(): m.end() for m in _PLACEHOLDER.finditer(text)} if "redacted" in text else {}
        parts: list[str] = []
        end = 0
        for start, known in self._everywhere.found(text, stay):
            placeholder, after = self._everywhere.texts[known], start + len(known)
            if (
                known.isdigit()
                and _BEFORE_NUMBER.search(text[max(0, start - 21) : start])
                and _AFTER_NUMBER.match(text, after)
            ):
                placeholder = f'"{placeholder}"'  # JSON stays JSON
            parts += (text[end:start], placeholder)
            end = after
        return "".join((*parts, text[end:])) if parts else text

    @_alone
    def data(self, data: bytes, content_type: str = "", *, answer: bool = False) -> bytes:
        """A body of any kind. Fields are looked for in text that has fields; the rest is only searched."""
        kind = content_type.lower()
        encoding, errors = _encoding_of(data)
        try:
            text = data.decode(encoding, errors)
        except UnicodeDecodeError:
            encoding, errors = "utf-8", "surrogateescape"
            text = data.decode(encoding, errors)
        has_fields = any(word in kind for word in ("json", "html", "form", "xml", "event-stream", "graphql"))
        mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
        if has_fields or (not answer and "\0" not in text) or (answer and _GUARDED.match(text)):
            if "graphql" in kind and not text.lstrip().startswith('{"'):
                text = with_graphql_secrets(text, self._named_secret, lambda value, _: self._secret(value, sure=True))
            changed = self.text(text, answer=answer, kind="" if "html" in kind else kind)
        else:
            changed = self._anywhere(self._by_look(text))
        return f"{mark}{changed}".encode(encoding, errors)

    @_alone
    def plain(self, value: Any) -> Any:
        """Plain data: every text in it, and every entry with a secret's name."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {
                key: self._below(item) if self._named_secret(str(key)) else self.plain(item)
                for key, item in value.items()
            }
        return [self.plain(item) for item in value] if isinstance(value, list | tuple) else value

    def _below(self, value: Any) -> Any:
        """A value with a secret's name: the texts in it, also in lists."""
        if isinstance(value, list | tuple):
            return [self._below(item) for item in value]
        return self._secret(value, sure=True) if isinstance(value, str) and value else self.plain(value)

    # The parts of a recording --------------------------------------------------------------------------------------

    @_alone
    def recording(self, recording: Recording) -> Recording:
        """A copy without its secrets."""
        self._old = recording
        options = recording.manifest.options
        self._learn_storage(options.get("cookies"), ())
        self._finding = True
        try:
            self._pass()
        finally:
            self._finding = False
        return self._pass()

    def _pass(self) -> Recording:
        old = self._old
        digests: dict[str, str] = {}
        snapshots: dict[str, str] = {}
        for name, text in old.snapshots.items():
            changed = self.text(_STORED.sub(self._stored, text), answer=True)
            if changed != text:
                digests[name] = self._digest(changed) if self._digest else self._placeholder(f"state {name}")
            snapshots[digests.get(name, name)] = changed
        trace, keys = self._trace(digests)
        new = Recording(
            manifest=old.manifest,
            trace=trace,
            conversations=[self._conversation(each, keys) for each in old.conversations],
            snapshots=snapshots,
            screens=dict(old.screens),
        )
        new.exchanges = [self._exchange(each, new, keys, old.body_of(each)) for each in old.exchanges]
        for name in old.bodies.keys() - {each.body for each in old.exchanges}:
            new.add_body(self.data(old.bodies[name], answer=True))
        limits = list(old.manifest.limits)
        if self._left:
            limits.append(
                f"redaction: {len(self._left)} secret(s) too short or too ordinary to be searched for were replaced "
                "only in their own fields"
            )
        new.manifest = msgspec.structs.replace(
            old.manifest,
            url=self.text(old.manifest.url),
            options=self.plain(old.manifest.options),
            limits=tuple(dict.fromkeys(self.text(limit) for limit in limits)),
            redacted=True,
        )
        return new

    def _exchange(self, old: Exchange, into: Recording, keys: dict[str, str], body: bytes) -> Exchange:
        changed = self.data(body, old.header("content-type"), answer=True)
        request_type = next((value for name, value in old.request_headers if name.lower() == "content-type"), "")
        headers = self._headers(old.headers)
        if changed != body:
            headers = tuple(
                (name, str(len(changed)) if name.lower() == "content-length" and value == str(len(body)) else value)
                for name, value in headers
            )
        return msgspec.structs.replace(
            old,
            url=self.text(old.url),
            request_headers=self._headers(old.request_headers),
            request_body=self.data(old.request_body, request_type),
            status_text=self.text(old.status_text),
            headers=headers,
            body=into.add_body(changed),
            error=self.text(old.error),
            event=keys.get(old.event, old.event),
        )

    def _headers(self, headers: Sequence[Header]) -> tuple[Header, ...]:
        return tuple((name, self._header(name, value)) for name, value in headers)

    def _header(self, name: str, value: str) -> str:
        plain = plain_name(name)
        if plain in ("cookie", "setcookie"):
            if "\n" in value:  # how DevTools joins several
                return "\n".join(self._header(name, line) for line in value.split("\n"))
            cookies = value.split(";")
            count = len(cookies) if plain == "cookie" else 1  # what follows in Set-Cookie are attributes
            cookies[:count] = [self._cookie(cookie) for cookie in cookies[:count]]
            return self._anywhere(";".join(cookies))
        if plain in _SECRET_HEADERS:
            scheme, space, credentials = value.strip().partition(" ")
            if not space:
                return self._secret(scheme, sure=True)
            if scheme.lower() == "basic":
                try:
                    password = base64.b64decode(credentials, validate=True).decode("utf-8").partition(":")[2]
                    self._secret(password, sure=True)
                except (binascii.Error, UnicodeDecodeError):
                    pass
            return f"{scheme} {self._secret(credentials.strip(), sure=True)}"
        if self._named_secret(name) and value and not name.lower().startswith("access-control-"):
            return self._secret(value, sure=True)
        return self.text(value)

    def _cookie(self, cookie: str) -> str:
        name, equals, value = cookie.partition("=")
        bare = value.strip().strip('"')
        if not equals or not bare:
            return cookie
        decoded = unquote(bare)
        return f"{name}={self._secret(decoded, sure=self._named_secret(name))}"

    def _conversation(self, old: Conversation, keys: dict[str, str]) -> Conversation:
        return msgspec.structs.replace(
            old,
            url=self.text(old.url),
            protocol=self.text(old.protocol),
            messages=tuple(
                msgspec.structs.replace(
                    message,
                    text=None if message.text is None else self.text(message.text),
                    data=None if message.data is None else self.data(message.data),
                    reason=self.text(message.reason),
                    id=self.text(message.id),
                    event=keys.get(message.event, message.event),
                )
                for message in old.messages
            ),
        )

    def _trace(self, digests: dict[str, str]) -> tuple[Trace, dict[str, str]]:
        """The trace, and the new key of every event whose descriptor (or creator's) has changed."""
        keys: dict[str, str] = {}

        def event(old: Event) -> Event:
            new = self._event(old, keys.get(old.creator, old.creator))
            keys[old.key] = new.key
            return new

        old = self._old.trace
        initial = tuple(event(each) for each in old.initial)
        steps = []
        for step in old.steps:
            happened = event(step.event)
            created = tuple(event(each) for each in step.effect.created)
            state = step.state and msgspec.structs.replace(
                step.state,
                digest=digests.get(step.state.digest, step.state.digest),
                url=self.text(step.state.url),
                title=self.text(step.state.title),
            )
            steps.append(Step(event=happened, effect=self._effect(step.effect, created, keys), at=step.at, state=state))
        return Trace(steps=tuple(steps), initial=initial), keys

    def _event(self, old: Event, creator: str) -> Event:
        what, action = old.what, old.action
        speaks_of_secret = action.enters_text and _PASSWORD.search(action.place)
        if (text := action.value) and (action.is_secret or speaks_of_secret):
            placeholder = self._secret(text, sure=True)
            for quoted in (f'"{text}"', json.dumps(text), json.dumps(text, ensure_ascii=False), repr(text)):
                what = what.replace(quoted, quoted[0] + placeholder + quoted[-1])
            old = old.with_detail(value=placeholder)
        detail = from_plain(self.plain(to_plain(old.detail)), type(old.detail))
        return msgspec.structs.replace(old, what=self.text(what), creator=creator, detail=detail)

    def _effect(self, old: Effect, created: tuple[Event, ...], keys: dict[str, str]) -> Effect:
        rest = msgspec.structs.replace(old, created=(), removed=(), storage_writes=(), form_writes=())
        new = from_plain(self.plain(to_plain(rest)), Effect)
        return msgspec.structs.replace(
            new,
            created=created,
            removed=tuple(keys.get(key, key) for key in old.removed),
            storage_writes=tuple(self._storage(write) for write in old.storage_writes),
            form_writes=tuple(
                msgspec.structs.replace(
                    write,
                    target=self.text(write.target),
                    value=self._secret(write.value, sure=True)
                    if write.value and _PASSWORD.search(write.target)
                    else self.text(write.value),
                )
                for write in old.form_writes
            ),
        )

    def _storage(self, write: StorageWrite) -> StorageWrite:
        if not write.value:
            return write
        return msgspec.structs.replace(write, value=self._entry(write.area == "cookie", write.key, write.value))

    def _stored(self, line: re.Match[str]) -> str:
        """A line of a snapshot that shows an entry of the storage or a cookie."""
        in_cookie = line["cookie"] is not None
        return line["before"] + self._entry(in_cookie, line["cookie"] if in_cookie else line["key"], line["value"])

    def _entry(self, in_cookie: bool, key: str, value: str) -> str:
        sure = self._named_secret(key)
        if in_cookie:
            return self._secret(unquote(value), sure=sure)
        return self._secret(value, sure=True) if sure and not value.startswith(("{", "[")) else self.text(value)


def _encodings(secret: str) -> set[str]:
    """The forms in which a text appears in addresses, forms, JSON, HTML and basic authentication."""
    raw = secret.encode("utf-8", "surrogatepass")
    percent = {quote(raw, safe=safe) for safe in ("", "/", "!'()*~-._", "/!'()*~:@$,+;=")} | {quote_plus(raw)}
    return {
        secret,
        *percent,
        *(re.sub(r"%[0-9A-F]{2}", lambda m: m[0].lower(), text) for text in percent),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1].replace("/", "\\/"),
        html.escape(secret, quote=False),
        html.escape(secret, quote=True),
        html.escape(secret, quote=True).replace("&#x27;", "&#39;"),
        html.escape(secret, quote=False).replace('"', "&quot;"),
        base64.b64encode(raw).decode("ascii"),
        base64.urlsafe_b64encode(raw).decode("ascii").rstrip("="),
    }


@functools.lru_cache(maxsize=16_384)
def _speaks_of_secret(name: str) -> bool:
    plain = plain_name(name)
    return bool(_SECRET_NAME.search(plain) and not _NO_SECRET_NAME.search(plain))


def _says_nothing(value: str, *, message: bool, answer: bool) -> bool:
    """Whether the value of a secret's field in JSON is none: no value, or words for people in a response."""
    lower = value.lower()
    if lower in _NO_VALUES or not value.strip():
        return True
    if not answer:
        return False
    return lower in _ORDINARY or bool(_LABEL.fullmatch(value) and (message or _PASSWORD.search(value)))


def _encoding_of(data: bytes) -> tuple[str, str]:
    """UTF-16 by its mark or its zeros; everything else is read as UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and len(data) % 2 == 0:
        return ("utf-16-le" if data[:1] == b"\xff" else "utf-16-be"), "surrogatepass"
    head = data[:64]
    if len(data) >= 4 and len(data) % 2 == 0:
        if head[1::2].count(0) * 3 >= len(head) and 0 not in head[::2]:
            return "utf-16-le", "surrogatepass"
        if head[::2].count(0) * 3 >= len(head) and 0 not in head[1::2]:
            return "utf-16-be", "surrogatepass"
    return "utf-8", "surrogateescape"
