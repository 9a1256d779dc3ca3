"""Logging in by a recorded trace on a live server with tokens and sessions: real command, real Chromium."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from jostle.recording.file import Recording
from tests.browser.live import Answer, Request, Site, site_served
from tests.cli.commands import command

pytestmark = pytest.mark.browser

SCRIPT = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    page = playwright.chromium.launch().new_page()
    page.goto("URL")
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Members").wait_for()
"""


class Club:
    """Members only. Each form has a token that is good once, for the session that it was made for."""

    def __init__(self, site: Site) -> None:
        self.password = "secret"
        self.refusal = 200
        self._tokens: dict[str, str] = {}
        self._members: set[str] = set()
        self.url = site.serve(
            {"/": self._home, "/login": self._login, "/news": self._news, "/favicon.ico": "", "/stay": self._login}
        )
        self.seen: list[str] = []

    def _session(self, request: Request) -> str:
        cookies = dict(each.strip().split("=", 1) for each in (request.headers.get("Cookie") or "").split(";") if each)
        return cookies.get("session", "")

    def _home(self, request: Request) -> Answer:
        if self._session(request) not in self._members:
            return 303, {"Location": "/login?next=/"}, ""
        self.seen.append(self._session(request))
        return "<!doctype html><title>Members</title><h1>Members</h1><a href=/news>News</a>"

    def _news(self, request: Request) -> Answer:
        return "<!doctype html><title>News</title>" if self._session(request) in self._members else (403, {}, "No")

    def _login(self, request: Request) -> Answer:
        if request.command == "POST":
            sent = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
            if sent.get("csrf") != self._tokens.pop(self._session(request), None):
                return 403, {"Content-Type": "text/html"}, "<title>Forbidden</title>The token is wrong."
            if (sent.get("name"), sent.get("password")) == ("ada", self.password):
                session = secrets.token_hex(8)
                self._members.add(session)
                cookie = f"session={session}; Path=/; HttpOnly; SameSite=Lax"
                return 303, {"Location": "/", "Set-Cookie": cookie}, ""
            return self._form("Wrong name or password.", self.refusal)
        return self._form("", 200)

    def _form(self, said: str, status: int) -> Answer:
        session, token = secrets.token_hex(8), secrets.token_hex(16)
        self._tokens[session] = token
        headers = {"Set-Cookie": f"session={session}; Path=/; HttpOnly", "Content-Type": "text/html"}
        return (
            status,
            headers,
            f"""<!doctype html><title>Log in</title><p>{said}</p><form method=post action=/login>
        <input type=hidden name=csrf value={token}><label>Name <input name=name></label>
        <label>Password <input name=password type=password></label><button>Log in</button></form>""",
        )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Club, Path]]:
    """The club, and a directory with a recording of how to get in."""
    directory = tmp_path_factory.mktemp("recorded")
    with site_served() as site:
        club = Club(site)
        (directory / "log_in.py").write_text(SCRIPT.replace("URL", club.url))
        words = ("--script", "log_in.py", "--no-redact", "-o", "login.jostle")
        done = command("record", club.url, *words, cwd=directory)
        assert done.returncode == 0, done.stderr
        (directory / "jostle.toml").write_text('[login]\ntrace = "login.jostle"\n')
        yield club, directory


@pytest.fixture
def club(recorded: tuple[Club, Path], tmp_path: Path) -> Club:
    club, directory = recorded
    for name in ("log_in.py", "login.jostle", "jostle.toml"):
        shutil.copy(directory / name, tmp_path)
    club.seen.clear()
    club.password, club.refusal = "secret", 200
    return club


def test_tokens_cookies_and_redirects(club: Club, tmp_path: Path) -> None:
    done = command("explore", club.url, "--events", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Logging in ..." in done.stderr
    assert club.seen  # as a member, in a session of its own
    walked = command("record", f"{club.url}news", "--walk", "1", "-o", "news.jostle", cwd=tmp_path)
    assert walked.returncode == 0, walked.stderr
    assert "News" in "".join(Recording.read(tmp_path / "news.jostle").snapshots.values())


@pytest.mark.parametrize(
    ("refusal", "why"), [(200, "still asks for the password"), (401, "was answered with status 401")]
)
def test_a_password_that_has_changed_is_told(club: Club, refusal: int, why: str, tmp_path: Path) -> None:
    club.password, club.refusal = "other", refusal
    done = command("check", club.url, "--budget", "30s", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert f"Error: Logging in by login.jostle failed: {club.url}login {why}." in done.stderr
    assert "record it again" in done.stderr
    assert "secret" not in done.stderr


def test_another_host_gets_no_cookies(club: Club, tmp_path: Path) -> None:
    done = command("explore", club.url.replace("127.0.0.1", "localhost"), "--events", "2", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "left no cookies and no local storage for localhost" in done.stderr


@pytest.mark.long
def test_a_redacted_recording_has_no_password(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOSTLE_PASSWORD", raising=False)
    (tmp_path / "jostle.toml").rename(tmp_path / "later.toml")
    done = command("record", club.url, "--script", "log_in.py", "-o", "login.jostle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "later.toml").rename(tmp_path / "jostle.toml")
    done = command("explore", club.url, "--events", "2", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "the password is not in login.jostle" in done.stderr
    monkeypatch.setenv("JOSTLE_PASSWORD", club.password)
    club.seen.clear()
    done = command("explore", club.url, "--events", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert club.seen
