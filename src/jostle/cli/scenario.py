"""`--scenario FILE`: a recording, or a Playwright script or test, which is run once to be recorded."""

from __future__ import annotations

from pathlib import Path

from jostle.cli.options import Options
from jostle.cli.outcome import Work
from jostle.errors import UsageProblem
from jostle.recording.file import Recording
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
        if self._read is not None and not any(step.event.by_user for step in self._read.trace.steps):
            raise UsageProblem(f"{self._file} holds nothing that a user did.")

    def recorded(self, work: Work, options: Options, environment: Environment, url: str) -> str:
        """The name of the recording; a script is run for it now, in the application at `url`."""
        if self._read is not None:
            return str(self._file.absolute())
        output = work.run.path / "scenario.jostle"
        wanted = RecordOptions(seed=options.seed, budget=options.budget)
        maker = RecordingMaker(environment, work.emit, work.run, output=output, options=wanted)
        run_to_end(maker.session(url, self._file))
        return str(output.absolute())
