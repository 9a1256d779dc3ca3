"""`--scenario FILE`: a recording, or a Playwright script or test, which is run once to be recorded."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from jostle.cli.options import Options
from jostle.cli.outcome import Work
from jostle.errors import UsageProblem
from jostle.recording.file import Recording
from jostle.search.job import References
from jostle.search.recording_maker import RecordingMaker, RecordOptions
from jostle.search.run import Environment, run_to_end


class Scenario:
    """What somebody asked to be done. A recording is read at once: it must be one, and may say where."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = None if file.suffix == ".py" else Recording.read(file)

    @property
    def url(self) -> str | None:
        """Where it was recorded; None for a script, whose address has to be given."""
        return self._read.manifest.url if self._read is not None else None

    def must_act(self) -> None:
        """Raises UsageProblem when it is known already that a user does nothing in it."""
        if self._read is not None and not self._read.user_events:
            raise UsageProblem(f"{self._file} holds nothing that a user did.")

    def recorded(self, work: Work, options: Options, environment: Environment, url: str) -> tuple[str, Environment]:
        """The name of the recording, and where it is found. A script is run for it now, in the application at `url`:
        what is typed in it must be what was typed, which is not written down."""
        if self._read is not None:
            return _found(str(self._file.absolute()), self._read, environment)
        output = work.run.path / "scenario.jostle"
        wanted = RecordOptions(seed=options.seed, budget=options.budget)
        maker = RecordingMaker(environment, work.emit, work.run, work.redaction, output=output, options=wanted)
        try:
            run_to_end(maker.session(url, self._file))
        finally:
            maker.write()
        return _found(str(output.absolute()), maker.made, environment)


class _Kept:
    """One recording in memory; all else where it always is."""

    def __init__(self, name: str, recording: Recording, others: References) -> None:
        self._name = name
        self._content = recording.to_bytes()
        self._others = others

    def read(self, name: str) -> bytes:
        return self._content if name == self._name else self._others.read(name)


def _found(name: str, recording: Recording | None, environment: Environment) -> tuple[str, Environment]:
    if recording is None:
        return name, environment
    kept = _Kept(name, recording, environment.references)
    return name, dataclasses.replace(environment, references=kept)
