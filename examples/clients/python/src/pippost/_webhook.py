"""Webhooks, signed as Standard Webhooks says (https://www.standardwebhooks.com)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pippost._errors import WebhookRefused

if TYPE_CHECKING:
    from pippost import types

# How old a message may be, and how far ahead a sender's clock.
TOLERANCE_SECONDS = 300

PREFIX = "whsec_"
SECONDS = re.compile(r"[0-9]{1,12}")


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def challenge_of(message: "types.WebhookMessage | types.WebhookSaid | types.WebhookChallenge") -> str | None:
    """What to answer as `{"challenge": …}`, so that the webhook becomes active; None of other messages."""
    if message["type"] != "challenge":
        return None
    return cast("types.WebhookChallenge", message)["data"]["challenge"]


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, now: float | None = None
) -> "types.WebhookMessage | types.WebhookSaid | types.WebhookChallenge":
    """The message in a request to your receiver, if the server that has the webhook's `secret` sent it.

    `body` is what came, byte for byte. Raises `WebhookRefused`.
    """
    key = _bytes_of(secret.removeprefix(PREFIX))
    if not key:
        raise ValueError("the secret is none of a webhook")
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, sent, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookRefused(f"{missing} is missing") from None
    if not SECONDS.fullmatch(sent) or abs((time.time() if now is None else now) - int(sent)) > TOLERANCE_SECONDS:
        raise WebhookRefused("webhook-timestamp is not of now")
    raw = body.encode() if isinstance(body, str) else body
    expected = hmac.new(key, f"{message_id}.{sent}.".encode() + raw, hashlib.sha256).digest()
    # During a rotation there are two signatures.
    for part in signatures.split(" "):
        signature = _bytes_of(part.removeprefix("v1,")) if part.startswith("v1,") else None
        if signature is not None and hmac.compare_digest(signature, expected):
            return json.loads(raw)
    raise WebhookRefused("no signature fits the secret")
