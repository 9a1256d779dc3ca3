"""Larger applications, written by others, on which jostle is measured: installed, started with fresh data, stopped."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from benchmarks.applications import Application
from jostle.errors import CouldNotRun

_DATA = Path(__file__).parent / "data"
_PREPARE_SECONDS = 600
_LOG_IN_SECONDS = 30
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_WORDS = ("River", "Garden", "Winter", "Harbour", "Letter", "Island", "Market", "Window", "Orchard", "Station")


def _run(what: str, *command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=_PREPARE_SECONDS)
    if done.returncode:
        raise CouldNotRun(f"{what} could not be set up: {done.stderr.strip()[-1000:]}")


def _log_in(url: str, **fields: str) -> dict[str, str]:
    """The cookies after the form at this address was sent with these fields and its own hidden ones."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = opener.open(url, timeout=_LOG_IN_SECONDS).read().decode()
    form = {**dict(_HIDDEN.findall(page)), **fields}
    opener.open(url, urllib.parse.urlencode(form).encode(), timeout=_LOG_IN_SECONDS).close()
    return {cookie.name: cookie.value for cookie in jar if cookie.value}


# Calibre-Web: a library of books to search, sort, edit, shelve and read, seen by a logged-in administrator.

_CALIBRE_WEB_DATA = """
import datetime, pathlib, sys
from sqlalchemy import Float, create_engine
from sqlalchemy.orm import Session
from calibreweb.cps import config_sql, db, ub
here, words = pathlib.Path.cwd(), sys.argv[1:]
ub.init_db(str(here / "app.db"))
key, _ = config_sql.get_encryption_key(str(here))
config_sql.load_configuration(ub.session, key)
settings = {"config_calibre_dir": str(here / "library"), "config_session": 0, "config_uploading": 1}
settings |= {"config_books_per_page": 12, "config_random_books": 0, "config_calibre_uuid": "1"}
ub.session.query(config_sql._Settings).update(settings)
ub.session.add(ub.Shelf(name="To read", user_id=1, is_public=0))
ub.session.commit()
(here / "library").mkdir()
engine = create_engine(f"sqlite:///{here}/library/metadata.db")
engine = engine.execution_options(schema_translate_map={"calibre": None})
db.Books.__table__.c.series_index.type = Float()  # as Calibre has it
db.Base.metadata.create_all(engine)
session = Session(engine)
session.add(db.Library_Id(uuid="1"))
authors = [db.Authors(f"{word} Author", f"Author, {word}") for word in words[:6]]
tags = [db.Tags(name) for name in ("Essay", "Novel", "Poetry", "Travel", "History")]
series = [db.Series(f"{word} Stories", f"{word} Stories") for word in words[6:9]]
ratings = [db.Ratings(stars) for stars in (4, 6, 8, 10)]
languages = [db.Languages(code) for code in ("eng", "dan")]
publishers = [db.Publishers(name, name) for name in ("North Press", "South Press")]
for n in range(1, 41):
    title = f"The {words[n % 10]} and the {words[n * 7 % 9]}, part {n}"
    day = datetime.datetime(2001, 1, 1) + datetime.timedelta(days=n * 97)
    author = authors[n % 6]
    path = f"{author.name}/Book {n} ({n})"
    sort = f"{title[4:]}, The"
    book = db.Books(title, sort, author.sort, day, day, n % 9 + 1.0, day, path, None, [], [])
    book.uuid, book.has_cover = f"00000000-0000-4000-8000-{n:012}", 0
    book.authors, book.tags = [author], [tags[n % 5], tags[(n + 2) % 5]][: 1 + n % 2]
    book.languages, book.publishers, book.ratings = [languages[n % 2]], [publishers[n % 2]], [ratings[n % 4]]
    book.series = [series[n % 3]] if n % 2 else []
    session.add(book)
    session.flush()
    session.add(db.Comments(f"<p>What happened in part {n}.</p>", book.id))
    (here / "library" / path).mkdir(parents=True)
    text = f"Chapter 1\\n\\nThis is {title}.\\n" * 30
    (here / "library" / path / f"Book {n}.txt").write_text(text)
    session.add(db.Data(book.id, "TXT", len(text), f"Book {n}"))
session.commit()
"""


def _calibre_web_data(home: Path, data: Path) -> None:
    _run("Calibre-Web", *_calibre_web_python(home, data), "-c", _CALIBRE_WEB_DATA, *_WORDS, cwd=data)


def _calibre_web_python(home: Path, data: Path) -> tuple[str, ...]:
    return ("env", f"CALIBRE_DBPATH={data}", f"CACHE_DIRECTORY={data}/cache", f"HOME={data}", str(home / "bin/python"))


def _calibre_web(home: Path, data: Path, port: int) -> tuple[str, ...]:
    with contextlib.closing(sqlite3.connect(data / "app.db")) as database:
        database.execute("update settings set config_port = ?, config_external_port = ?", (port, port))
        database.commit()
    (data / "port").write_text(str(port))
    return (*_calibre_web_python(home, data), str(home / "bin/cps"), "-p", str(data / "app.db"), "-i", "127.0.0.1")


def _calibre_web_cookies(data: Path) -> dict[str, str]:
    address = f"http://127.0.0.1:{(data / 'port').read_text()}/login"
    return _log_in(address, username="admin", password="admin123", remember_me="on")


# Flask-Admin over tables of orders: lists with filters and editing in place, forms with look-ups by Ajax.

_FLASK_ADMIN_APP = """
import datetime, sys
from flask import Flask, redirect, session
from flask_admin import Admin, AdminIndexView, expose
from flask_admin.contrib.fileadmin import FileAdmin
from flask_admin.contrib.sqla import ModelView
from flask_admin.theme import Bootstrap4Theme
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Boolean, Date, ForeignKey, Integer, Numeric, String, Text, Column, Table
app = Flask(__name__)
app.config.update(SECRET_KEY="a", SQLALCHEMY_DATABASE_URI=f"sqlite:///{sys.argv[2]}/orders.db")
db = SQLAlchemy(app)
labels = Table(
    "product_label", db.metadata,
    Column("product", ForeignKey("product.id")), Column("label", ForeignKey("label.id")),
)
class Label(db.Model):
    id = Column(Integer, primary_key=True)
    name = Column(String(40), unique=True, nullable=False)
    def __str__(self):
        return self.name
class Product(db.Model):
    id = Column(Integer, primary_key=True)
    name = Column(String(80), nullable=False)
    price = Column(Numeric(8, 2))
    for_sale = Column(Boolean, default=True)
    text = Column(Text)
    labels = db.relationship(Label, secondary=labels)
    def __str__(self):
        return self.name
class Customer(db.Model):
    id = Column(Integer, primary_key=True)
    name = Column(String(80), nullable=False)
    email = Column(String(80), unique=True)
    since = Column(Date)
    def __str__(self):
        return self.name
class Order(db.Model):
    id = Column(Integer, primary_key=True)
    state = Column(String(20), default="new")
    placed = Column(Date)
    customer_id = Column(ForeignKey(Customer.id))
    customer = db.relationship(Customer, backref="orders")
class Line(db.Model):
    id = Column(Integer, primary_key=True)
    amount = Column(Integer, default=1)
    order_id = Column(ForeignKey(Order.id))
    order = db.relationship(Order, backref="lines")
    product_id = Column(ForeignKey(Product.id))
    product = db.relationship(Product)
    def __str__(self):
        return f"{self.amount} of {self.product}"
class LoggedIn:
    def is_accessible(self):
        return session.get("user") == "admin"
class View(LoggedIn, ModelView):
    page_size, can_set_page_size, can_view_details, edit_modal, create_modal = 15, True, True, True, True
class Products(View):
    column_searchable_list, column_editable_list = ("name", "text"), ("name", "price", "for_sale")
    column_filters, column_default_sort = ("price", "for_sale", "labels.name"), "name"
class Customers(View):
    column_searchable_list, column_editable_list, column_filters = ("name", "email"), ("name", "since"), ("since",)
    form_ajax_refs = {"orders": {"fields": (Order.state,), "minimum_input_length": 0}}
class Orders(View):
    edit_modal, create_modal, column_list = False, False, ("id", "customer", "state", "placed", "lines")
    column_filters, column_editable_list = ("state", "placed", "customer.name"), ("state", "placed")
    form_choices = column_choices = {"state": [(state, state.title()) for state in ("new", "paid", "sent")]}
    form_ajax_refs = {"customer": {"fields": (Customer.name, Customer.email), "minimum_input_length": 1}}
    inline_models = ((Line, {"form_ajax_refs": {"product": {"fields": (Product.name,), "minimum_input_length": 1}}}),)
class Files(LoggedIn, FileAdmin):
    editable_extensions = ("txt",)
class Home(LoggedIn, AdminIndexView):
    @expose("/")
    def index(self):
        return redirect("/admin/order/")
admin = Admin(app, "Orders", theme=Bootstrap4Theme(), index_view=Home())
for view in (Orders(Order, db), Customers(Customer, db), Products(Product, db), View(Label, db)):
    admin.add_view(view)
admin.add_view(Files(f"{sys.argv[2]}/files", name="Files"))
with app.app_context():
    db.create_all()
    words = sys.argv[3:]
    all_labels = [Label(name=name) for name in ("new", "sale", "last chance", "by hand")]
    products = [
        Product(name=f"{words[n % 10]} {('lamp', 'chair', 'table')[n % 3]} {n}", price=5 + n * 7 % 90, for_sale=n % 4 > 0,
                text=f"Number {n} in the catalogue.", labels=[all_labels[n % 4]])
        for n in range(1, 61)
    ]
    customers = [
        Customer(name=f"{words[n % 10]} Customer {n}", email=f"customer{n}@example.org", since=datetime.date(2020, n % 12 + 1, n))
        for n in range(1, 26)
    ]
    for n in range(1, 81):
        lines = [Line(amount=1 + (n + k) % 4, product=products[(n * 5 + k) % 60]) for k in range(1 + n % 3)]
        db.session.add(Order(state=("new", "paid", "sent")[n % 3], placed=datetime.date(2024, n % 12 + 1, n % 28 + 1),
                             customer=customers[n % 25], lines=lines))
    db.session.add_all(products)
    db.session.commit()
open("session", "w").write(app.session_interface.get_signing_serializer(app).dumps({"user": "admin"}))
app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
"""  # noqa: E501


def _flask_admin_data(home: Path, data: Path) -> None:
    (data / "app.py").write_text(_FLASK_ADMIN_APP)
    (data / "files/letters").mkdir(parents=True)
    for name in ("terms.txt", "letters/welcome.txt", "letters/reminder.txt"):
        (data / "files" / name).write_text(f"This is {name}.\n")


def _flask_admin(home: Path, data: Path, port: int) -> tuple[str, ...]:
    return (str(home / "bin/python"), "app.py", str(port), str(data), *_WORDS)


# Wagtail: pages of a site, written in an editor of blocks, with choosers, previews and a menu that loads as it opens.

_WAGTAIL_MODELS = """
from django.db import models
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, InlinePanel, MultiFieldPanel
from wagtail.fields import RichTextField, StreamField
from wagtail.images.blocks import ImageChooserBlock
from wagtail.models import Orderable, Page
from modelcluster.fields import ParentalKey
class HomePage(Page):
    intro = RichTextField(blank=True)
    content_panels = Page.content_panels + [FieldPanel("intro")]
class ArticlePage(Page):
    template = "home/home_page.html"
    date = models.DateField()
    intro = models.CharField(max_length=250, blank=True)
    quote = blocks.StructBlock([("text", blocks.TextBlock()), ("who", blocks.CharBlock(required=False))])
    body = StreamField(
        [("heading", blocks.CharBlock()), ("paragraph", blocks.RichTextBlock()), ("image", ImageChooserBlock()),
         ("page", blocks.PageChooserBlock()), ("quote", quote)], blank=True,
    )
    content_panels = Page.content_panels + [
        MultiFieldPanel([FieldPanel("date"), FieldPanel("intro")], heading="About"),
        FieldPanel("body"),
        InlinePanel("links", label="Links"),
    ]
class ArticleLink(Orderable):
    article = ParentalKey(ArticlePage, on_delete=models.CASCADE, related_name="links")
    title = models.CharField(max_length=80)
    page = models.ForeignKey("wagtailcore.Page", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    panels = [FieldPanel("title"), FieldPanel("page")]
"""
_WAGTAIL_DATA = """
import datetime, io
import PIL.Image
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.files.base import ContentFile
from home.models import ArticleLink, ArticlePage, HomePage
from wagtail.images.models import Image
from wagtail.users.models import UserProfile
admin = User.objects.create_superuser("admin", "admin@example.org", None, first_name="Ada")
UserProfile.objects.create(user=admin, dismissibles={"whats-new-in-wagtail": True})
User.objects.create(username="writer", first_name="Winnie", email="writer@example.org")
home = HomePage.objects.get()
home.title, home.intro = "The Gazette", "<p>News from the harbour.</p>"
home.save_revision().publish()
sections = [home.add_child(instance=HomePage(title=name, intro=f"<p>{name}.</p>")) for name in ("News", "Culture", "Food")]
for n in range(1, 31):
    body = [("heading", f"Part {n}"), ("paragraph", f"<p>What happened on day <b>{n}</b>.</p>")]
    day = datetime.date(2024, n % 12 + 1, n % 28 + 1)
    article = ArticlePage(title=f"{words[n % 10]} article {n}", date=day, intro=f"Number {n}", body=body, live=n % 4 > 0)
    article.links = [ArticleLink(title="Home", page=home)]
    sections[n % 3].add_child(instance=article)
    article.save_revision(user=admin, log_action=True)
    if n % 5 == 0:
        picture = io.BytesIO()
        PIL.Image.new("RGB", (160, 120), (n * 8, 120, 200)).save(picture, "PNG")
        file = ContentFile(picture.getvalue(), f"{n}.png")
        Image.objects.create(title=f"{words[n % 10]} {n}", file=file, width=160, height=120)
session = SessionStore()
session[SESSION_KEY] = str(admin.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = admin.get_session_auth_hash()
session.save()
open("session", "w").write(session.session_key)
"""  # noqa: E501
_WAGTAIL_SETTINGS = """
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
ALLOWED_HOSTS = ["*"]
"""


def _wagtail_data(home: Path, data: Path) -> None:
    """The many migrations take long, so the database is made once and copied."""
    made = home / "project-made"
    if not made.exists():
        project = home / "project-being-made"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        python = (str(home / "bin/python"), "manage.py")
        _run("Wagtail", str(home / "bin/wagtail"), "start", "gazette", ".", cwd=project)
        (project / "home/models.py").write_text(_WAGTAIL_MODELS)
        with (project / "gazette/settings/dev.py").open("a") as settings:
            settings.write(_WAGTAIL_SETTINGS)
        _run("Wagtail", *python, "makemigrations", "--verbosity", "0", "home", cwd=project)
        _run("Wagtail", *python, "migrate", "--verbosity", "0", cwd=project)
        script = f"words = {_WORDS!r}\n{_WAGTAIL_DATA}"
        _run("Wagtail", *python, "shell", "--verbosity", "0", "--command", script, cwd=project)
        project.rename(made)
    shutil.copytree(made, data, dirs_exist_ok=True)


def _wagtail(home: Path, data: Path, port: int) -> tuple[str, ...]:
    return (str(home / "bin/python"), "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}")


# DokuWiki: a wiki in PHP with an editor, a tree of pages and a media manager, seen by a logged-in administrator.


def _dokuwiki_data(home: Path, data: Path) -> None:
    shutil.copytree("/usr/share/dokuwiki", data / "site")  # an administrator can remove parts of it
    shutil.copytree("/etc/dokuwiki", data / "conf", ignore=shutil.ignore_patterns("acl.auth.php", "users.auth.php"))
    shutil.copytree("/var/lib/dokuwiki/data", data / "data")
    password = hashlib.sha1(b"secret").hexdigest()
    (data / "conf/users.auth.php").write_text(f"admin:{password}:Ada:admin@example.org:admin,user\n")
    (data / "conf/acl.auth.php").write_text("*\t@ALL\t1\n*\t@user\t8\n")
    settings = {"title": "Our wiki", "useacl": 1, "superuser": "@admin", "passcrypt": "sha1", "savedir": f"{data}/data"}
    settings |= {"updatecheck": 0, "disableactions": "register"}
    lines = "".join(f"$conf[{key!r}] = {value!r};\n" for key, value in settings.items())
    (data / "conf/local.php").write_text(f"<?php\n{lines}")
    (data / "preload.php").write_text(
        f"<?php\ndefine('DOKU_MAIN_CONF', '{data}/conf/');\ndefine('DOKU_CONF', '{data}/conf/');\n"
    )
    pages = data / "data/pages"
    topics = ("recipes", "travel", "work")
    links = []
    for n in range(1, 25):
        topic, word = topics[n % 3], _WORDS[n % 10]
        (pages / topic).mkdir(exist_ok=True)
        text = f"====== {word} {n} ======\n\nAbout **{word.lower()}**, see [[{topic}:page{(n + 2) % 24 + 1}]].\n\n"
        text += (
            f"===== Details =====\n\n^ Number ^ Square ^\n| {n} | {n * n} |\n\n===== More =====\n\n  * one\n  * two\n"
        )
        (pages / topic / f"page{n}.txt").write_text(text)
        links.append(f"  * [[{topic}:page{n}|{word} {n}]]\n")
    intro = "====== Our wiki ======\n\nWelcome, see also [[wiki:syntax]] and [[not:written]].\n\n===== Pages =====\n\n"
    (pages / "start.txt").write_text(f"{intro}{''.join(links)}")


def _dokuwiki(home: Path, data: Path, port: int) -> tuple[str, ...]:
    (data / "port").write_text(str(port))
    options = {"auto_prepend_file": data / "preload.php", "session.save_path": data, "error_log": data / "errors.log"}
    given = (word for name, value in {**options, "display_errors": 0}.items() for word in ("-d", f"{name}={value}"))
    server = ("env", "PHP_CLI_SERVER_WORKERS=4", "php", *given)
    return (*server, "-S", f"127.0.0.1:{port}", "-t", str(data / "site"))


def _dokuwiki_cookies(data: Path) -> dict[str, str]:
    address = f"http://127.0.0.1:{(data / 'port').read_text()}/doku.php?id=start&do=login"
    return _log_in(address, u="admin", p="secret", r="1")


# OctoPrint: one page that controls a 3D printer (here a simulated one) over a socket, with files, a terminal, settings.

_OCTOPRINT_SETTINGS = {
    "accessControl": {
        "autologinLocal": True,
        "autologinAs": "admin",
        "localNetworks": ["127.0.0.0/8"],
        "autologinHeadsupAcknowledged": True,
        "salt": "a",
    },
    "server": {
        "firstRun": False,
        "onlineCheck": {"enabled": False},
        "pluginBlacklist": {"enabled": False},
        "seenWizards": {"corewizard": 9, "tracking": 9, "errortracking": 9, "backup": 9, "classicwebcam": 9},
    },
    "plugins": {
        "_disabled": [
            "announcements",
            "softwareupdate",
            "tracking",
            "errortracking",
            "discovery",
            "file_check",
            "pluginmanager",
        ],
        "virtual_printer": {"enabled": True},
    },
    "serial": {"port": "VIRTUAL", "baudrate": 0, "autoconnect": True},
    "temperature": {"profiles": [{"name": "ABS", "extruder": 210, "bed": 100, "chamber": 0}]},
}


def _octoprint_data(home: Path, data: Path) -> None:
    (data / "config.yaml").write_text(json.dumps(_OCTOPRINT_SETTINGS))
    for n, word in enumerate(_WORDS[:6]):
        folder = data / "uploads" / ("" if n % 2 else "toys")
        folder.mkdir(parents=True, exist_ok=True)
        moves = "".join(f"G1 X{k % 20 + 20} Y{k * 7 % 20 + 20} E{k / 10} F1200\n" for k in range(200))
        (folder / f"{word.lower()}.gcode").write_text(f"M104 S180\nG28\nG1 Z0.3\n{moves}M104 S0\n")
    program = (str(home / "bin/octoprint"), "--basedir", str(data))
    _run("OctoPrint", *program, "user", "add", "admin", "--password", "secret", "--admin", cwd=data)


def _octoprint(home: Path, data: Path, port: int) -> tuple[str, ...]:
    program = (str(home / "bin/octoprint"), "serve", "--iknowwhatimdoing", "--basedir", str(data))
    return (*program, "--host", "127.0.0.1", "--port", str(port))


def _octoprint_cookies(data: Path) -> dict[str, str]:
    """None are needed, but until the application is up, a page that says so answers in its place."""
    deadline = time.monotonic() + _PREPARE_SECONDS
    while "Listening on http" not in (data / "application.log").read_text():
        if time.monotonic() > deadline:
            raise CouldNotRun(f"OctoPrint was not ready after {_PREPARE_SECONDS} seconds.")
        time.sleep(0.1)
    return {}


# JupyterLab: notebooks, files, consoles and a text editor in one page of many extensions.


def _jupyterlab_data(home: Path, data: Path) -> None:
    (data / "work/letters").mkdir(parents=True)
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Squares"}]
    for n in range(1, 7):
        cell = {"cell_type": "code", "id": f"b{n}", "metadata": {}, "source": f"[k ** 2 for k in range({n})]"}
        cells.append({**cell, "outputs": [], "execution_count": None})
    about = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
    notebook = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (data / "work/squares.ipynb").write_text(json.dumps(notebook))
    (data / "work/readme.md").write_text("# Read this\n\nSome *notes* on squares.\n")
    (data / "work/numbers.csv").write_text("number,square\n" + "".join(f"{n},{n * n}\n" for n in range(200)))
    (data / "work/letters/hello.py").write_text("print('hello')\n")
    notices = data / "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    notices.parent.mkdir(parents=True)
    notices.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))


def _jupyterlab(home: Path, data: Path, port: int) -> tuple[str, ...]:
    folders = {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "HOME": "home"}
    folders |= {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "share", "JUPYTER_RUNTIME_DIR": "runtime"}
    program = ("env", *(f"{name}={data}/{folder}" for name, folder in folders.items()), str(home / "bin/jupyter-lab"))
    options = {"ip": "127.0.0.1", "port": port, "root_dir": data / "work", "open_browser": False, "allow_root": True}
    options |= {"terminals_enabled": False, "quit_button": False}
    given = (f"--ServerApp.{name}={value}" for name, value in options.items())
    return (*program, *given, "--IdentityProvider.token=", "--LabApp.extension_manager=readonly")


# Transmission: downloads in one page that asks its server for news every few seconds.


def _transmission_data(home: Path, data: Path) -> None:
    for folder in ("config", "torrents", "downloads"):
        (data / folder).mkdir()
    for n, word in enumerate(_WORDS[:8]):
        size = 16384 * (20 + n * 7)
        pieces = b"".join(hashlib.sha1(bytes(16384)).digest() for _ in range(size // 16384))
        half: dict[str, Any] = {"length": size // 2}
        files = [{**half, "path": [f"{word}.iso"]}, {**half, "path": ["notes", "readme.txt"]}]
        info = {"files": files, "name": f"{word} {n}", "piece length": 16384, "pieces": pieces, "private": 1}
        torrent = {"announce": "http://127.0.0.1:9/announce", "creation date": 1700000000 + n, "info": info}
        (data / "torrents" / f"{word}.torrent").write_bytes(_bencoded(torrent))
        if n % 2:  # this one was downloaded before
            for file in files:
                path = data / "downloads" / f"{word} {n}" / "/".join(file["path"])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(bytes(size // 2))


def _bencoded(value: Any) -> bytes:
    if isinstance(value, dict):
        return b"d" + b"".join(_bencoded(key) + _bencoded(value[key]) for key in sorted(value)) + b"e"
    if isinstance(value, list):
        return b"l" + b"".join(map(_bencoded, value)) + b"e"
    if isinstance(value, int):
        return b"i%de" % value
    text = value.encode() if isinstance(value, str) else value
    return b"%d:%s" % (len(text), text)


def _transmission(home: Path, data: Path, port: int) -> tuple[str, ...]:
    settings = {
        "rpc-enabled": True,
        "rpc-bind-address": "127.0.0.1",
        "rpc-port": port,
        "rpc-authentication-required": False,
        "bind-address-ipv4": "127.0.0.1",
        "bind-address-ipv6": "::1",
        "peer-port-random-on-start": True,
        "port-forwarding-enabled": False,
        "dht-enabled": False,
        "lpd-enabled": False,
        "pex-enabled": False,
        "utp-enabled": False,
        "download-dir": str(data / "downloads"),
        "watch-dir": str(data / "torrents"),
        "watch-dir-enabled": True,
        "start-added-torrents": False,
    }
    (data / "config/settings.json").write_text(json.dumps(settings))
    return ("transmission-daemon", "--foreground", "--config-dir", str(data / "config"))


# GrapesJS: a builder of web pages, with blocks to drag into a canvas, styles, layers and undo.


def _grapesjs_data(home: Path, data: Path) -> None:
    (data / "site").mkdir()
    for package in ("grapesjs", "grapesjs-preset-webpage", "grapesjs-blocks-basic", "grapesjs-plugin-forms"):
        shutil.copytree(home / "node_modules" / package / "dist", data / "site" / package)
    shutil.copy(_DATA / "grapesjs.html", data / "site/index.html")


# AG Grid: a table of many rows, asked for as it is scrolled, sorted and filtered, and edited in place.


def _ag_grid_data(home: Path, data: Path) -> None:
    (data / "site").mkdir()
    shutil.copy(home / "node_modules/ag-grid-community/dist/ag-grid-community.min.js", data / "site")
    shutil.copy(_DATA / "ag_grid.html", data / "site/index.html")


def _ag_grid(home: Path, data: Path, port: int) -> tuple[str, ...]:
    return (sys.executable, str(_DATA / "rows.py"), str(data / "site"), str(port))


def _grapesjs(home: Path, data: Path, port: int) -> tuple[str, ...]:
    server = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory")
    return (*server, str(data / "site"), str(port))


WILD: tuple[Application, ...] = (
    Application(
        name="calibreweb",
        registry="PyPI",
        version="0.6.27",
        about="a library of books behind a log-in: searches, tables edited in place, shelves, a reader",
        prepare=_calibre_web_data,
        start=_calibre_web,
        cookies=_calibre_web_cookies,
    ),
    Application(
        name="flask-admin",
        registry="PyPI",
        version="2.2.1",
        extra=("flask-sqlalchemy==3.1.1", "sqlalchemy==2.0.44"),
        about="tables and forms behind a log-in: filters, editing in place, look-ups by Ajax, dialogs",
        path="/admin/order/",
        prepare=_flask_admin_data,
        start=_flask_admin,
        cookies=lambda data: {"session": (data / "session").read_text()},
    ),
    Application(
        name="wagtail",
        registry="PyPI",
        version="8.0.1",
        about="the pages of a site behind a log-in: an editor of blocks, choosers, previews, a menu made with React",
        path="/admin/",
        prepare=_wagtail_data,
        start=_wagtail,
        cookies=lambda data: {"sessionid": (data / "session").read_text()},
    ),
    Application(
        name="dokuwiki",
        registry="Debian",
        version="0.0.20220731.a-2",
        extra=("php-cli",),
        about="a wiki behind a log-in: an editor with drafts, a tree of pages, a media manager, searches as one types",
        path="/doku.php?id=start",
        prepare=_dokuwiki_data,
        start=_dokuwiki,
        cookies=_dokuwiki_cookies,
    ),
    Application(
        name="octoprint",
        registry="PyPI",
        version="1.11.8",
        about="the control of a printer: one large page made with Knockout, a socket with news every second",
        prepare=_octoprint_data,
        start=_octoprint,
        cookies=_octoprint_cookies,
    ),
    Application(
        name="jupyterlab",
        registry="PyPI",
        version="4.6.6",
        about="notebooks, files and consoles in one page: extensions, WebSockets, commands, menus",
        path="/lab",
        prepare=_jupyterlab_data,
        start=_jupyterlab,
    ),
    Application(
        name="transmission-daemon",
        registry="Debian",
        version="3.00-2.1+deb12u1",
        about="downloads in one page: polling, a context menu, filters, dialogs",
        path="/transmission/web/",
        prepare=_transmission_data,
        start=_transmission,
    ),
    Application(
        name="grapesjs",
        registry="npm",
        version="0.23.6",
        extra=("grapesjs-preset-webpage@1.0.3", "grapesjs-blocks-basic@1.0.2", "grapesjs-plugin-forms@2.0.6"),
        about="a builder of web pages: a canvas in a frame, drag and drop, styles, layers, undo",
        prepare=_grapesjs_data,
        start=_grapesjs,
    ),
    Application(
        name="ag-grid-community",
        registry="npm",
        version="36.2.0",
        about="a table of many rows: asked for in blocks as it is scrolled, sorted, filtered, edited in place",
        prepare=_ag_grid_data,
        start=_ag_grid,
    ),
)
