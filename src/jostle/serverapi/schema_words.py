"""Schemas for people."""

from __future__ import annotations


def in_words(schema: object, depth: int = 0) -> str:
    """A schema on one line: `{id: integer, tags?: [string]}`."""
    if not isinstance(schema, dict):
        return "any"
    if "$ref" in schema:
        return "(the same)"
    if isinstance(alternatives := schema.get("anyOf"), list):
        return " | ".join(in_words(each, depth) for each in alternatives)
    told = schema.get("type")
    types = [told] if isinstance(told, str) else list(told) if isinstance(told, list) else []
    words = [_typed(schema, kind, depth) for kind in types]
    return " | ".join(words) or "any"


def _typed(schema: dict[str, object], kind: str, depth: int) -> str:
    if kind == "array":
        return f"[{in_words(schema['items'], depth + 1)}]" if "items" in schema else "[]"
    if kind == "object":
        properties, required = schema.get("properties", {}), schema.get("required", ())
        if not isinstance(properties, dict) or not isinstance(required, list | tuple) or depth > 3:
            return "{…}"
        if isinstance(values := schema.get("additionalProperties"), dict):
            return f"{{any name: {in_words(values, depth + 1)}}}"
        inside = (f"{n}{'' if n in required else '?'}: {in_words(each, depth + 1)}" for n, each in properties.items())
        return f"{{{', '.join(inside)}}}"
    if kind == "string" and isinstance(enum := schema.get("enum"), list):
        return " | ".join(f'"{each}"' for each in enum if each is not None)
    return str(schema.get("format") or kind) if kind == "string" else kind
