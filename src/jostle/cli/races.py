"""`jostle races`: orders of events that break an application."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "init": "Act before the page is ready: overwritten input, clicks without a handler, undefined functions.",
    "ajax": "Delay responses: stale results, lost input, double submits.",
    "orders": "Run the same events in every other order that matters, and compare the results.",
}
"""Each is the command of its name in the module `races_NAME`; it is imported only when it is used."""


class _Races(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"jostle.cli.races_{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Races)
def races() -> None:
    """Find race conditions, each proved by a replay."""
