"""Finding and reading the configuration file: `jostle.toml`, or `[tool.jostle]` in `pyproject.toml`."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import typing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from jostle.config.settings import Configuration, Loaded
from jostle.errors import ConfigurationProblem
from jostle.reading import open_file

LARGEST = 1_000_000
"""Bytes of a configuration file."""
_DEEPEST = 50
_PART = r"(?:[\w-]++|\"(?:[^\"\\\n]++|\\.)*+\"?|'[^'\n]*+'?)"
"""Of a key; a quote that is never closed takes all that follows, so that nothing is read twice."""
_KEY = re.compile(rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+", re.DOTALL)
_KEY_PART = re.compile(_PART)
_MOST_TOLD = 10
"""Mistakes that are told at a time."""
_EXPECTED = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def load(file: Path | None = None, start: Path | None = None) -> Loaded:
    """The configuration in `file`, else in the nearest file from `start` (the current directory) upwards.

    Raises ConfigurationProblem naming the file and the key. Without any file, everything has its default.
    """
    if file is not None:
        table = _table(file.absolute(), start=None)
        return Loaded(_configuration(table or {}, file), file.absolute())
    start = (start or Path.cwd()).absolute()
    for directory in (start, *start.parents):
        tables = {}
        for name in ("jostle.toml", "pyproject.toml"):
            if (candidate := directory / name).is_file() and (found := _table(candidate, start)) is not None:
                tables[candidate] = found
        if len(tables) > 1:
            raise ConfigurationProblem(
                f"{directory} has both a jostle.toml and a [tool.jostle] in pyproject.toml.",
                advice="Keep one of them, or name one with --config.",
            )
        for candidate, found in tables.items():
            return Loaded(_configuration(found, candidate), candidate)
    return Loaded(Configuration(), None)


def _is_foreign(descriptor: int, file: Path, start: Path) -> bool:
    """Whether a file, or a link to it, is somebody else's. What a configuration says is run: one that lies above where
    one works must be of the same user, or the system's."""
    owners = {os.fstat(descriptor).st_uid, file.lstat().st_uid}
    return file.parent != start and not owners <= {os.geteuid(), 0, start.stat().st_uid}


def _table(file: Path, start: Path | None) -> dict[str, Any] | None:
    """The part of a file that is ours; None when a `pyproject.toml` nobody named has none. `start`: where the search
    for it began; None for a file that somebody named."""
    named = start is None
    try:
        with open_file(file, follow=True) as stream:
            data = stream.read(LARGEST + 1)
            if start is not None and _is_foreign(stream.fileno(), file, start):
                if file.name == "pyproject.toml" and b"jostle" not in data:
                    return None
                raise ConfigurationProblem(
                    f"{file} belongs to another user, so it is not used.",
                    advice="If you trust it, name it with --config; else put a jostle.toml of your own beside your "
                    "work.",
                )
        if len(data) > LARGEST:
            raise ConfigurationProblem(
                f"{file} is too large for a configuration file (more than {LARGEST // 1000} kB)."
            )
        text = data.decode("utf-8")
        if any(_deep(key[0]) for key in _KEY.finditer(text)):
            raise ConfigurationProblem(f"{file} is not a configuration: it has keys of more than {_DEEPEST} parts.")
        content = tomllib.loads(text.replace("\r\n", "\n"))
    except FileNotFoundError:
        raise ConfigurationProblem(f"There is no configuration file {file}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationProblem(f"The configuration file {file} cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationProblem(f"{file} is not valid TOML: {error}.") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, tables within tables within ...
        raise ConfigurationProblem(f"{file} cannot be read as TOML: {str(error).splitlines()[0]}.") from None
    if file.name != "pyproject.toml":
        return content
    tool = content.get("tool")
    table = tool.get("jostle") if isinstance(tool, dict) else None
    if table is None:
        if named:
            raise ConfigurationProblem(f"{file} has no [tool.jostle] table.")
        return None
    if not isinstance(table, dict):
        raise ConfigurationProblem(f"`tool.jostle` in {file} must be a table.")
    return table


def _deep(key: str) -> bool:
    return key.count(".") >= _DEEPEST and sum(1 for _ in islice(_KEY_PART.finditer(key), _DEEPEST + 1)) > _DEEPEST


def _configuration(table: dict[str, Any], file: Path) -> Configuration:
    if wrong := list(islice(_unknown_keys(table, Configuration, ""), _MOST_TOLD)):
        raise ConfigurationProblem(
            "\n".join(f"{file}: unknown key `{key}`.{_did_you_mean(key, right)}" for key, right in wrong),
            advice="docs/reference/configuration.md lists the keys.",
        )
    try:
        return msgspec.convert(table, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationProblem(f"{file}: {_in_words(error)}.") from None
    except (OverflowError, RecursionError) as error:
        raise ConfigurationProblem(f"{file}: {error}.") from None


def _unknown_keys(table: dict[str, Any], struct: type[msgspec.Struct], prefix: str) -> typing.Iterator[tuple[str, Any]]:
    """Wrong keys with the right ones of the same table."""
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
    for key, value in table.items():
        if key not in fields:
            yield prefix + key, [prefix + name for name in fields]
        elif inner := _struct_in(fields[key]):
            rows = enumerate(value) if isinstance(value, list) else [(None, value)]
            for row, content in rows:
                if isinstance(content, dict):
                    place = key if row is None else f"{key}[{row}]"
                    yield from _unknown_keys(content, inner, f"{prefix}{place}.")


def _struct_in(annotation: Any) -> type[msgspec.Struct] | None:
    """The struct in `Struct`, `Struct | None` or `tuple[Struct, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation
    return next((found for inner in typing.get_args(annotation) if (found := _struct_in(inner))), None)


def _did_you_mean(key: str, right: list[str]) -> str:
    near = difflib.get_close_matches(key, right, n=1) or _elsewhere(key)
    return f" Did you mean `{near[0]}`?" if near else f" Known here: {', '.join(right)}."


def keys(struct: type[msgspec.Struct] = Configuration, prefix: str = "") -> list[str]:
    """All keys, dotted: `url`, `app`, `app.start` ..."""
    found = []
    for field in msgspec.structs.fields(struct):
        found.append(prefix + field.encode_name)
        if inner := _struct_in(field.type):
            found += keys(inner, f"{prefix}{field.encode_name}.")
    return found


def _elsewhere(key: str) -> list[str]:
    """A right key in the wrong table: `reset` for `app.reset`."""
    name = key.rpartition(".")[2]
    return [known for known in keys() if known.rpartition(".")[2] == name][:1]


def _in_words(error: msgspec.ValidationError) -> str:
    """msgspec says "Expected `int`, got `str` - at `$.app.timeout`"; we say where first, in TOML's words."""
    message, _, place = str(error).partition(" - at `$")
    key = place.rstrip("`").lstrip(".")
    if message.startswith("Expected `"):
        expected, _, got = message.removeprefix("Expected ").partition(", got ")
        message = f"must be {_words(expected)}" + (f", not {_words(got)}" if got else "")
        return f"`{key}` {message}"
    return f"{f'`{key}`: ' if key else ''}{message}"


def _words(types: str) -> str:
    """`str | array | null` as a person says it; a length or a bound stays as it is."""
    names = [name.partition(" ") for name in types.replace("`", "").split(" | ") if name != "null"]
    return " or ".join(f"{_EXPECTED.get(name, name)}{space}{rest}" for name, space, rest in names)
