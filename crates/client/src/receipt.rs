//! Receipts: what the server signed when it accepted a move.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// Other things are signed with the same keys.
const KIND: &str = "pippost-receipt+jws";

/// It is no receipt, or none of these keys signed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no receipt, or of none of these keys")]
pub struct NoReceipt;

/// The server accepted the event with this hash at this place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Receipt {
    pub game: Uuid,
    pub seq: u64,
    pub hash: String,
}

/// The claims of a receipt that one of the server's keys signed. `keys` is what [`crate::Client::keys`] gives; keep it beside your
/// receipts.
///
/// # Errors
/// [`NoReceipt`].
pub fn verify(receipt: &str, keys: &Value) -> Result<Receipt, NoReceipt> {
    let keys: JwkSet = serde_json::from_value(keys.clone()).map_err(|_| NoReceipt)?;
    let header = jsonwebtoken::decode_header(receipt).map_err(|_| NoReceipt)?;
    let key = keys.find(header.kid.as_deref().ok_or(NoReceipt)?).ok_or(NoReceipt)?;
    if header.typ.as_deref() != Some(KIND) {
        return Err(NoReceipt);
    }
    let mut validation = Validation::new(Algorithm::EdDSA);
    // A receipt never expires.
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let key = DecodingKey::from_jwk(key).map_err(|_| NoReceipt)?;
    let decoded = jsonwebtoken::decode(receipt, &key, &validation).map_err(|_| NoReceipt)?;
    Ok(decoded.claims)
}
