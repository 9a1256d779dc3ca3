"""What tests have in common that bring an order about by holding answers: what is held, what the user does, and the
machinery that is copied into them (`held_run`)."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from jostle.addresses import split_url
from jostle.events import Event
from jostle.events.volatile import volatile_value, volatility
from jostle.export.playwright_steps import comment, element, heading, literal, needs_touch, steps
from jostle.export.python_file import identifier, indented, joined, own_addresses

Late = tuple[str, str, int]
"""A request whose answer is late: its method, its address, and which of these it is, from 1. Or what else can be late:
`message` and the path of a WebSocket, `timeout` and its milliseconds."""

_METHOD = re.compile(r"[A-Z]+")
_CALLBACKS = ("callback", "jsonp")
"""What a script that is an answer shall call: a page may make up a name each time."""
ANYTHING = "…"
"""No address has this character: it is encoded there."""
_OTHERS = {"timeout": "a timer of {} ms", "message": "a message from {}"}
"""What else than an answer can be late."""
_LONGEST_TIMER = 5000
_SHORT = re.compile(r"SHORT = (\d+)")
"""In the settings of a test: timers that are waited for."""
# Lines as a whole: what a page has written stands within literals and comments, which begin and end on one line.
_RUN = re.compile(r"^(    run = Run\(context, answers, OWN)\)$", re.MULTILINE)
_CONTEXT = re.compile(r"^(@pytest\.mark\.browser_context_args\()CONTEXT\)$", re.MULTILINE)
_NAME = re.compile(r"^def test_\(", re.MULTILINE)


def step(event: Event) -> list[str]:
    """What a user does, as lines of Python. Raises ValueError when Playwright cannot do it."""
    if not event.by_user:
        raise ValueError(f"“{event.what}” is nothing that a user does.")
    lines = steps(event)
    if any(line.startswith("pytest.fail(") for line in lines):
        raise ValueError(f"“{event.what}” cannot be done by Playwright.")
    return [comment(event.what), *lines]


def place(event: Event) -> str:
    """The element that the user acts on; the whole page where there is none."""
    action = event.action
    page = f"page.context.pages[{action.tab}]" if action.tab else "page"
    if action.locator is None:
        return f'{page}.locator(":root")'
    return f"{element(action.locator, page, action.frame)}.first".replace(".first.first", ".first")


def held_by(late: Sequence[Late]) -> list[Late]:
    """With parts of addresses that differ from run to run left open. Such requests are counted as they are told."""
    if not late:
        raise ValueError("There is no race without something that is late.")
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for method, url, number in late:
        if number < 1:
            raise ValueError(f"Requests are counted from 1, not from {number}: {method} {url}")
        if method == "timeout" and int(url) > _LONGEST_TIMER:
            raise ValueError(f"A test had to wait for a timer of {int(url) / 1000:g} s.")
        if method in _OTHERS:
            found.append((method, url, number))
            continue
        if split_url(url).scheme not in ("http", "https") or not _METHOD.fullmatch(method):
            raise ValueError(f"Only answers, timers and sockets can be held, and this is neither: {method} {url}")
        address = open_address(url)
        counts[method, address] += 1
        found.append((method, address, counts[method, address] if ANYTHING in address else number))
    return found


def in_words(late: Sequence[Late]) -> str:
    """`the answers to A, B come`"""
    one = len(late) == 1
    if any(method in _OTHERS for method, _, _ in late):
        told = ", ".join(_OTHERS.get(method, f"the answer to {method} {{}}").format(url) for method, url, _ in late)
    else:
        told = f"the answer{'' if one else 's'} to {', '.join(f'{method} {url}' for method, url, _ in late)}"
    return f"{told} come{'s' if one else ''}"


def function(head: str, lines: Sequence[str], end: str = "return page") -> str:
    return "\n".join([f"def {head}:", *indented([*lines, end])])


def listed(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def pytest_file(
    url: str,
    events: Sequence[Event],
    late: Sequence[Late],
    title: str,
    name: str,
    origins: Collection[str],
    constants: Sequence[str],
    functions: Sequence[str],
    test: str,
    *,
    timers: float = 0,
    looks: bool = False,
) -> str:
    """The whole file. `events`: all that the user does; `constants` and `functions`: what `test` needs. In `test`,
    CONTEXT stands for arguments of the browser context, and `test_` is given its name. `timers`: milliseconds of the
    longest timer that is waited for. `looks`: compare also what elements look by."""
    imports, settings, machinery = _machinery()
    context = {"service_workers": '"block"'}  # behind one, nothing could be held
    if needs_touch(events):
        context["has_touch"] = "True"
    head = [
        *heading(title),
        "from __future__ import annotations",
        "",
        imports.replace("from playwright.", "import pytest\nfrom playwright.", 1),
        "from pytest_playwright import CreateContextCallback",
        "",
        f"URL = {literal(url)}",
        f"OWN = ({', '.join(map(literal, own_addresses((url, *origins))))},)  # addresses of the application",
        "LATE = [  # what comes late",
        *(f"    ({literal(method)}, {literal(address)}, {int(number)})," for method, address, number in late),
        "]",
        *constants,
        settings,
    ]
    waited = max((int(timers), *(int(delay) for method, delay, _ in late if method == "timeout")))
    head[-1] = _SHORT.sub(lambda short: f"SHORT = {max(int(short[1]), waited + 1)}", head[-1])
    if looks:
        head[-1] = head[-1].replace("LOOKS = False", "LOOKS = True")
    if any(method == "message" for method, _, _ in late):
        test = _RUN.sub(r"\1, sockets=True)", test)
    marker = ", ".join(f"{key}={value}" for key, value in context.items())
    test = _CONTEXT.sub(lambda line: f"{line[1]}{marker})", test)
    test = _NAME.sub(f"def {identifier(name, 'race')}(", test)
    return joined(["\n".join(head), *functions, test, machinery])


def open_address(url: str) -> str:
    """An address with the parts left open that differ from run to run."""
    parts = split_url(url.partition("#")[0])
    path = "/".join(ANYTHING if volatile_value(each) else each for each in parts.path.split("/"))
    query = []
    for each in parts.query.split("&"):
        name, equals, value = each.partition("=")
        free = equals and (name in _CALLBACKS or volatility(name, value))
        query.append(f"{name}={ANYTHING}" if free else each)
    return parts._replace(path=path, query="&".join(query)).geturl()


def _machinery() -> tuple[str, str, str]:
    """`held_run` in parts: what it imports, what a user may change, and the rest."""
    text = Path(__file__).with_name("held_run.py").read_text(encoding="utf-8")
    body = ast.parse(text).body
    lines = text.splitlines()
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    begin, end = imports[0].lineno - 1, imports[-1].end_lineno
    run = next(node.lineno for node in body if isinstance(node, ast.ClassDef)) - 1
    return "\n".join(lines[begin:end]), "\n".join(lines[end:run]).strip(), "\n".join(lines[run:])
