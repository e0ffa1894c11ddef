"""Receipts: what the server signed when it accepted a move."""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pippost._record import Verified

if TYPE_CHECKING:
    from pippost import types

# Other things are signed with the same keys.
RECEIPT_TYPE = "pippost-receipt+jws"


class Receipt(NamedTuple):
    """The server accepted the event with this hash at this place."""

    game: str
    seq: int
    hash: str


def verify_receipt(receipt: str, keys: "types.KeySet") -> Receipt:
    """The claims of a receipt that one of the server's keys signed.

    The keys are those of `GET /.well-known/jwks.json`; keep them beside your receipts. Raises `jwt.PyJWTError`. Needs
    `pip install pippost[receipts]`.
    """
    import jwt

    header = jwt.get_unverified_header(receipt)
    known = jwt.PyJWKSet.from_dict(cast(dict[str, Any], keys))
    key = next((key for key in known.keys if key.key_id == header.get("kid")), None)
    if key is None or header.get("typ") != RECEIPT_TYPE:
        raise jwt.InvalidTokenError("it is no receipt, or of none of these keys")
    claims = jwt.decode(receipt, key, algorithms=["EdDSA"])
    return Receipt(claims["game"], claims["seq"], claims["hash"])


def receipt_contradicts(receipt: Receipt, record: Verified) -> bool:
    """Whether a receipt and a verified record of its game together prove that the server broke its word."""
    if receipt.game != record.game:
        raise ValueError("the receipt is of another game")
    if receipt.seq >= len(record.hashes):
        # A record that was fetched before the move does not have it yet.
        return record.result is not None
    return record.hashes[receipt.seq] != receipt.hash
