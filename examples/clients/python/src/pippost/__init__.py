"""A client of pippost servers. `pippost.types` is made from the OpenAPI document, the rest is written by hand."""

from pippost._errors import NotAllowed, RecordRefused, Refused, Unreachable, WebhookRefused
from pippost._feed import FeedEvent
from pippost._player import Player, any_action
from pippost._receipts import Receipt, receipt_contradicts, verify_receipt
from pippost._record import Verified, verify_record
from pippost._session import Settings
from pippost._webhook import challenge_of, verify_webhook

__all__ = [
    "FeedEvent",
    "NotAllowed",
    "Player",
    "Receipt",
    "RecordRefused",
    "Refused",
    "Settings",
    "Unreachable",
    "Verified",
    "WebhookRefused",
    "any_action",
    "challenge_of",
    "receipt_contradicts",
    "verify_receipt",
    "verify_record",
    "verify_webhook",
]
