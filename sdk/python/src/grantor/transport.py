"""Sends HTTP requests with the standard library. Another transport can take its place."""

from __future__ import annotations

import http.client
import select
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from .errors import ConnectionFailedError

#: Idle connections are not used again after this many seconds: servers and proxies close them.
IDLE_SECONDS = 30.0
#: How many idle connections are kept.
IDLE_CONNECTIONS = 8


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    #: Seconds for connecting, and for each wait for data.
    timeout: float


@dataclass(frozen=True, slots=True)
class Response:
    """A response. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends requests; must not follow redirects, and may be called by several threads."""

    def send(self, request: Request) -> Response:
        """Sends a request. Raises :class:`ConnectionFailedError` if no response arrives."""
        ...

    def close(self) -> None:
        """Closes idle connections."""
        ...


class HttpTransport:
    """The default transport: keeps connections open and reuses them."""

    def __init__(self, ssl_context: ssl.SSLContext | None = None) -> None:
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._idle: list[tuple[str, http.client.HTTPConnection, float]] = []

    def send(self, request: Request) -> Response:
        url = urlsplit(request.url)
        origin = f"{url.scheme}://{url.netloc}"
        target = url.path + (f"?{url.query}" if url.query else "")
        connection = self._take(origin, request.timeout) or self._open(origin, request.timeout)
        try:
            connection.request(request.method, target, request.body, dict(request.headers))
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            answer = Response(response.status, headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise ConnectionFailedError(f"{origin}: {_reason(error)}", sent=True) from error
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._keep(origin, connection)
        return answer

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection, _ in idle:
            connection.close()

    def _open(self, origin: str, timeout: float) -> http.client.HTTPConnection:
        url = urlsplit(origin)
        host = url.hostname or ""
        connection = (
            http.client.HTTPSConnection(
                host,
                url.port,
                timeout=timeout,
                context=self._ssl_context or ssl.create_default_context(),
            )
            if url.scheme == "https"
            else http.client.HTTPConnection(host, url.port, timeout=timeout)
        )
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise ConnectionFailedError(f"{origin}: {_reason(error)}", sent=False) from error
        return connection

    def _take(self, origin: str, timeout: float) -> http.client.HTTPConnection | None:
        now = time.monotonic()
        with self._lock:
            old = [it for it in self._idle if now - it[2] > IDLE_SECONDS]
            fresh = [it for it in self._idle if now - it[2] <= IDLE_SECONDS]
            found = next((it for it in reversed(fresh) if it[0] == origin), None)
            self._idle = [it for it in fresh if it is not found]
        for _, connection, _ in old:
            connection.close()
        if found is None:
            return None
        connection = found[1]
        if _is_closed(connection):
            connection.close()
            return self._take(origin, timeout)
        connection.sock.settimeout(timeout)
        return connection

    def _keep(self, origin: str, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append((origin, connection, time.monotonic()))
                return
        connection.close()


def _is_closed(connection: http.client.HTTPConnection) -> bool:
    """Whether the server closed an idle connection, on which there is nothing else to read."""
    try:
        return bool(select.select([connection.sock], [], [], 0)[0])
    except (OSError, ValueError):
        return True


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    return str(error) or type(error).__name__
