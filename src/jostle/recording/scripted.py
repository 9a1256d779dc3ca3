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


def watched(launch: Callable[..., Any], port: int, ready: Path, executable: str) -> Callable[..., Any]:
    """The launch function of Playwright, with the port opened and the browser chosen unless the script chooses one."""

    def prepared(keywords: dict[str, Any]) -> dict[str, Any]:
        keywords["args"] = [*(keywords.get("args") or ()), f"--remote-debugging-port={port}"]
        if not keywords.get("channel"):
            keywords.setdefault("executable_path", executable)
        return keywords

    def wait() -> None:
        deadline = time.monotonic() + _TIMEOUT
        while not ready.exists():
            if time.monotonic() > deadline:
                sys.exit("jostle did not get hold of the browser.")
            time.sleep(0.01)

    if inspect.iscoroutinefunction(launch):

        @functools.wraps(launch)
        async def launched(self: Any, *arguments: Any, **keywords: Any) -> Any:
            browser = await launch(self, *arguments, **prepared(keywords))
            wait()
            return browser

    else:

        @functools.wraps(launch)
        def launched(self: Any, *arguments: Any, **keywords: Any) -> Any:
            browser = launch(self, *arguments, **prepared(keywords))
            wait()
            return browser

    return launched


def main() -> int:
    port, ready, executable, script, *arguments = sys.argv[1:]
    for api in (sync_api, async_api):
        launch = watched(api.BrowserType.launch, int(port), Path(ready), executable)
        api.BrowserType.launch = launch
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
