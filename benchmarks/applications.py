"""Real applications, written by others, on which jostle is measured: installed, started with fresh data, stopped."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from jostle.config.application import Application as Process
from jostle.config.settings import AppSettings, Configuration, Loaded
from jostle.errors import CouldNotRun

CACHE = Path(".jostle/applications")
_INSTALL_SECONDS = 600
_START_SECONDS = 60
_FIRST_VISIT_SECONDS = 180
_PREPARE_SECONDS = 60

_VERSION_SIGN = {"PyPI": "==", "npm": "@", "Debian": "="}

Cookies = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Application:
    """A published application: which version, how to give it data and how to start it."""

    name: str
    registry: Literal["PyPI", "npm", "Debian"]
    version: str
    about: str
    start: Callable[[Path, Path, int], tuple[str, ...]]
    """The command: from the directory it is installed in, its data directory and its port."""
    prepare: Callable[[Path, Path], None] = lambda home, data: None
    """Write its data before it is started, from the directory it is installed in and its data directory."""
    cookies: Callable[[Path], dict[str, str]] = lambda data: {}
    """Cookies that make the visitor a logged-in one, from its data directory."""
    path: str = "/"
    extra: tuple[str, ...] = ()
    """Packages of the same registry that are installed with it, as its registry writes them."""

    @property
    def package(self) -> str:
        return f"{self.name}{_VERSION_SIGN[self.registry]}{self.version}"


@dataclass(frozen=True)
class Running:
    """An application that is up."""

    url: str
    cookies: Cookies
    data: Path
    """Where its data is."""


@contextlib.contextmanager
def running(application: Application, cache: Path = CACHE) -> Iterator[Running]:
    """The application with fresh data while the block runs. Installs it first where needed. Raises CouldNotRun."""
    home = installed(application, cache)
    with tempfile.TemporaryDirectory(prefix=f"jostle-{application.name}-") as directory:
        data = Path(directory)
        application.prepare(home, data)
        port = free_port()
        url = f"http://127.0.0.1:{port}{application.path}"
        app = AppSettings(start=application.start(home, data, port), timeout=_START_SECONDS)
        loaded = Loaded(Configuration(url=url, app=app), data / "jostle.toml")
        with Process(loaded, data / "application.log"):
            cookies = tuple(
                {"name": name, "value": value, "domain": urlsplit(url).hostname, "path": "/", "httpOnly": True}
                for name, value in application.cookies(data).items()
            )
            _visit(url, {str(each["name"]): str(each["value"]) for each in cookies})
            yield Running(url=url, cookies=cookies, data=data)


def _visit(url: str, cookies: Mapping[str, str]) -> None:
    """Who comes first waits for what an application makes only then: templates, bundles."""
    request = urllib.request.Request(url, headers={"Cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())})
    with contextlib.suppress(OSError):
        urllib.request.urlopen(request, timeout=_FIRST_VISIT_SECONDS).close()


def installed(application: Application, cache: Path = CACHE) -> Path:
    """Where the application is installed; put there from its registry when it is not there in this version."""
    home = cache.absolute() / f"{application.name}-{application.version}"
    if (home / "complete").exists() and (application.registry != "Debian" or _has_debian_packages(application)):
        return home
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    if application.registry == "npm":
        if not shutil.which("npm"):
            raise CouldNotRun(f"{application.package} needs npm.", advice="On Debian: apt-get install npm")
        npm = ("npm", "install", "--no-audit", "--no-fund", "--prefix", str(home))
        _run(application, *npm, application.package, *application.extra)
    elif application.registry == "Debian":
        _install_debian_packages(application)
    else:
        _run(application, sys.executable, "-m", "venv", str(home))
        pip = (str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        _run(application, *pip, application.package, *application.extra)
    (home / "complete").touch()
    return home


def _has_debian_packages(application: Application) -> bool:
    """Whether the machine has them: they are not in the application's own directory, which may outlive them."""
    if not shutil.which("dpkg-query"):
        return False
    query = ("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}=${Version}\n")
    shown = subprocess.run((*query, application.name, *application.extra), capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if line.startswith("installed ")]
    return f"installed {application.package}" in lines and len(lines) == 1 + len(application.extra)


def _install_debian_packages(application: Application) -> None:
    """From Debian's archive, without starting the services that come with them."""
    if _has_debian_packages(application):
        return
    if not shutil.which("apt-get"):
        raise CouldNotRun(f"{application.package} needs Debian's apt-get.")
    quietly = ("env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
    install = ("apt-get", "install", "--yes", "--no-install-recommends")
    _run(application, *quietly, *install, application.package, *application.extra)


def _run(application: Application, *command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        raise CouldNotRun(f"Installing {application.package} took more than {_INSTALL_SECONDS} seconds.") from None
    except subprocess.CalledProcessError as error:
        said = "\n".join(error.stderr.strip().splitlines()[-10:])
        raise CouldNotRun(
            f"{application.package} could not be installed from {application.registry}:\n{said}"
        ) from None


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


# Datasette: server-rendered tables over SQLite, with facets, filters and an SQL editor.


def _datasette_data(home: Path, data: Path) -> None:
    with contextlib.closing(sqlite3.connect(data / "library.db")) as database:
        database.executescript(
            "create table authors (id integer primary key, name text, country text);"
            "create table books (id integer primary key, title text, year integer, genre text, "
            "author integer references authors(id), pages integer);"
        )
        countries, genres = ("Denmark", "Ghana", "Japan", "Peru"), ("essay", "novel", "poetry", "travel", "history")
        authors = [(n, f"Author {n}", countries[n % 4]) for n in range(1, 21)]
        books = [
            (n, f"Book {n}", 1950 + n * 7 % 70, genres[n % 5], n % 20 + 1, 80 + n * 13 % 400) for n in range(1, 301)
        ]
        database.executemany("insert into authors values (?, ?, ?)", authors)
        database.executemany("insert into books values (?, ?, ?, ?, ?, ?)", books)
        database.commit()


def _datasette(home: Path, data: Path, port: int) -> tuple[str, ...]:
    return (str(home / "bin/datasette"), "serve", str(data / "library.db"), "--port", str(port))


# Django's administration interface with its own models (users and groups), seen by a logged-in administrator.

_DJANGO_DATA = """
from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
admin = User.objects.create_superuser("admin", "admin@example.org", None)
groups = [Group.objects.create(name=name) for name in ("Editors", "Guests", "Authors", "Readers")]
for n in range(30):
    user = User.objects.create(username=f"user{n}", first_name="User", last_name=str(n), is_staff=n % 3 == 0)
    user.groups.add(groups[n % 4])
session = SessionStore()
session[SESSION_KEY] = str(admin.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = admin.get_session_auth_hash()
session.save()
open("session", "w").write(session.session_key)
"""


def _django_data(home: Path, data: Path) -> None:
    for words in (
        (str(home / "bin/django-admin"), "startproject", "project", "."),
        (str(home / "bin/python"), "manage.py", "migrate", "--verbosity", "0"),
        (str(home / "bin/python"), "manage.py", "shell", "--verbosity", "0", "--command", _DJANGO_DATA),
    ):
        done = subprocess.run(words, cwd=data, capture_output=True, text=True, timeout=_PREPARE_SECONDS)
        if done.returncode:
            raise CouldNotRun(f"Django could not be set up: {done.stderr.strip()[-1000:]}")


def _django(home: Path, data: Path, port: int) -> tuple[str, ...]:
    return (str(home / "bin/python"), "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}")


# Node-RED: a flow editor, one large page that talks over a WebSocket.

_NODE_RED_FLOW = (
    {"id": "tab1", "type": "tab", "label": "Flow 1"},
    {"id": "in1", "type": "inject", "z": "tab1", "name": "start", "x": 150, "y": 100, "wires": [["f1"]], "props": []},
    {"id": "f1", "type": "function", "z": "tab1", "func": "return msg;", "x": 330, "y": 100, "wires": [["d1"]]},
    {"id": "d1", "type": "debug", "z": "tab1", "name": "out", "x": 510, "y": 100, "wires": []},
)  # fmt: skip


def _node_red_data(home: Path, data: Path) -> None:
    settings = {
        "flowFile": "flows.json",
        "credentialSecret": "a",
        "telemetry": {"enabled": False},
        "editorTheme": {"tours": False},
    }
    (data / "settings.js").write_text(f"module.exports = {json.dumps(settings)}")
    (data / "flows.json").write_text(json.dumps(_NODE_RED_FLOW))


def _node_red(home: Path, data: Path, port: int) -> tuple[str, ...]:
    program = str(home / "node_modules/node-red/red.js")
    return ("node", program, "--userDir", str(data), "--settings", str(data / "settings.js"), "--port", str(port))


# Swagger UI: the description of an interface, explored in a page made with React and Redux.


def _swagger_ui_data(home: Path, data: Path) -> None:
    shutil.copytree(home / "node_modules/swagger-ui-dist", data / "site")
    (data / "site/openapi.json").write_text(json.dumps(_openapi()))
    (data / "site/swagger-initializer.js").write_text(
        "window.ui = SwaggerUIBundle({url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, filter: true, "
        "presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout'})"
    )


def _openapi() -> dict[str, Any]:
    """Something to explore: three kinds of things to list, create, read and delete."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    number = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    for thing in ("pet", "order", "visit"):
        fields = {"id": {"type": "integer"}, "name": {"type": "string"}, "state": {"enum": ["new", "done"]}}
        schemas[thing.title()] = {"type": "object", "properties": fields}
        one = {"application/json": {"schema": {"$ref": f"#/components/schemas/{thing.title()}"}}}
        answer = {"responses": {"200": {"description": "Done", "content": one}}, "tags": [thing]}
        paths[f"/{thing}"] = {
            "get": {"summary": f"List every {thing}", **answer},
            "post": {"summary": f"Add a {thing}", "requestBody": {"content": one}, **answer},
        }
        paths[f"/{thing}/{{id}}"] = {
            "get": {"summary": f"Read a {thing}", "parameters": [number], **answer},
            "delete": {"summary": f"Delete a {thing}", "parameters": [number], **answer},
        }
    return {
        "openapi": "3.0.3",
        "info": {"title": "Animal clinic", "version": "1.0", "description": "Pets, orders and **visits**."},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"basic": {"type": "http", "scheme": "basic"}}},
    }


# TiddlyWiki: a wiki in one page, with no server behind it but the one that serves the page.


def _tiddlywiki_data(home: Path, data: Path) -> None:
    program = str(home / "node_modules/tiddlywiki/tiddlywiki.js")
    for words in (("--init", "empty"), ("--build", "index")):
        done = subprocess.run(
            ["node", program, str(data / "wiki"), *words], capture_output=True, text=True, timeout=_PREPARE_SECONDS
        )
        if done.returncode:
            raise CouldNotRun(f"TiddlyWiki could not be set up: {done.stderr.strip()[-1000:]}")


# Isso: comments below an article, with previews, votes and replies.


def _isso(home: Path, data: Path, port: int) -> tuple[str, ...]:
    address = f"http://127.0.0.1:{port}/"
    settings = f"[general]\ndbpath = {data}/comments.db\nhost = {address}\n"
    (data / "isso.cfg").write_text(f"{settings}[server]\nlisten = {address}\n[guard]\nenabled = false\n")
    return (str(home / "bin/isso"), "-c", str(data / "isso.cfg"), "run")


def _files(folder: str) -> Callable[[Path, Path, int], tuple[str, ...]]:
    """A server of nothing but the files in a folder of the data directory."""
    server = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory")
    return lambda home, data, port: (*server, str(data / folder), str(port))


APPLICATIONS: tuple[Application, ...] = (
    Application(
        name="datasette",
        registry="PyPI",
        version="0.65.5",
        about="server-rendered tables with facets, filters and an SQL editor",
        prepare=_datasette_data,
        start=_datasette,
    ),
    Application(
        name="django",
        registry="PyPI",
        version="5.2.19",
        about="the administration interface behind a log-in: forms, widgets, popups",
        path="/admin/",
        prepare=_django_data,
        start=_django,
        cookies=lambda data: {"sessionid": (data / "session").read_text()},
    ),
    Application(
        name="node-red",
        registry="npm",
        version="4.1.8",
        about="a flow editor: one large page, WebSocket, drag and drop",
        prepare=_node_red_data,
        start=_node_red,
    ),
    Application(
        name="swagger-ui-dist",
        registry="npm",
        version="5.34.1",
        about="an explorer of interface descriptions, made with React and Redux",
        prepare=_swagger_ui_data,
        start=_files("site"),
    ),
    Application(
        name="isso",
        registry="PyPI",
        version="0.14.0",
        about="comments below an article: previews, votes, replies, all without a new page",
        path="/demo/",
        start=_isso,
    ),
    Application(
        name="tiddlywiki",
        registry="npm",
        version="5.4.1",
        about="a wiki in one page that evaluates its own modules",
        prepare=_tiddlywiki_data,
        start=_files("wiki/output"),
    ),
)
