"""Bodies that hide secrets, and bodies that are made to be slow to search. No secret is known before."""

from __future__ import annotations

import json

import pytest

from jostle.recording.redaction import Secrets
from tests.growing import assert_linear

SECRET = "(Zq8)kL2^mN & b"
JSON = "application/json"
FORM = "multipart/form-data; boundary=X"
XML = "text/xml; charset=utf-8"


@pytest.mark.parametrize("answer", [True, False], ids=["response", "request"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (JSON, json.dumps({"password": SECRET})),
        (JSON, json.dumps({"password": SECRET}, indent=2)),
        (JSON, json.dumps({"password": [SECRET, "x"], "a": 1})),
        (JSON, json.dumps({"tokens": [{"value": SECRET, "label": "ci"}]})),
        (JSON, json.dumps({"token": {"access": SECRET, "type": "bearer"}})),
        (JSON, json.dumps({"credentials": {"user": "ann", "phrase": SECRET}})),
        (JSON, json.dumps({"fields": [{"name": "password", "value": SECRET}]})),
        (JSON, json.dumps([{"value": SECRET, "type": "password"}])),
        (JSON, json.dumps({"message": json.dumps({"user": {"password": SECRET}})})),
        (JSON, json.dumps({"password": SECRET}).replace("password", "p\\u0061ssw\\u006frd")),
        (JSON, ")]}',\n" + json.dumps({"password": SECRET})),
        (JSON, json.dumps({"password": SECRET})[:-1]),
        ("application/x-ndjson", "\n".join(json.dumps({"n": n, "password": SECRET}) for n in range(3))),
        ("text/event-stream", f"event: x\ndata: {json.dumps({'password': SECRET})}\n\n"),
        ("text/plain", json.dumps({"password": SECRET})),
        ("text/html", f'<script type="application/json">{json.dumps({"password": SECRET})}</script>'),
        (XML, f"<login><user>ann</user><password>{SECRET.replace('&', '&amp;')}</password></login>"),
        (XML, f'<e xmlns:w="u"><w:Password Type="t">\n{SECRET.replace("&", "&amp;")}\n</w:Password></e>'),
        (XML, f"<login><password><![CDATA[{SECRET}]]></password></login>"),
        (XML, f'<login user="ann" password="{SECRET.replace("&", "&amp;")}"/>'),
        (FORM, f'--X\r\nContent-Disposition: form-data; name="password"\r\n\r\n{SECRET}\r\n--X--'),
        (FORM, f"--X\r\nContent-Disposition: form-data; name=password\r\n\r\n{SECRET}\r\n--X--"),
        (FORM, f"--X\r\ncontent-type: text/plain\r\ncontent-disposition: form-data; name=pin\r\n\r\n{SECRET}\r\n--X"),
        (FORM, f"--X\nContent-Disposition: form-data; name*=utf-8''p%61ssword\n\n{SECRET}\n--X--\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_a_secret_that_nobody_knew(kind: str, body: str, answer: bool, encoding: str) -> None:
    told = Secrets().data(body.encode(encoding), kind, answer=answer).decode(encoding)
    for form in ("Zq8", "kL2^mN"):
        assert form not in told
    assert "redacted" in told
    if kind == JSON and body[0] in "{[" and body[-1] in "}]":
        assert json.loads(told).keys() == json.loads(body).keys() if body[0] == "{" else json.loads(told)


def test_graphql_with_its_values_inline() -> None:
    query = 'mutation { login(user: "ann", password: "hu(nt \\"er2", pin: 4711) { token } }'
    told = Secrets().data(json.dumps({"query": query}).encode(), JSON).decode()
    assert "hu(nt" not in told and "4711" not in told
    assert '"ann"' in json.loads(told)["query"]
    assert b"hu(nt" not in Secrets().data(query.encode(), "application/graphql")


@pytest.mark.parametrize(
    "body",
    [
        {"errors": {"password": ["is too short", "must hold a digit"]}},
        {"login": {"password": "Enter your password", "token": "token"}},
        {"token": {"type": "bearer", "expires_in": 3600, "user": "ann"}},
        {"syntax": [{"type": "token", "value": "return"}], "nextPageToken": "abc def"},
        {"password": None, "has_token": True, "csrf": "", "a": [1, 2, {"b": "token=" }]},
    ],
)  # fmt: skip
def test_words_for_people_stay_in_responses(body: object) -> None:
    data = json.dumps(body).encode()
    assert Secrets().data(data, JSON, answer=True) == data


def _of_json(text: str) -> bytes:
    return Secrets().data(text.encode(), JSON)


def _of_html(text: str) -> bytes:
    return Secrets().data(text.encode(), "text/html", answer=True)


def _of_form(text: str) -> bytes:
    return Secrets().data(text.encode(), FORM)


def _of_xml(text: str) -> bytes:
    return Secrets().data(text.encode(), XML)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("work", "part"),
    [
        (_of_form, 'Content-Disposition: form-data; name="password"\r\n'),
        (_of_form, '--X\r\nContent-Disposition: form-data; name="password"\r\n'),
        (_of_form, '--X\r\nContent-Disposition: form-data; name="password"\r\n\r\n'),
        (_of_html, "a-"),
        (_of_html, "a = "),
        (_of_html, '<input name="token" value="'),
        (_of_html, "<script>{"),
        (_of_html, '"token":"\\'),
        (_of_html, '\\"token\\":'),
        (_of_html, "data: {\n"),
        (_of_html, "redacted0123456789a"),
        (_of_json, '{"a":'),
        (_of_json, '\\"'),
        (_of_json, '[{"name":"password","value":"x(1"},'),
        (_of_json, '"query":"password: \\"\\"\\"",'),
        (_of_xml, "<password>"),
        (_of_xml, "<password a='"),
        (_of_xml, "<password><![CDATA["),
        (_of_json, "&token=?token=x&&"),
    ],
)
@pytest.mark.parametrize("start", ["", "<input ", "{", '{"query":"'])
def test_time_grows_with_the_text(work: object, part: str, start: str) -> None:
    assert_linear(work, lambda size: start + part * (size // len(part)), 20_000)  # type: ignore[arg-type]


@pytest.mark.timeout(120)
def test_time_grows_with_the_names() -> None:
    assert_linear(_of_json, lambda count: "&".join(f"token{n}=abcdefgh{n}" for n in range(count)), 2000)
    assert_linear(_of_html, lambda count: ",".join(f'"token{n}":"abcdefgh{n}"' for n in range(count)), 2000)


@pytest.mark.timeout(120)
def test_a_long_run_does_not_get_slower_token_by_token() -> None:
    """Each exchange brings a token of its own, and text in which all that are known are sought."""

    def exchanges(count: int) -> None:
        secrets = Secrets()
        for n in range(count):
            secrets.data(b'{"csrf_token": "c%030dx"}' % n + b" some text " * 50, JSON, answer=True)

    assert_linear(exchanges, int, 500)
