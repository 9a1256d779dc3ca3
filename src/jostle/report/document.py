"""What all HTML documents have in common: they load nothing, and texts of an application stay texts in them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

FRAME = "jostle.report"

# JSON inside a script element: nothing in it may look like the end of the element, a comment or the end of a line.
_IN_SCRIPT = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"})


def environment(package: str = FRAME, **filters: Callable[..., object]) -> Environment:
    """Where templates are found: in the package, then here. Whatever is put into one is escaped."""
    loaders = [PackageLoader(name) for name in dict.fromkeys((package, FRAME))]
    made = Environment(
        loader=ChoiceLoader(loaders), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= filters
    return made


def macro(made: Environment, template: str, name: str) -> Callable[..., Markup]:
    """What a template defines, to be called like a function."""
    defined: Callable[..., Markup] = getattr(made.get_template(template).module, name)
    return defined


def own(name: str, package: str = FRAME) -> Markup:
    """A file of ours, put into the document as it is."""
    return Markup(files(package).joinpath("templates", name).read_text(encoding="utf-8"))  # noqa: S704


def policy(*, style: str, script: str = "", pictures: bool = False, asks: bool = False) -> str:
    """The content security policy: this and nothing else applies and runs; pictures are those in the document.

    `asks`: the script may ask the server that the document came from.
    """
    allowed = {
        "default-src": "'none'",
        "img-src": "data:" if pictures else "",
        "style-src": _hash(style),
        "script-src": _hash(script) if script else "",
        "connect-src": "'self'" if asks else "",
    }
    return "; ".join(f"{what} {source}" for what, source in allowed.items() if source)


def in_script(data: object) -> Markup:
    """What the script of the document works on, as JSON that is safe inside a script element."""
    return Markup(msgspec.json.encode(data).decode().translate(_IN_SCRIPT))  # noqa: S704


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(source.encode()).digest()).decode()}'"
