"""A user's suite of Playwright tests, for tests: it is run by itself, as a user would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from jostle.browser.find import find, sandbox_arguments

CONFTEST = f"""
import pytest
@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": {str(find().path)!r}, "args": {sandbox_arguments()!r}}}
"""


def run(folder: Path, timeout: float = 80) -> dict[str, str]:
    """The tests in a folder by the names of their files: empty for those that passed, else what they said."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--junit-xml=out.xml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    said: dict[str, str] = {}
    for case in ElementTree.parse(folder / "out.xml").iter("testcase"):
        wrong = [*case.iter("failure"), *case.iter("error"), *case.iter("skipped")]
        said[str(case.get("classname"))] = "\n".join(str(each.get("message")) for each in wrong)
    return said
