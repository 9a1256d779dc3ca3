"""Example pages and a small application, with known bugs and correct twins, and the server that shows them."""

from jostle.examples.catalogue import CATALOGUE, example
from jostle.examples.copy import COPIED, copy
from jostle.examples.entry import Example
from jostle.examples.server import create_app, running, serve
from jostle.listening import CannotListen

__all__ = ["CATALOGUE", "COPIED", "CannotListen", "Example", "copy", "create_app", "example", "running", "serve"]
