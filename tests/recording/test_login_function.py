"""Logging in by a function, in an instance of the application that browsers see at another address."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from jostle.config.settings import Configuration, Loaded, Login
from jostle.recording.login import StorageState, logged_in

FUNCTION = """
def enter(url):
    stored = [{"name": "asked", "value": url}]
    cookies = [{"name": "session", "value": "1", "domain": "localhost", "path": "/"}]
    elsewhere = {"origin": "http://sso.test", "localStorage": []}
    return {"cookies": cookies, "origins": [{"origin": url.rstrip("/"), "localStorage": stored}, elsewhere]}
"""


def entered(folder: Path, patch: pytest.MonkeyPatch, **directly: Any) -> StorageState:
    (folder / "entering_by_function.py").write_text(FUNCTION)
    patch.delitem(sys.modules, "entering_by_function", raising=False)
    login = Login(function="entering_by_function:enter")
    loaded = Loaded(Configuration(login=login), folder / "jostle.toml")
    return asyncio.run(logged_in(loaded, None, "http://localhost:3000/", **directly))  # type: ignore[arg-type]


def test_it_is_called_with_the_address_of_the_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = entered(tmp_path, monkeypatch, directly="http://localhost:4001/")
    assert state.local_storage == {"http://localhost:3000": {"asked": "http://localhost:4001/"}, "http://sso.test": {}}
    assert state.is_for("http://localhost:3000/")


def test_without_instances_it_is_called_with_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = entered(tmp_path, monkeypatch)
    assert state.local_storage["http://localhost:3000"] == {"asked": "http://localhost:3000/"}
