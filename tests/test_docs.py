"""Nothing a user can write is undocumented, and no link in the documentation leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import msgspec
import pytest

from jostle import pytest_plugin
from jostle.cli.main import COMMANDS, jostle
from jostle.config.load import keys
from jostle.errors import Exit
from jostle.runs import Confidence, Document, Finding, FindingKind, Severity, Status

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def sections(text: str) -> dict[str, str]:
    """The text under each heading of the second level."""
    return dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def options(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield max(parameter.opts, key=len)
    if isinstance(command, click.Group) and command is not jostle:
        for inner in command.commands.values():
            yield from options(inner)


def test_every_option_of_the_plugin_is_documented() -> None:
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    names = [name for group in parser._groups for option in group.options for name in option.names()]
    described = (REFERENCE / "pytest.md").read_text()
    assert len(names) > 10
    assert [name for name in names if not re.search(rf"^\| `{name}[ `]", described, re.MULTILINE)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented_with_its_command(name: str) -> None:
    command = getattr(import_module(f"jostle.cli.{name}"), name)
    parts = sections((REFERENCE / "cli.md").read_text())
    assert f"jostle {name}" in parts, f"docs/reference/cli.md has no section `jostle {name}`"
    documented = parts[f"jostle {name}"]
    common = parts["Options of every analysing command"]
    if "--workers" in options(command):
        documented += common
    missing = [option for option in options(command) if not re.search(rf"`{option}\b", documented)]
    assert not missing, f"docs/reference/cli.md does not describe {missing} of `jostle {name}`"
    if isinstance(command, click.Group):
        assert not [inner for inner in command.commands if f"jostle {name} {inner}" not in documented]


def test_options_of_the_program_are_documented() -> None:
    text = (REFERENCE / "cli.md").read_text()
    assert not [option for option in options(jostle) if option not in text]


def test_every_configuration_key_is_documented() -> None:
    text = (REFERENCE / "configuration.md").read_text()
    missing = [key for key in keys() if f"| `{key}` |" not in text and f"\n## {key}\n" not in text]
    assert not missing, f"docs/reference/configuration.md does not describe {missing}"


def test_every_documented_configuration_key_exists() -> None:
    text = (REFERENCE / "configuration.md").read_text()
    assert set(re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE)) <= set(keys())


def test_every_field_of_the_json_document_is_documented() -> None:
    text = (REFERENCE / "json.md").read_text()
    fields = [field.encode_name for struct in (Document, Finding) for field in msgspec.structs.fields(struct)]
    values = [value.value for kind in (FindingKind, Confidence, Severity, Status) for value in kind]
    assert not [name for name in (*fields, *values) if f"`{name}`" not in text]


def test_every_exit_code_is_documented() -> None:
    text = (REFERENCE / "cli.md").read_text()
    assert not [code for code in Exit if f"| {code.value} |" not in text]


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text())
    assert not [link for link in links if "://" not in link and not (document.parent / link).exists()]
