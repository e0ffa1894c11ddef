//! RFC 8785 (JCS) for the JSON that a record may contain: integers only, at most 2⁵³ − 1 either side of zero.

mod scan;

use serde::Serialize;
use serde_json::Value;

pub use scan::{MAX_DEPTH, NotCanonical, Scanner, is_canonical};

/// The largest integer that a record may contain.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// The error for a number that a record may not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number that is no integer of at most 2^53 - 1")]
pub struct NoInteger;

/// The canonical bytes of a value.
///
/// # Errors
/// [`NoInteger`] if a number has a fraction, an exponent or too many digits.
pub fn to_bytes(value: &Value) -> Result<Vec<u8>, NoInteger> {
    let mut out = Vec::with_capacity(1024);
    write(value, &mut out)?;
    Ok(out)
}

/// Appends the canonical bytes of a list of values to `out`.
///
/// # Errors
/// As [`to_bytes`]; `out` is then incomplete.
pub fn write_list(entries: &[Value], out: &mut Vec<u8>) -> Result<(), NoInteger> {
    out.push(b'[');
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(entry, out)?;
    }
    out.push(b']');
    Ok(())
}

/// The canonical bytes of our own plain data.
///
/// # Panics
/// If the data has numbers that a record may not contain, or cannot be written as JSON.
#[must_use]
pub fn of<T: Serialize>(data: &T) -> Vec<u8> {
    let value = serde_json::to_value(data).expect("plain data");
    to_bytes(&value).expect("integers only")
}

/// Appends the canonical bytes of a value to `out`.
///
/// # Errors
/// As [`to_bytes`]; `out` is then incomplete.
pub fn write(value: &Value, out: &mut Vec<u8>) -> Result<(), NoInteger> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => {
            let fits = match (number.as_u64(), number.as_i64()) {
                (Some(positive), _) => positive <= MAX_INTEGER,
                (None, Some(negative)) => negative.unsigned_abs() <= MAX_INTEGER,
                (None, None) => false,
            };
            if !fits {
                return Err(NoInteger);
            }
            serde_json::to_writer(out, number).expect("a buffer takes all");
        }
        Value::String(text) => write_string(text, out),
        Value::Array(entries) => write_list(entries, out)?,
        Value::Object(members) => {
            // The map yields ASCII names, and our own data has no others, in canonical order; other names may need sorting.
            if members.keys().all(|name| name.is_ascii()) && members.keys().is_sorted() {
                write_members(members.iter(), out)?;
            } else {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|(a, _), (b, _)| utf16_order(a, b));
                write_members(sorted.into_iter(), out)?;
            }
        }
    }
    Ok(())
}

fn write_members<'a>(
    members: impl Iterator<Item = (&'a String, &'a Value)>,
    out: &mut Vec<u8>,
) -> Result<(), NoInteger> {
    out.push(b'{');
    for (index, (name, member)) in members.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_string(name, out);
        out.push(b':');
        write(member, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// `serde_json` escapes exactly as RFC 8785 requires: short forms where they exist, else lower-case `\u00xx`.
fn write_string(text: &str, out: &mut Vec<u8>) {
    if text.bytes().any(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) {
        serde_json::to_writer(out, text).expect("a buffer takes all");
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// The order of member names: by UTF-16 code units, which for ASCII is the order of bytes.
fn utf16_order(a: &str, b: &str) -> std::cmp::Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> Result<String, NoInteger> {
        let value: Value = serde_json::from_str(text).expect("JSON");
        to_bytes(&value).map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }

    #[test]
    fn members_are_sorted_by_utf16_code_units() {
        // U+1F600 starts with the surrogate D83D, which sorts before U+FB33 although its UTF-8 bytes sort after.
        let text = canonical("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"b\":3,\"a\":{\"z\":[],\"y\":null}}")
            .expect("integers");
        assert_eq!(text, "{\"a\":{\"y\":null,\"z\":[]},\"b\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}");
    }

    #[test]
    fn strings_are_escaped_only_where_they_must_be() {
        let text = canonical(r#""\u0041\/\u00e9\u0001\n\"\\\u007f""#).expect("a string");
        assert_eq!(text, "\"A/é\\u0001\\n\\\"\\\\\u{7f}\"");
    }

    #[test]
    fn only_integers_up_to_two_to_the_fifty_third_are_numbers() {
        for text in ["0", "-1", "9007199254740991", "-9007199254740991"] {
            assert_eq!(canonical(text).as_deref(), Ok(text));
        }
        for text in ["1.0", "1e3", "-0", "9007199254740992", "-9007199254740992", "18446744073709551616"] {
            assert_eq!(canonical(text), Err(NoInteger), "{text}");
        }
    }
}
