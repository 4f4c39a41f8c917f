"""A client of the Grantor licensing server."""

from . import models
from .aio import AsyncGrantor
from .client import Grantor
from .core import etag_of
from .errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    GrantorError,
    IdempotencyError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    ServerError,
    WebhookVerificationError,
)
from .pages import AsyncPages, Page, Pages
from .tokens import TokenStore
from .transport import HttpTransport, Request, Response, Transport
from .version import VERSION
from .webhooks import verify_webhook

__version__ = VERSION
__all__ = [
    "APIError",
    "AsyncGrantor",
    "AsyncPages",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionFailedError",
    "Grantor",
    "GrantorError",
    "HttpTransport",
    "IdempotencyError",
    "NotFoundError",
    "Page",
    "Pages",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "Request",
    "Response",
    "ServerError",
    "TokenStore",
    "Transport",
    "WebhookVerificationError",
    "etag_of",
    "models",
    "verify_webhook",
]
