"""Handing out the suite of tests of the Allotment, as a user would have it in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from jostle.errors import CouldNotRun, UsageProblem

SUITE = Path(__file__).parent / "suite"


def hand_out(folder: Path) -> list[Path]:
    """Writes the suite into a folder, which is made when it is not there; nothing is overwritten.

    Raises UsageProblem, CouldNotRun.
    """
    files = {file.name: file.read_bytes() for file in sorted(SUITE.iterdir()) if file.is_file()}
    if there := [name for name in files if (folder / name).exists()]:
        raise UsageProblem(f"There is a {there[0]} in {folder} already.", advice="Choose another folder with --to.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise CouldNotRun(f"Cannot write to {folder}: {error.strerror or error}.") from None
    return [folder / name for name in files]
