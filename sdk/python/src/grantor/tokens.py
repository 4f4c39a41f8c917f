"""Access tokens: exchanged once, renewed before they expire, shared by all threads."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from .errors import (
    AuthenticationError,
    ConnectionFailedError,
    GrantorError,
    RateLimitError,
    ServerError,
)

#: How many seconds before its end an access token is renewed.
RENEW_BEFORE = 300.0

#: Sends a JSON body to a path without authentication and returns the ``data`` of the response.
Post = Callable[[str, dict[str, str]], Any]


class TokenStore(Protocol):
    """Keeps tokens between processes, since a server allows 10 exchanges per hour and API key.

    What it keeps is a secret. :meth:`load` returns what :meth:`save` got last, or ``None``.
    """

    def load(self) -> str | None:
        """Returns the saved text."""
        ...

    def save(self, text: str) -> None:
        """Saves a text in place of the previous one."""
        ...


@dataclass(frozen=True, slots=True)
class _Tokens:
    access_token: str
    refresh_token: str
    renew_at: float
    expires_at: float


class TokenSource:
    """Provides a valid access token."""

    def __init__(
        self,
        server: str,
        api_key: str | None,
        api_secret: str | None,
        store: TokenStore | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._pair = {"api_key": api_key, "api_secret": api_secret}
        # Saved tokens of another server or key are not used.
        self._owner = {"server": server, "api_key": api_key}
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._tokens: _Tokens | None = None

    def get(self, post: Post) -> str:
        """Returns an access token; renews it if necessary. Other threads wait meanwhile."""
        with self._lock:
            if self._tokens is None or self._clock() >= self._tokens.renew_at:
                self._tokens = self._renewed(post)
            return self._tokens.access_token

    def reject(self, access_token: str) -> None:
        """The server rejected this access token: the next call renews it."""
        with self._lock:
            now = self._tokens
            if now is not None and now.access_token == access_token:
                self._tokens = _Tokens(now.access_token, now.refresh_token, 0.0, 0.0)

    def _renewed(self, post: Post) -> _Tokens:
        now = self._tokens
        saved = self._load()
        if saved is not None and self._is_newer(saved):
            return saved
        try:
            tokens = self._request(post, now or saved)
        except (ConnectionFailedError, RateLimitError, ServerError):
            # The renewal starts early, so there is time to try again.
            if now is not None and self._clock() < now.expires_at:
                return now
            raise
        if self._store is not None:
            self._store.save(json.dumps({**self._owner, "tokens": asdict(tokens)}))
        return tokens

    def _is_newer(self, saved: _Tokens) -> bool:
        """Whether another process has renewed the tokens."""
        is_other = self._tokens is None or saved.access_token != self._tokens.access_token
        return is_other and self._clock() < saved.renew_at

    def _request(self, post: Post, tokens: _Tokens | None) -> _Tokens:
        if tokens is not None:
            body = {"refresh_token": tokens.refresh_token}
            try:
                return self._read({**body, **post("/auth/token/refresh", body)})
            except AuthenticationError:
                # Expired or revoked: the API key is exchanged again.
                pass
        key, secret = self._pair["api_key"], self._pair["api_secret"]
        if not key or not secret:
            raise GrantorError("this call needs an API key and secret: pass api_key and api_secret")
        return self._read(post("/auth/token", {"api_key": key, "api_secret": secret}))

    def _read(self, data: dict[str, Any]) -> _Tokens:
        now, life = self._clock(), float(data["expires_in"])
        renew_at = now + life - min(RENEW_BEFORE, life / 2)
        return _Tokens(data["access_token"], data["refresh_token"], renew_at, now + life)

    def _load(self) -> _Tokens | None:
        text = self._store.load() if self._store is not None else None
        try:
            saved = json.loads(text) if text else {}
            is_own = all(saved.get(name) == value for name, value in self._owner.items())
            return _Tokens(**saved["tokens"]) if is_own else None
        except (AttributeError, KeyError, TypeError, ValueError):
            # Written by another version: it is replaced.
            return None
