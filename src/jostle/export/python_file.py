"""What the generated test files have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import indent

from jostle.addresses import split_url


def identifier(name: str, default: str) -> str:
    """The name of a test function."""
    plain = re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")
    return plain if plain.startswith("test_") else f"test_{plain or default}"


def own_addresses(urls: Iterable[str]) -> list[str]:
    """How the addresses of an application begin, each once: `http://127.0.0.1:8000/`."""
    return list(dict.fromkeys("{0.scheme}://{0.netloc}/".format(split_url(each)) for each in urls))


def indented(lines: Iterable[str]) -> list[str]:
    return [indent(line, "    ") for line in lines]


def joined(parts: Iterable[str]) -> str:
    """The file: its parts with two empty lines between them."""
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"
