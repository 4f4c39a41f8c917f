"""The client."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from . import models, resources
from .core import USER_AGENT, Core
from .tokens import TokenSource, TokenStore
from .transport import HttpTransport, Transport


class Events(resources.Events):
    """The event feed."""

    def follow(self, after: int | None = None, *, wait: int = 30) -> Iterator[models.Event]:
        """Events as they happen, without an end.

        To continue later, save the ``sequence`` of each event that you have processed.

        :param after: The ``sequence`` of the last event that you have processed. Without it, the
            oldest available event comes first.
        :param wait: How many seconds a request may wait for events, up to 30.
        """
        while True:
            feed = self.list(after=after, limit=100, wait=wait)
            yield from feed["data"]
            after = int(feed["next_cursor"])


class Grantor(resources.Resources):
    """A client of a Grantor server, for any number of threads.

    Without an API key, it can call only what is public, such as the catalog.

    :param base_url: The server's URL, such as ``https://grantor.example``.
    :param api_key: The API key, ``gk_…``. By default ``GRANTOR_API_KEY`` of the environment.
    :param api_secret: Its secret, ``gs_…``. By default ``GRANTOR_API_SECRET`` of the environment.
    :param timeout: Seconds for connecting, and for each wait for data.
    :param max_retries: How often a call is repeated after a temporary failure.
    :param max_wait: The longest ``Retry-After`` that is waited for; a longer one is an error.
    :param token_store: Keeps tokens between processes.
    :param transport: Sends the requests, in place of the standard library.
    :param app: The name and version of your program, which are added to ``User-Agent``.
    :param allow_http: Allows plain HTTP to other machines. Everybody on the way sees the secret.
    """

    events: Events

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        max_wait: float = 60.0,
        token_store: TokenStore | None = None,
        transport: Transport | None = None,
        app: str | None = None,
        allow_http: bool = False,
    ) -> None:
        key = api_key or os.environ.get("GRANTOR_API_KEY")
        secret = api_secret or os.environ.get("GRANTOR_API_SECRET")
        url = _base(base_url, allow_http)
        core = Core(
            base_url=url,
            transport=transport or HttpTransport(),
            tokens=TokenSource(url, key, secret, token_store),
            timeout=timeout,
            max_retries=max_retries,
            max_wait=max_wait,
            user_agent=f"{app} {USER_AGENT}" if app else USER_AGENT,
        )
        self._use(core)

    def _use(self, core: Core) -> None:
        super().__init__(core)
        self._core = core
        self.events = Events(core)

    def with_options(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        max_wait: float | None = None,
    ) -> Self:
        """The same client with other options. Both share tokens and connections."""
        core, other = self._core, object.__new__(type(self))
        core = replace(
            core,
            timeout=core.timeout if timeout is None else timeout,
            max_retries=core.max_retries if max_retries is None else max_retries,
            max_wait=core.max_wait if max_wait is None else max_wait,
        )
        other._use(core)
        return other

    def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        self._core.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Grantor({self._core.base_url!r})"


def _base(text: str, allow_http: bool) -> str:
    """Checks the server's URL. Errors do not repeat it: it may contain a password."""
    url = urlsplit(text.strip())
    host = url.hostname or ""
    if url.scheme not in ("http", "https") or not host:
        raise ValueError("base_url must be a URL such as https://grantor.example")
    if url.username is not None or url.password is not None:
        raise ValueError("base_url must not contain a user name or password")
    if url.scheme == "http" and not (_is_local(host) or allow_http):
        raise ValueError("base_url must be https, because the API secret is sent there")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
