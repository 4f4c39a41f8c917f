"""Writes the Postman collection of both APIs. Bruno, Insomnia and Hoppscotch import it as well."""

from __future__ import annotations

import json
from typing import Any

from document import METHODS, ROOT, Schema

FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
TEXT = """Both APIs of Grantor. Generated from their OpenAPI documents by `make sdk`.

1. Set the variables `base_url`, `api_key` and `api_secret`.
2. Send *External API / auth / {token}*: it sets `access_token`, which the external API uses.
3. For the console API, set `email` and `password` and send *Console API / auth / {login}*: it sets
   `console_token`. Staff sets `staff_token` to a one-time token and sends *{admin}* instead, which
   sets `admin_token`."""
VARIABLES = {
    "base_url": "http://127.0.0.1:8080",
    "api_key": "",
    "api_secret": "",
    "email": "",
    "password": "",
    "staff_token": "",
    "access_token": "",
    "refresh_token": "",
    "console_token": "",
    "admin_token": "",
}
#: Requests that use variables, and set others from their response.
LOGINS = {
    ("external", "POST /auth/token"): (
        {"api_key": "{{api_key}}", "api_secret": "{{api_secret}}"},
        {"access_token": "access_token", "refresh_token": "refresh_token"},
    ),
    ("external", "POST /auth/token/refresh"): (
        {"refresh_token": "{{refresh_token}}"},
        {"access_token": "access_token"},
    ),
    ("console", "POST /auth/login"): (
        {"username": "{{email}}", "password": "{{password}}"},
        {"console_token": "accessToken"},
    ),
    ("console", "POST /auth/authenticateAdmin"): (
        {"token": "{{staff_token}}"},
        {"admin_token": "accessToken"},
    ),
}
FORMATS = {
    "date-time": "2027-01-01T00:00:00Z",
    "date": "2027-01-01",
    "uuid": "00000000-0000-7000-8000-000000000000",
    "uri": "https://example.com/",
    "email": "name@example.com",
}
#: How deep examples nest: some schemas contain themselves.
DEPTH = 8


def collection() -> str:
    """The collection as JSON."""
    folders: list[Schema] = []
    names: dict[tuple[str, str], str] = {}
    for document, title, prefix in (
        ("external", "External API", ""),
        ("console", "Console API", "/v1.0.1"),
    ):
        api = Api(document, prefix)
        folders.append({"name": title, "item": api.folders()})
        names |= api.logins
    text = TEXT.format(
        token=names[("external", "POST /auth/token")],
        login=names[("console", "POST /auth/login")],
        admin=names[("console", "POST /auth/authenticateAdmin")],
    )
    whole = {
        "info": {"name": "Grantor", "description": text, "schema": FORMAT},
        "variable": [{"key": name, "value": value} for name, value in VARIABLES.items()],
        "item": folders,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


class Api:
    """The requests of one document."""

    def __init__(self, name: str, prefix: str) -> None:
        self.name = name
        self.prefix = prefix
        self.whole = json.loads((ROOT / f"docs/openapi/{name}.json").read_text())
        self.logins: dict[tuple[str, str], str] = {}

    def folders(self) -> list[Schema]:
        """The requests, by tag."""
        by_tag: dict[str, list[Schema]] = {}
        for path, methods in self.whole["paths"].items():
            for method in METHODS:
                if method in methods:
                    tag = methods[method]["tags"][0]
                    by_tag.setdefault(tag, []).append(self._request(method, path, methods[method]))
        # The first group sets the variables, so that the collection can run as a whole.
        tags = [it for it in self.whole["tags"] if it["name"] in by_tag]
        return [{"name": it["x-displayName"], "item": by_tag[it["name"]]} for it in tags]

    def _request(self, method: str, path: str, operation: Schema) -> Schema:
        parameters = [self._resolve(it) for it in operation.get("parameters", [])]
        what = f"{method.upper()} {path}"
        request: Schema = {
            "method": method.upper(),
            "description": operation.get("description") or operation["summary"],
            "auth": self._auth(path, operation, parameters),
            "header": [self._header(it) for it in parameters if it["in"] == "header"],
            "url": self._url(path, parameters),
        }
        if "requestBody" in operation:
            request["body"] = self._body(self._resolve(operation["requestBody"]), what)
        item: Schema = {"name": operation["summary"], "request": request}
        if (self.name, what) in LOGINS:
            self.logins[(self.name, what)] = operation["summary"]
            script = [
                "if (pm.response.code < 300) {",
                "  const { data } = pm.response.json();",
                *(
                    f'  pm.collectionVariables.set("{variable}", data.{member});'
                    for variable, member in LOGINS[(self.name, what)][1].items()
                ),
                "}",
            ]
            item["event"] = [
                {"listen": "test", "script": {"type": "text/javascript", "exec": script}}
            ]
        return item

    def _auth(self, path: str, operation: Schema, parameters: list[Schema]) -> Schema:
        security = operation.get("security") or self.whole.get("security") or []
        kinds = [it for entry in security for it in entry]
        if "basic" in kinds:
            pair = {"username": "{{api_key}}", "password": "{{api_secret}}"}
            return {"type": "basic", "basic": [_value(*it) for it in pair.items()]}
        if "bearer" not in kinds:
            return {"type": "noauth"}
        sources = [it for it in parameters if it["name"] == "x-source"]
        token = "admin_token"
        if self.name == "external" or (sources and not sources[0].get("required")):
            token = "access_token"
        elif sources or path.startswith(("/auth", "/external")):
            token = "console_token"
        return {"type": "bearer", "bearer": [_value("token", f"{{{{{token}}}}}")]}

    def _header(self, parameter: Schema) -> Schema:
        is_key = parameter["name"] == "Idempotency-Key"
        value = "{{$guid}}" if is_key else str(self._example(parameter["schema"]))
        return _parameter(parameter, value) | _unless_required(parameter)

    def _url(self, path: str, parameters: list[Schema]) -> Schema:
        parts = [
            f":{it[1:-1]}" if it.startswith("{") else it
            for it in (self.prefix + path).strip("/").split("/")
        ]
        url: Schema = {"raw": "{{base_url}}/" + "/".join(parts), "host": ["{{base_url}}"]}
        url["path"] = parts
        query = [it for it in parameters if it["in"] == "query"]
        if query:
            url["query"] = [
                _parameter(it, _text(self._example(it["schema"]))) | _unless_required(it)
                for it in query
            ]
        variables = [it for it in parameters if it["in"] == "path"]
        if variables:
            url["variable"] = [
                _parameter(it, _text(self._example(it["schema"]))) for it in variables
            ]
        return url

    def _body(self, body: Schema, what: str) -> Schema:
        media = body["content"].get("application/json")
        if media is None:
            kind, form = next(iter(body["content"].items()))
            mode = "urlencoded" if kind == "application/x-www-form-urlencoded" else "formdata"
            members = self._resolve(form["schema"]).get("properties", {})
            return {"mode": mode, mode: [self._part(*it) for it in members.items()]}
        login = LOGINS.get((self.name, what))
        example = login[0] if login else self._media_example(media)
        raw = json.dumps(example, indent=2, ensure_ascii=False)
        return {"mode": "raw", "raw": raw, "options": {"raw": {"language": "json"}}}

    def _media_example(self, media: Schema) -> Any:
        named = [self._resolve(it) for it in media.get("examples", {}).values()]
        if "example" in media:
            return media["example"]
        return named[0]["value"] if named else self._example(media["schema"])

    def _part(self, name: str, schema: Schema) -> Schema:
        schema = self._resolve(schema)
        items = self._resolve(schema.get("items", {}))
        if "binary" in (schema.get("format"), items.get("format")):
            return {"key": name, "type": "file", "src": []}
        return {"key": name, "type": "text", "value": _text(self._example(schema))}

    def _resolve(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            target = self.whole
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            schema = target
        return schema

    def _example(self, schema: Schema, depth: int = 0) -> Any:
        """The schema's example, or a value of its type."""
        schema = self._resolve(schema)
        for name in ("example", "default", "const"):
            if name in schema:
                return schema[name]
        for name in ("examples", "enum"):
            if schema.get(name):
                return schema[name][0]
        for name in ("oneOf", "anyOf"):
            if schema.get(name):
                return self._example(schema[name][0], depth)
        if "allOf" in schema:
            whole: Schema = {}
            for it in schema["allOf"]:
                whole |= self._example(it, depth)
            return whole
        kind = schema.get("type", "object")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            members = schema.get("properties", {})
            # Without required members one is enough, and often only one is allowed.
            taken = schema.get("required") or list(members)[:1]
            if depth > DEPTH:
                return {}
            return {it: self._example(members[it], depth + 1) for it in taken if it in members}
        if kind == "array":
            return [self._example(schema.get("items", {}), depth + 1)]
        plain = {"integer": max(schema.get("minimum", 1), 1), "number": 1, "boolean": True}
        return plain.get(kind, FORMATS.get(schema.get("format", ""), "text"))


def _parameter(parameter: Schema, value: str) -> Schema:
    text = " ".join(parameter.get("description", "").split())
    return _value(parameter["name"], value) | ({"description": text} if text else {})


def _unless_required(parameter: Schema) -> Schema:
    return {} if parameter.get("required") else {"disabled": True}


def _value(key: str, value: str) -> Schema:
    return {"key": key, "value": value}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
