"""The JSON schema of the document that `--json` writes: docs/reference/json-schema.json.

python -m jostle.runs.schema > docs/reference/json-schema.json
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from jostle.runs.document import Document


def schema() -> bytes:
    """What is written, not what is read: nothing is left out of a document."""
    made: dict[str, Any] = msgspec.json.schema(Document)
    for definition in made["$defs"].values():
        if properties := definition.get("properties"):
            definition["required"] = list(properties)
            for each in properties.values():
                each.pop("default", None)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A document written by jostle --json"}
    return msgspec.json.format(msgspec.json.encode(head | made), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(schema())
