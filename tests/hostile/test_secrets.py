"""Secrets that a page plants wherever it can survive in no file, unless somebody asks for them.

A user types one, too. Whatever a command writes is searched for each of them, in every encoding that the secrets had.
"""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jostle.recording.file import Recording
from jostle.recording.redaction import Secrets
from tests.cli.commands import command
from tests.hostile.planted import CONFIGURATION, JWT, SECRETS, planted_site, survivors


@pytest.fixture(scope="module")
def planted() -> Iterator[str]:
    with planted_site() as url:
        yield url


LOG_IN = """
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    page = playwright.chromium.launch().new_page()
    page.goto("URL")
    page.get_by_role("button", name="Load").click()
    page.wait_for_function("document.querySelector('#out').textContent != ''")
    page.get_by_label("Password").fill("PASSWORD")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_load_state()
"""


@pytest.mark.browser
def test_a_recording_holds_no_secret_and_replays(planted: str, tmp_path: Path) -> None:
    (tmp_path / "jostle.toml").write_text(CONFIGURATION)
    script = tmp_path / "log_in.py"
    script.write_text(LOG_IN.replace("URL", planted).replace("PASSWORD", SECRETS["typed"]))
    done = command("record", planted, "--script", "log_in.py", "-o", "made.jostle", "--json", "made.json", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    script.unlink()
    assert survivors(tmp_path) == []
    assert not any(secret in done.stdout + done.stderr for secret in SECRETS.values())
    assert Recording.read(tmp_path / "made.jostle").manifest.redacted
    again = command("replay", "made.jostle", "--out", "again", cwd=tmp_path)
    assert (again.returncode, "reproduced" in again.stdout + again.stderr) == (0, True), again.stderr
    assert survivors(tmp_path) == []


@pytest.mark.browser
@pytest.mark.parametrize(
    "words",
    [
        ("explore", "--events", "12", "--html", "report.html"),
        pytest.param(
            ("check", "--budget", "20s", "--junit", "junit.xml", "--sarif", "out.sarif"), marks=pytest.mark.long
        ),
        pytest.param(("races", "init", "--budget", "15s"), marks=pytest.mark.long),
        pytest.param(("races", "ajax", "--budget", "15s"), marks=pytest.mark.long),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_search_writes_no_secret(
    words: tuple[str, ...], planted: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    known = [secret for name, secret in SECRETS.items() if name != "typed"]  # nobody types it here
    if words[0] == "races":  # which meet few of them: bare words that nobody has met stay, see docs/limits.md
        known = [f"token={secret}" for secret in known]
    prints = tmp_path_factory.mktemp("application") / "app.py"
    prints.write_text(f"import time\nprint(*{known}, 'ready', sep='\\n', flush=True)\ntime.sleep(600)")
    app = f"""[app]\nstart = ["{sys.executable}", "{prints}"]\nready = "ready"\n"""
    (tmp_path / "jostle.toml").write_text(app + CONFIGURATION)
    many = 2 if words[0] == "races" else 1
    done = command(
        *words[:many], f"{planted}?token={SECRETS['query']}", *words[many:], "--json", "out.json", cwd=tmp_path
    )
    assert done.returncode in (0, 1), done.stderr
    if words[0] == "explore":
        assert json.loads((tmp_path / "out.json").read_text())["findings"], "nothing was found: nothing was tested"
    assert survivors(tmp_path) == []
    assert not any(secret in done.stdout + done.stderr for secret in SECRETS.values())
    (run,) = (tmp_path / ".jostle" / "runs").glob("*-*")
    assert run.stat().st_mode & 0o077 == 0
    assert (run / "application.log").read_text().endswith("ready\n")


@pytest.mark.browser
def test_who_asks_for_secrets_gets_them_and_is_told(planted: str, tmp_path: Path) -> None:
    done = command("record", planted, "--walk", "3", "--no-redact", "-o", "walk.jostle", cwd=tmp_path)
    assert "WARNING: --no-redact" in done.stderr
    assert any("cookie in" in each for each in survivors(tmp_path))


def test_twenty_secrets_in_ten_places() -> None:
    """By their look, their names or because they are known, whichever text they are in."""
    places = [
        "{}", "see {} there", '{{"value": "{}"}}', "<b>{}</b>", "https://a.test/x?y={}", "a={}&b=1", "`{}`", "key\t{}\n",
        "Error: {}\n    at f (a.js:1:2)", "{}, and {}",
    ]  # fmt: skip
    known = Secrets(names=["houseCode"])
    known.learn(SECRETS.values())
    for place in places:
        for secret in SECRETS.values():
            told = known.told(place.format(*[secret] * place.count("{}")))
            assert secret not in told


@pytest.mark.parametrize(
    "text",
    [
        "The password is wrong", "token: undefined", "key: value1", "secret = getSecret1(x)", "Your key is missing",
        "password: passwordInput", "Bearer of good news", "sk-folding-cube-loader", "const key = keys[0]",
        "press Enter in textbox \"Password\"", "a.b.c", "eyJustAWord",
    ],
)  # fmt: skip
def test_ordinary_words_stay(text: str) -> None:
    assert Secrets().told(text) == text


@pytest.mark.parametrize(
    "code",
    [
        'localStorage.setItem("auth_token", "st0red-aabbccddeeff")',
        "document.cookie = 'tracker=st0red-aabbccddeeff; path=/'",
    ],
)
def test_secrets_in_code_are_seen_at_once(code: str) -> None:
    """What is kept while a run is recorded is written before the page has used them."""
    assert "st0red" not in Secrets().text(code, answer=True)


def test_a_token_that_a_page_reads_can_still_be_read() -> None:
    told = Secrets().told({"session": JWT})["session"]
    assert told.rpartition(".")[0] == JWT.rpartition(".")[0]
    assert told != JWT
