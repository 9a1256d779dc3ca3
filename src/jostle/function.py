"""A user's Python function, named `module:function` in the configuration."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jostle.errors import ConfigurationProblem


def imported(name: str, key: str, directory: Path) -> Callable[..., Any]:
    """The function; modules beside the configuration are found first. `key` is where in the configuration it stands."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, str(directory))
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # the module is the user's: it may raise anything
        raise ConfigurationProblem(f"{key}: {name} cannot be imported: {type(error).__name__}: {error}.") from None
    finally:
        sys.path.remove(str(directory))
    if not callable(found):
        raise ConfigurationProblem(f"{key}: {name} is not a function but {type(found).__name__}.")
    function: Callable[..., Any] = found
    return function
