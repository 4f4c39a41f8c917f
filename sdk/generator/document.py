"""Reads the OpenAPI documents and sdk/operations.toml: the operations and schemas of the SDKs."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SDK = Path(__file__).resolve().parent.parent
ROOT = SDK.parent
CONSOLE_PREFIX = "/v1.0.1"
METHODS = ("get", "post", "put", "patch", "delete")
Schema = dict[str, Any]


class DocumentError(Exception):
    """The documents and operations.toml do not agree."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a path or a query."""

    name: str
    schema: Schema
    required: bool
    text: str


@dataclass(frozen=True)
class Result:
    """What a method returns: `json`, `page`, `bytes`, `text` or `none`."""

    kind: str
    # The schema of the record, or of the items of a page.
    schema: str | None = None
    # The member of the response that contains it.
    member: str | None = None


@dataclass(frozen=True)
class Operation:
    """A method of the SDKs."""

    resource: str
    name: str
    method: str
    path: str
    summary: str
    # Paragraphs about what it does and who may call it.
    about: tuple[str, ...]
    path_parameters: tuple[Parameter, ...]
    query: tuple[Parameter, ...]
    body: str | None
    body_required: bool
    # The name of the file in a form.
    file: str | None
    result: Result
    authenticated: bool
    takes_key: bool
    takes_tag: bool
    # Whether it can be sent again when the outcome is unknown.
    repeatable: bool


class Document:
    """The operations that the SDKs offer, with the schemas that these use."""

    def __init__(self, table: Schema, external: Schema, console: Schema) -> None:
        self.table = table
        self.version: str = external["info"]["version"]
        self._whole = _merge(external, console, table["console"])
        self.operations = [
            self._operation(resource, name, what)
            for resource, methods in table["resources"].items()
            for name, what in methods.items()
        ]
        self._require_all(external)
        self.schemas = self._schemas()
        # Values of inline lists that are a schema of their own, such as territories.
        self.enums = {
            tuple(schema["enum"]): name for name, schema in self.schemas.items() if "enum" in schema
        }

    @classmethod
    def read(cls) -> Document:
        external, console = (
            json.loads((ROOT / "docs/openapi" / name).read_text())
            for name in ("external.json", "console.json")
        )
        return cls(tomllib.loads((SDK / "operations.toml").read_text()), external, console)

    def resources(self) -> dict[str, list[Operation]]:
        """The operations by resource."""
        found: dict[str, list[Operation]] = {}
        for operation in self.operations:
            found.setdefault(operation.resource, []).append(operation)
        return found

    def resolve(self, schema: Schema) -> Schema:
        """Follows references to components."""
        while "$ref" in schema:
            target = self._whole
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            schema = target
        return schema

    def kind(self, parameter: Parameter) -> tuple[str, list[str]]:
        """The name of a parameter's schema or JSON type, and its values if these are listed."""
        schema = parameter.schema
        values = [it for it in schema.get("enum", []) if it is not None]
        if values:
            return self.enums.get(tuple(values), ""), values
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        plain = [it for it in kinds if it != "null"]
        if len(plain) != 1 or plain[0] in ("array", "object"):
            raise DocumentError(f"the parameter {parameter.name} has the type {kinds}")
        return plain[0], []

    def _operation(self, resource: str, name: str, what: str) -> Operation:
        method, path, *form = what.split(" ")
        found = self._whole["paths"].get(path, {}).get(method.lower())
        if found is None:
            raise DocumentError(f"{resource}.{name}: the documents have no {method} {path}")
        parameters = [self.resolve(it) for it in found.get("parameters", [])]
        headers = {it["name"].lower() for it in parameters if it["in"] == "header"}
        short = f"{method} {path}"
        body, required, file = self._body(found, form)
        return Operation(
            resource=resource,
            name=name,
            method=method,
            path=path,
            summary=found["summary"],
            about=_about(found),
            path_parameters=self._parameters(parameters, "path"),
            query=self._parameters(parameters, "query"),
            body=body,
            body_required=required,
            file=file,
            result=self._result(found),
            authenticated=any("bearer" in it for it in found.get("security", []))
            or short in self.table["with_token"],
            takes_key="idempotency-key" in headers,
            takes_tag="if-match" in headers,
            repeatable=method in ("GET", "DELETE")
            or "idempotency-key" in headers
            or short in self.table["repeatable"],
        )

    def _parameters(self, parameters: list[Schema], place: str) -> tuple[Parameter, ...]:
        return tuple(
            Parameter(it["name"], self.resolve(it["schema"]), it.get("required", False), _line(it))
            for it in parameters
            if it["in"] == place and it["name"] not in self.table["left_out_parameters"]
        )

    def _body(self, operation: Schema, form: list[str]) -> tuple[str | None, bool, str | None]:
        if "requestBody" not in operation:
            return None, False, None
        body = self.resolve(operation["requestBody"])
        if form:
            return None, True, self.resolve(body["content"][form[0]]["schema"])["required"][0]
        if "application/json" not in body["content"]:
            raise DocumentError(f"{operation['operationId']} takes no JSON")
        schema = body["content"]["application/json"]["schema"]
        return _name(schema), body.get("required", False), None

    def _result(self, operation: Schema) -> Result:
        good = [it for status, it in operation["responses"].items() if status.startswith("2")]
        content = self.resolve(good[0]).get("content", {})
        if not content:
            return Result("none")
        media = content.get("application/json")
        if media is None:
            only = next(iter(content.values()))
            is_binary = self.resolve(only["schema"]).get("format") == "binary"
            return Result("bytes" if is_binary else "text")
        members = self.resolve(media["schema"]).get("properties", {})
        if "pagination" in members:
            items = [it for it, schema in members.items() if schema.get("type") == "array"]
            return Result("page", _name(members[items[0]]["items"]), items[0])
        if "data" in members and ("success" in members or "message" in members):
            return Result("json", _name(members["data"]), "data")
        return Result("json", _name(media["schema"]))

    def _require_all(self, external: Schema) -> None:
        named = {f"{it.method} {it.path}" for it in self.operations}
        named |= set(self.table["left_out"])
        for path, methods in external["paths"].items():
            for method in METHODS:
                what = f"{method.upper()} {path}"
                if method in methods and what not in named:
                    raise DocumentError(f"sdk/operations.toml does not name {what}")

    def _schemas(self) -> dict[str, Schema]:
        """The schemas that are used, with a schema for each kind of event."""
        schemas = self._whole["components"]["schemas"]
        events = {}
        for hook in self._whole["webhooks"].values():
            media = self.resolve(hook["post"]["requestBody"])["content"]["application/json"]
            payload = _name(media["schema"])
            with_id = [{"$ref": f"#/components/schemas/{it}"} for it in (payload, "EventId")]
            text = f"{schemas[payload]['description']} With the event's ID."
            events[payload.removesuffix("Payload") + "Event"] = {
                "description": text, "allOf": with_id
            }
        identified = {"type": "string", "format": "uuid", "description": "The event's ID."}
        event_id = {
            "type": "object", "required": ["id"], "properties": {"id": identified},
            "description": "The ID of an event: `webhook-id` of its deliveries.",
        }
        union = [{"$ref": f"#/components/schemas/{it}"} for it in sorted(events)]
        event = {"description": "An event, from a webhook or from the feed.", "oneOf": union}
        schemas = schemas | events | {"EventId": event_id, "Event": event}
        used = {"Event"}
        for operation in self.operations:
            used |= {operation.body or "", operation.result.schema or ""} - {""}
        used |= {"Pagination"}
        return {name: schemas[name] for name in sorted(_closure(used, schemas))}


def _merge(external: Schema, console: Schema, taken: list[str]) -> Schema:
    """The external document with some operations of the console document."""
    schemas = external["components"]["schemas"]
    for name, schema in console["components"]["schemas"].items():
        # Only those that are used are kept; a name with two meanings would be found there.
        schemas.setdefault(name, schema)
    paths = dict(external["paths"])
    for what in taken:
        method, path = what.split(" ")
        operation = {method.lower(): console["paths"][path][method.lower()]}
        for name in _closure(set(_references(operation)), console["components"]["schemas"]):
            if schemas[name] != console["components"]["schemas"][name]:
                raise DocumentError(f"{name} differs between the documents")
        paths[CONSOLE_PREFIX + path] = operation
    return external | {"paths": paths}


def _closure(names: set[str], schemas: dict[str, Schema]) -> set[str]:
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        names |= {it for it in _references(schemas[name]) if it not in found}
    return found


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"].rsplit("/", 1)[-1]] if "/schemas/" in value.get("$ref", "") else []
        return own + [it for inner in value.values() for it in _references(inner)]
    if isinstance(value, list):
        return [it for inner in value for it in _references(inner)]
    return []


def _name(schema: Schema) -> str:
    if "$ref" not in schema:
        raise DocumentError(f"a schema without a name: {json.dumps(schema)[:200]}")
    return str(schema["$ref"].rsplit("/", 1)[-1])


def _line(parameter: Schema) -> str:
    return " ".join(parameter.get("description", "").split())


def _about(operation: Schema) -> tuple[str, ...]:
    """The description, without the limits: the client waits for them."""
    paragraphs = operation.get("description", "").split("\n\n")
    return tuple(
        " ".join(it.split()) for it in paragraphs if it and not it.startswith("**Rate limit:**")
    )
