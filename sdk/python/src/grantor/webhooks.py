"""Verifies webhook deliveries by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from . import models

#: How many seconds the clocks of sender and receiver may differ.
TOLERANCE = 300


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> models.Event:
    """Returns the event of a delivery, or raises :class:`WebhookVerificationError`.

    :param body: The body as it was received. Parsing and serializing it would change it.
    :param headers: The headers of the request.
    :param secret: The webhook's secret, ``whsec_…``, or several of which one must match.
    :param tolerance: How old a delivery may be, in seconds.
    :param now: The current time in Unix seconds, for tests.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    by_name = {name.lower(): value for name, value in headers.items()}
    event_id, sent_at, signatures = (
        by_name.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not (event_id and sent_at and signatures):
        raise WebhookVerificationError("the headers of a webhook delivery are missing")
    _check_time(sent_at, time.time() if now is None else now, tolerance)
    signed = f"{event_id}.{sent_at}.".encode(errors="surrogateescape") + content
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [_signature(it, signed) for it in secrets]
    given = [it.removeprefix("v1,") for it in signatures.split(" ") if it.startswith("v1,")]
    # Every pair is compared, in constant time.
    matches = [
        hmac.compare_digest(a.encode(), b.encode(errors="surrogateescape"))
        for a in expected
        for b in given
    ]
    if not any(matches):
        raise WebhookVerificationError("no signature matches the secret")
    try:
        payload = json.loads(content)
    except ValueError as error:
        raise WebhookVerificationError("the body is not JSON") from error
    if not isinstance(payload, dict):
        raise WebhookVerificationError("the body is not an event")
    return cast("models.Event", {"id": event_id, **payload})


def _check_time(sent_at: str, now: float, tolerance: float) -> None:
    # Python does not parse numbers of thousands of digits.
    if not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) < 20):
        raise WebhookVerificationError("webhook-timestamp is not a number")
    age = now - int(sent_at)
    if abs(age) > tolerance:
        when = "too old" if age > 0 else "in the future"
        raise WebhookVerificationError(f"the delivery is {when}: is this machine's clock right?")


def _signature(secret: str, signed: bytes) -> str:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise WebhookVerificationError("the secret is not one of a webhook: whsec_…") from error
    if not key:
        raise WebhookVerificationError("the secret is empty")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
