from __future__ import annotations

import base64
import html
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import (
    Effect,
    Field,
    FormWrite,
    Kind,
    PageError,
    Request,
    State,
    Step,
    StorageWrite,
    Trace,
    UserAction,
    event_of,
)
from jostle.recording.exchange import Conversation, Exchange, Happening, Message
from jostle.recording.file import Manifest, Recording
from jostle.recording.matching import Matcher
from jostle.recording.redaction import redact
from tests.recording.recordings import search_page

URL = "http://a.test/"
HTML = (("content-type", "text/html"),)
JSON = (("content-type", "application/json"),)
FORM = (("content-type", "application/x-www-form-urlencoded"),)


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def log_in(password: str, token: str, session: str) -> Recording:
    """A log-in: the page has a CSRF token, the user types the password, both are sent, a session cookie comes back."""
    opened = event_of(kind=Kind.LIFECYCLE, what=f"open {URL}")
    typed = event_of(
        kind=Kind.USER,
        what=f"type {json.dumps(password)} into password field",
        detail={"value": password, "secret": True},
    )
    click = event_of(kind=Kind.USER, what='click button "Log in"')
    answer = event_of(kind=Kind.NETWORK, what="POST /login", creator=click.key)
    later = event_of(kind=Kind.TIMER, what=f"timeout 100 after {session}", creator=answer.key)
    last = event_of(kind=Kind.TIMER, what="timeout 5", creator=later.key)
    recording = Recording(Manifest(url=f"{URL}?token={quote(token)}", options={"password": password, "note": session}))
    escaped = html.escape(token)
    page = f'<meta name="csrf-token" content="{escaped}"><input type=hidden name=_token value="{escaped}">'
    script = f"// built for {session}\nlet token = document.querySelector('meta').content;"
    reply = json.dumps({"access_token": session, "echo": password})
    body = f"user=ann&password={quote_plus(password)}&_token={quote_plus(token)}"
    recording.exchanges = [
        Exchange(order=1, method="GET", url=URL, status=200, headers=HTML, body=recording.add_body(page.encode())),
        Exchange(order=2, method="GET", url=f"{URL}a.js", status=200, body=recording.add_body(script.encode())),
        Exchange(
            order=3,
            method="POST",
            url=f"{URL}login",
            request_headers=(*FORM, ("X-CSRF-Token", token), ("Cookie", f"theme=dark; sid={quote(session)}")),
            request_body=body.encode(),
            status=200,
            headers=(
                *JSON,
                ("Set-Cookie", f"sid={quote(session)}; Path=/; HttpOnly"),
                ("content-length", str(len(reply))),
            ),
            body=recording.add_body(reply.encode()),
            event=answer.key,
        ),
        Exchange(
            order=4,
            method="POST",
            url=f"{URL}api?access_token={quote(session, safe='')}",
            request_headers=(
                *JSON,
                ("Authorization", "Basic " + base64.b64encode(f"ann:{password}".encode()).decode()),
            ),
            request_body=json.dumps({"auth": {"password": password}, "x": 1}).encode(),
            status=200,
        ),
        Exchange(
            order=5, method="GET", url=URL, request_headers=(("authorization", f"Bearer {session}"),), error=session
        ),
    ]
    recording.conversations = [
        Conversation(
            order=1,
            kind="websocket",
            url=f"ws://a.test/?token={quote(token)}",
            messages=(
                Message(what=Happening.SENT, text=json.dumps({"token": session}), event=answer.key),
                Message(what=Happening.RECEIVED, data=b"\x00" + session.encode()),
            ),
        )
    ]
    field = f'input type="password" value={json.dumps(password, ensure_ascii=False)}'
    stored = f" cookie theme=dark\n cookie sid={session}\n localStorage auth_token = {token}"
    snapshot = f"html\n  {field}\n  p\n    {html.escape(session)}\n{stored}"
    recording.snapshots = {digest(snapshot): snapshot, digest("html"): "html"}
    recording.trace = Trace(
        initial=(opened,),
        steps=(
            Step(event=opened, state=State(digest("html"), URL)),
            Step(
                event=typed,
                effect=Effect(form_writes=(FormWrite('password field "Again"', password),)),
                state=State(digest(snapshot), f"{URL}#token={token}", session),
            ),
            Step(event=click, effect=Effect(created=(answer,), requests=(Request("POST", f"{URL}login", body),))),
            Step(
                event=answer,
                effect=Effect(
                    created=(later,),
                    errors=(PageError("exception", f"bad {session}", stack=(f"at {session}",)),),
                    storage_writes=(
                        StorageWrite("cookie", "sid", session),
                        StorageWrite("localStorage", "auth_token", token),
                        StorageWrite("localStorage", "user", json.dumps({"token": token})),
                    ),
                ),
            ),
            Step(event=later, effect=Effect(created=(last,))),
            Step(event=last, effect=Effect(removed=(later.key, answer.key))),
        ),
    )
    return recording


def all_bytes(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return b"\0".join(name.encode() + b"\0" + archive.read(name) for name in archive.namelist())


def decoded_everything(recording: Recording) -> bytes:
    requests = (each.request_body for each in recording.exchanges)
    binary = (message.data or b"" for each in recording.conversations for message in each.messages)
    return b"\0".join([*requests, *binary])


secret = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=8, max_size=24).map(
    lambda text: "§1" + text.strip()
)


@given(secret, secret, secret)
@settings(max_examples=100, deadline=None)
def test_no_secret_is_left_anywhere_in_the_file(
    tmp_path_factory: pytest.TempPathFactory, password: str, token: str, session: str
) -> None:
    path = tmp_path_factory.mktemp("r") / "r.jostle"
    original = log_in(password, token, session)
    redact(original, digest=digest).write(path)
    content = all_bytes(path) + decoded_everything(Recording.read(path))
    for each in (password, token, session):
        for form in (each, quote(each, safe=""), json.dumps(each)[1:-1], html.escape(each)):
            assert form.encode() not in content, form
    assert base64.b64encode(f"ann:{password}".encode()) not in content
    names = {each.event.key for each in original.trace.steps if each.event.what.startswith("type")}
    assert not any(name.encode() in content for name in names), "a key is a hash of the typed text"
    assert digest(next(text for text in original.snapshots.values() if text != "html")).encode() not in content


def test_what_a_log_in_looks_like_afterwards() -> None:
    new = redact(log_in("hunter2!", "tok-123456", "s3ss10n-id"), digest=digest)
    assert new.manifest.redacted
    post = new.exchanges[2]
    fields = dict(pair.split("=") for pair in post.request_body.decode().split("&"))
    token = dict(post.request_headers)["X-CSRF-Token"]
    assert fields["user"] == "ann"
    assert fields["_token"] == token
    assert f'content="{token}"'.encode() in new.body_of(new.exchanges[0])
    assert new.trace.steps[1].event.action == UserAction(value=fields["password"], secret=True)
    assert new.trace.steps[1].event.what == f'type "{fields["password"]}" into password field'
    reply = json.loads(new.body_of(post))
    assert reply["echo"] == fields["password"]
    assert post.header("content-length") == str(len(new.body_of(post)))
    assert post.header("set-cookie") == f"sid={reply['access_token']}; Path=/; HttpOnly"
    assert dict(new.exchanges[4].request_headers)["authorization"] == f"Bearer {reply['access_token']}"
    assert b"let token = document.querySelector('meta').content;" in new.body_of(new.exchanges[1])


def test_events_still_know_each_other() -> None:
    new = redact(log_in("hunter2!", "tok-123456", "s3ss10n-id"))
    *_, answer, later, last = (step.event for step in new.trace.steps)
    assert "s3ss10n-id" not in later.what
    assert later.creator == answer.key
    assert last.creator == later.key
    assert new.trace.steps[-2].effect.created == (last,)
    assert new.trace.steps[-1].effect.removed == (later.key, answer.key)
    assert new.exchanges[2].event == answer.key


def test_states_keep_comparing() -> None:
    new = redact(log_in("hunter2!", "tok-123456", "s3ss10n-id"), digest=digest)
    assert all(digest(text) == name for name, text in new.snapshots.items())
    assert {step.state.digest for step in new.trace.steps if step.state} == set(new.snapshots)
    without = redact(log_in("hunter2!", "tok-123456", "s3ss10n-id"))
    assert {step.state.digest for step in without.trace.steps if step.state} == set(without.snapshots)


def test_a_page_that_sends_the_placeholders_gets_the_recorded_answer() -> None:
    new = redact(log_in("hunter2!", "tok-123456", "s3ss10n-id"))
    post = new.exchanges[2]
    assert Matcher(new.exchanges).take("POST", post.url, post.request_body).answer == post


def test_placeholders_differ_from_file_to_file() -> None:
    one, two = (redact(log_in("hunter2!", "tok-123456", "s3ss10n-id")) for _ in range(2))
    assert one.trace.steps[1].event.action.value != two.trace.steps[1].event.action.value


def test_ordinary_words_are_replaced_only_in_their_fields() -> None:
    new = redact(log_in("password", "tok-123456", "s3ss10n-id"))
    assert "into password field" in new.trace.steps[1].event.what
    assert str(new.trace.steps[1].event.action.value).startswith("redacted")
    assert b"password=redacted" in new.exchanges[2].request_body
    assert any("too ordinary" in limit for limit in new.manifest.limits)
    cookies = dict(new.exchanges[2].request_headers)["Cookie"]
    assert cookies.startswith("theme=redacted")
    assert any(" cookie theme=redacted" in text for text in new.snapshots.values())


def test_text_filled_into_a_password_field_of_any_name() -> None:
    recording = search_page()
    typed = event_of(
        kind=Kind.USER, what='fill "geheim" in Kennwort', detail={"value": "geheim", "field": {"type": "password"}}
    )
    recording.trace = Trace(steps=(Step(event=typed),))
    event = redact(recording).trace.steps[0].event
    assert "geheim" not in event.what
    assert event.action.value and event.action.value in event.what
    assert event.action.field == Field(type="password")


def test_a_field_that_speaks_of_a_password() -> None:
    recording = search_page()
    box = {"words": 'textbox "Your password"'}
    typed, pressed = (
        event_of(Kind.USER, what, detail={"action": action, "value": value, "locator": box})
        for what, action, value in (
            ('type "geheim" in textbox "Your password"', "type", "geheim"),
            ('press Enter in textbox "Your password"', "press", "Enter"),
        )
    )
    recording.trace = Trace(steps=(Step(event=typed), Step(event=pressed)))
    one, two = redact(recording).trace.events
    assert "geheim" not in one.what and one.action.value and one.action.value in one.what
    assert (two.what, two.action.value) == (pressed.what, "Enter")


def test_names_and_values_of_the_user() -> None:
    recording = search_page()
    new = redact(recording, names=["q"], values=["shop.test"])
    assert "shop.test" not in new.manifest.url
    assert "q=redacted" in new.exchanges[1].url
    assert redact(recording).exchanges[1].url == recording.exchanges[1].url


def test_nothing_secret_nothing_changed() -> None:
    recording = search_page()
    recording.exchanges[0] = Exchange(order=1, method="GET", url="http://u:pw123456@shop.test/", status=200)
    new = redact(recording)
    assert new.trace == recording.trace
    assert new.trace.schedule == recording.trace.schedule
    assert new.snapshots == recording.snapshots
    assert new.bodies == recording.bodies
    assert new.exchanges[0].url.startswith("http://u:redacted")
    assert new.exchanges[1:] == recording.exchanges[1:]


@pytest.mark.parametrize(
    ("content_type", "body", "kept"),
    [
        ("application/json", b'{"pin": 123456, "n": 123456}', b'"n": '),
        ("application/json", rb'{"state": "{\"token\":\"zq-918273\"}"}', b'{"state": "{'),
        ("application/x-www-form-urlencoded", b"user%5Bpassword%5D=zq-918273&a=b", b"&a=b"),
        (
            "multipart/form-data",
            b'--X\r\nContent-Disposition: form-data; name="password"\r\n\r\nzq-918273\r\n--X--',
            b"--X--",
        ),
        ("text/plain", b"see http://ann:zq-918273@a.test/#access_token=zq-918273&b=1", b"&b=1"),
    ],
)
def test_fields_of_a_request(content_type: str, body: bytes, kept: bytes) -> None:
    headers = (("content-type", content_type),)
    recording = Recording(Manifest(url=URL))
    recording.exchanges = [Exchange(order=1, method="POST", url=URL, request_headers=headers, request_body=body)]
    new = redact(recording).exchanges[0].request_body
    assert b"zq-918273" not in new
    assert b"123456" not in new
    assert b"redacted" in new
    assert kept in new
    if content_type == "application/json":
        json.loads(new)


def test_prose_and_code_in_answers_are_left() -> None:
    recording = Recording(Manifest(url=URL))
    page = (
        b'<script>a=b?token=f(1):0; t = {"password": "Enter your password", "token": "token"}</script><p>password</p>'
    )
    body = recording.add_body(page)
    recording.exchanges = [Exchange(order=1, method="GET", url=URL, status=200, headers=HTML, body=body)]
    assert redact(recording).bodies == {body: page}
