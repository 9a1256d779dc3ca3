"""Policies in files, as TOML or JSON."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from jostle.errors import UsageProblem
from jostle.repair.policy import Action, Do, EventKind, On, Policy, Scope, Until
from jostle.repair.soundness import Flaw, flaws, warnings

LARGEST = 1_000_000
"""Bytes of a policy file."""
REFERENCE = "docs/reference/policies.md describes the format."
_MOST_TOLD = 10
_WORDS = {
    "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "a table", "null": "nothing",
}  # fmt: skip


class PolicyProblem(UsageProblem):
    """A policy file is wrong."""


def read_policy(file: Path) -> Policy:
    """The policy in a `.toml` or `.json` file. Raises PolicyProblem, which names the line or the field."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise PolicyProblem(f"{file} is too large for a policy (more than {LARGEST // 1000} kB).")
        text = data.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise PolicyProblem(f"There is no policy file {file}.") from None
    except UnicodeDecodeError as error:
        raise PolicyProblem(f"{file} is not UTF-8: {error.reason} at byte {error.start}.") from None
    except OSError as error:
        raise PolicyProblem(f"{file} cannot be read: {error.strerror or error}.") from None
    return policy_of(text, str(file), toml=file.suffix.lower() == ".toml")


def policy_of(text: str, name: str, *, toml: bool) -> Policy:
    """The policy that the text is. `name`: of the file, for messages. Raises PolicyProblem."""
    content = _parsed(text, name, toml)
    if not isinstance(content, dict):
        raise PolicyProblem(f"{name}: a policy is a table, not {_kind(content)}.", advice=REFERENCE)
    if unknown := list(_unknown(content, Policy, "")):
        lines = [
            f"{_where(text, name, field, toml)}: there is no `{field}`{hint}" for field, hint in unknown[:_MOST_TOLD]
        ]
        raise PolicyProblem("\n".join(lines), advice=REFERENCE)
    try:
        policy = msgspec.convert(content, Policy)
    except msgspec.ValidationError as error:
        field, message = _in_words(error)
        raise PolicyProblem(f"{_where(text, name, field, toml)}: {message}.", advice=REFERENCE) from None
    except (OverflowError, RecursionError, ValueError) as error:
        raise PolicyProblem(f"{name}: {error}.", advice=REFERENCE) from None
    if wrong := list(flaws(policy)):
        raise PolicyProblem("\n".join(_told(text, name, flaw, toml) for flaw in wrong[:_MOST_TOLD]), advice=REFERENCE)
    return policy


def warned(policy: Policy) -> list[str]:
    """What may go wrong with the policy, in words."""
    return [f"`{flaw.field}` {flaw.message}." for flaw in warnings(policy)]


def as_json(policy: Policy) -> str:
    """To be read by `policy_of`."""
    return json.dumps(msgspec.to_builtins(policy), indent=2, ensure_ascii=False) + "\n"


def as_toml(policy: Policy) -> str:
    """To be read by `policy_of`; with the explanation where people look first."""
    content: dict[str, Any] = msgspec.to_builtins(policy)
    rules = content.pop("rules", [])
    lines = [f"{key} = {_toml(value)}" for key, value in content.items()]
    for rule in rules:
        lines += ["", "[[rules]]", *(f"{key} = {_toml(value)}" for key, value in rule.items())]
    return "\n".join(lines) + "\n"


def write_policy(policy: Policy, file: Path) -> None:
    """As TOML or JSON, whatever the name of the file ends with. Raises OSError."""
    file.write_text(as_toml(policy) if file.suffix.lower() == ".toml" else as_json(policy), "utf-8")


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case str():
            # A text of JSON is one of TOML, but for what TOML wants escaped besides.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value)
    return str(value)


def _parsed(text: str, name: str, toml: bool) -> Any:
    try:
        return tomllib.loads(text) if toml else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyProblem(f"{name} is not valid TOML: {error}.") from None
    except json.JSONDecodeError as error:
        message = f"{error.msg[0].lower()}{error.msg[1:]}"
        raise PolicyProblem(
            f"{name}, line {error.lineno}: not valid JSON: {message} at column {error.colno}."
        ) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, lists within lists within ...
        raise PolicyProblem(f"{name} cannot be read: {str(error).splitlines()[0]}.") from None


def _unknown(content: dict[str, Any], struct: type[msgspec.Struct], prefix: str) -> Iterator[tuple[str, str]]:
    """Fields that do not exist, and what was probably meant."""
    tag = struct.__struct_config__.tag_field
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
    for key, value in content.items():
        if key == tag:
            continue
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            yield prefix + key, f"; did you mean `{near[0]}`?" if near else f"; known here: {', '.join(fields)}."
            continue
        rows = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for row, inner in rows:
            if isinstance(inner, dict) and (wanted := _struct_in(fields[key], inner)):
                place = key if row is None else f"{key}[{row}]"
                yield from _unknown(inner, wanted, f"{prefix}{place}.")


def _struct_in(annotation: Any, content: dict[str, Any]) -> type[msgspec.Struct] | None:
    """The struct that the content is to become: of several, the one that it says it is."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        config = annotation.__struct_config__
        return annotation if not config.tag_field or content.get(config.tag_field) == config.tag else None
    found = (_struct_in(inner, content) for inner in typing.get_args(annotation))
    return next((struct for struct in found if struct), None)


def _in_words(error: msgspec.ValidationError) -> tuple[str, str]:
    """The field, and what is wrong with it."""
    message, _, place = str(error).partition(" - at `$")
    field = place.rstrip("`").lstrip(".")
    if message.startswith("Expected `"):
        expected, _, got = message.removeprefix("Expected ").partition(", got ")
        message = f"must be {_types(expected)}" + (f", not {_types(got)}" if got else "")
    elif message.startswith("Invalid "):
        value = message.removeprefix("Invalid enum value ").removeprefix("Invalid value ")
        message = f"is {value}; write one of {_choices(re.sub(r'[^a-z]+$', '', field).rpartition('.')[2])}"
    elif message.startswith("Object missing required field"):
        message = f"lacks{message.removeprefix('Object missing required field')}"
    return field, f"`{field}` {message}" if field else message[:1].lower() + message[1:]


def _choices(key: str) -> str:
    """The words that a field takes."""
    words: dict[str, typing.Iterable[object]] = {
        "on": On, "kinds": EventKind, "action": Action, "scope": Scope,
        "do": [do for do in Do if do is not Do.ORDER],
        "is": [each.__struct_config__.tag for each in typing.get_args(Until)],
    }  # fmt: skip
    return ", ".join(map(str, words.get(key, ())))


def _types(text: str) -> str:
    names = [name.partition(" ") for name in text.replace("`", "").split(" | ")]
    return " or ".join(f"{_WORDS.get(name, name)}{space}{rest}" for name, space, rest in names)


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}.get(type(value), "a number")


def _told(text: str, name: str, flaw: Flaw, toml: bool) -> str:
    advice = f" ({flaw.advice})" if flaw.advice else ""
    return f"{_where(text, name, flaw.field, toml)}: `{flaw.field}` {flaw.message}{advice}."


def _where(text: str, name: str, field: str, toml: bool) -> str:
    """The file, and the line where that can be told."""
    line = _line(text, field, toml)
    return f"{name}, line {line}" if line else name


def _line(text: str, field: str, toml: bool) -> int:
    """The line of a field: of its rule, or of its key in it; 0 where that cannot be told."""
    lines = text.split("\n")
    first, last = 0, len(lines)
    steps = re.findall(r"[^.\[\]]+", field)
    if steps[:1] == ["rules"] and len(steps) > 1 and toml:
        heads = [number for number, line in enumerate(lines) if re.match(r"\s*\[\[\s*rules\s*\]\]", line)]
        if int(steps[1]) >= len(heads):
            return 0
        first = heads[int(steps[1])]
        last = [*heads, len(lines)][int(steps[1]) + 1]
        steps = steps[2:]
        if not steps:
            return first + 1
    elif len(steps) > 1 and not toml:
        return 0
    for step in reversed([step for step in steps if not step.isdigit()]):
        key = re.compile(rf'(^|[\s{{,\["]){re.escape(step)}"?\s*[=:]')
        for number in range(first, last):
            if key.search(lines[number]):
                return number + 1
    return first + 1 if first else 0
