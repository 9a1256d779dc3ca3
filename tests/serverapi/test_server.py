"""Which server a run works with."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.config.load import load
from jostle.config.placeholders import stand_in_rules
from jostle.config.settings import AppSettings, Configuration, Loaded
from jostle.errors import UsageProblem
from jostle.recording.file import Manifest, Recording
from jostle.serverapi.files import write_api
from jostle.serverapi.learning import learn
from jostle.serverapi.mock.origins import moved, stand_in_origin, stand_in_url
from jostle.serverapi.server import ServerChoice, prepared
from jostle.serverapi.traffic import origin_of, read_traffic
from tests.serverapi.mock.test_answering import COMMENTS


def described(folder: Path, recording: Recording = COMMENTS, *, page: str = "http://shop.test/start") -> Path:
    """A description with its traffic, in a folder."""
    file = folder / "api.ail"
    base = origin_of(recording.exchanges[0].url)
    traffic = read_traffic(recording.exchanges, recording.body_of, base=base)
    learned = learn(traffic.samples, base, schema_folder="api.schemas")
    kept = Recording(Manifest(url=page), exchanges=list(recording.exchanges), bodies=dict(recording.bodies))
    write_api(file, learned.description, learned.schemas, kept)
    return file


NOTHING = Loaded(Configuration(), None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mock", "`mock` is no server"),
        ("mock:", "`mock:` is no server"),
        ("dead:api.ail", "is no server"),
        ("live:api.ail,responses=covering", "is no server"),
        ("mock:nowhere.ail", "There is no description"),
        ("mock:api.ail,responses=good", "`good` is no responses of a mock"),
        ("mock:api.ail,fault=fire", "`fire` is no fault of a mock"),
        ("mock:api.ail,fault-rate=2", "`2` is no rate"),
        ("mock:api.ail,fault-rate=often", "`often` is no rate"),
        ("mock:api.ail,latency=soon", "`soon` is not a latency"),
        ("mock:api.ail,speed=1", "A mock has no option `speed`"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, said: str) -> None:
    described(tmp_path)
    with pytest.raises(UsageProblem) as problem:
        ServerChoice.parse(text, tmp_path)
    assert said in str(problem.value)


def test_options(tmp_path: Path) -> None:
    described(tmp_path)
    chosen = ServerChoice.parse("mock:api.ail,responses=covering,fault=error,fault=null,latency=50-400", tmp_path)
    assert chosen.options == (
        *("--responses", "covering"),
        *("--fault", "error"),
        *("--fault", "null"),
        *("--latency", "50-400"),
    )


def test_the_application_itself(tmp_path: Path) -> None:
    server = prepared(None, NOTHING, "http://shop.test/", 0)
    assert (server.loaded, server.files, server.origins) == (NOTHING, None, ())
    emitted: list[object] = []
    assert server.judged(emitted.append) == emitted.append
    file = described(tmp_path)
    judged = prepared(f"live:{file}", NOTHING, "http://shop.test/", 0)
    assert judged.files is not None
    assert judged.origins == ()


def test_a_mock_is_an_application(tmp_path: Path) -> None:
    file = described(tmp_path)
    loaded = Loaded(Configuration(app=AppSettings(start="npm start", reset="npm run reset", timeout=7.0)), None)
    server = prepared(f"mock:{file}", loaded, None, 5)
    configuration = server.loaded.configuration
    assert configuration.url == "http://shop.test/start"
    assert configuration.app.timeout == 7.0
    assert configuration.app.start is not None
    assert configuration.app.start[1:] == (
        *("-m", "jostle", "api", "mock", str(file), "--port", "{port}", "--seed", "5"),
    )
    assert configuration.app.reset == "POST http://shop.test/.jostle/reset"
    assert server.origins == ("http://shop.test",)
    application = server.application(tmp_path / "application.log")
    assert application.port == server.port
    assert application.address("http://shop.test/x?y=1") == f"http://127.0.0.1:{server.port}/x?y=1"
    assert application.address("http://other.test/x") == "http://other.test/x"
    rules = application.browser_arguments("http://shop.test/start")
    assert rules == (f"--host-resolver-rules=MAP shop.test:80 127.0.0.1:{server.port}",)
    second = application.another(1)
    assert second.address("http://shop.test/x") == f"http://127.0.0.1:{second.port}/x"


def test_as_configured(tmp_path: Path) -> None:
    described(tmp_path)
    (tmp_path / "jostle.toml").write_text('server = "mock:api.ail,fault=error"\nurl = "http://shop.test/other"\n')
    loaded = load(tmp_path / "jostle.toml")
    server = prepared(None, loaded, None, 0)
    assert server.loaded.configuration.url == "http://shop.test/other"
    assert prepared("live", loaded, None, 0).origins == ()


def test_a_page_that_was_asked_for(tmp_path: Path) -> None:
    file = described(tmp_path)
    server = prepared(f"mock:{file}", NOTHING, "http://127.0.0.1:3000/a?b#c", 0)
    assert server.loaded.configuration.url == "http://127.0.0.1:3000/a?b#c"
    assert server.loaded.configuration.app.reset == "POST http://127.0.0.1:3000/.jostle/reset"
    assert server.origins == ("http://127.0.0.1:3000", "http://shop.test")


def test_without_its_traffic(tmp_path: Path) -> None:
    file = described(tmp_path)
    file.with_suffix(".jostle").unlink()
    assert prepared(f"live:{file}", NOTHING, None, 0).files is not None
    with pytest.raises(UsageProblem, match="is gone, so there is no page"):
        prepared(f"mock:{file}", NOTHING, None, 0)


def test_a_browser_that_is_running_already(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="cannot be led to a mock"):
        prepared(f"mock:{described(tmp_path)}", NOTHING, None, 0, connected=True)


@pytest.mark.parametrize(
    ("origin", "place"),
    [
        ("http://shop.test:8000", "http://shop.test:8000"),
        ("https://shop.test", "http://shop.test.localhost"),
        ("https://localhost:3000", "http://localhost:3000"),
        ("https://a.localhost", "http://a.localhost"),
        ("https://[::1]:3000", "http://--1.localhost:3000"),
    ],
)
def test_where_pages_find_it(origin: str, place: str) -> None:
    assert stand_in_origin(origin) == place
    assert stand_in_url(f"{origin}/a?b=https://x#c") == f"{place}/a?b=https://x#c"


def test_longer_origins_are_moved_first() -> None:
    places = {"https://a.test": "http://1", "https://a.test:8443": "http://2"}
    assert moved("https://a.test:8443/x https://a.test/y", places) == "http://2/x http://1/y"


def test_rules_for_browsers() -> None:
    assert stand_in_rules(["http://shop.test/", "http://shop.test/x"], 7) == "MAP shop.test:80 127.0.0.1:7"
    rules = stand_in_rules(["http://127.0.0.1:3000", "http://api.test:81"], 7).split(", ")
    assert "MAP localhost:3000 127.0.0.1:7" in rules
    assert "MAP *.localhost:3000 127.0.0.1:7" in rules
    assert rules[-1] == "MAP api.test:81 127.0.0.1:7"
