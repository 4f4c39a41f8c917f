"""Sends calls: authentication, retries and errors. The resources are built on it."""

from __future__ import annotations

import json
import platform
import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from .errors import (
    ConnectionFailedError,
    PreconditionFailedError,
    ServerError,
    error_of,
    retry_after,
)
from .pages import Pages
from .tokens import TokenSource
from .transport import Request, Response, Transport
from .version import VERSION

#: Nothing happened, or what happened is not known.
RETRIED = (408, 429, 500, 502, 503, 504)
#: Something may have happened.
IN_DOUBT = (500, 502, 504)
#: Seconds before the first retry, doubled with each further one.
FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
USER_AGENT = f"grantor-python/{VERSION} Python/{platform.python_version()}"

R = TypeVar("R")
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class File:
    """A file that is sent as a form."""

    field: str
    content: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operation."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    file: File | None = None
    #: The ``Idempotency-Key``.
    key: str | None = None
    #: The ``If-Match``.
    tag: str | None = None
    accept: str = "application/json"
    authenticated: bool = True
    #: Whether it can be sent again when the outcome is unknown.
    repeatable: bool = True


class Record(dict[str, Any]):
    """A record that also knows its entity tag. See :func:`etag_of`."""

    etag: str | None = None


def etag_of(record: Mapping[str, Any]) -> str | None:
    """The entity tag of a record that was read alone, for ``if_match``; lists have none."""
    return record.etag if isinstance(record, Record) else None


def new_key() -> str:
    """A new idempotency key."""
    return str(uuid.uuid4())


def part(value: str | int) -> str:
    """A part of a path. An empty one would address another operation."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is not an ID")
    return quote(text, safe="")


@dataclass(frozen=True, slots=True)
class Core:
    """How calls are sent. A frozen value: changed options make another one."""

    base_url: str
    transport: Transport
    tokens: TokenSource
    timeout: float
    max_retries: int
    max_wait: float
    user_agent: str
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def send(self, call: Call) -> Response:
        """Sends a call and returns its successful response."""
        attempt, may_renew, in_doubt = 0, call.authenticated, False
        while True:
            token = self.tokens.get(self._post) if call.authenticated else None
            try:
                response = self.transport.send(self._request(call, token))
            except ConnectionFailedError as failure:
                if attempt >= self.max_retries or (failure.sent and not call.repeatable):
                    raise
                in_doubt = in_doubt or failure.sent
                wait = self._backoff(attempt)
            else:
                if response.status < 300:
                    return response
                if response.status == 404 and call.method == "DELETE" and in_doubt:
                    # An earlier attempt has deleted it.
                    return replace(response, status=204, body=b"")
                if response.status == 401 and may_renew and token is not None:
                    may_renew = False
                    self.tokens.reject(token)
                    continue
                asked = self._wait(call, response, attempt)
                if asked is None:
                    raise error_of(response.status, response.headers, response.body)
                in_doubt = in_doubt or response.status in IN_DOUBT
                wait = asked
            self.sleep(wait)
            attempt += 1

    def json(self, call: Call, member: str | None = None) -> Any:
        """Sends a call and returns the JSON of its response, or one member of it."""
        response = self.send(call)
        try:
            value = json.loads(response.body)
        except ValueError as error:
            problem = {"code": "NOT_JSON", "message": "The response is not JSON"}
            raise ServerError(response.status, response.headers, problem) from error
        value = value if member is None else value[member]
        if isinstance(value, dict):
            value = Record(value)
            value.etag = response.headers.get("etag")
        return value

    def _wait(self, call: Call, response: Response, attempt: int) -> float | None:
        """How long to wait before the next attempt; ``None`` if there is none."""
        asked = retry_after(response.headers, datetime.now(UTC))
        retried = response.status in RETRIED
        # The first request with this key still runs.
        runs = response.status == 409 and call.key is not None and asked is not None
        if attempt >= self.max_retries or not (retried or runs):
            return None
        if response.status != 429 and not call.repeatable:
            return None
        wait = self._backoff(attempt)
        if asked is not None:
            wait = asked + wait / 4
        return wait if (asked or 0.0) <= self.max_wait else None

    def _backoff(self, attempt: int) -> float:
        """Between half of the time and all of it, so that clients do not return together."""
        whole = min(LONGEST_WAIT, FIRST_WAIT * 2.0**attempt)
        return whole * (0.5 + self.chance() / 2)

    def _post(self, path: str, body: dict[str, str]) -> Any:
        return self.json(Call("POST", path, body=body, authenticated=False), "data")

    def _request(self, call: Call, token: str | None) -> Request:
        query = {name: _text(it) for name, it in call.query.items() if it is not None}
        url = self.base_url + call.path + (f"?{urlencode(query)}" if query else "")
        kind, body = _body(call)
        headers = {
            "Accept": call.accept,
            "User-Agent": self.user_agent,
            "Authorization": f"Bearer {token}" if token else None,
            "Content-Type": kind,
            "Idempotency-Key": call.key,
            "If-Match": call.tag,
        }
        given = {name: value for name, value in headers.items() if value is not None}
        # The feed waits for events.
        wait = call.query.get("wait")
        timeout = self.timeout + (wait if isinstance(wait, int) else 0)
        return Request(call.method, url, given, body, timeout)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body(call: Call) -> tuple[str | None, bytes | None]:
    """The content type and the content."""
    if call.file is not None:
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{call.file.field}"; '
            f'filename="{call.file.field}"\r\nContent-Type: {call.file.content_type}\r\n\r\n'
        )
        content = head.encode() + call.file.content + f"\r\n--{boundary}--\r\n".encode()
        return f"multipart/form-data; boundary={boundary}", content
    if call.body is None:
        return None, None
    return "application/json", json.dumps(call.body, ensure_ascii=False, allow_nan=False).encode()


class Resource:
    """The base of the generated resources."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def _pages(self, call: Call, member: str) -> Pages[Any]:
        def fetch(number: int | None) -> Any:
            return self._core.json(replace(call, query={**call.query, "page": number}))

        start = call.query.get("page")
        return Pages(fetch, member, start if isinstance(start, int) else None)

    def _modify(
        self,
        read: Callable[[], R],
        change: Callable[[R], C],
        write: Callable[[C, str | None], R],
        attempts: int,
    ) -> R:
        """Reads, changes and writes a record; again if somebody else changed it meanwhile."""
        while True:
            record = read()
            attempts -= 1
            try:
                return write(change(record), getattr(record, "etag", None))
            except PreconditionFailedError:
                if attempts <= 0:
                    raise
