"""Traffic and descriptions that attack whoever learns from them: the description is ours, and other files stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.errors import CouldNotRun
from jostle.recording.file import Manifest, Recording
from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.description import Alternative, Description, Operation, Pattern, Void
from jostle.serverapi.files import ApiFiles, Marks, read_api, write_api
from jostle.serverapi.schemas import Schemas
from tests.cli.commands import command
from tests.serverapi.test_har import entry, har

BASE = "http://shop.test"


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("GET /ADMIN () : *\nPOST", f"{BASE}/api"),
        ("AO :(", f"{BASE}/api"),
        ("GE\nT", f"{BASE}/api"),
        ("A" * 100_000, f"{BASE}/api"),
        ("G", f"{BASE}/api"),
        ("POST", "http://["),
        ("POST", "http://x:99999999/"),
        ("POST", "http://a b/"),
        ("POST", 'http://a"b/'),
        ("POST", "http:///x"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "among others"])
def test_traffic_that_would_write_the_description(method: str, url: str, alone: bool, tmp_path: Path) -> None:
    entries = [entry(url, method, _resourceType="fetch")] * 3
    others = [] if alone else [entry(f"{BASE}/api/items", _resourceType="fetch")]
    (tmp_path / "x.har").write_bytes(har(*entries, *others))
    done = command("api", "learn", "x.har", "-o", "api.ail", cwd=tmp_path)
    assert "itself failed" not in done.stderr
    if done.returncode == 0:
        written = (tmp_path / "api.ail").read_text()
        assert "ADMIN" not in written
        assert parse_description(written).base
        assert read_api(tmp_path / "api.ail").description.operations
    else:
        assert done.returncode in (2, 3, 4) and not (tmp_path / "api.ail").exists()
    if not alone:
        assert done.returncode == 0 and "GET api/items" in (tmp_path / "api.ail").read_text()


def test_what_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    description = Description(
        base=BASE,
        operations=(
            Operation(pattern=Pattern(method="GET x() : *\nPOST", path=()), responses=(Alternative(type=Void()),)),
        ),
    )
    with pytest.raises(CouldNotRun, match="cannot be written"):
        write_api(tmp_path / "api.ail", description, {}, Recording(Manifest(url="")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.timeout(60)
def test_an_update_reads_and_removes_nothing_but_its_schemas(tmp_path: Path) -> None:
    """The recording beside a description names files with their hashes; it may come from anybody."""
    from hashlib import sha256

    work = tmp_path / "work"
    (work / "api.schemas").mkdir(parents=True)
    (tmp_path / "above.json").write_text("{}")
    (work / "package.json").write_text("{}")
    (work / "api.schemas" / "own.json").write_text("{}")
    (work / "api.schemas" / "endless.json").symlink_to("/dev/zero")
    mark = sha256(b"{}").hexdigest()
    names = (
        "/dev/zero", "../above.json", "package.json", "api.schemas/../package.json", "api.schemas/own.json",
        "api.schemas/endless.json", "api.schemas/../../above.json", str(tmp_path / "above.json"),
    )  # fmt: skip
    description = Description(base=BASE, operations=())
    before = ApiFiles(
        file=work / "api.ail",
        description=description,
        schemas=Schemas({}),
        marks=Marks(schemas=dict.fromkeys(names, mark)),
    )
    write_api(work / "api.ail", description, {}, Recording(Manifest(url="")), before=before)
    assert (tmp_path / "above.json").exists() and (work / "package.json").exists()
    assert (work / "api.schemas" / "endless.json").is_symlink()
    assert not (work / "api.schemas" / "own.json").exists()
