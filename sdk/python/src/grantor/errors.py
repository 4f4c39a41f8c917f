"""What can go wrong. Every error of this package is a :class:`GrantorError`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any


class GrantorError(Exception):
    """The base of all errors of this package."""


class ConnectionFailedError(GrantorError):
    """No response arrived: the connection failed, broke or timed out."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        #: Whether the server may have received the request.
        self.sent = sent


class WebhookVerificationError(GrantorError):
    """A webhook delivery is not authentic, or too old."""


class APIError(GrantorError):
    """The server refused a request."""

    def __init__(self, status: int, headers: Mapping[str, str], error: Mapping[str, Any]) -> None:
        #: The HTTP status.
        self.status = status
        #: The machine-readable error code, such as ``NOT_FOUND``.
        self.code = str(error.get("code") or f"HTTP_{status}")
        #: The message for people.
        self.message = str(error.get("message") or "The response has no error message")
        #: The request's ID, which the operator can look up in the server's log.
        self.request_id: str | None = error.get("request_id") or headers.get("x-request-id")
        details = error.get("details")
        #: Messages by field name, or ``limit`` and ``used`` if a plan limit is reached.
        self.details: dict[str, str | int] = dict(details) if isinstance(details, dict) else {}
        #: The response headers, with names in lower case.
        self.headers = dict(headers)
        about = f" ({', '.join(f'{it}: {text}' for it, text in self.details.items())})"
        request = f" [request {self.request_id}]" if self.request_id else ""
        super().__init__(
            f"{status} {self.code}: {self.message}{about if self.details else ''}{request}"
        )

    @property
    def fields(self) -> dict[str, str]:
        """The messages of a validation error, by field name."""
        return {name: text for name, text in self.details.items() if isinstance(text, str)}

    @property
    def retry_after(self) -> float | None:
        """The seconds after which the server allows another attempt, if it says so."""
        return retry_after(self.headers, datetime.now(UTC))


class BadRequestError(APIError):
    """400, 413 or 415: a value is missing or not valid. See :attr:`fields`."""


class AuthenticationError(APIError):
    """401: the API key, its secret or the access token is not valid."""


class PermissionDeniedError(APIError):
    """403: the API client lacks a scope, or its tenant the permission."""


class NotFoundError(APIError):
    """404: there is no such record, or the caller must not know of it."""


class ConflictError(APIError):
    """409: the record exists already, or its state does not allow this."""


class PreconditionFailedError(APIError):
    """412: the record has changed since it was read."""


class IdempotencyError(APIError):
    """422: the idempotency key was already used for another request."""


class RateLimitError(APIError):
    """429: too many requests, or the monthly quota is used up. See :attr:`retry_after`."""


class ServerError(APIError):
    """5xx: the server failed or is not available."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: BadRequestError,
    415: BadRequestError,
    422: IdempotencyError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> APIError:
    """The error of a response. Bodies of proxies, which are no JSON, count as empty."""
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        error = {}
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
    return kind(status, headers, error if isinstance(error, dict) else {})


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds of ``Retry-After``, which is a number or a date."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - now).total_seconds())
