"""The `jostle` command: its subcommands, and how it ends."""

from __future__ import annotations

import difflib
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from jostle.cli import process
from jostle.errors import Exit, Problem, debugging
from jostle.text import printable
from jostle.version import __version__

COMMANDS = {
    "check": "Find what breaks in an application, and write one report with a failing test for each problem.",
    "report": "Regenerate the report of a run.",
    "ui": "Open a live report of a run in the browser.",
    "export": "Write a Playwright test for a finding.",
    "record": "Record a session with a web application to a file.",
    "replay": "Replay a recording and report whether it behaved the same.",
    "show": "Show what a recording contains.",
    "explore": "Explore an application as a tester would, and report what goes wrong.",
    "slowdown": "Find actions that get slower the longer an application is used.",
    "races": "Find race conditions: clicks before the page is ready, slow responses, other orders of events.",
    "repair": "Write a script that prevents the races of a run until they are fixed, and prove it.",
    "macros": "Learn from recorded sessions which actions belong together.",
    "api": "Learn a server's API from recorded traffic, check it, and mock it.",
    "demo": "Check the example application with its planted bugs.",
    "examples": "Serve the bundled example applications.",
    "doctor": "Check that everything jostle needs is installed.",
}
"""Each command is the function of its name in the module of its name; it is imported only when it is used."""


_MISTAKE = "This is a mistake in jostle. `jostle --debug ...` shows where; please report it."
_SHORT_OF = {
    errno.EMFILE: "too many files are open for this process. Allow more in this shell: ulimit -n 1024",
    errno.ENFILE: "too many files are open on this machine.",
    errno.ENOSPC: "the disk is full.",
    errno.EDQUOT: "the disk quota is used up.",
    errno.ENOMEM: "there is not enough memory.",
}


class _ReaderGone(Exception):
    """Whoever read our output has gone: `jostle show ... | head`."""


class Commands(click.Group):
    """Commands imported by name. Click would end with the exit code of findings when the reader is gone: we do not."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            raise _ReaderGone from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise _ReaderGone from None
        return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"jostle.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command '{name}'. {hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="jostle")
@click.option("--debug", is_flag=True, help="Show the traceback of an error (also: JOSTLE_DEBUG=1).")
def jostle(debug: bool) -> None:
    """Test event-driven web applications in a real Chromium by controlling event order, time and user input.

    Exit codes: 0 nothing found, 1 findings, 2 wrong usage or configuration, 3 could not run, 130 interrupted.
    """
    if debug:
        os.environ["JOSTLE_DEBUG"] = "1"


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    try:
        result: Any = jostle.main(args=arguments, prog_name="jostle", standalone_mode=False)
        return result if isinstance(result, int) else Exit.NOTHING_FOUND
    except click.ClickException as error:
        error.show()
        return Exit.WRONG_USAGE if error.exit_code == Exit.FINDINGS else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("Interrupted.")
        return Exit.INTERRUPTED
    except Problem as problem:
        _show_traceback()
        _say(f"Error: {problem.message}")
        if problem.advice:
            _say(problem.advice)
        return problem.exit_code
    except _ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes once more at exit
        return Exit.COULD_NOT_RUN
    except OSError as error:
        _show_traceback()
        _say(f"Error: {_SHORT_OF.get(error.errno or 0, f'jostle itself failed: {error}')}")
        if error.errno not in _SHORT_OF:
            _say(_MISTAKE)
        return Exit.COULD_NOT_RUN
    except Exception as error:
        _show_traceback()
        _say(f"Error: jostle itself failed: {type(error).__name__}: {error}")
        _say(_MISTAKE)
        return Exit.COULD_NOT_RUN


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The entry point of the program. `arguments` are those of the command line unless given."""
    process.prepare()
    # Ctrl-C can catch an object half built, which complains when it is collected. That helps only who debugs.
    complain = sys.unraisablehook
    sys.unraisablehook = lambda trouble: complain(trouble) if debugging() else None
    process.leave(run(arguments))


def _show_traceback() -> None:
    if debugging():
        traceback.print_exc()


def _say(text: str) -> None:
    click.echo(printable(text), err=True)


if __name__ == "__main__":
    main()
