"""Finding and checking the configuration file."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.config import Configuration, load
from jostle.errors import ConfigurationProblem, Exit

FULL = """
url = "http://localhost:8000/"
allowed_origins = ["https://login.example.org"]
block_third_party = true
state = "url-title"

[app]
start = ["python", "-m", "shop"]
ready = "listening"
timeout = 5
reset = "POST http://localhost:8000/reset"
stop = "true"

[login]
storage_state = "state.json"

[ignore]
regions = [".clock"]
parameters = ["_"]

[browser]
path = "bin/chromium"
args = ["--lang=de"]
viewport = [800, 600]
locale = "de-DE"
timezone = "Europe/Berlin"

[[invariants]]
name = "cart is never negative"
javascript = "cart.total >= 0"
"""


def write(directory: Path, text: str, name: str = "jostle.toml") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / name
    file.write_text(text)
    return file


def problem(directory: Path, text: str) -> str:
    file = write(directory, text)
    with pytest.raises(ConfigurationProblem) as caught:
        load(start=directory)
    assert caught.value.exit_code is Exit.WRONG_USAGE
    assert str(file) in caught.value.message
    return str(caught.value)


def test_every_key_is_read(tmp_path: Path) -> None:
    write(tmp_path, FULL)
    configuration = load(start=tmp_path).configuration
    assert configuration.app.start == ("python", "-m", "shop")
    assert configuration.app.timeout == 5
    assert configuration.login is not None
    assert configuration.login.storage_state == "state.json"
    assert configuration.browser.viewport == (800, 600)
    assert configuration.ignore.regions == (".clock",)
    assert configuration.block_third_party is True
    assert configuration.invariants[0].javascript == "cart.total >= 0"


def test_nothing_configured(tmp_path: Path) -> None:
    loaded = load(start=tmp_path)
    assert loaded.file is None
    assert loaded.configuration == Configuration()


def test_nearest_file_upwards_wins_and_paths_are_relative_to_it(tmp_path: Path) -> None:
    write(tmp_path, 'url = "http://far/"')
    near = write(tmp_path / "shop", 'url = "http://near/"\n[browser]\npath = "bin/chromium"')
    deep = tmp_path / "shop" / "src" / "deep"
    deep.mkdir(parents=True)
    loaded = load(start=deep)
    assert loaded.configuration.url == "http://near/"
    assert loaded.file == near
    assert loaded.browser_path == str(tmp_path / "shop" / "bin" / "chromium")


def test_browser_named_without_a_slash_is_looked_for_in_path(tmp_path: Path) -> None:
    write(tmp_path, '[browser]\npath = "chromium"')
    assert load(start=tmp_path).browser_path == "chromium"


def test_pyproject_counts_only_with_our_table(tmp_path: Path) -> None:
    write(tmp_path, '[tool.jostle]\nurl = "http://outer/"', "pyproject.toml")
    write(tmp_path / "inner", "[tool.other]\nx = 1", "pyproject.toml")
    assert load(start=tmp_path / "inner").configuration.url == "http://outer/"


def test_both_files_in_one_directory_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, "[tool.jostle]", "pyproject.toml")
    write(tmp_path, "")
    with pytest.raises(ConfigurationProblem, match="both"):
        load(start=tmp_path)


def test_named_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'url = "http://named/"', "other.toml")
    assert load(file).configuration.url == "http://named/"
    with pytest.raises(ConfigurationProblem, match=r"no configuration file .*missing\.toml"):
        load(tmp_path / "missing.toml")
    with pytest.raises(ConfigurationProblem, match=r"no \[tool\.jostle\]"):
        load(write(tmp_path, "", "pyproject.toml"))
    with pytest.raises(ConfigurationProblem, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ('ulr = "http://x/"', "`ulr`", "`url`"),
        ('[app]\nstrat = "x"', "`app.strat`", "`app.start`"),
        ('[login]\nstorage-state = "x"', "`login.storage-state`", "`login.storage_state`"),
        ('reset = "x"', "`reset`", "`app.reset`"),
        ('[[invariants]]\nname = "x"\njavascrpt = "1"', "`invariants[0].javascrpt`", "`invariants[0].javascript`"),
    ],
)
def test_wrong_key_is_named_with_the_nearest_right_one(tmp_path: Path, text: str, wrong: str, right: str) -> None:
    told = problem(tmp_path, text)
    assert f"unknown key {wrong}" in told
    assert f"Did you mean {right}?" in told


def test_all_wrong_keys_are_named_at_once(tmp_path: Path) -> None:
    told = problem(tmp_path, "zzz = 1\n[app]\nqqq = 2")
    assert "`zzz`" in told
    assert "`app.qqq`" in told
    assert "Known here: app.start" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("url = 3", "`url` must be a text, not a whole number"),
        ('url = "localhost:8000"', "`url` must be an http or https address"),
        ('url = "http://x:99999/"', "`url` must be an http or https address"),
        ("[app]\ntimeout = 0", "`app.timeout` must be a number > 0"),
        ("[app]\nstart = 3", "`app.start` must be a text or a list, not a whole number"),
        ('[app]\nstart = ["serve", "{port}"]', "`app.start` has `{port}`, the port of `url`: give `url` as well"),
        ('[app]\nreset = "seed $JOSTLE_PORT"', "`app.reset` has `{port}`"),
        ("[browser]\nviewport = [1]", "`browser.viewport` must be a list of length 2"),
        ("[browser]\nviewport = [1, 0]", "`browser.viewport[1]` must be a whole number >= 1"),
        ("browser = 3", "`browser` must be a table, not a whole number"),
        ('block_third_party = "yes"', "`block_third_party` must be true or false, not a text"),
        ("[login]", "exactly one of `trace`, `storage_state` and `function`, not none"),
        ('[login]\ntrace = "a"\nfunction = "b:c"', "not trace and function"),
        ('[login]\nfunction = "no colon"', "must read `module:function`"),
        ('allowed_origins = ["example.org"]', "`allowed_origins` must read like"),
        ('allowed_origins = ["https://example.org/path"]', "`allowed_origins` must read like"),
        ('state = "foo"', "`state` must be"),
        ('[[invariants]]\nname = "x"', "give either `javascript` or `python`"),
        ("x = [", "not valid TOML"),
    ],
)
def test_wrong_value_is_named_with_what_was_expected(tmp_path: Path, text: str, told: str) -> None:
    assert told in problem(tmp_path, text)
