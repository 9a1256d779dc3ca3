"""OpenAPI 3.1: valid by the specification, and honest about what it cannot hold."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import OpenAPIV31SpecValidator

from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.description import Description
from jostle.serverapi.learning import learn
from jostle.serverapi.openapi import OpenApi, to_openapi
from jostle.serverapi.schemas import Schemas
from tests.serverapi.making import BASE
from tests.serverapi.test_ail import DESCRIPTIONS
from tests.serverapi.test_learning import NEWS, PLACES


def exported(text: str, schemas: dict[str, Any] | None = None) -> OpenApi:
    made = to_openapi(parse_description(f"URL http://x.test\n{text}"), Schemas(schemas or {}), title="x")
    OpenAPIV31SpecValidator(made.document).validate()
    return made


def test_what_is_learned() -> None:
    learned = learn([*NEWS, *PLACES], BASE)
    made = to_openapi(learned.description, Schemas(learned.schemas), title="The shop")
    OpenAPIV31SpecValidator(made.document).validate()
    assert made.lost == ()
    assert made.document["servers"] == [{"url": BASE}]
    author = made.document["paths"]["/author"]["get"]
    assert author["parameters"] == [{"name": "name", "in": "query", "schema": {"type": "string"}, "required": True}]
    reference = author["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    assert reference == "#/components/schemas/get-author"
    assert made.document["components"]["schemas"]["get-author"]["required"] == ["id", "name", "stories"]
    assert made.document["paths"]["/users/{user_id}"]["get"]["parameters"][0]["schema"] == {"type": "integer"}


def test_parameters_and_responses() -> None:
    paths = exported(
        'GET a/lang:"en"|"de"(x:?int, y:+*, z:"1") : @a.json | 404 void | 5xx text/html\n'
        "POST a/b(user:*, more:?*) : void",
        {"a.json": {"type": "array"}},
    ).document["paths"]
    asked = paths["/a/{lang}"]["get"]
    assert asked["parameters"] == [
        {"name": "lang", "in": "path", "required": True, "schema": {"type": "string", "enum": ["en", "de"]}},
        {"name": "x", "in": "query", "schema": {"type": "integer"}},
        {"name": "y", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}, "style": "form",
         "explode": True},
        {"name": "z", "in": "query", "schema": {"type": "string", "const": "1"}, "required": True},
    ]  # fmt: skip
    assert list(asked["responses"]) == ["200", "404", "5XX"]
    assert "content" not in asked["responses"]["404"]
    form = paths["/a/b"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]
    assert form["required"] == ["user"]
    assert list(paths["/a/b"]["post"]["responses"]) == ["204"]


def test_what_cannot_be_said() -> None:
    made = exported(
        'GET admin(action:"a") : *\nGET admin(action:"b", id:*) : void\nPURGE x() : *\nGET feed() : @f.rng\n'
        'POST rpc(body.method:"a", body:*) : *'
    )
    assert made.lost == (
        'these are one operation in OpenAPI: GET admin(action:"a"); GET admin(action:"b", id:*)',
        "the RELAX NG schema f.rng",
        'POST rpc(body.method:"a", body:*): body.method in the body tells operations apart',
        "PURGE x(): OpenAPI has no method PURGE",
    )
    assert made.document["paths"]["/admin"]["get"]["x-ail-operations"] == [
        'GET admin(action:"a") : *',
        'GET admin(action:"b", id:*) : void',
    ]
    assert made.document["x-ail-operations"] == ["PURGE x() : *"]


def test_trees_refer_to_themselves_where_they_are() -> None:
    tree = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}, "b": {"$ref": "b.json"}},
    }
    schemas = {"s/tree.json": tree, "s/b.json": {"type": "integer"}}
    components = exported("GET t() : @s/tree.json", schemas).document["components"]["schemas"]
    assert components["tree"]["properties"]["kids"]["items"] == {"$ref": "#/components/schemas/tree"}
    assert components["tree"]["properties"]["b"] == {"$ref": "#/components/schemas/b"}


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(DESCRIPTIONS)
def test_any_description_makes_a_valid_document(description: Description) -> None:
    schemas = Schemas({file: {"type": "object"} for file in description.schema_files()})
    made = to_openapi(description, schemas, title="x")
    OpenAPIV31SpecValidator(made.document).validate()
