"""Lists: their items, over all pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .models import Pagination

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list."""

    items: list[T]
    pagination: Pagination


class Pages(Generic[T]):
    """A list. Iterating over it requests page after page, as far as the loop goes."""

    def __init__(self, fetch: Callable[[int | None], Any], member: str, start: int | None) -> None:
        self._fetch = fetch
        self._member = member
        self._start = start

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[T]]:
        """The pages, one after another."""
        page = self.first()
        yield page
        while page.pagination["has_next"]:
            page = self._page(page.pagination["page"] + 1)
            yield page

    def first(self) -> Page[T]:
        """The page that was asked for, by default the first, with the number of all items."""
        return self._page(self._start)

    def _page(self, number: int | None) -> Page[T]:
        body = self._fetch(number)
        return Page(body[self._member], body["pagination"])


class AsyncPages(Generic[T]):
    """A list, for ``async for``."""

    def __init__(self, pages: Pages[T]) -> None:
        self._pages = pages

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[Page[T]]:
        """The pages, one after another."""
        pages = self._pages.pages()
        while (page := await asyncio.to_thread(next, pages, None)) is not None:
            yield page

    async def first(self) -> Page[T]:
        """The page that was asked for, by default the first, with the number of all items."""
        return await asyncio.to_thread(self._pages.first)
