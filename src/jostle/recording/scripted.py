"""Run somebody's Playwright script or test so that its browser can be watched: `python -m jostle.recording.scripted`.

Runs in a process of its own. Every Chromium that the script launches opens a debugging port for us, and the script
goes on when we have got hold of it.
"""

from __future__ import annotations

import functools
import inspect
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright import async_api, sync_api

_TIMEOUT = 30.0


class WatchedBrowserType:
    """Makes launch functions of Playwright open the port, and choose our browser unless the script chooses one.

    There is one port: only the first browser of a script is watched.
    """

    def __init__(self, port: int, ready: Path, executable: str) -> None:
        self._port = port
        self._ready = ready
        self._executable = executable
        self._taken = False

    def patched(self, launch: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(launch):

            @functools.wraps(launch)
            async def launched(*arguments: Any, **keywords: Any) -> Any:
                browser = await launch(*arguments, **self._prepared(keywords))
                self._wait()
                return browser

        else:

            @functools.wraps(launch)
            def launched(*arguments: Any, **keywords: Any) -> Any:
                browser = launch(*arguments, **self._prepared(keywords))
                self._wait()
                return browser

        return launched

    def _prepared(self, keywords: dict[str, Any]) -> dict[str, Any]:
        if not self._taken:
            self._taken = True
            keywords["args"] = [*(keywords.get("args") or ()), f"--remote-debugging-port={self._port}"]
        if not keywords.get("channel"):
            keywords.setdefault("executable_path", self._executable)
        return keywords

    def _wait(self) -> None:
        deadline = time.monotonic() + _TIMEOUT
        while not self._ready.exists():
            if time.monotonic() > deadline:
                sys.exit("jostle did not get hold of the browser.")
            time.sleep(0.01)


def main() -> int:
    port, ready, executable, script, *arguments = sys.argv[1:]
    watching = WatchedBrowserType(int(port), Path(ready), executable)
    for api in (sync_api, async_api):
        for name in ("launch", "launch_persistent_context"):
            setattr(api.BrowserType, name, watching.patched(getattr(api.BrowserType, name)))
    name = Path(script.partition("::")[0]).name
    if name.startswith("test_") or name.endswith("_test.py"):
        import pytest

        return int(pytest.main([script, *arguments]))
    sys.argv = [script, *arguments]
    sys.path.insert(0, str(Path(script).resolve().parent))
    runpy.run_path(script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
