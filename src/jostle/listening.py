"""The socket of a server on this machine, or why it cannot be had."""

from __future__ import annotations

import errno
import socket

from jostle.errors import CouldNotRun


class CannotListen(CouldNotRun):
    """The server cannot have the address asked for."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Raises CannotListen."""
    listening: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, OverflowError) as error:
        if listening is not None:
            listening.close()
        raise _problem(error, host, port) from None
    return listening


def _problem(error: OSError | OverflowError, host: str, port: int) -> CannotListen:
    other_port = "Choose another with --port; 0 picks a free one."
    if isinstance(error, OverflowError):
        return CannotListen(f"There is no port {port}.", advice="Ports are 0 (any free one) to 65535.")
    if isinstance(error, socket.gaierror):
        return CannotListen(f"This machine has no address {host!r}.", advice="Try --host 127.0.0.1.")
    if error.errno == errno.EADDRINUSE:
        return CannotListen(f"Port {port} of {host} is in use.", advice=other_port)
    if error.errno == errno.EACCES:
        return CannotListen(f"Port {port} needs special rights.", advice=other_port)
    return CannotListen(f"Cannot listen on {host} port {port}: {error.strerror or error}.", advice=other_port)
