"""The client for asyncio. It runs the other one on threads, so it needs no further package."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

from . import async_resources, models
from .client import Grantor


class AsyncEvents(async_resources.AsyncEvents):
    """The event feed."""

    async def follow(
        self, after: int | None = None, *, wait: int = 30
    ) -> AsyncIterator[models.Event]:
        """Events as they happen, without an end. See :meth:`grantor.client.Events.follow`."""
        while True:
            feed = await self.list(after=after, limit=100, wait=wait)
            for event in feed["data"]:
                yield event
            after = int(feed["next_cursor"])


class AsyncGrantor(async_resources.AsyncResources):
    """A client of a Grantor server for asyncio, with the arguments of :class:`Grantor`.

    Canceling a call does not stop the request that is on its way.
    """

    events: AsyncEvents

    def __init__(self, base_url: str, **options: Any) -> None:
        self._use(Grantor(base_url, **options))

    def _use(self, client: Grantor) -> None:
        super().__init__(client)
        self._client = client
        self.events = AsyncEvents(client.events)

    def with_options(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        max_wait: float | None = None,
    ) -> Self:
        """The same client with other options. Both share tokens and connections."""
        other = object.__new__(type(self))
        other._use(
            self._client.with_options(timeout=timeout, max_retries=max_retries, max_wait=max_wait)
        )
        return other

    async def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        await asyncio.to_thread(self._client.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Async{self._client!r}"
